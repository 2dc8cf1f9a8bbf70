"""What identifies steps is kept beside them, and finds the runs that begin alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.contents import (
    FORGOTTEN,
    GONE,
    HELD,
    LIVE,
    fill_contents,
    last_prefix,
    load_contents,
    put_contents,
    runs_through,
    said_by,
    steps_gone,
)
from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import rowid
from stepwell.store.scope import Scope
from stepwell.store.write import append_step
from stepwell.trajectory.contents import contents_of
from support.stores import stored, table_rows
from support.trajectories import said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from stepwell.store.database import Database
    from stepwell.trajectory.model import Step

NOBODY = ("", "", "")
RUN = [said(0, "go"), turn(1, "ls", "x"), said(2, "and?"), turn(3, "pwd", "y")]


@given(steps=step_lists())
@settings(max_examples=30, deadline=None)
def test_what_is_put_is_what_identifies_the_steps_and_an_old_file_gets_the_same(
    steps: list[Step],
) -> None:
    db = open_database(None)
    run = trajectory([replace(step, raw_refs=(step.index,)) for step in steps])
    number = stored(db, run).number
    found = load_contents(db, number)
    assert found.contents == contents_of(run.steps, run.raw_records)
    assert found.states == [HELD] * len(steps)
    assert found.follows == [None] * len(steps)
    assert found.order == list(range(len(steps)))
    before = table_rows(db, "contents")
    with transaction(db):
        db.execute("DELETE FROM contents")
        fill_contents(db)
    assert table_rows(db, "contents") == before
    db.close()


def test_a_file_of_several_runs_is_filled_run_by_run(db: Database) -> None:
    numbers = [
        stored(db, trajectory(steps, name=name)).number
        for name, steps in (("a", RUN), ("b", RUN[:1]), ("c", []), ("d", RUN[:2]))
    ]
    with transaction(db):
        db.execute("DELETE FROM contents")
        fill_contents(db)
    whole = load_contents(db, numbers[0]).contents
    assert [load_contents(db, n).contents for n in numbers[1:]] == [whole[:1], [], whole[:2]]


def test_steps_that_came_late_stand_where_they_follow(db: Database) -> None:
    number = stored(db, trajectory(RUN)).number
    rows = load_contents(db, number).contents
    with transaction(db):
        put_contents(db, number, [(2, rows[2], -1, GONE), (3, rows[3], None, FORGOTTEN)])
    found = load_contents(db, number)
    assert found.follows == [None, None, -1, None]
    assert found.order == [2, 3, 0, 1]
    assert found.states == [HELD, HELD, GONE, FORGOTTEN]
    assert steps_gone(db, number) == {2}
    assert steps_gone(db, number + 1) == set()


def test_a_live_step_goes_on_from_the_last_prefix(db: Database) -> None:
    number = stored(db, trajectory(RUN[:3])).number
    other = stored(db, trajectory([], name="other")).number
    contents = contents_of(RUN, ())
    assert (last_prefix(db, number), last_prefix(db, other)) == (contents[2].prefix, b"")
    with transaction(db):
        append_step(db, number, RUN[3])
    assert last_prefix(db, number) == contents[3].prefix
    assert load_contents(db, number).states == [HELD] * 3 + [LIVE]


def test_what_was_said_is_found_by_row_whatever_the_run(db: Database) -> None:
    one = stored(db, trajectory(RUN)).number
    two = stored(db, trajectory(RUN[:1], name="b")).number
    rows = [rowid(one, 1), rowid(two, 0), rowid(two, 9)]
    contents = contents_of(RUN, ())
    assert said_by(db, rows) == {rows[0]: contents[1].said, rows[1]: contents[0].said}
    assert said_by(db, []) == {}


@pytest.mark.parametrize(
    ("steps", "numbers"),
    [
        (RUN, [1]),
        (RUN[:3], [1]),
        (RUN[:2], [1, 2]),
        ([*RUN[:2], said(2, "else")], [1, 2]),
        ([*RUN[:3], turn(3, "cd", "y")], [1]),
        ([said(0, "go"), turn(1, "make", "z")], []),  # a common question makes no common run
        ([said(0, "new")], []),
        ([], []),
    ],
)
def test_the_runs_with_the_longest_common_beginning_are_found(
    db: Database, steps: list[Step], numbers: list[int]
) -> None:
    stored(db, trajectory(RUN, name="a"))
    stored(db, trajectory([*RUN[:2], said(2, "other")], name="b"))
    stored(db, trajectory(RUN, name="c"), scope=Scope(user_id="u"))
    assert runs_through(db, contents_of(steps, ()), NOBODY) == numbers


@given(
    runs=st.lists(st.lists(st.sampled_from("ab"), max_size=6), max_size=5),
    asked=st.lists(st.sampled_from("ab"), max_size=6),
)
@settings(max_examples=60, deadline=None)
def test_halving_finds_what_looking_at_every_run_would(
    runs: list[list[str]], asked: list[str]
) -> None:
    db = open_database(None)
    known: dict[int, list[str]] = {}
    for at, words in enumerate(runs):
        steps = [turn(n, word, "") for n, word in enumerate(words)]
        known[stored(db, trajectory(steps, name=f"r{at}"), scope=Scope(run_id=f"{at}")).number] = (
            words
        )
    db.execute("UPDATE trajectories SET run_id = ''")
    contents = contents_of([turn(n, word, "") for n, word in enumerate(asked)], ())
    shared = {number: _shared(words, asked) for number, words in known.items()}
    longest = max(shared.values(), default=0)
    best = [number for number, n in shared.items() if n == longest and n > 0]
    assert runs_through(db, contents, NOBODY) == best
    db.close()


def _shared(one: list[str], other: list[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
