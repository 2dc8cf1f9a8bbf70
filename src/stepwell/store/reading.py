"""Store a reading of a run that is stored: its new steps, and what it tells anew of the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stepwell.store.codec import decode_step, encode_head, encode_step
from stepwell.store.contents import FORGOTTEN, GONE, HELD, put_contents
from stepwell.store.forget import mark_rewritten
from stepwell.store.rowids import span, step_of
from stepwell.store.rows import insert_steps, put_raw, replace_step, title_of
from stepwell.store.vectors import recount
from stepwell.trajectory.contents import chained
from stepwell.trajectory.merging import merged, placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import apsw

    from stepwell.store.rows import Rows
    from stepwell.store.runs import Match, Origin
    from stepwell.trajectory.contents import Content
    from stepwell.trajectory.model import Trajectory

__all__ = ["Told", "put_reading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a reading brought.

    Attributes:
        n_new: Steps that are new.
        n_changed: Stored steps that are told anew.
        rows: The new passages.
        is_whole: Whether it told all of the run.
    """

    n_new: int
    n_changed: int
    rows: tuple[Rows, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A reading beside what is stored.

    Attributes:
        indices: The index in the stored run of each step that was read.
        fresh: Steps that are new, by their place in the reading.
        lost: Stored steps that were not read, by index, in the order of the run.
    """

    trajectory: Trajectory
    contents: Sequence[Content]
    match: Match
    again: bool
    indices: Sequence[int]
    fresh: Sequence[int]
    lost: Sequence[int]

    @property
    def goes_on(self) -> bool:
        """Whether it tells all that is stored, in its place, and nothing but new steps behind."""
        return not self.lost and list(self.indices) == list(range(len(self.indices)))


def put_reading(
    db: apsw.Connection,
    trajectory: Trajectory,
    contents: Sequence[Content],
    *,
    match: Match,
    origin: Origin,
) -> Told:
    """Store what a reading tells that is not stored, inside the caller's transaction.

    Args:
        db: The database.
        trajectory: What was read.
        contents: What identifies its steps.
        match: The stored run.
        origin: Where it was read from.
    """
    reading = _reading(trajectory, contents, match, again=origin.again)
    number = match.number
    raw = None if reading.goes_on else _raw_places(db, reading)
    refs = None if raw is None else dict(enumerate(raw))
    told = list(_tell_anew(db, reading, refs))
    new = [placed(trajectory.steps[j], indices=reading.indices, refs=refs) for j in reading.fresh]
    rows = [row for _, row in told]
    rows.append(insert_steps(db, number, new, [encode_step(step) for step in new]))
    if told:
        mark_rewritten(db, number, step=min(index for index, _ in told))
        recount(db, number)
    if told or new:
        places = _raw_places(db, reading) if raw is None else raw
        _put_raw(db, reading, places, origin.uri)
    _put_contents(db, reading)
    if not reading.lost:
        _put_head(db, reading, origin.uri)
    return Told(n_new=len(new), n_changed=len(told), rows=tuple(rows), is_whole=not reading.lost)


def _reading(
    trajectory: Trajectory, contents: Sequence[Content], match: Match, *, again: bool
) -> _Reading:
    order = match.stored.order
    late = iter(range(len(order), len(order) + len(contents)))
    indices = [next(late) if place is None else place for place in match.places]
    kept = set(indices)
    return _Reading(
        trajectory=trajectory,
        contents=contents,
        match=match,
        again=again,
        indices=indices,
        fresh=[j for j, place in enumerate(match.places) if place is None],
        lost=[index for index in order if index not in kept],
    )


def _tell_anew(
    db: apsw.Connection, reading: _Reading, refs: dict[int, int] | None
) -> Iterator[tuple[int, Rows]]:
    """Store the steps that are told otherwise than they are stored, and yield their rows."""
    if reading.lost and not reading.match.is_own:
        return  # a copy that lacks steps is older, or cut: it knows no better
    left = set(_left(reading))
    places = {index: j for j, index in enumerate(reading.match.places) if index is not None}
    stored: list[Any] = db.execute(
        "SELECT id, body FROM steps WHERE id BETWEEN ? AND ? ORDER BY id",
        span(reading.match.number),
    ).fetchall()
    for row, body in stored:
        index = step_of(row)
        if index in left:
            old = decode_step(body)
            new = replace(old, active=False, branch_id=old.branch_id or f"s{reading.lost[0]}")
        elif index in places and _may_be_told(reading, index):
            step = placed(
                reading.trajectory.steps[places[index]], indices=reading.indices, refs=refs
            )
            if encode_step(step) == body:
                continue
            old = decode_step(body)
            new = merged(old, step)
        else:
            continue
        if replace(new, raw_refs=old.raw_refs) != old:
            yield index, replace_step(db, reading.match.number, new, known=old)


def _may_be_told(reading: _Reading, index: int) -> bool:
    return reading.again or reading.match.stored.states[index] != FORGOTTEN


def _left(reading: _Reading) -> list[int]:
    """Return the steps that a file goes on without from the last step it shares: a branch left."""
    order, kept = reading.match.stored.order, {*reading.match.places}
    last = max((at for at, index in enumerate(order) if index in kept), default=-1)
    if not reading.fresh or reading.indices[-1] in kept:
        return []
    return [i for i in order[last + 1 :] if reading.match.stored.states[i] in {HELD, GONE}]


def _raw_places(db: apsw.Connection, reading: _Reading) -> list[int]:
    """Return the index in the store of each raw record that was read."""
    records = reading.trajectory.raw_records
    if reading.goes_on:
        return list(range(len(records)))
    known: dict[str, list[int]] = {}
    digests = _raw_digests(db, reading.match.number)
    for at, digest in enumerate(digests):
        known.setdefault(digest, []).append(at)
    free = iter(range(len(digests), len(digests) + len(records)))
    return [known[r.sha256].pop(0) if known.get(r.sha256) else next(free) for r in records]


def _raw_digests(db: apsw.Connection, number: int) -> list[str]:
    rows = db.execute(
        "SELECT sha256 FROM raw_records WHERE id BETWEEN ? AND ? ORDER BY id", span(number)
    )
    return [bytes(digest).hex() for (digest,) in rows]


def _put_raw(db: apsw.Connection, reading: _Reading, places: Sequence[int], uri: str) -> None:
    digests = _raw_digests(db, reading.match.number)
    put_raw(
        db,
        reading.match.number,
        [
            (at, record)
            for at, record in zip(places, reading.trajectory.raw_records, strict=True)
            if at >= len(digests) or digests[at] != record.sha256
        ],
        source_uri=uri if reading.match.is_own else "",
    )


def _put_contents(db: apsw.Connection, reading: _Reading) -> None:
    """Store what identifies the steps by now, and which of them the log holds."""
    stored = reading.match.stored
    contents, states = list(stored.contents), list(stored.states)
    follows = [*stored.follows, *_follows(reading)]
    for j, index in enumerate(reading.indices):
        if index == len(contents):
            contents.append(reading.contents[j])
            states.append(HELD)
        elif _may_be_told(reading, index):
            contents[index] = reading.contents[j]
            states[index] = HELD
    if reading.match.is_own:
        for index in reading.lost:
            states[index] = GONE if states[index] == HELD else states[index]
    rows = list(zip(chained(contents), follows, states, strict=True))
    before = list(zip(stored.contents, stored.follows, stored.states, strict=True))
    put_contents(
        db,
        reading.match.number,
        [(at, *row) for at, row in enumerate(rows) if at >= len(before) or row != before[at]],
    )


def _follows(reading: _Reading) -> Iterator[int | None]:
    """Yield the step that each new step follows in the run; None for the one before by index.

    What was not read between two steps that were stands before what is new between them.
    """
    order, kept = reading.match.stored.order, {*reading.match.places}
    above = dict(zip(order, [-1, *order], strict=False))
    last = order[-1] if order else -1
    behind = list[int]()
    at = last
    for index in reversed(reading.indices):
        behind.append(at)
        at = above[index] if index in kept else at
    behind.reverse()
    for j in reading.fresh:
        index = reading.indices[j]
        is_run = j > 0 and reading.match.places[j - 1] is None  # behind the new one before it
        given = index - 1 if is_run else behind[j]
        yield None if given == index - 1 else given


def _put_head(db: apsw.Connection, reading: _Reading, uri: str) -> None:
    match, trajectory = reading.match, reading.trajectory
    head = replace(trajectory, trajectory_id=match.name)
    title = title_of(trajectory.task, trajectory.steps)
    db.execute(
        "UPDATE trajectories SET head = ?, title = CASE WHEN ? = '' THEN title ELSE ? END "
        "WHERE no = ?",
        (encode_head(head), title, title, match.number),
    )
    if match.source_format == "live":  # its own log is what it is read from now
        db.execute(
            "UPDATE trajectories SET source_format = ?, source_uri = ? WHERE no = ?",
            (trajectory.source_format, uri, match.number),
        )
