"""What was forgotten does not come back by itself, and nothing else is kept away by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.store.contents import load_contents
from stepwell.store.database import transaction
from stepwell.store.forget import delete_trajectories
from stepwell.store.tombstones import bury, is_buried, unbury
from stepwell.trajectory.contents import contents_of
from support.stores import stored, table_rows
from support.trajectories import said, trajectory, turn

if TYPE_CHECKING:
    from stepwell.store.contents import Owner
    from stepwell.store.database import Database
    from stepwell.trajectory.model import Step

ANN, BEN = ("ann", "", ""), ("ben", "", "")
RUN = [said(0, "find the walrus"), turn(1, "ls", "x"), said(2, "and?"), turn(3, "pwd", "y")]


def forget(db: Database, steps: list[Step] = RUN, *, name: str = "run") -> None:
    """Store a run, and forget it as its owner does."""
    number = stored(db, trajectory(steps, name=name)).number
    with transaction(db):
        bury(db, number, name=name, owner=ANN)
        delete_trajectories(db, [number])


def buried(
    db: Database,
    steps: list[Step],
    *,
    name: str = "run",
    owner: Owner = ANN,
    parent: str | None = None,
    names: bool = False,
) -> bool:
    run = replace(trajectory(steps, name=name), parent_trajectory_id=parent)
    return is_buried(db, run, contents_of(steps, ()), owner=owner, names=names)


def test_where_nothing_was_forgotten_nothing_is_buried(db: Database) -> None:
    assert not buried(db, RUN)
    assert not buried(db, [])


@pytest.mark.parametrize(
    ("steps", "is_gone"),
    [
        (RUN, True),
        ([*RUN, said(4, "more")], True),
        (RUN[:2], True),
        (RUN[:1], True),  # all that was read of it
        ([said(0, "other"), replace(RUN[3], index=1)], True),  # shares a step of the agent
        ([RUN[0], turn(1, "make", "z")], False),  # the same question, and another run
        ([said(0, "other")], False),
        ([], False),
    ],
)
def test_a_reading_of_the_forgotten_run_stays_away(
    db: Database,
    steps: list[Step],
    is_gone: bool,  # noqa: FBT001
) -> None:
    forget(db)
    assert buried(db, steps) == is_gone


def test_the_number_of_a_run_beside_others_of_its_id_does_not_hide_it(db: Database) -> None:
    forget(db, name="run#2")
    assert buried(db, RUN)
    assert buried(db, RUN, name="run#7")
    assert not buried(db, RUN, name="runner")


def test_one_owner_s_tombstones_never_hide_another_s_runs(db: Database) -> None:
    forget(db)
    for owner in (BEN, ("", "", ""), ("ann", "x", ""), ("an", "n", ""), ("", "ann", "")):
        assert not buried(db, RUN, owner=owner)
        assert not buried(db, RUN, name="x", owner=owner, names=True)


@pytest.mark.parametrize(
    ("steps", "is_gone"),
    [
        (RUN, True),
        ([*RUN, said(4, "more")], True),  # goes on from all of it
        (RUN[:2], True),  # is its beginning
        (RUN[:1], False),  # a question alone is anybody's
        (RUN[1:], False),
        ([*RUN[:2], said(2, "another way")], False),
    ],
)
def test_a_file_that_was_moved_is_known_by_what_was_said_alone(
    db: Database,
    steps: list[Step],
    is_gone: bool,  # noqa: FBT001
) -> None:
    forget(db)
    assert buried(db, steps, name="moved", names=True) == is_gone
    assert not buried(db, steps, name="moved", names=False)


def test_a_subagent_stays_away_with_its_parent_until_the_parent_is_stored(db: Database) -> None:
    forget(db)
    child = [said(0, "look there")]
    assert buried(db, child, name="run/a1", parent="run")
    assert not buried(db, child, name="x/a1", parent="x")
    run = trajectory([said(0, "another")])
    stored(db, run)
    db.execute("UPDATE trajectories SET user_id = 'ann'")
    assert not buried(db, child, name="run/a1", parent="run")


def test_what_is_to_come_back_is_buried_no_more_whatever_was_forgotten_besides(
    db: Database,
) -> None:
    forget(db)
    other = [said(0, "keep off"), turn(1, "rm", "")]
    forget(db, other, name="other")
    run = trajectory(RUN)
    with transaction(db):
        unbury(db, run, contents_of(RUN, ()), owner=BEN)
    assert buried(db, RUN)
    with transaction(db):
        unbury(db, run, contents_of(RUN, ()), owner=ANN)
    assert not buried(db, RUN)
    assert not buried(db, RUN, name="moved", names=True)
    assert buried(db, other, name="other")
    with transaction(db):
        unbury(db, trajectory(other, name="other"), contents_of(other, ()), owner=ANN)
    assert table_rows(db, "tombstones") == []


def test_nothing_that_was_said_can_be_read_back(db: Database) -> None:
    number = stored(db, trajectory(RUN)).number
    hashes = {one.said for one in load_contents(db, number).contents}
    forget(db)
    marks = [bytes(mark) for (mark,) in table_rows(db, "tombstones")]
    assert len(marks) == len(set(marks)) == 2 * len(RUN) + 2
    assert {len(mark) for mark in marks} == {16}
    assert not hashes & set(marks)
