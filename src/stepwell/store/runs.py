"""Find the stored run that a reading is of: by its id, and by what was said in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from stepwell.store.contents import HELD, LIVE, load_contents, runs_through
from stepwell.store.read import find_trajectory, load_step
from stepwell.trajectory.continuing import continues, grew, places_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import apsw

    from stepwell.store.contents import Owner, Stored
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope
    from stepwell.trajectory.contents import Content
    from stepwell.trajectory.continuing import Places
    from stepwell.trajectory.model import Trajectory

__all__ = ["NOWHERE", "Match", "Origin", "claimed", "find_live", "find_run", "free_name"]

_NUMBERED = re.compile(r"(?:#\d+)+(?=/|$)")
_SELECT = (
    "SELECT no, trajectory_id, source_format, source_uri, parent_id, session_id FROM trajectories"
)
_OWNED = "WHERE user_id = ? AND agent_id = ? AND run_id = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a trajectory was read from.

    Attributes:
        uri: The file.
        names: Whether the trajectory's id is made from the file's path, because the log has none:
            then what was said alone tells which run it is.
        told: Numbers of the runs that this file has told in full before: the same once more is
            another run, and one that goes on is the same.
        again: Whether what was forgotten comes back.
        session: The session that the memory is bound to, whose runs alone it goes on with.
    """

    uri: str = ""
    names: bool = False
    told: frozenset[int] = frozenset()
    again: bool = False
    session: str | None = None


NOWHERE = Origin()


class Match(NamedTuple):
    """A stored run that a reading is of.

    Attributes:
        number: Its number.
        name: Its trajectory id.
        source_format: The reader it was read by; `live` for what was added live.
        is_own: Whether it was first read from the same file.
        stored: Its steps.
        places: Of each step of the reading, its index there; None for a new one.
    """

    number: int
    name: str
    source_format: str
    is_own: bool
    stored: Stored
    places: Places


class _Row(NamedTuple):
    number: int
    name: str
    source_format: str
    uri: str
    parent: str | None
    session: str


def claimed(name: str) -> str:
    """Return the id that a log claims: without the number of a run beside others of its id.

    >>> claimed("run-1#2/a1")
    'run-1/a1'
    """
    return _NUMBERED.sub("", name)


def find_run(
    db: apsw.Connection,
    trajectory: Trajectory,
    contents: Sequence[Content],
    *,
    owner: Owner,
    origin: Origin,
) -> Match | None:
    """Return the run that a reading is of; None where it is another.

    Args:
        db: The database.
        trajectory: What was read.
        contents: What identifies its steps.
        owner: Whose it is.
        origin: Where it was read from.
    """
    for row in _family(db, trajectory, owner):
        if origin.session not in {None, row.session}:
            continue
        match = _matched(db, row, trajectory, contents, origin)
        places = _in_order(match)
        if continues(_from_log(match.stored), contents, places, same_file=match.is_own):
            return match
    if trajectory.parent_trajectory_id is None and contents:
        for number in runs_through(db, contents, owner):
            (row,) = _rows(db, "WHERE no = ?", number)
            if _may_be(row, trajectory, origin):
                match = _matched(db, row, trajectory, contents, origin)
                if _is_same(match, contents, origin):
                    return match
    return None


def find_live(db: apsw.Connection, name: str, *, scope: Scope) -> Entry | None:
    """Return the run that what is added live under an id goes on with; None for a new one.

    A memory that is bound to a session goes on with a run of this session alone, which stands under
    a number where another session's has the id.
    """
    found = find_trajectory(db, name, owner=scope.owner)
    if scope.session is None or (found is not None and found.session_id == scope.session):
        return found
    names = [
        row.name
        for row in _named(db, name, scope.owner)
        if row.session == scope.session and claimed(row.name) == claimed(name)
    ]
    return find_trajectory(db, names[-1], owner=scope.owner) if names else None


def free_name(db: apsw.Connection, name: str, owner: Owner) -> str:
    """Return an id, or the id with the first number from 2 on that nobody of the owner has."""
    taken = {row.name for row in _named(db, name, owner)}
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name}#{number}"
    return free


def _family(db: apsw.Connection, trajectory: Trajectory, owner: Owner) -> Iterator[_Row]:
    """Yield the runs under an id, that itself first, then those beside it."""
    name = trajectory.trajectory_id
    beside = f"{name}/{trajectory.source_format}"  # as versions before 1.0 named what lay beside
    for row in sorted(_named(db, name, owner), key=lambda row: (row.name != name, row.number)):
        if row.name == beside or claimed(row.name) == claimed(name):
            yield row


def _named(db: apsw.Connection, name: str, owner: Owner) -> list[_Row]:
    # What begins with the id and goes on with a number or a slash: these stand before a zero.
    condition = f"{_OWNED} AND (trajectory_id = ? OR trajectory_id > ? AND trajectory_id < ?)"
    return _rows(db, condition, *owner, name, f"{name}#", f"{name}0")


def _rows(db: apsw.Connection, condition: str, *parameters: str | int) -> list[_Row]:
    rows: list[Any] = db.execute(f"{_SELECT} {condition}", parameters).fetchall()
    return [_Row(*row) for row in rows]


def _matched(
    db: apsw.Connection,
    row: _Row,
    trajectory: Trajectory,
    contents: Sequence[Content],
    origin: Origin,
) -> Match:
    stored = load_contents(db, row.number)
    order = stored.order
    places = places_in([stored.contents[i] for i in order], contents)
    kept = [(j, place) for j, place in enumerate(places) if place is not None]
    j, last = kept[-1] if kept else (-1, -1)
    if last == len(order) - 2 and j + 1 < len(contents):
        end = load_step(db, row.number, order[-1])
        if end is not None and grew(end, trajectory.steps[j + 1]):
            places[j + 1] = len(order) - 1
    return Match(
        number=row.number,
        name=row.name,
        source_format=row.source_format,
        is_own=row.uri == origin.uri,
        stored=stored,
        places=[None if place is None else order[place] for place in places],
    )


def _from_log(stored: Stored) -> list[Content]:
    """Return the steps in the order of the run; what was added live beside a log binds no log."""
    is_mixed = HELD in stored.states
    return [
        replace(stored.contents[i], kind="meta")
        if is_mixed and stored.states[i] == LIVE
        else stored.contents[i]
        for i in stored.order
    ]


def _in_order(match: Match) -> Places:
    place_of = {index: place for place, index in enumerate(match.stored.order)}
    return [None if index is None else place_of[index] for index in match.places]


def _may_be(row: _Row, trajectory: Trajectory, origin: Origin) -> bool:
    """Return whether a run under another id may be the one that was read."""
    if row.parent is not None or origin.session not in {None, row.session}:
        return False
    is_alike = row.source_format == trajectory.source_format
    is_repeat = row.uri == origin.uri and claimed(row.name) == claimed(trajectory.trajectory_id)
    return row.source_format == "live" or (is_alike and (origin.names or is_repeat))


def _is_same(match: Match, contents: Sequence[Content], origin: Origin) -> bool:
    """Return whether one of two holds the other, and they are no repeats within one file."""
    kept = [j for j, index in enumerate(match.places) if index is not None]
    n_old, n_new = len(match.stored.contents), len(contents)
    if len(kept) == n_old == n_new:
        return match.number not in origin.told
    return len(kept) in {n_old, n_new} and any(contents[j].kind == "agent" for j in kept)
