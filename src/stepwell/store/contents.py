"""What identifies stored steps, and the stored runs that a reading may be of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stepwell.store.codec import decode_step
from stepwell.store.rowids import number_of, rowid, span, step_of
from stepwell.trajectory.contents import Content, content_of
from stepwell.trajectory.continuing import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

__all__ = [
    "FORGOTTEN",
    "GONE",
    "HELD",
    "LIVE",
    "Owner",
    "Stored",
    "fill_contents",
    "last_prefix",
    "load_contents",
    "put_contents",
    "runs_through",
    "said_by",
    "steps_gone",
]

Owner = tuple[str, str, str]
"""User, agent and run that a trajectory belongs to."""

HELD, GONE, FORGOTTEN, LIVE = range(4)
"""Whether its log holds a step, held it once, may not bring it back, or never knew of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What identifies the steps of a stored run.

    Attributes:
        contents: By index.
        states: Likewise: `HELD`, `GONE`, `FORGOTTEN` or `LIVE`.
        follows: Likewise: the index of the step each comes right after in the run, -1 for none;
            None for the one before it.
        order: The indices in the order of the run; steps that came late stand between others.
    """

    contents: list[Content]
    states: list[int]
    follows: list[int | None]
    order: list[int]


def load_contents(db: apsw.Connection, number: int) -> Stored:
    """Return what identifies the steps of a trajectory."""
    rows: list[Any] = db.execute(
        "SELECT kind, said, record, prefix, follows, state FROM contents "
        "WHERE id BETWEEN ? AND ? ORDER BY id",
        span(number),
    ).fetchall()
    return Stored(
        contents=[Content(kind=row[0], said=row[1], record=row[2], prefix=row[3]) for row in rows],
        states=[row[5] for row in rows],
        follows=[row[4] for row in rows],
        order=in_order([row[4] for row in rows]),
    )


def put_contents(
    db: apsw.Connection, number: int, rows: Iterable[tuple[int, Content, int | None, int]]
) -> None:
    """Store what identifies steps: index, content, the step each follows in the run, and state."""
    db.executemany(
        "INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (rowid(number, index), one.kind, one.said, one.record, one.prefix, follows, state)
            for index, one, follows, state in rows
        ),
    )


def last_prefix(db: apsw.Connection, number: int) -> bytes:
    """Return the prefix of a trajectory's last step; empty without any."""
    row = db.execute(
        "SELECT prefix FROM contents WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
        span(number),
    ).fetchone()
    return b"" if row is None else bytes(row[0])


def steps_gone(db: apsw.Connection, number: int) -> set[int]:
    """Return the indices of steps that a trajectory's log held once, and holds no more."""
    rows = db.execute(
        "SELECT id FROM contents WHERE id BETWEEN ? AND ? AND state = ?", (*span(number), GONE)
    )
    return {step_of(int(row)) for (row,) in rows}


def said_by(db: apsw.Connection, rows: Sequence[int]) -> dict[int, bytes]:
    """Return what was said in steps, as hashes, by row id."""
    found = db.execute(
        "SELECT id, said FROM contents WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(rows)),),
    )
    return {int(row): bytes(said) for row, said in found}


def runs_through(db: apsw.Connection, contents: Sequence[Content], owner: Owner) -> list[int]:
    """Return the numbers of the owner's runs that share the longest beginning with a reading.

    The prefixes of a run are stored one and all, so the longest is found by halving.
    """
    low, high = 0, len(contents)
    while low < high:
        middle = (low + high + 1) // 2
        if _through(db, contents[middle - 1].prefix, owner, limit=1):
            low = middle
        else:
            high = middle - 1
    if not any(one.kind == "agent" for one in contents[:low]):
        return []  # a common task or question makes no common run
    return _through(db, contents[low - 1].prefix, owner, limit=20)


def _through(db: apsw.Connection, prefix: bytes, owner: Owner, *, limit: int) -> list[int]:
    rows = db.execute(
        "SELECT DISTINCT t.no FROM contents c JOIN trajectories t ON t.no = c.id >> 36 "
        "WHERE c.prefix = ? AND t.user_id = ? AND t.agent_id = ? AND t.run_id = ? "
        "ORDER BY t.no LIMIT ?",
        (prefix, *owner, limit),
    )
    return [int(number) for (number,) in rows]


def fill_contents(db: apsw.Connection, only: int | None = None) -> None:
    """Store what identifies the steps that are stored: of one trajectory, or of all."""
    number, before = -1, b""
    within = (0, 2**63 - 1) if only is None else span(only)
    steps = "SELECT id, body FROM steps WHERE id BETWEEN ? AND ? ORDER BY id"
    for row, body in db.execute(steps, within):
        if number_of(row) != number:
            number, before = number_of(row), b""
        step = decode_step(body)
        ref = step.raw_refs[0] if step.raw_refs else -1
        raw = db.execute("SELECT sha256 FROM raw_records WHERE id = ?", (rowid(number, 0) + ref,))
        digest = (raw.fetchone() or (b"",))[0] if ref >= 0 else b""
        content = content_of(step, record=digest.hex(), before=before)
        before = content.prefix
        put_contents(db, number, [(step_of(row), content, None, HELD)])
