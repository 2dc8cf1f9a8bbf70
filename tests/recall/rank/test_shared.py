"""A record that several runs hold is quoted once; what a run says twice stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell.recall.rank.shared import told_once
from stepwell.store.database import open_database
from stepwell.store.facts import step_facts
from stepwell.store.rowids import MAX_PLACES, rowid
from support.stores import stored
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step

RUN = [said(0, "which port?"), turn(1, "ss -l", "5433"), said(2, "which port?")]


def kept(*runs: list[Step], named: tuple[tuple[int, int], ...] = ()) -> list[tuple[int, int]]:
    """Return the steps that are kept of all, each run's in turn, by number and index."""
    db = open_database(None)
    for at, steps in enumerate(runs):
        stored(db, trajectory(steps, name=f"run-{at}"))
    keys = {
        rowid(at, step.index) // MAX_PLACES: (at, step.index)
        for at, steps in enumerate(runs, start=1)
        for step in steps
    }
    left = told_once(
        db,
        list(keys),
        step_facts(db, keys),
        named=[key for key, place in keys.items() if place in named],
    )
    db.close()
    return [keys[key] for key in left]


def test_of_copied_sessions_each_record_is_kept_once_and_what_is_new() -> None:
    fork = [*RUN, said(3, "and the host?")]
    assert kept(RUN, fork, RUN) == [(1, 0), (1, 1), (1, 2), (2, 3)]


def test_what_one_run_says_twice_stays() -> None:
    assert kept(RUN) == [(1, 0), (1, 1), (1, 2)]


@pytest.mark.parametrize(
    "other",
    [
        turn(1, "ss -l", "6000"),
        turn(1, "ss", "5433"),
        replace(turn(1, "ss -l", "5433"), t_start=NOW + timedelta(days=1)),
    ],
)
def test_another_result_action_or_time_is_another_record(other: Step) -> None:
    mine = [RUN[0], replace(RUN[1], t_start=other.t_start and NOW)]
    assert kept(mine, [RUN[0], other]) == [(1, 0), (1, 1), (2, 1)]


def test_a_step_that_the_question_names_stays() -> None:
    assert kept(RUN, RUN, named=((2, 1),)) == [(1, 0), (1, 1), (1, 2), (2, 1)]
