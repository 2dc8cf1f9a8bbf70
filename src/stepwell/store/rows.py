"""Write the rows of a trajectory: head, steps, passages, raw records and media.

Every function expects to run inside the caller's transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.errors import StoreError
from stepwell.store.codec import encode_head, encode_step, pack
from stepwell.store.forget import delete_passages
from stepwell.store.rowids import MAX_STEPS, rowid, span
from stepwell.trajectory.passages import passages_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    import apsw

    from stepwell.store.scope import Scope
    from stepwell.trajectory.model import Blob, RawRecord, Step, Trajectory
    from stepwell.trajectory.passages import Passage

__all__ = [
    "Rows",
    "insert_head",
    "insert_steps",
    "microseconds",
    "put_blobs",
    "put_raw",
    "replace_step",
    "title_of",
]

_TITLE_CHARS = 120

Rows = tuple[tuple[int, ...], tuple["Passage", ...]]
"""Row ids of new passages, ascending, and these passages."""


def insert_head(
    db: apsw.Connection,
    trajectory: Trajectory,
    *,
    scope: Scope,
    source_uri: str,
    now: datetime,
) -> int:
    """Store a trajectory without steps; return its number."""
    db.execute(
        "INSERT INTO trajectories (trajectory_id, user_id, agent_id, run_id, session_id, "
        "parent_id, source_format, source_uri, title, n_steps, n_passages, n_raw, n_blobs, "
        "added_at, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?)",
        (
            trajectory.trajectory_id,
            *scope.owner,
            scope.session or trajectory.session_id,
            trajectory.parent_trajectory_id,
            trajectory.source_format,
            source_uri,
            title_of(trajectory.task, trajectory.steps),
            microseconds(now),
            encode_head(trajectory),
        ),
    )
    return db.last_insert_rowid()


def title_of(task: str | None, steps: Iterable[Step]) -> str:
    """Return the title of a run: its task, else what its user said first, else its agent."""
    steps = list(steps)
    texts = [task or ""] + [s.message for s in steps if s.kind == "user"]
    texts += [s.message for s in steps if s.kind == "agent"]
    return next((" ".join(t.split())[:_TITLE_CHARS] for t in texts if t.strip()), "")


def insert_steps(
    db: apsw.Connection, number: int, steps: Sequence[Step], bodies: Sequence[bytes]
) -> Rows:
    """Store new steps with their passages, and count them.

    Raises:
        StoreError: The trajectory would have more steps than row ids can name.
    """
    if not steps:
        return (), ()
    if steps[-1].index >= MAX_STEPS:
        raise StoreError(
            f"A trajectory holds at most {MAX_STEPS} steps.", hint="Split the log into sessions."
        )
    db.executemany(
        "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((rowid(number, s.index), *_facts(s), body) for s, body in zip(steps, bodies, strict=True)),
    )
    db.execute("UPDATE trajectories SET n_steps = n_steps + ? WHERE no = ?", (len(steps), number))
    passages = tuple(passage for step in steps for passage in passages_of(step))
    return _insert_passages(db, number, passages), passages


def replace_step(
    db: apsw.Connection, number: int, step: Step, *, known: Step, body: bytes | None = None
) -> Rows:
    """Store a step in the place of another; passages up to the first difference stay."""
    db.execute(
        "UPDATE steps SET kind = ?, actor = ?, status = ?, active = ?, has_error = ?, t_start = ?, "
        "t_end = ?, body = ? WHERE id = ?",
        (*_facts(step), encode_step(step) if body is None else body, rowid(number, step.index)),
    )
    before, after = passages_of(known), passages_of(step)
    pairs = zip(before, after, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(before), len(after)))
    if same < len(before):
        first = rowid(number, step.index, same)
        delete_passages(db, number, first, span(number, first=step.index, end=step.index + 1)[1])
    fresh = tuple(after[same:])
    return _insert_passages(db, number, fresh, start=same), fresh


def _facts(step: Step) -> tuple[str | int | None, ...]:
    return (
        step.kind,
        step.actor,
        step.status,
        step.active,
        step.status == "error" or any(result.is_error for result in step.results),
        None if step.t_start is None else microseconds(step.t_start),
        None if step.t_end is None else microseconds(step.t_end),
    )


def _insert_passages(
    db: apsw.Connection, number: int, passages: Sequence[Passage], *, start: int = 0
) -> tuple[int, ...]:
    """Insert passages, which are ordered by step; those of the first step begin at `start`."""
    rowids: list[int] = []
    step, place = passages[0].step if passages else 0, start
    for passage in passages:
        if passage.step != step:
            step, place = passage.step, 0
        rowids.append(rowid(number, step, place))
        place += 1
    db.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)",
        (
            (row, p.part, p.label, p.first_line, p.first_column, p.text)
            for row, p in zip(rowids, passages, strict=True)
        ),
    )
    db.execute(
        "UPDATE trajectories SET n_passages = n_passages + ? WHERE no = ?", (len(passages), number)
    )
    return tuple(rowids)


def put_raw(
    db: apsw.Connection,
    number: int,
    records: Iterable[tuple[int, RawRecord]],
    *,
    source_uri: str,
) -> None:
    """Store raw records under their indices, in the place of what stands there."""
    last = -1
    for index, record in records:
        last = max(last, index)
        db.execute(
            "INSERT OR REPLACE INTO raw_records VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                rowid(number, 0) + index,
                None if record.source_uri == source_uri else record.source_uri,
                record.position,
                record.byte_offset,
                bytes.fromhex(record.sha256),
                record.redacted,
                pack(record.raw),
            ),
        )
    db.execute("UPDATE trajectories SET n_raw = max(n_raw, ?) WHERE no = ?", (last + 1, number))


def put_blobs(db: apsw.Connection, number: int, blobs: Sequence[Blob]) -> None:
    """Store media bytes of a trajectory, each digest once."""
    for blob in blobs:
        db.execute(
            "INSERT INTO blobs SELECT ? + n_blobs, ?, ?, ? FROM trajectories WHERE no = ? "
            "AND NOT EXISTS (SELECT 1 FROM blobs WHERE sha256 = ? AND id BETWEEN ? AND ?)",
            (
                rowid(number, 0),
                blob.sha256,
                blob.media_type,
                blob.data,
                number,
                blob.sha256,
                *span(number),
            ),
        )
        if db.changes():
            db.execute("UPDATE trajectories SET n_blobs = n_blobs + 1 WHERE no = ?", (number,))


def microseconds(moment: datetime) -> int:
    """Return microseconds since 1970 of a moment that knows its time zone."""
    return round(moment.timestamp() * 1_000_000)
