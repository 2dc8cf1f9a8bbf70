"""A scope ends where something was not yet known: by step, by moment, and by when results came."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell.recall.find.scope import moments, within
from stepwell.store.database import open_database, transaction
from stepwell.store.read import entries
from stepwell.store.rowids import MAX_PLACES, rowid, span
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    import apsw

    from stepwell.store.read import Entry
    from stepwell.trajectory.model import Step

MINUTE = timedelta(minutes=1)


def timed(index: int) -> Step:
    """Return a step that starts at its minute; its result comes half a minute later."""
    start = NOW + index * MINUTE
    return replace(turn(index, "ls", "a"), t_start=start, t_end=start + MINUTE / 2)


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    with transaction(connection):
        for name, steps in (
            ("a", [timed(n) for n in range(4)]),
            ("b", [said(n, "hello") for n in range(2)]),
        ):
            put_trajectory(connection, trajectory(steps, name=name), scope=Scope(), now=NOW)
    yield connection
    connection.close()


def stored(db: apsw.Connection) -> Sequence[Entry]:
    return sorted(entries(db, Scope()), key=lambda one: one.number)


def test_without_an_end_all_of_each_run_is_searched(db: apsw.Connection) -> None:
    every = stored(db)
    where = within(db, every)
    assert where.spans == (span(1), span(2))
    assert where.n_passages == 10
    assert (where.is_all, where.share, where.unanswered) == (True, 1.0, frozenset())


def test_one_run_is_a_share_of_the_store(db: apsw.Connection) -> None:
    where = within(db, stored(db)[:1])
    assert where.spans == (span(1),)
    assert (where.n_passages, where.is_all, where.share) == (8, False, 0.8)


def test_an_empty_store_has_nothing_to_search() -> None:
    connection = open_database(None)
    where = within(connection, [])
    assert (where.spans, where.n_passages, where.share, where.is_all) == ((), 0, 0.0, True)
    connection.close()


@pytest.mark.parametrize(
    ("before", "ends", "n_passages"),
    [(3, (3, 2), 8), (2, (2, 2), 6), (1, (1, 1), 3), (99, (4, 2), 10)],
)
def test_a_scope_ends_before_a_step(
    db: apsw.Connection, before: int, ends: tuple[int, int], n_passages: int
) -> None:
    where = within(db, stored(db), before=before)
    assert where.spans == (span(1, end=ends[0]), span(2, end=ends[1]))
    assert (where.n_passages, where.share) == (n_passages, n_passages / 10)
    assert not where.is_all


@pytest.mark.parametrize("before", [0, -3])
def test_before_the_first_step_there_is_nothing(db: apsw.Connection, before: int) -> None:
    where = within(db, stored(db), before=before)
    assert (where.spans, where.n_passages) == ((), 0)


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        (NOW, 0),
        (NOW + MINUTE / 4, 1),
        (NOW + MINUTE, 1),
        (NOW + MINUTE * 1.01, 2),
        (NOW + MINUTE * 9, 4),
    ],
)
def test_a_scope_ends_before_a_moment(db: apsw.Connection, moment: datetime, end: int) -> None:
    where = within(db, stored(db)[:1], before=moment)
    assert where.spans == ((span(1, end=end),) if end else ())


@pytest.mark.parametrize(
    ("after", "first"),
    [(0, 1), (2, 3), (3, None), (NOW, 0), (NOW + MINUTE, 1), (NOW + MINUTE * 1.5, 2)],
)
def test_a_scope_begins_behind_a_step_or_at_a_moment(
    db: apsw.Connection, after: int | datetime, first: int | None
) -> None:
    where = within(db, stored(db)[:1], after=after)
    assert where.spans == (() if first is None else (span(1, first=first, end=4),))
    assert where.n_passages == (0 if first is None else 2 * (4 - first))
    assert not where.is_all


def test_a_scope_has_both_ends_and_no_run_without_times(db: apsw.Connection) -> None:
    where = within(db, stored(db), after=NOW + MINUTE, before=NOW + MINUTE * 3)
    assert where.spans == (span(1, first=1, end=3),)


def key(step: int) -> int:
    return rowid(1, step) // MAX_PLACES


def test_a_result_that_had_not_come_by_the_moment_is_unanswered(db: apsw.Connection) -> None:
    one = stored(db)[:1]
    assert within(db, one, before=NOW + MINUTE * 1.25).unanswered == {key(1)}
    assert within(db, one, before=NOW + MINUTE * 1.5).unanswered == {key(1)}
    assert within(db, one, before=NOW + MINUTE * 1.6).unanswered == frozenset()


def test_a_run_without_times_has_no_unanswered_step(db: apsw.Connection) -> None:
    assert within(db, stored(db), before=2).unanswered == frozenset()


def test_what_was_known_before_a_step_is_what_came_by_its_start(db: apsw.Connection) -> None:
    every = stored(db)
    assert moments(db, every, None) == {}
    assert moments(db, every, NOW) == {1: NOW, 2: NOW}
    assert moments(db, every, 3) == {1: NOW + 3 * MINUTE + timedelta(microseconds=1)}
    assert moments(db, every, 4) == {}
    assert moments(db, every, 0) == {1: NOW + timedelta(microseconds=1)}
