"""Read trajectories, steps and passages back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from stepwell.store.codec import decode_head, decode_step, unpack
from stepwell.store.rowids import MAX_PLACES, MAX_STEPS, span, step_of
from stepwell.trajectory.model import Blob, RawRecord
from stepwell.trajectory.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import apsw

    from stepwell.store.scope import Scope
    from stepwell.trajectory.model import Step, Trajectory

__all__ = [
    "Entry",
    "entries",
    "find_trajectory",
    "last_passages",
    "load_head",
    "load_media",
    "load_passages",
    "load_step",
    "load_steps",
    "load_trajectory",
    "step_passages",
    "trajectory_passages",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ENTRY = (
    "SELECT no, trajectory_id, user_id, agent_id, run_id, session_id, parent_id, source_format, "
    "source_uri, title, n_steps, n_passages, added_at FROM trajectories"
)
_PASSAGE = "SELECT id, part, label, line, col, text FROM passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A stored trajectory's line in the catalogue.

    Attributes:
        number: Its number in this store.
        added_at: When it was first added, UTC.
    """

    number: int
    trajectory_id: str
    user_id: str
    agent_id: str
    run_id: str
    session_id: str
    parent_id: str | None
    source_format: str
    source_uri: str
    title: str
    n_steps: int
    n_passages: int
    added_at: datetime


def entries(db: apsw.Connection, scope: Scope) -> list[Entry]:
    """Return the trajectories a scope may see, in the order they were added."""
    condition, parameters = scope.condition()
    rows = db.execute(f"{_ENTRY} WHERE {condition} ORDER BY no", parameters)
    return [_entry(row) for row in rows]


def find_trajectory(
    db: apsw.Connection, trajectory_id: str, *, owner: tuple[str, str, str]
) -> Entry | None:
    """Return the trajectory of this id that belongs to a user, agent and run; None for none."""
    row = db.execute(
        f"{_ENTRY} WHERE user_id = ? AND agent_id = ? AND run_id = ? AND trajectory_id = ?",
        (*owner, trajectory_id),
    ).fetchone()
    return None if row is None else _entry(row)


def _entry(row: tuple[Any, ...]) -> Entry:
    return Entry(
        number=row[0],
        trajectory_id=row[1],
        user_id=row[2],
        agent_id=row[3],
        run_id=row[4],
        session_id=row[5],
        parent_id=row[6],
        source_format=row[7],
        source_uri=row[8],
        title=row[9],
        n_steps=row[10],
        n_passages=row[11],
        added_at=_EPOCH + timedelta(microseconds=row[12]),
    )


def load_head(db: apsw.Connection, number: int) -> Trajectory | None:
    """Return a trajectory without steps and raw records; None when there is none."""
    row = db.execute("SELECT head FROM trajectories WHERE no = ?", (number,)).fetchone()
    return None if row is None else decode_head(row[0])


def load_trajectory(db: apsw.Connection, number: int) -> Trajectory:
    """Return a whole trajectory, raw records included; its number must exist."""
    ((head, source_uri),) = db.execute(
        "SELECT head, source_uri FROM trajectories WHERE no = ?", (number,)
    )
    return replace(
        decode_head(head),
        steps=tuple(load_steps(db, number)),
        raw_records=tuple(_raw_records(db, number, source_uri)),
    )


def load_steps(
    db: apsw.Connection, number: int, *, first: int = 0, last: int | None = None
) -> Iterator[Step]:
    """Yield the steps of a trajectory from index `first` to `last`, inclusive."""
    end = None if last is None else min(last + 1, MAX_STEPS)
    rows = db.execute(
        "SELECT body FROM steps WHERE id BETWEEN ? AND ? ORDER BY id",
        span(number, first=min(first, MAX_STEPS), end=end),
    )
    for (body,) in rows:
        yield decode_step(body)


def load_step(db: apsw.Connection, number: int, index: int) -> Step | None:
    """Return one step, or None when the trajectory has no such index."""
    return next(load_steps(db, number, first=index, last=index), None)


def _raw_records(db: apsw.Connection, number: int, source_uri: str) -> Iterator[RawRecord]:
    rows = db.execute(
        "SELECT source_uri, position, byte_offset, sha256, redacted, raw FROM raw_records "
        "WHERE id BETWEEN ? AND ? ORDER BY id",
        span(number),
    )
    for uri, position, byte_offset, sha256, redacted, raw in rows:
        yield RawRecord(
            source_uri=source_uri if uri is None else uri,
            position=position,
            byte_offset=byte_offset,
            sha256=sha256.hex(),
            raw=unpack(raw),
            redacted=bool(redacted),
        )


def load_media(db: apsw.Connection, number: int, *, sha256: str = "") -> list[Blob]:
    """Return the media bytes of a trajectory in the order they were read.

    Args:
        db: The database.
        number: The trajectory's number.
        sha256: How the digest of those that are wanted begins, in lower-case hex.
    """
    rows = db.execute(
        "SELECT sha256, media_type, data FROM blobs "
        "WHERE id BETWEEN ? AND ? AND substr(sha256, 1, ?) = ? ORDER BY id",
        (*span(number), len(sha256), sha256),
    )
    return [Blob(sha256=digest, media_type=kind, data=data) for digest, kind, data in rows]


def load_passages(db: apsw.Connection, ids: Sequence[int]) -> dict[int, Passage]:
    """Return the passages with these row ids, by row id."""
    rows = db.execute(
        f"{_PASSAGE} WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608  (fixed text)
        (json.dumps(list(ids)),),
    )
    return {row[0]: _passage(row) for row in rows}


def last_passages(db: apsw.Connection, keys: Sequence[int]) -> list[int]:
    """Return the row ids of the last passages of some steps, given by their keys."""
    rows = db.execute(
        "SELECT (SELECT max(id) FROM passages WHERE id BETWEEN value AND value + ?) "
        "FROM json_each(?)",
        (MAX_PLACES - 1, json.dumps([key * MAX_PLACES for key in keys])),
    )
    return [row for (row,) in rows if row is not None]


def step_passages(db: apsw.Connection, number: int, step: int) -> list[tuple[int, Passage]]:
    """Return the passages of a step with their row ids, in reading order."""
    rows = db.execute(
        f"{_PASSAGE} WHERE id BETWEEN ? AND ? ORDER BY id",
        span(number, first=step, end=step + 1),
    )
    return [(row[0], _passage(row)) for row in rows]


def trajectory_passages(db: apsw.Connection, number: int) -> Iterator[tuple[int, Passage]]:
    """Yield the passages of a trajectory with their row ids, in order."""
    for row in db.execute(f"{_PASSAGE} WHERE id BETWEEN ? AND ? ORDER BY id", span(number)):
        yield row[0], _passage(row)


def _passage(row: tuple[Any, ...]) -> Passage:
    return Passage(
        step=step_of(row[0]),
        part=row[1],
        label=row[2],
        first_line=row[3],
        first_column=row[4],
        text=row[5],
    )
