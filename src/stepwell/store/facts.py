"""What is known of stored steps and trajectories without reading their text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.store.rowids import MAX_PLACES, span, step_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from stepwell.store.read import Entry


__all__ = [
    "StepFacts",
    "Which",
    "bytes_of",
    "called_tools",
    "count_passages",
    "count_stored",
    "first_step_since",
    "keys_answered_since",
    "keys_between",
    "live_steps",
    "n_characters",
    "step_facts",
    "steps_before",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_LIVE = "SELECT id FROM steps WHERE id BETWEEN ?1 AND ?2 AND active AND "
_SAYING = (
    "SELECT id - id % 65536 FROM passages WHERE id BETWEEN ?1 AND ?2 AND part = 'm'"  # MAX_PLACES
)
_FIRST_ACT = "SELECT min(id) FROM steps WHERE id BETWEEN ?1 AND ?2 AND kind = 'agent'"
_LIVE_STEPS = {
    "failed": f"{_LIVE} has_error ORDER BY id",
    "acting": f"{_LIVE} kind = 'agent' ORDER BY id",
    "asking": f"{_LIVE} kind = 'user' ORDER BY id",
    "saying": f"{_LIVE} kind = 'agent' AND id IN ({_SAYING}) ORDER BY id",
    "live": f"{_LIVE} true ORDER BY id",
    "introducing": f"{_LIVE} kind != 'agent' AND id < coalesce(({_FIRST_ACT}), ?2 + 1) ORDER BY id",
}

Which: TypeAlias = Literal["failed", "acting", "asking", "saying", "live", "introducing"]
"""Steps that failed, in which an agent acts, a user asks, an agent says something; all of them; and
those before the first one of an agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """What is known of a step without its text.

    Attributes:
        kind: Who speaks.
        active: Whether it is on the live path.
        has_error: Whether it failed.
        time: When it started, UTC.
        answered: When its last result came, UTC.
    """

    kind: str
    active: bool
    has_error: bool
    time: datetime | None
    answered: datetime | None


def step_facts(db: apsw.Connection, keys: Iterable[int]) -> dict[int, StepFacts]:
    """Return what is known of some steps, by key: their row id divided by `MAX_PLACES`."""
    ids = json.dumps([key * MAX_PLACES for key in keys])
    rows = db.execute(
        "SELECT id, kind, active, has_error, t_start, t_end FROM steps "
        "WHERE id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    return {
        row // MAX_PLACES: StepFacts(
            kind=kind,
            active=bool(active),
            has_error=bool(has_error),
            time=_moment(t_start),
            answered=_moment(t_end),
        )
        for row, kind, active, has_error, t_start, t_end in rows
    }


def live_steps(db: apsw.Connection, rows: tuple[int, int], *, which: Which) -> list[int]:
    """Return the indices of steps on the live path of one kind.

    Args:
        db: The database.
        rows: First and last row id of the steps looked at.
        which: Which of them are wanted.
    """
    found = db.execute(_LIVE_STEPS[which], rows)
    return [step_of(int(row)) for (row,) in found]


def called_tools(db: apsw.Connection, rows: tuple[int, int]) -> dict[int, list[tuple[str, str]]]:
    """Return the tools that each live step calls, by its index, each with how the call begins."""
    found = db.execute(
        "SELECT s.id, p.label, substr(p.text, 1, 80) FROM passages p "
        "JOIN steps s ON s.id = p.id - p.id % ?3 "
        "WHERE p.id BETWEEN ?1 AND ?2 AND p.part GLOB 'c*' AND s.active ORDER BY p.id",
        (*rows, MAX_PLACES),
    )
    tools: dict[int, list[tuple[str, str]]] = {}
    for row, label, text in found:
        tools.setdefault(step_of(int(row)), []).append((label, text))
    return tools


def keys_between(
    db: apsw.Connection, rows: tuple[int, int], start: datetime, end: datetime
) -> list[int]:
    """Return the keys of steps that began from one moment on and before another."""
    found = db.execute(
        "SELECT id FROM steps WHERE id BETWEEN ? AND ? AND t_start >= ? AND t_start < ?",
        (*rows, _microseconds(start), _microseconds(end)),
    )
    return [int(row) // MAX_PLACES for (row,) in found]


def first_step_since(db: apsw.Connection, number: int, moment: datetime) -> int | None:
    """Return the index of a trajectory's first step that began at a moment or later."""
    row = db.execute(
        "SELECT min(id) FROM steps WHERE id BETWEEN ? AND ? AND t_start >= ?",
        (*span(number), _microseconds(moment)),
    ).fetchone()
    return None if row is None or row[0] is None else step_of(int(row[0]))


def steps_before(db: apsw.Connection, number: int, moment: datetime) -> list[int] | None:
    """Return the steps of a trajectory older than a moment; None where no step has a time.

    A step without a time is as old as the step before it, those in front as the first that has one.
    """
    rows = db.execute(
        "SELECT coalesce(max(t_start, coalesce(t_end, t_start)), t_end) FROM steps "
        "WHERE id BETWEEN ? AND ? ORDER BY id",
        span(number),
    ).fetchall()
    times = [None if time is None else int(time) for (time,) in rows]
    known = next((time for time in times if time is not None), None)
    if known is None:
        return None
    older: list[int] = []
    for index, time in enumerate(times):
        known = known if time is None else time
        if known < _microseconds(moment):
            older.append(index)
    return older


def keys_answered_since(db: apsw.Connection, rows: tuple[int, int], moment: datetime) -> list[int]:
    """Return the keys of steps whose last result came at a moment or later."""
    found = db.execute(
        "SELECT id FROM steps WHERE id BETWEEN ? AND ? AND t_end >= ?",
        (*rows, _microseconds(moment)),
    )
    return [int(row) // MAX_PLACES for (row,) in found]


def count_stored(db: apsw.Connection) -> tuple[int, int]:
    """Return how many trajectories and how many passages the whole store holds."""
    ((n_trajectories, n_passages),) = db.execute(
        "SELECT count(*), coalesce(sum(n_passages), 0) FROM trajectories"
    )
    return int(n_trajectories), int(n_passages)


def count_passages(db: apsw.Connection, rows: tuple[int, int]) -> int:
    """Return how many passages lie between two row ids, both included."""
    ((n,),) = db.execute("SELECT count(*) FROM passages WHERE id BETWEEN ? AND ?", rows)
    return int(n)


def n_characters(db: apsw.Connection, number: int) -> int:
    """Return the characters of all passages of a trajectory."""
    ((n,),) = db.execute(
        "SELECT coalesce(sum(length(text)), 0) FROM passages WHERE id BETWEEN ? AND ?",
        span(number),
    )
    return int(n)


def _moment(stored: int | None) -> datetime | None:
    return None if stored is None else _EPOCH + timedelta(microseconds=stored)


def _microseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


def bytes_of(db: apsw.Connection, entries: Iterable[Entry]) -> int:
    """Return the bytes of texts, records, media and vectors that are stored of trajectories."""
    return sum(
        int(n or 0)
        for entry in entries
        for table, column in _SIZED
        for (n,) in db.execute(
            f"SELECT sum(length({column})) FROM {table} WHERE {_OF[table]} BETWEEN ? AND ?",  # noqa: S608  (fixed names)
            span(entry.number),
        )
    )


_SIZED = (
    ("steps", "body"),
    ("passages", "text"),
    ("raw_records", "raw"),
    ("blobs", "data"),
    ("vectors", "vector"),
)
_OF = {table: "id" for table, _ in _SIZED} | {
    "vectors": "encoder IN (SELECT no FROM encoders) AND id"
}
