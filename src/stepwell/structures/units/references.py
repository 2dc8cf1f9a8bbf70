"""Names found in text: files, addresses, identifiers, ids, tables, errors, numbered things.

One scan finds whatever does not look like a plain word, and short patterns say what it is. Every
pattern reads a character once, and of a text of any length only so many characters are read.
"""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["READ_CHARS", "names_in"]

_HEAD: Final = 6_000
_TAIL: Final = 2_000
READ_CHARS: Final = _HEAD + _TAIL
"""Characters read of a text, at its start and its end: listings begin with what was asked for, and
programs report failure last. They cost up to a millisecond."""

_MOST: Final = 32
"""Names taken from one text, in order: a listing of a thousand files is about none of them."""

_SHORTEST, _LONGEST = 2, 120
"""Characters of a name; what is longer is data."""

_WORD: Final = r"\w./\\:@#~-"
_TOKEN = re.compile(
    rf"https?://[^\s\"'<>()\[\]{{}}|`]++"
    rf"|(?<![{_WORD}])(?=[A-Z]?[a-z]*+(?:[\dA-Z_#@~/\\]|[.:-][\w/\\]))[{_WORD}]{{2,}}+"
)
"""An address, or a run of word characters that is not a plain word."""

_SLASH = re.compile(r"[/\\]+")
_PLACE = re.compile(r"(?::\d+)+$|#L\d+$")
"""A line number behind a file's name."""

_FILE = re.compile(r"[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7}")
_ROOTED = re.compile(r"(?:~|\.{0,2}|[A-Za-z]:)[/\\]")
_FAULT = re.compile(r"[\w.]+(?:Error|Exception|Warning|Failure)")
_IDENTIFIER = re.compile(
    r"[a-z]+[A-Z]\w*|[A-Z]+[a-z]+\d*[A-Z]\w*"  # camelCase, PascalCase
    r"|_*[A-Za-z0-9]+_\w*[A-Za-z0-9]"  # snake_case
    r"|[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+"  # dotted
    r"|[A-Za-z]{2,10}-\d{1,8}"  # a ticket
    r"|#?(?=[A-Za-z-]*\d)(?=\d*[A-Za-z-])[\dA-Za-z][\dA-Za-z-]{3,}"  # an id, a hash, a date
    r"|#\d{2,}|\d{5,}"
)
_ERRNO: Final = frozenset(errno.errorcode.values())

_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE)[ \t\n]{1,8}[`\"\[]?([A-Za-z_][\w.$-]*+)")
"""In capitals only: in small letters `from` and `update` are mostly English."""

_STATUS = re.compile(
    r"\b(?:HTTP(?:/\d(?:\.\d)?)?|[Ss]tatus(?:[ _-]?[Cc]ode)?)[ \t:=]{1,3}([1-5]\d\d)\b"
)
_NUMBERED = re.compile(r"\b([A-Za-z]{3,20}+) (\d{1,4})\b(?![.:]\d)")
"""`cabinet 2`, `port 8080`, `row 17`."""

_COUNTS: Final = frozenset(
    {
        *("about", "and", "are", "but", "for", "from", "had", "has", "last", "least", "most"),
        *("next", "only", "over", "step", "steps", "than", "the", "top", "turn", "turns"),
        *("under", "was", "were", "with"),
    }
)
"""Words before a number that only counts."""

_ABBREVIATED: Final = 3
"""Characters of `e.g` and `p.m`, which look like files of one letter."""


def names_in(text: str) -> list[str]:
    """Return the names a text mentions, in lower case, without repeats, at most 32.

    A file is named by its last two parts, so that its absolute and its relative path agree.

    >>> names_in("grep -n foo_bar ./src/app/main.py:12 raised KeyError, see DB-12 and cabinet 2")
    ['foo_bar', 'app/main.py', 'keyerror', 'db-12', 'cabinet 2']
    >>> names_in("SELECT id FROM orders JOIN users  -- HTTP 404 https://www.x.org/a?b=1")
    ['x.org/a', 'orders', 'users', 'http 404']
    """
    if len(text) > READ_CHARS:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    names: dict[str, None] = {}
    for name in _all(text):
        if _SHORTEST <= len(name) <= _LONGEST:
            names[name.lower()] = None
            if len(names) == _MOST:
                break
    return list(names)


def _all(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        name = _name(match[0])
        if name is not None:
            yield name
    for match in _TABLE.finditer(text):
        yield match[1].rstrip(".-")
    for match in _STATUS.finditer(text):
        yield f"http {match[1]}"
    for match in _NUMBERED.finditer(text):
        if match[1].lower() not in _COUNTS:
            yield match[0]


def _name(token: str) -> str | None:
    """Return the name a token is; None when it is none."""
    if len(token) > 2 * _LONGEST:
        return None
    if token.startswith("http"):
        address = re.split(r"[?#]", token.partition("://")[2])[0]
        if address:
            return address.removeprefix("www.").rstrip("/.,:;!")
    token = _PLACE.sub("", token.rstrip(".:-/\\~@#"))
    if _SLASH.search(token):
        return _path(token)
    token = token.strip(".:-~@/\\")
    if _FAULT.fullmatch(token):
        return token.rpartition(".")[2]
    is_name = _IDENTIFIER.fullmatch(token) or token in _ERRNO or _is_file(token)
    return token if is_name else None


def _path(token: str) -> str | None:
    """Return the last two parts of a path; None for two words with a slash between."""
    parts = [part for part in _SLASH.split(token) if part.strip(".~")]
    is_path = len(parts) > 1 and (_ROOTED.match(token) is not None or len(parts) > 2)  # noqa: PLR2004
    if not parts or not (is_path or _is_file(parts[-1])):
        return None
    return "/".join(parts[-2:])


def _is_file(token: str) -> bool:
    if token[:1].isdigit() or len(token) <= _ABBREVIATED:
        return False
    return _FILE.fullmatch(token) is not None
