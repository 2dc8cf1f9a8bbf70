"""Lines are short, say their steps, and quote only what stands in them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.answers.lines import (
    LONGEST,
    change_line,
    done_line,
    error_of,
    failed_line,
    in_order,
    line,
    line_over,
    name_of,
    packed,
    steps_said,
    told,
)
from stepwell.structures.temporal.log.entries import Change
from stepwell.structures.temporal.log.extract import extract
from stepwell.structures.temporal.log.log import Log
from stepwell.trajectory.model import Call, Result, Step
from support.file_log import RUN
from support.temporal_log import log_of

if TYPE_CHECKING:
    from stepwell.structures.temporal.answers.lines import Line

words = (
    st.integers(1, 120)
    .flatmap(lambda n: st.sampled_from(["ab-c" * 30, "-" * n]))
    .map(lambda text: text[:120])
)


def change(**given: object) -> Change:
    known = {"step": 4, "slot": "mug 1", "aspect": "location", "before": "", "value": "shelf 2"}
    return Change(**(known | given))  # type: ignore[arg-type]


@given(text=st.text(max_size=400), quote=st.text(max_size=20))
def test_a_line_is_not_too_long_and_its_quote_stands_in_it(text: str, quote: str) -> None:
    found = line(text, (1, 2), quote=quote)
    assert len(found.text) <= LONGEST
    assert found.quote in {"", quote}
    assert found.quote in found.text
    assert (found.quote == quote) == (quote in found.text)
    assert found.text == text or found.text == f"{text[: LONGEST - 1]}…"


def test_a_line_of_exactly_the_longest_is_whole() -> None:
    assert line("x" * LONGEST, (1,)).text == "x" * LONGEST
    assert line("x" * (LONGEST + 1), (1,)).text == "x" * (LONGEST - 1) + "…"


@pytest.mark.parametrize(
    ("steps", "named", "is_none"),
    [([3, 4], (3, 4), False), ([], (9,), True), (list(range(100)), tuple(range(64)), False)],
)
def test_a_line_over_many_steps_names_the_first_and_one_over_none_says_so(
    steps: list[int], named: tuple[int, ...], *, is_none: bool
) -> None:
    found = line_over("3 times", steps, otherwise=9)
    assert (found.steps, found.is_none) == (named, is_none)


def test_lines_are_ordered_by_their_first_step_and_else_stay() -> None:
    rows = [line("a", (5, 1)), line("b", (2,)), line("c", (5,)), line("d", (2, 9))]
    assert [row.text for row in in_order(rows)] == ["b", "d", "a", "c"]


@pytest.mark.parametrize(
    ("given", "name", "text"),
    [
        ({}, "mug 1", "mug 1: shelf 2"),
        ({"before": "desk 1"}, "mug 1", "mug 1: desk 1 -> shelf 2"),
        (
            {"aspect": "state", "before": "open", "value": "closed"},
            "mug 1 state",
            "mug 1 state: open -> closed",
        ),
        ({"slot": "score", "aspect": "", "value": "7"}, "score", "score: 7"),
        (
            {"aspect": "", "value": "edited", "is_event": True, "detail": '"a" -> "b"'},
            "mug 1",
            'mug 1: edited: "a" -> "b"',
        ),
        (
            {"aspect": "", "before": "written", "value": "edited", "is_event": True},
            "mug 1",
            "mug 1: edited",
        ),
    ],
)
def test_a_change_says_of_what_from_which_value_to_which(
    given: dict[str, object], name: str, text: str
) -> None:
    one = change(**given)
    assert (name_of(one), told(one)) == (name, text)


def changed(slot: str, step: int) -> Line:
    log = log_of()
    found = [one for one in log.slots[slot]["location"] if one.step == step]
    return change_line(log, found[0])


def test_a_change_is_told_with_the_action_that_made_it_and_what_it_means_for_the_inventory() -> (
    None
):
    taken, put = changed("rope 1", 3), changed("rope 1", 5)
    assert taken.text == (
        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory; inventory: rope 1 added"
    )
    assert put.text == (
        "put rope 1 on boat 1 => rope 1: inventory -> boat 1; inventory: rope 1 removed"
    )
    assert (taken.steps, taken.quote) == ((3,), "take rope 1 from crate 1")


def test_what_was_only_seen_is_said_to_be_seen_and_quotes_its_value() -> None:
    seen = change_line(log_of(), change(quote="On the shelf 2, you see a mug 1"), is_answer=False)
    assert (seen.text, seen.quote, seen.is_answer) == ("seen: mug 1: shelf 2", "shelf 2", False)
    assert change_line(log_of(), change(quote="On the SHELF 2, a mug")).quote == ""


def test_an_action_is_told_with_what_it_changed_or_that_it_failed() -> None:
    log = log_of()
    texts = [done_line(log, place).text for place in (3, 6, 7)]
    assert texts == [
        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
        "take rope 2 from crate 1 => failed",
        "look",
    ]


def failing(*outputs: str) -> Log:
    """Return the log of a step whose calls failed, each with what came back."""
    calls = tuple(
        Call(uid=f"c{at}", name="Bash", args={"command": f"make {at}"})
        for at in range(len(outputs))
    )
    results = tuple(
        Result(call_uid=f"c{at}", text=text, is_error=True) for at, text in enumerate(outputs)
    )
    step = Step(index=0, uid="s0", kind="agent", actor="agent", calls=calls, results=results)
    log = Log()
    log.extend([extract(step)])
    return log


def test_what_came_back_is_told_where_one_action_of_the_step_failed() -> None:
    assert failed_line(failing("KeyError: 'x'"), 0).text == "Bash make 0 => failed: KeyError: 'x'"
    both = failing("KeyError: 'x'", "ValueError: y")
    assert [error_of(both, place) for place in (0, 1)] == ["", ""]
    assert failed_line(both, 1).text == "Bash make 1 => failed"


def test_an_error_of_another_step_is_not_this_one_s() -> None:
    log = Log()
    log.extend([extract(step) for step in RUN])
    errors = {done.step: error_of(log, place) for place, done in enumerate(log.done)}
    assert {step for step, error in errors.items() if error} == {3}


@pytest.mark.parametrize(
    ("n", "text"), [(0, ""), (1, "(s0)"), (3, "(s0, s1, s2)"), (4, "(s0, s1, s2, …)")]
)
def test_steps_stand_in_brackets_of_many_the_first(n: int, text: str) -> None:
    assert steps_said(range(n), most=3) == text


@given(
    st.lists(
        st.tuples(words, st.lists(st.integers(0, 99), min_size=1, max_size=4)),
        min_size=1,
        max_size=9,
    )
)
def test_parts_are_joined_in_order_to_lines_that_are_full(
    parts: list[tuple[str, list[int]]],
) -> None:
    lines = packed("all: ", parts)
    assert "".join(row.text for row in lines).replace(", ", "") == (
        f"all: {''.join(part for part, _ in parts)}".replace(", ", "") if parts else ""
    )
    assert all(len(row.text) <= LONGEST for row in lines)
    assert {step for row in lines for step in row.steps} == {n for _, steps in parts for n in steps}
    assert all(list(row.steps) == sorted(set(row.steps)) for row in lines)
    for row, later in pairwise(lines):  # a line ends where the next part does not fit
        first = later.text.partition(", ")[0]
        assert len(row.text) + len(first) + 2 > LONGEST
