"""Step numbers and places near errors are resolved in the run that the question is about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.recall.question import prepare
from stepwell.recall.rank.named import named_steps, outline_within
from stepwell.recall.rank.score import score_steps
from stepwell.store.database import open_database, transaction
from stepwell.store.read import entries
from stepwell.store.rowids import MAX_PLACES, rowid, span
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Within
from stepwell.structures.episodic import Episodic
from stepwell.text.question import Places, places_in, without_places
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from stepwell.trajectory.model import Step


def failed(index: int, text: str) -> Step:
    step = turn(index, "run", text)
    return replace(step, results=(replace(step.results[0], is_error=True),))


RUNS: dict[str, list[Step]] = {
    "a": [said(n, f"hello walrus {n}") for n in range(3)],
    "b": [
        turn(0, "connect", "ok"),
        failed(1, "psql: relation missing"),
        turn(2, "migrate", "ok"),
        failed(3, "pytest: assertion failed"),
        turn(4, "fix", "ok"),
    ],
}


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    words = Episodic(connection)
    with transaction(connection):
        for name, steps in RUNS.items():
            run = trajectory(steps, name=name)
            written = put_trajectory(connection, run, scope=Scope(), now=NOW)
            words.append(written.rowids, written.passages)
    yield connection
    connection.close()


def named(
    db: apsw.Connection, question: str, *, runs: tuple[int, ...] = (1, 2), end: int | None = None
) -> list[tuple[int, int]]:
    """Return the run and step of what a question names, best first."""
    every = [one for one in entries(db, Scope()) if one.number in runs]
    every.sort(key=lambda one: one.number)
    where = Within(spans=tuple(span(n, end=end) for n in runs), n_passages=20)
    words = Episodic(db)
    ranking = words.search(prepare(without_places(question), encoder=None), within=where, limit=20)
    keys = np.concatenate(
        [np.arange(one.n_steps) + rowid(one.number, 0) // MAX_PLACES for one in every]
        if every
        else [np.empty(0, dtype=np.int64)]
    )
    scored = score_steps([ranking], keys=keys, n_steps=len(keys))
    found = named_steps(db, places_in(question), scored, entries=every, where=where, words=words)
    order = sorted(found.items(), key=lambda pair: (pair[1].rank, pair[0]))
    first = {n: rowid(n, 0) // MAX_PLACES for n in runs}
    number_at = [(max(n for n in runs if first[n] <= key), key) for key, _ in order]
    return [(number, key - first[number]) for number, key in number_at]


def test_a_step_number_belongs_to_the_run_that_matches_best(db: apsw.Connection) -> None:
    assert named(db, "what of the walrus at step 1?") == [(1, 1)]
    assert named(db, "what was migrated at step 1? migrate") == [(2, 1)]


def test_without_a_match_it_belongs_to_the_latest_run(db: apsw.Connection) -> None:
    assert named(db, "what of zebra at step 1?") == [(2, 1)]
    assert named(db, "what of zebra at step 1?", runs=(1,)) == [(1, 1)]


def test_steps_outside_of_the_scope_are_not_named(db: apsw.Connection) -> None:
    assert named(db, "what of the walrus at step 2?", end=2) == []
    assert named(db, "what of the walrus at steps 0 to 2?", end=2) == [(1, 0), (1, 1)]
    assert named(db, "what happened at step 1?", runs=()) == []


def test_an_error_is_found_with_what_came_before_and_after_it(db: apsw.Connection) -> None:
    assert named(db, "What was the last command before the last error?", runs=(2,)) == [
        (2, 3),
        (2, 2),
    ]
    assert named(db, "What was the command after the first error?", runs=(2,))[0] == (2, 2)


def test_a_kind_of_error_is_found_by_the_words_it_shows_in(db: apsw.Connection) -> None:
    question = "What was the last command before the last database error?"
    assert named(db, question, runs=(2,)) == [(2, 1), (2, 0)]
    question = "What was the last command before the last test error?"
    assert named(db, question, runs=(2,))[0] == (2, 3)


def test_a_single_run_of_which_no_word_is_asked_is_outlined(db: apsw.Connection) -> None:
    every = entries(db, Scope())
    for one, steps in ((span(1), [0, 2, 1]), (span(1, end=2), [0, 1]), (span(1, first=1), [2, 1])):
        outlined = outline_within(one, every)
        assert [named.step for named in outlined.values()] == steps
        assert list(outlined) == [rowid(1, step) // MAX_PLACES for step in steps]
    assert named(db, "zebra?", runs=(1,)) == []
    assert not Places()
