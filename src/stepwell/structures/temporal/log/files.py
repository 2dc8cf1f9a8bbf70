"""What calls of tools change, by their names and arguments: files, plans, the page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.states import State, cut
from stepwell.structures.temporal.grammar.words.edits import (
    NEW_TEXTS,
    OLD_TEXTS,
    WRITTEN_TEXTS,
)
from stepwell.structures.temporal.log.commands import event
from stepwell.text.tools import (
    ACTIONS,
    EDIT_ARGUMENTS,
    FILE_CHANGES,
    PATHS,
    READS,
    TEXTS,
    URLS,
)
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stepwell.trajectory.model import JsonObject

__all__ = ["call_states"]

_CHANGES: Final = tuple(
    (re.compile(any_of(parts), re.IGNORECASE), done) for done, parts in FILE_CHANGES.items()
)
_PATCH = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.{1,300})$", re.MULTILINE)
"""The line of a patch that names a file."""

_PATCHED: Final = {"Add": "created", "Update": "edited", "Delete": "deleted"}
_PATCH_READ = 8_000
_PATCH_WITHIN = 200
"""Characters within which a patch begins."""

_DIFFERED, _TOLD = 4_000, 60
"""Characters compared of a text that was replaced, and told of it."""

_MOST_ITEMS = 40
_ACTION, _URL, _ITEM, _STATUS = 40, 200, 120, 40
"""Characters kept of an action, of an address, and of an item of a plan and its status."""


def call_states(name: str, args: JsonObject, act: int) -> Iterator[State]:
    """Yield what a call changes if it succeeds, judged by its name and its arguments.

    Args:
        name: The tool.
        args: Its arguments.
        act: The action's place among the step's.
    """
    path = _first_text(args, PATHS)
    if path and (done := _file_change(name, args)):
        yield replace(event(path, done, act), detail=_detail(args))
    for address in filter(_is_text, map(args.get, URLS)):
        yield State(slot="page", aspect="url", value=cut(address, _URL), act=act)
    for value in list(args.values())[:_MOST_ITEMS]:
        if is_list(value):
            yield from _plan(value, act)
        elif _is_text(value):
            yield from _patch(value, act)


def _detail(args: JsonObject) -> str:
    """Return what a call replaces by what, each up to where they differ; or how much it writes."""
    old, new = _first_text(args, OLD_TEXTS), _first_text(args, NEW_TEXTS)
    if old or new:
        return f'"{_differing(old, new)}" -> "{_differing(new, old)}"'
    edits = args.get("edits")
    if is_list(edits) and edits and is_object(edits[0]):
        return f"{len(edits)} edits, the first {_detail(edits[0])}"
    text = _first_text(args, WRITTEN_TEXTS)
    return f'{len(text.splitlines())} lines, "{cut(text.lstrip(), _TOLD)}"' if text.strip() else ""


def _differing(text: str, other: str) -> str:
    """Return the first line of a text that the other one does not begin with, and what follows."""
    lines, others = text[:_DIFFERED].split("\n"), other[:_DIFFERED].split("\n")
    same = 0
    while same < min(len(lines), len(others)) - 1 and lines[same] == others[same]:
        same += 1
    return cut("\n".join(lines[same:]), _TOLD)


def _is_text(value: Any) -> TypeGuard[str]:
    return isinstance(value, str)


def _first_text(values: JsonObject, keys: Iterable[str]) -> str:
    """Return the first of some fields that is a text; empty when none is."""
    return next(filter(_is_text, map(values.get, keys)), "")


def _file_change(name: str, args: JsonObject) -> str:
    """Return what a call does to the file that it names; empty when it leaves it as it is."""
    actions = [str(args.get(key, ""))[:_ACTION] for key in ACTIONS]
    words = _only_word(" ".join(actions)) or name
    if words.strip().casefold() in READS:
        return ""
    for pattern, done in _CHANGES:
        if pattern.search(words):
            return done
    return "" if EDIT_ARGUMENTS.isdisjoint(args) else "edited"


def _only_word(text: str) -> str:
    """Return a text that is a single word; empty for any other."""
    bare = text.strip()
    return "" if " " in bare else bare


def _plan(items: list[Any], act: int) -> Iterator[State]:
    for item in items[:_MOST_ITEMS]:
        if not is_object(item) or not _is_text(status := item.get("status")):
            continue
        text = _first_text(item, TEXTS)
        if text.strip():
            yield State(slot=cut(text, _ITEM), aspect="status", value=cut(status, _STATUS), act=act)


def _patch(text: str, act: int) -> Iterator[State]:
    if "*** " in text[:_PATCH_WITHIN]:
        for kind, file in _PATCH.findall(text[:_PATCH_READ]):
            yield event(file, _PATCHED[kind], act)
