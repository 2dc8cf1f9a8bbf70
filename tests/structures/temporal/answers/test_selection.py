"""Which actions a question is about: by step, by thing, by program, by verb, by their words."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.structures.temporal.answers.selection import (
    doing,
    end_of,
    inside,
    named_by,
    naming,
    quoted,
    running,
    said,
    until,
    until_said,
)
from stepwell.structures.temporal.grammar.bounds import Bounds, bounds_of
from stepwell.structures.temporal.grammar.questions import LogQuery
from stepwell.structures.temporal.log.extract import extract
from stepwell.structures.temporal.log.log import Log
from support.file_log import RUN
from support.temporal_log import HARBOUR, log_of

ALL = list(range(len(HARBOUR)))


def asked(question: str = "", **given: Any) -> LogQuery:
    return LogQuery(bounds=bounds_of(question), **given)


def files() -> Log:
    log = Log()
    log.extend([extract(step) for step in RUN])
    return log


@pytest.mark.parametrize(
    ("question", "places", "end"),
    [
        ("", ALL, 12),
        ("before step 2", [0, 1], 1),
        ("until step 2", [0, 1, 2], 2),
        ("after step 10", [11, 12], 12),
        ("since step 10", [10, 11, 12], 12),
        ("between step 3 and step 5", [3, 4, 5], 5),
        ("at steps 3, 5 and 90", [3, 5], 12),
        ("at step 90", [], 12),
        ("before step 0", [0], 0),
        ("until step 90", ALL, 12),
    ],
)
def test_actions_count_between_the_steps_asked_about(
    question: str, places: list[int], end: int
) -> None:
    log = log_of()
    assert inside(log, asked(question)) == places
    assert end_of(log, asked(question)) == end


def test_a_single_step_is_the_last_one_where_counts_add_up() -> None:
    log, query = log_of(), asked("at step 3")
    assert inside(log, query) == [3]
    assert inside(log, until(query)) == [0, 1, 2, 3]
    assert (said(query), until_said(log, query)) == (" at s3", " up to s3")
    assert until_said(log, asked("before step 3")) == " before s3"
    assert (said(asked()), until_said(log, asked())) == ("", "")


def test_moves_failures_and_what_tells_nothing_are_left_out_where_that_is_asked() -> None:
    log = log_of()
    moves = [place for place in ALL if log.done[place].act.moves]
    assert moves == [1, 4]
    assert inside(log, asked(with_moves=False)) == [place for place in ALL if place not in moves]
    assert said(asked("before step 3", with_moves=False)) == " before s3 (without moves)"
    assert inside(log, asked(only_successful=True)) == [place for place in ALL if place != 6]
    assert inside(log, asked(only_telling=True)) == [3, 5, 8, 9]


@pytest.mark.parametrize(
    ("keys", "each", "places"),
    [
        ([], True, ALL),
        (["boat 1"], False, [4, 5, 8]),
        (["rope 1", "boat 1"], True, [5, 8]),
        (["rope 1", "boat 1"], False, [3, 4, 5, 8, 9]),
        (["rope 2", "boat 1"], True, [4, 5, 6, 8]),  # none names both
        (["walrus"], False, []),
    ],
)
def test_actions_name_things(keys: list[str], places: list[int], *, each: bool) -> None:
    assert naming(log_of(), ALL, keys, each=each) == places
    assert naming(log_of(), places[:1], keys, each=False) == places[:1]


def test_an_action_names_what_it_acts_upon_and_what_its_words_say() -> None:
    assert named_by(log_of(), 5) == {"rope 1", "boat 1"}
    assert named_by(log_of(), 0) == frozenset()


def test_actions_run_all_the_programs_named() -> None:
    log = files()
    every = list(range(len(log.done)))
    steps = {
        names: [log.done[place].step for place in running(log, every, names)]
        for names in ((), ("pytest",), ("git", "rm"), ("git", "pytest"), ("mypy",))
    }
    assert steps == {
        (): [done.step for done in log.done],
        ("pytest",): [3, 7],
        ("git", "rm"): [5],
        ("git", "pytest"): [],
        ("mypy",): [],
    }


@pytest.mark.parametrize(
    ("verbs", "places"),
    [
        (["look"], [0, 7, 12]),
        (["take"], [3, 6, 8]),
        (["take", "juggle"], [3, 6, 8]),
        (["grab"], [3, 8]),  # a verb that the log has not: what has come to the same
        (["drop"], [5]),
        (["shut"], [11]),
        (["juggle"], []),
    ],
)
def test_actions_of_a_verb_or_of_what_comes_to_the_same(
    verbs: list[str], places: list[int]
) -> None:
    assert doing(log_of(), ALL, verbs) == places


@pytest.mark.parametrize(
    ("seen", "verb", "places"),
    [
        ("The crate 1 is closed.", "close", []),  # as it may have been all along
        ("The crate 1 is open.", "open", []),
        ("The crate 1 is open.", "close", [1]),
    ],
)
def test_what_was_only_seen_has_not_been_brought_about(
    seen: str, verb: str, places: list[int]
) -> None:
    log = log_of((("go to crate 1", seen), ("kick crate 1", "The crate 1 is closed.")))
    assert doing(log, [0, 1], [verb]) == places


@pytest.mark.parametrize("action", ["unfasten crate 1", "twiddle crate 1"])
def test_what_is_so_after_an_action_upon_the_thing_was_brought_about_by_it(action: str) -> None:
    log = log_of(((action, "The crate 1 is now open."),))
    assert doing(log, [0], ["open"]) == [0]


def test_an_action_that_is_quoted_is_found_by_its_whole_text() -> None:
    log = log_of()
    assert quoted(log, ALL, asked(quoted=("look", "Open Crate 1"))) == [0, 2, 7, 12]
    assert quoted(log, ALL, asked(quoted=("take rope 1",))) == []
    assert quoted(log, [7], asked(quoted=("look",))) == [7]


def test_bounds_without_an_end_are_those_of_the_run() -> None:
    assert end_of(log_of(), LogQuery(bounds=Bounds(first=4))) == 12
