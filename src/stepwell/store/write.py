"""Write trajectories: whole, grown, told anew, or one live step at a time.

What is stored is never dropped by a write: a reading adds its new steps behind those that are
there, and completes those it tells more of. So a citation names the same step for good. Every
function expects to run inside the caller's transaction, so that text and indexes are committed
together or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.errors import StoreError
from stepwell.store.codec import encode_step
from stepwell.store.contents import HELD, LIVE, last_prefix, put_contents
from stepwell.store.forget import mark_rewritten
from stepwell.store.reading import put_reading
from stepwell.store.rows import (
    insert_head,
    insert_steps,
    put_blobs,
    put_raw,
    replace_step,
    title_of,
)
from stepwell.store.runs import NOWHERE, find_run, free_name
from stepwell.store.tombstones import is_buried, unbury
from stepwell.store.vectors import recount
from stepwell.trajectory.contents import content_of, contents_of
from stepwell.trajectory.passages import passages_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import apsw

    from stepwell.store.rows import Rows
    from stepwell.store.runs import Origin
    from stepwell.store.scope import Scope
    from stepwell.trajectory.contents import Content
    from stepwell.trajectory.model import Blob, RawRecord, Step, Trajectory
    from stepwell.trajectory.passages import Passage

__all__ = ["Written", "append_raw", "append_step", "put_trajectory", "update_step"]

State: TypeAlias = Literal["added", "extended", "changed", "unchanged", "forgotten"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a write did, and what the structures have to index because of it.

    Attributes:
        number: The trajectory's number; 0 where nothing is stored.
        name: Its id in this store.
        state: `added`, `extended` (steps at the end are new), `changed` (stored steps are told
            anew), `unchanged`, or `forgotten` (it was, and stays so).
        n_steps: Steps that are new.
        rowids: Row ids of the new passages, ascending.
        passages: The new passages.
        is_whole: Whether the reading told all of the run.
    """

    number: int
    name: str
    state: State
    n_steps: int = 0
    rowids: tuple[int, ...] = ()
    passages: tuple[Passage, ...] = ()
    is_whole: bool = True


def put_trajectory(
    db: apsw.Connection,
    trajectory: Trajectory,
    *,
    scope: Scope,
    now: datetime,
    origin: Origin = NOWHERE,
    blobs: Sequence[Blob] = (),
) -> Written:
    """Store what was read of a run; what is stored of it already is left as it is.

    Which run it is of, its content tells (`store.runs`): one that claims the id of another run is
    stored beside it, under an id with a number. Reading a log again changes nothing, and reading
    one that grew costs its new part. What was forgotten stays forgotten.
    """
    contents = contents_of(trajectory.steps, trajectory.raw_records)
    match = find_run(db, trajectory, contents, owner=scope.owner, origin=origin)
    if origin.again:
        unbury(db, trajectory, contents, owner=scope.owner)
    elif match is None and is_buried(
        db, trajectory, contents, owner=scope.owner, names=origin.names
    ):
        return Written(number=0, name=trajectory.trajectory_id, state="forgotten")
    if match is None:
        name = free_name(db, trajectory.trajectory_id, scope.owner)
        named = replace(trajectory, trajectory_id=name)
        written = _put_new(db, named, contents, scope=scope, now=now, uri=origin.uri)
    else:
        told = put_reading(db, trajectory, contents, match=match, origin=origin)
        grown: State = "extended" if told.n_new else "unchanged"
        written = _written(
            match.number, match.name, "changed" if told.n_changed else grown, *told.rows
        )
        written = replace(written, n_steps=told.n_new, is_whole=told.is_whole)
    put_blobs(db, written.number, blobs)
    return written


def _put_new(
    db: apsw.Connection,
    trajectory: Trajectory,
    contents: Sequence[Content],
    *,
    scope: Scope,
    now: datetime,
    uri: str,
) -> Written:
    number = insert_head(db, trajectory, scope=scope, source_uri=uri, now=now)
    steps = trajectory.steps
    rows = insert_steps(db, number, steps, [encode_step(step) for step in steps])
    put_contents(db, number, ((at, one, None, HELD) for at, one in enumerate(contents)))
    put_raw(db, number, enumerate(trajectory.raw_records), source_uri=uri)
    return replace(_written(number, trajectory.trajectory_id, "added", rows), n_steps=len(steps))


def _written(number: int, name: str, state: State, *rows: Rows) -> Written:
    return Written(
        number=number,
        name=name,
        state=state,
        rowids=tuple(row for ids, _ in rows for row in ids),
        passages=tuple(passage for _, passages in rows for passage in passages),
    )


def append_step(db: apsw.Connection, number: int, step: Step, *, record: str = "") -> Written:
    """Append one live step to a trajectory.

    Args:
        db: The database.
        number: The trajectory.
        step: The step; its index must be the number of steps stored.
        record: Hex digest of the record it was read from.
    """
    rows = insert_steps(db, number, (step,), [encode_step(step)])
    content = content_of(step, record=record, before=last_prefix(db, number))
    put_contents(db, number, [(step.index, content, None, LIVE)])
    db.execute(
        "UPDATE trajectories SET title = CASE WHEN title = '' THEN ? ELSE title END WHERE no = ?",
        (title_of(None, (step,)) if step.kind == "user" else "", number),
    )
    return replace(_written(number, "", "extended", rows), n_steps=1)


def append_raw(db: apsw.Connection, number: int, record: RawRecord) -> int:
    """Append one raw record to a trajectory; return its index, for `Step.raw_refs`."""
    row = db.execute("SELECT n_raw FROM trajectories WHERE no = ?", (number,)).fetchone()
    index = 0 if row is None else int(row[0])
    put_raw(db, number, [(index, record)], source_uri="")
    return index


def update_step(db: apsw.Connection, number: int, step: Step, *, known: Step) -> Written:
    """Store a step to which results were joined."""
    after = {(p.part, p.first_line, p.first_column): p.text for p in passages_of(step)}
    if any(after.get((p.part, p.first_line, p.first_column)) != p.text for p in passages_of(known)):
        raise StoreError(
            f"Step {step.index} would lose text it already has.",
            hint="Only results may be joined to a stored step; append a new step instead.",
        )
    mark_rewritten(db, number, step=step.index)
    recount(db, number)
    return _written(number, "", "changed", replace_step(db, number, step, known=known))
