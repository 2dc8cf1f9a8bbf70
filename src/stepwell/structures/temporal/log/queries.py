"""What SQL statements change and read: tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.log.commands import event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.structures.temporal.grammar.states import State

__all__ = ["is_query", "query_states", "tables_of"]

_READ = 8_000
"""Characters read of a query."""

_MOST_TABLES = 40
_NAME: Final = r"((?:[`\"\[]?[\w$]{1,80}[`\"\]]?\.){0,3}[`\"\[]?[\w$]{1,80}[`\"\]]?)"
"""A name with its schema: `main`.`orders`."""

_REPLACE: Final = r"(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?"
_STATEMENTS: Final = tuple(
    (re.compile(rf"\b{source}", re.IGNORECASE), done)
    for source, done in (
        (rf"CREATE\s+{_REPLACE}(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?{_NAME}", "created"),
        (rf"ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?{_NAME}", "altered"),
        (rf"DROP\s+(?:TABLE|VIEW)\s+(?:IF\s+EXISTS\s+)?{_NAME}", "dropped"),
        (rf"TRUNCATE\s+(?:TABLE\s+)?{_NAME}", "emptied"),
        (rf"INSERT\s+(?:OR\s+\w+\s+)?INTO\s+{_NAME}", "rows inserted"),
        (rf"DELETE\s+FROM\s+{_NAME}", "rows deleted"),
        (rf"UPDATE\s+{_NAME}\s+SET\b", "rows updated"),
    )
)
"""The statements that change a table, and what the table is after each."""

_BEGINNING = re.compile(
    rf"\s*(?:(?:CREATE|ALTER|DROP|TRUNCATE)\s+{_REPLACE}(?:TABLE|VIEW|INDEX|DATABASE|SCHEMA)"
    r"|INSERT\s+(?:OR\s+\w+\s+)?INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET|SELECT|WITH\s+\S+\s+AS)\b",
    re.IGNORECASE,
)
"""What begins a text that is a query."""

_COMMENT = re.compile(r"--[^\n]*")
_MARKS = re.compile(r"[`\"\[\]]")
"""What may surround a name."""

_SELECT = re.compile(r"\bSELECT\b", re.IGNORECASE)
_FROM = re.compile(rf"\b(?:FROM|JOIN)\s+{_NAME}", re.IGNORECASE)
_WITH = re.compile(r"(?:\bWITH|,)\s+(\w{1,80})\s+AS\s*\(", re.IGNORECASE)
"""Names that a query gives to its own parts."""


def is_query(text: str) -> bool:
    """Return whether a text begins as an SQL statement does."""
    return _BEGINNING.match(text) is not None


def query_states(query: str, act: int) -> Iterator[State]:
    """Yield what SQL statements change if they succeed: tables.

    >>> [(s.slot, s.value) for s in query_states("DELETE FROM orders WHERE id = 4", 0)]
    [('orders', 'rows deleted')]
    """
    text = _COMMENT.sub(" ", query[:_READ])
    for pattern, done in _STATEMENTS:
        for match in pattern.finditer(text):
            yield event(_MARKS.sub("", match[1]), done, act)


def tables_of(query: str) -> list[str]:
    """Return the tables that a query reads, in order, each once.

    >>> tables_of('SELECT * FROM a.b JOIN "c" ON 1 = 1')
    ['a.b', 'c']
    """
    text = _COMMENT.sub(" ", query[:_READ])
    if not _SELECT.search(text):
        return []
    own = {name.casefold() for name in _WITH.findall(text)}
    names = dict.fromkeys(_MARKS.sub("", name) for name in _FROM.findall(text))
    return [name for name in names if name.casefold() not in own][:_MOST_TABLES]
