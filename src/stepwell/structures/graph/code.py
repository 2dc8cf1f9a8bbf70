"""Files and what they define, tables and their columns, pages and their elements, settings."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from stepwell.structures.graph.model import Triple
from stepwell.structures.reading import has_any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["addressed", "defined", "elements", "queried", "settings", "traced"]

_MOST: Final = 12
"""Triples of one kind from one text."""

_DEFINED = re.compile(
    r"^[ \t\d:|+>-]{0,24}(?:(?:export|public|private|static|async|pub)[ \t]{1,4}){0,3}"
    r"(def|class|function|fn|func|interface|struct|type)[ \t]{1,4}([A-Za-z_]\w{1,60})",
    re.MULTILINE,
)
_DEFINES: Final = (
    *("def ", "class ", "function ", "fn ", "func ", "interface ", "struct ", "type "),
)
_FRAME = re.compile(r'File "([^"\n]{1,200})", line (\d{1,7})(?:, in ([\w<>.]{1,60}))?')

_TABLE: Final = r"[`\"\[]?[A-Za-z_]\w{0,60}[`\"\]]?(?:\.[`\"\[]?\w{1,60}[`\"\]]?){0,3}"
_SQL_HINT = re.compile(
    r"\b(?:SELECT|INSERT INTO|UPDATE|CREATE|DELETE FROM|ALTER)\b"
    r"|\bselect\s[^.!?]{1,400}?\sfrom\s|\bcreate table\s|\binsert into\s"
)
_SQL_STARTS: Final = (
    *("SELECT", "INSERT", "UPDATE", "CREATE", "DELETE", "ALTER"),
    *("select", "create table", "insert into"),
)
"""Small letters need more: `update` and `create` are English too."""
_SQL = re.compile(
    r"\b(?:(FROM|JOIN|INSERT INTO|DELETE FROM|CREATE (?:OR REPLACE )?TABLE(?: IF NOT EXISTS)?)"
    rf"\s{{1,20}}({_TABLE})|(UPDATE)\s{{1,20}}({_TABLE})\s{{1,20}}SET\b)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(
    rf"\bSELECT\s{{1,20}}([^()]{{1,300}}?)\s{{1,20}}FROM\s{{1,20}}({_TABLE})", re.IGNORECASE
)
_CREATED = re.compile(
    rf"\bTABLE(?: IF NOT EXISTS)?\s{{1,20}}({_TABLE})\s{{0,20}}\(([^;]{{1,1500}})", re.IGNORECASE
)
_COLUMN = re.compile(
    r"(?:^|,)\s{0,40}[`\"]{0,2}([A-Za-z_]\w{0,60})[`\"]{0,2}\s{1,20}"
    r"(?:VARCHAR|TEXT|CHAR|INT|BIGINT|NUMBER|NUMERIC|DECIMAL|FLOAT|REAL|DOUBLE|BOOL|DATE|TIME"
    r"|VARIANT|JSON|BLOB|SERIAL|UUID)",
    re.IGNORECASE,
)
_DONE: Final = {
    "update": "updates",
    "insert": "writes",
    "delete": "deletes from",
    "create": "creates",
}
_SQL_WORDS: Final = frozenset(
    {"select", "where", "set", "the", "a", "this", "table", "values", "lateral", "unnest"}
)

_ELEMENT = re.compile(r"\[(\w{1,12})\](?: is)? ([a-z]{2,16}) '([^'\n]{1,100})'")
"""`[2125] link 'Create new...'`, an element of a page as accessibility trees write it."""

_ADDRESS = re.compile(r"https?://([\w.-]{1,100})(?::\d{1,5})?(/[^\s\"'<>()\[\]{}|`?#]{1,200})")

_SETTING = re.compile(
    r"^[ \t]{0,24}(?:[-*] )?[\"']?([^\W\d_][\w.-]{0,24}(?: [\w.-]{1,24}){0,2})[\"']?"
    r"[ \t]{0,8}[:=][ \t]{1,8}"
    r"([^\s{\[(][^\n]{0,80})$",
    re.MULTILINE,
)
"""`status: open`, `"port": 8080,`, a whole line."""


_NO_KEYS: Final = ("error", "exception", "warning", "http", "https")
"""Ends of words before a colon that name no value."""


def defined(text: str, *, file: str) -> Iterator[Triple]:
    r"""Yield what a file defines.

    >>> [tuple(t)[:3] for t in defined("  12\tdef parse(text):", file="app/read.py")]
    [('app/read.py', 'defines def', 'parse')]
    """
    for match in islice(_DEFINED.finditer(text), _MOST) if has_any(text, _DEFINES) else ():
        yield Triple(file, f"defines {match[1]}", match[2])


def traced(text: str) -> Iterator[Triple]:
    """Yield the frames of a traceback, each with the one it called.

    >>> [tuple(t)[:3] for t in traced('File "a.py", line 3, in run')]
    [('a.py', 'line 3 in', 'run')]
    """
    frames = list(islice(_FRAME.finditer(text), _MOST))
    for frame in frames:
        yield Triple(frame[1], f"line {frame[2]} in", frame[3] or "module")
    for caller, called in pairwise(frame[3] for frame in frames):
        if caller and called and caller != called:
            yield Triple(caller, "calls", called)


def queried(text: str, *, by: str) -> Iterator[Triple]:
    """Yield the tables that SQL reads and writes, which are joined, and their columns.

    Args:
        text: Text that may hold SQL.
        by: Who runs it.

    >>> [tuple(t)[:3] for t in queried("SELECT id, name FROM users JOIN orders", by="sql")]
    [('sql', 'reads', 'users'), ('sql', 'reads', 'orders'), ('users', 'joined with', 'orders'), \
('users', 'column', 'id'), ('users', 'column', 'name')]
    """
    if not has_any(text, _SQL_STARTS) or not _SQL_HINT.search(text):
        return
    before = ""
    for match in islice(_SQL.finditer(text), _MOST):
        verb, table = (match[1] or match[3]).lower(), match[2] or match[4]
        if table.lower() in _SQL_WORDS:
            continue
        yield Triple(by, _DONE.get(verb.partition(" ")[0], "reads"), table)
        if verb == "join" and before:
            yield Triple(before, "joined with", table)
        before = table
    yield from _columns(text)


def _columns(text: str) -> Iterator[Triple]:
    for match in islice(_COLUMNS.finditer(text), _MOST):
        for column in match[1].split(",")[:_MOST]:
            name = column.strip().split(" ")[-1].rpartition(".")[2]
            if name.strip('"`').isidentifier():
                yield Triple(match[2], "column", name)
    for match in islice(_CREATED.finditer(text), _MOST):
        for column in islice(_COLUMN.finditer(match[2]), _MOST):
            yield Triple(match[1], "column", column[1])


def addressed(text: str) -> Iterator[Triple]:
    """Yield the pages that addresses name, each with its host.

    >>> [tuple(t)[:3] for t in addressed("see https://www.x.org/a/b?q=1")]
    [('x.org', 'page', 'x.org/a/b')]
    """
    for match in islice(_ADDRESS.finditer(text), _MOST):
        host = match[1].removeprefix("www.")
        yield Triple(host, "page", f"{host}{match[2]}".rstrip("/.,:;!"))


def elements(text: str) -> Iterator[Triple]:
    """Yield the named elements of a page.

    >>> [tuple(t)[:3] for t in elements("[21] link 'Create new...'")]
    [('#21', 'link', 'Create new...')]
    """
    for match in islice(_ELEMENT.finditer(text), _MOST):
        yield Triple(f"#{match[1]}", match[2], match[3])


def settings(text: str, *, of: str) -> Iterator[Triple]:
    """Yield what whole lines say a thing's values are.

    >>> [tuple(t)[:3] for t in settings("status: open", of="ticket 7")]
    [('ticket 7', 'status', 'open')]
    """
    for match in islice(_SETTING.finditer(text), _MOST):
        key = match[1].lower()
        if not key.endswith(_NO_KEYS):
            yield Triple(of, key, match[2].rstrip(', "'))
