"""What calls of tools change: files, tables, plans, the page, the working directory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.temporal.facts import State, cut
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.trajectory.model import JsonObject

__all__ = ["call_states", "command_states", "query_states", "shown_states", "tables_of"]

_PATHS: Final = (
    "path",
    "file_path",
    "filepath",
    "file",
    "filename",
    "notebook_path",
    "target_file",
)
_URLS: Final = ("url", "website_url", "uri", "link")
_TEXTS: Final = ("content", "step", "title", "task", "text", "description", "name", "subject")
_WRITES = re.compile(r"creat|writ|save|new", re.IGNORECASE)
_EDITS = re.compile(r"edit|replace|insert|patch|updat|append|modif|undo", re.IGNORECASE)
_DELETES = re.compile(r"delet|remov|unlink", re.IGNORECASE)
_READS: Final = frozenset({"view", "read", "open", "cat", "ls", "list", "search", "grep", "find"})
_PATCH = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.{1,300})$", re.MULTILINE)
_DONE: Final = {"Add": "created", "Update": "edited", "Delete": "deleted"}
_READ = 8_000
"""Characters read of a command or a query."""

_WORD = r"[\w./~@%+:{}$*-]{1,200}"
_COMMANDS: Final = (
    (re.compile(rf"(?:^|[;&|\n]\s*)cd\s+[\"']?({_WORD})"), "cwd", ""),
    (re.compile(rf"(?:^|[;&|\n]\s*)rm\s+(?:-\w+\s+)*[\"']?({_WORD})"), "", "deleted"),
    (re.compile(rf"(?:^|[;&|\n]\s*)(?:touch|mkdir)\s+(?:-\w+\s+)*[\"']?({_WORD})"), "", "created"),
    (
        re.compile(
            rf"(?:^|[;&|\n]\s*)sed\s+(?:-\w+\s+)*-i\b[^;&|\n]{{0,400}}\s({_WORD})(?=\s*(?:$|[;&|\n]))"
        ),
        "",
        "edited",
    ),
    (re.compile(rf"(?<![>\d&=-])>\s*[\"']?(?=[^\s]*[A-Za-z])({_WORD})"), "", "written"),
    (re.compile(rf">>\s*[\"']?({_WORD})"), "", "edited"),
)
_MOVED = re.compile(rf"(?:^|[;&|\n]\s*)(mv|cp)\s+(?:-\w+\s+)*({_WORD})\s+({_WORD})")
_NAME = r"((?:[`\"\[]?[\w$]{1,80}[`\"\]]?\.){0,3}[`\"\[]?[\w$]{1,80}[`\"\]]?)"
_QUERIES: Final = (
    (
        re.compile(
            rf"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?{_NAME}",
            re.IGNORECASE,
        ),
        "created",
    ),
    (re.compile(rf"\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?{_NAME}", re.IGNORECASE), "altered"),
    (
        re.compile(rf"\bDROP\s+(?:TABLE|VIEW)\s+(?:IF\s+EXISTS\s+)?{_NAME}", re.IGNORECASE),
        "dropped",
    ),
    (re.compile(rf"\bTRUNCATE\s+(?:TABLE\s+)?{_NAME}", re.IGNORECASE), "emptied"),
    (re.compile(rf"\bINSERT\s+(?:OR\s+\w+\s+)?INTO\s+{_NAME}", re.IGNORECASE), "rows inserted"),
    (re.compile(rf"\bDELETE\s+FROM\s+{_NAME}", re.IGNORECASE), "rows deleted"),
    (re.compile(rf"\bUPDATE\s+{_NAME}\s+SET\b", re.IGNORECASE), "rows updated"),
)
_COMMENT = re.compile(r"--[^\n]*")
_SELECT = re.compile(r"\bSELECT\b", re.IGNORECASE)
_FROM = re.compile(rf"\b(?:FROM|JOIN)\s+{_NAME}", re.IGNORECASE)
_WITH = re.compile(r"(?:\bWITH|,)\s+(\w{1,80})\s+AS\s*\(", re.IGNORECASE)
"""Names that a query gives to its own parts."""

_PAGE = re.compile(r"(?:Tab \d{1,4} \(current\)|Page Title|- Page Title|Title)\s*:\s*(\S.{0,160})")
_ROOT = re.compile(r"\bRootWebArea '([^'\n]{1,160})'")
_URL = re.compile(r"(?:^|\n)[- ]{0,4}(?:Page )?URL\s*:\s*(\S{4,200})")
_SAVED = re.compile(
    r"(?:saved|written|exported|created)\s+(?:successfully\s+)?(?:to|at|as)\s*:?\s*[\"'`]?"
    r"([\w./~-]{1,200}\.\w{1,8})\b"
)
_WROTE = re.compile(r"saved|written|exported|created")
_MOST_ITEMS = 40


def call_states(name: str, args: JsonObject, act: int) -> Iterator[State]:
    """Yield what a call changes if it succeeds, judged by its name and its arguments.

    Args:
        name: The tool.
        args: Its arguments.
        act: The action's place among the step's.
    """
    verb = " ".join(str(args.get(key, ""))[:40] for key in ("command", "action", "mode"))
    path = next((args[key] for key in _PATHS if isinstance(args.get(key), str)), "")
    if path and (done := _file_change(name, verb, args)):
        yield _event(path, done, act)
    for key in _URLS:
        if isinstance(args.get(key), str):
            yield State(slot="page", aspect="url", value=cut(args[key], 200), act=act)
    for value in list(args.values())[:_MOST_ITEMS]:
        if is_list(value):
            yield from _plan(value, act)
        elif isinstance(value, str) and "*** " in value[:200]:
            for kind, file in _PATCH.findall(value[:_READ]):
                yield _event(file, _DONE[kind], act)


def _file_change(name: str, verb: str, args: JsonObject) -> str:
    words = verb if verb.strip() and " " not in verb.strip() else name
    if words.strip().casefold() in _READS:
        return ""
    for pattern, done in ((_DELETES, "deleted"), (_EDITS, "edited"), (_WRITES, "created")):
        if pattern.search(words):
            return "written" if done == "created" and "creat" not in words.casefold() else done
    return "edited" if {"old_str", "new_str", "old_string", "new_string"} & set(args) else ""


def _event(slot: str, value: str, act: int) -> State:
    return State(slot=slot.strip("'\"` "), aspect="", value=value, act=act, is_event=True)


def _plan(items: list[Any], act: int) -> Iterator[State]:
    for item in items[:_MOST_ITEMS]:
        status = item.get("status") if is_object(item) else None
        if not isinstance(status, str):
            continue
        text = next((item[key] for key in _TEXTS if isinstance(item.get(key), str)), "")
        if text.strip():
            yield State(slot=cut(text, 120), aspect="status", value=cut(status, 40), act=act)


def command_states(command: str, act: int) -> Iterator[State]:
    """Yield what a shell command changes if it succeeds: files and the working directory.

    >>> [(s.slot, s.value) for s in command_states("cd src && rm -f a.py", 0)]
    [('cwd', 'src'), ('a.py', 'deleted')]
    """
    text = command[:_READ]
    for pattern, slot, done in _COMMANDS:
        for match in pattern.finditer(text):
            name = match[1].strip("'\"")
            if slot:
                yield State(slot=slot, aspect="", value=name, act=act)
            elif not name.startswith("/dev/"):
                yield _event(name, done, act)
    for verb, source, target in _MOVED.findall(text):
        if verb == "mv":
            yield _event(source, f"moved to {target}", act)
        yield _event(target, f"{'moved' if verb == 'mv' else 'copied'} from {source}", act)


def query_states(query: str, act: int) -> Iterator[State]:
    """Yield what SQL statements change if they succeed: tables.

    >>> [(s.slot, s.value) for s in query_states("DELETE FROM orders WHERE id = 4", 0)]
    [('orders', 'rows deleted')]
    """
    text = _COMMENT.sub(" ", query[:_READ])
    for pattern, done in _QUERIES:
        for match in pattern.finditer(text):
            yield _event(re.sub(r"[`\"\[\]]", "", match[1]), done, act)


def tables_of(query: str) -> list[str]:
    """Return the tables that a query reads, in order, each once.

    >>> tables_of('SELECT * FROM a.b JOIN "c" ON 1 = 1')
    ['a.b', 'c']
    """
    text = _COMMENT.sub(" ", query[:_READ])
    if not _SELECT.search(text):
        return []
    common = {name.casefold() for name in _WITH.findall(text)}
    names = [re.sub(r"[`\"\[\]]", "", name) for name in _FROM.findall(text)]
    return [name for name in dict.fromkeys(names) if name.casefold() not in common][:_MOST_ITEMS]


def shown_states(text: str) -> Iterator[State]:
    """Yield the page that a browser shows, and the files that a tool says it has written."""
    head = text[:2_000]
    for match in _SAVED.finditer(head) if "." in head and _WROTE.search(head) else ():
        yield State(slot=match[1], aspect="", value="written", quote=match[0], is_event=True)
    if "RootWebArea" not in head and "Tab " not in head[:40] and "URL" not in head:
        return
    title = _ROOT.search(head) or _PAGE.match(head)
    if title is not None:
        yield State(slot="page", aspect="title", value=title[1].strip(), quote=title[1].strip())
    if (url := _URL.search(head)) is not None:
        yield State(slot="page", aspect="url", value=url[1], quote=url[1])
