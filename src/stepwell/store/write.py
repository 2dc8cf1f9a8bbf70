"""Write trajectories: whole, grown, changed at the end, or one live step at a time.

Every function expects to run inside the caller's transaction, so that text and indexes are
committed together or not at all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.errors import StoreError
from stepwell.store.codec import encode_head, encode_step, pack
from stepwell.store.forget import delete_from, mark_rewritten
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
    "Origin",
    "Written",
    "append_raw",
    "append_step",
    "put_blobs",
    "put_trajectory",
    "update_step",
]

State: TypeAlias = Literal["added", "extended", "changed", "unchanged"]

_TITLE_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a trajectory was read from.

    Attributes:
        uri: The file.
        names: Whether the trajectory's id is made from the file's path, because the log has none:
            then the same content under another path is the same trajectory.
    """

    uri: str = ""
    names: bool = False


NOWHERE = Origin()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a write did, and what the structures have to index because of it.

    Attributes:
        number: The trajectory's number.
        state: `added`, `extended` (steps at the end are new), `changed` (steps from some point on
            were replaced) or `unchanged`.
        n_steps: Steps written.
        rowids: Row ids of the new passages, ascending.
        passages: The new passages.
    """

    number: int
    state: State
    n_steps: int
    rowids: tuple[int, ...]
    passages: tuple[Passage, ...]


def put_trajectory(
    db: apsw.Connection,
    trajectory: Trajectory,
    *,
    scope: Scope,
    now: datetime,
    origin: Origin = NOWHERE,
    blobs: Sequence[Blob] = (),
) -> Written:
    """Store a trajectory; what is stored of it already is left as it is.

    Only the steps from the first difference on are written, so reading a log again changes
    nothing, and reading a log that grew costs its new part. A log with fewer steps than are
    stored (a truncated or older copy) changes nothing either: steps are only dropped on request.
    """
    bodies = [encode_step(step) for step in trajectory.steps]
    fingerprint = _fingerprint(bodies)
    trajectory = _beside_other_source(db, trajectory, scope)
    found = _find(db, trajectory, scope)
    if found is None:
        twin = _twin(db, trajectory, scope, fingerprint, origin.uri) if origin.names else None
        if twin is not None and bodies:
            return _unchanged(twin)
        number, stored = _insert_head(db, trajectory, scope, origin.uri, now), 0
    else:
        number, stored = found
    if len(bodies) < stored:
        return _unchanged(number)
    same = _common_steps(db, number, bodies) if stored else 0
    if found is not None and same == len(bodies):
        head = encode_head(trajectory)
        db.execute("UPDATE trajectories SET head = ? WHERE no = ?", (head, number))
        return _unchanged(number)
    if same < stored:
        delete_from(db, number, step=same)
    rowids, passages = _insert_steps(db, number, trajectory.steps[same:], bodies[same:])
    _put_raw(db, number, trajectory.raw_records, origin.uri)
    put_blobs(db, number, blobs)
    db.execute(
        "UPDATE trajectories SET head = ?, n_steps = ?, fingerprint = ?, title = ? WHERE no = ?",
        (encode_head(trajectory), len(bodies), fingerprint, _title(trajectory), number),
    )
    state: State = "added" if found is None else ("extended" if same == stored else "changed")
    return Written(
        number=number,
        state=state,
        n_steps=len(bodies) - same,
        rowids=rowids,
        passages=passages,
    )


def append_step(db: apsw.Connection, number: int, step: Step) -> Written:
    """Append one live step to a trajectory; its index must be the number of steps stored."""
    rowids, passages = _insert_steps(db, number, (step,), [encode_step(step)])
    title = " ".join(step.message.split())[:_TITLE_CHARS] if step.kind == "user" else ""
    db.execute(
        "UPDATE trajectories SET n_steps = n_steps + 1, fingerprint = x'', "
        "title = CASE WHEN title = '' THEN ? ELSE title END WHERE no = ?",
        (title, number),
    )
    return Written(number=number, state="extended", n_steps=1, rowids=rowids, passages=passages)


def append_raw(db: apsw.Connection, number: int, record: RawRecord) -> int:
    """Append one raw record to a trajectory; return its index, for `Step.raw_refs`."""
    row = db.execute("SELECT n_raw FROM trajectories WHERE no = ?", (number,)).fetchone()
    index = 0 if row is None else int(row[0])
    _put_raw(db, number, (record,), "", start=index)
    return index


def update_step(db: apsw.Connection, number: int, step: Step, *, known: Step) -> Written:
    """Store a step to which results were joined; passages of its new atoms are appended."""
    before = {(p.part, p.first_line, p.first_column): p.text for p in passages_of(known)}
    fresh = tuple(
        p
        for p in passages_of(step)
        if before.pop((p.part, p.first_line, p.first_column), None) != p.text
    )
    if before:
        raise StoreError(
            f"Step {step.index} would lose text it already has.",
            hint="Only results may be joined to a stored step; append a new step instead.",
        )
    db.execute(
        "UPDATE steps SET status = ?, has_error = ?, t_end = ?, body = ? WHERE id = ?",
        (
            step.status,
            _has_error(step),
            None if step.t_end is None else microseconds(step.t_end),
            encode_step(step),
            rowid(number, step.index),
        ),
    )
    mark_rewritten(db, number, step=step.index)
    rowids = _insert_passages(db, number, fresh, start=len(passages_of(known)))
    db.execute("UPDATE trajectories SET fingerprint = x'' WHERE no = ?", (number,))
    return Written(number=number, state="changed", n_steps=0, rowids=rowids, passages=fresh)


def _unchanged(number: int) -> Written:
    return Written(number=number, state="unchanged", n_steps=0, rowids=(), passages=())


def _fingerprint(bodies: Iterable[bytes]) -> bytes:
    digest = hashlib.sha256()
    for body in bodies:
        digest.update(hashlib.sha256(body).digest())
    return digest.digest()[:16]


def _find(db: apsw.Connection, trajectory: Trajectory, scope: Scope) -> tuple[int, int] | None:
    return db.execute(
        "SELECT no, n_steps FROM trajectories WHERE user_id = ? AND agent_id = ? AND run_id = ? "
        "AND trajectory_id = ?",
        (*_owner(scope), trajectory.trajectory_id),
    ).fetchone()


def _beside_other_source(db: apsw.Connection, trajectory: Trajectory, scope: Scope) -> Trajectory:
    """Return the trajectory under an id of its own when another source has taken its id.

    What an agent added live and what a log says of the same session are two records of it: the
    one never overwrites the other.
    """
    taken = db.execute(
        "SELECT source_format FROM trajectories WHERE user_id = ? AND agent_id = ? "
        "AND run_id = ? AND trajectory_id = ?",
        (*_owner(scope), trajectory.trajectory_id),
    ).fetchone()
    if taken is None or taken[0] == trajectory.source_format:
        return trajectory
    return replace(
        trajectory, trajectory_id=f"{trajectory.trajectory_id}/{trajectory.source_format}"
    )


def _twin(
    db: apsw.Connection, trajectory: Trajectory, scope: Scope, fingerprint: bytes, uri: str
) -> int | None:
    """Find the same content read from another path; repeats within one file are genuine."""
    found = db.execute(
        "SELECT no FROM trajectories WHERE fingerprint = ? AND user_id = ? AND agent_id = ? "
        "AND run_id = ? AND source_format = ? AND source_uri <> ?",
        (fingerprint, *_owner(scope), trajectory.source_format, uri),
    ).fetchone()
    return None if found is None else int(found[0])


def _owner(scope: Scope) -> tuple[str, str, str]:
    return scope.user_id or "", scope.agent_id or "", scope.run_id or ""


def _insert_head(
    db: apsw.Connection, trajectory: Trajectory, scope: Scope, source_uri: str, now: datetime
) -> int:
    db.execute(
        "INSERT INTO trajectories (trajectory_id, user_id, agent_id, run_id, session_id, "
        "parent_id, source_format, source_uri, title, n_steps, n_passages, n_raw, n_blobs, "
        "fingerprint, added_at, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, x'', ?, ?)",
        (
            trajectory.trajectory_id,
            *_owner(scope),
            scope.session or trajectory.session_id,
            trajectory.parent_trajectory_id,
            trajectory.source_format,
            source_uri,
            _title(trajectory),
            microseconds(now),
            encode_head(trajectory),
        ),
    )
    return db.last_insert_rowid()


def _title(trajectory: Trajectory) -> str:
    texts = [trajectory.task or ""] + [s.message for s in trajectory.steps if s.kind == "user"]
    texts += [s.message for s in trajectory.steps if s.kind == "agent"]
    return next((" ".join(t.split())[:_TITLE_CHARS] for t in texts if t.strip()), "")


def _common_steps(db: apsw.Connection, number: int, bodies: Sequence[bytes]) -> int:
    stored = db.execute(
        "SELECT body FROM steps WHERE id >= ? AND id < ? ORDER BY id",
        (rowid(number, 0), rowid(number, min(len(bodies), MAX_STEPS))),
    )
    same = 0
    for (body,), new in zip(stored, bodies, strict=False):
        if body != new:
            break
        same += 1
    return same


def _insert_steps(
    db: apsw.Connection, number: int, steps: Sequence[Step], bodies: Sequence[bytes]
) -> tuple[tuple[int, ...], tuple[Passage, ...]]:
    if steps and steps[-1].index >= MAX_STEPS:
        raise StoreError(
            f"A trajectory holds at most {MAX_STEPS} steps.", hint="Split the log into sessions."
        )
    db.executemany(
        "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                rowid(number, step.index),
                step.kind,
                step.actor,
                step.status,
                step.active,
                _has_error(step),
                None if step.t_start is None else microseconds(step.t_start),
                None if step.t_end is None else microseconds(step.t_end),
                body,
            )
            for step, body in zip(steps, bodies, strict=True)
        ),
    )
    passages = tuple(passage for step in steps for passage in passages_of(step))
    return _insert_passages(db, number, passages), passages


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


def _put_raw(
    db: apsw.Connection,
    number: int,
    records: Sequence[RawRecord],
    source_uri: str,
    *,
    start: int = 0,
) -> None:
    db.executemany(
        "INSERT INTO raw_records VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET source_uri = excluded.source_uri, "
        "position = excluded.position, byte_offset = excluded.byte_offset, "
        "sha256 = excluded.sha256, redacted = excluded.redacted, raw = excluded.raw "
        "WHERE raw_records.sha256 <> excluded.sha256",
        (
            (
                rowid(number, 0) + start + n,
                None if record.source_uri == source_uri else record.source_uri,
                record.position,
                record.byte_offset,
                bytes.fromhex(record.sha256),
                record.redacted,
                pack(record.raw),
            )
            for n, record in enumerate(records)
        ),
    )
    db.execute(
        "UPDATE trajectories SET n_raw = max(n_raw, ?) WHERE no = ?",
        (start + len(records), number),
    )


def put_blobs(db: apsw.Connection, number: int, blobs: Sequence[Blob]) -> None:
    """Store media bytes of a trajectory, each digest once; inside the caller's transaction."""
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


def _has_error(step: Step) -> bool:
    return step.status == "error" or any(result.is_error for result in step.results)


def microseconds(moment: datetime) -> int:
    """Return microseconds since 1970 of a moment that knows its time zone."""
    return round(moment.timestamp() * 1_000_000)
