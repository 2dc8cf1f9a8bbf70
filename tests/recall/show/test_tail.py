"""The tail names what is not quoted: by cluster, with its steps, and as much of it as fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.show.compose import tail_line
from stepwell.recall.show.tail import TAIL, TailMaker
from stepwell.text.tokens import counter
from support.views import block
from support.views import view as step_of

if TYPE_CHECKING:
    from stepwell.recall.evidence import Noted
    from stepwell.recall.show.texts import StepText

COUNT = counter("o200k").count


def view(
    step: int, text: str, *, part: str = "c1", label: str = "bash", number: int = 1
) -> StepText:
    return step_of(block(part, text, label=label), step=step, number=number)


def price(line: Noted) -> int:
    return COUNT(tail_line(line))


MAKER = TailMaker(names={1: "run", 2: "other"}, weights={"port": 2.0, "db": 1.0}, price=price)


def test_steps_of_one_tool_share_a_line_with_its_commonest_calls() -> None:
    views = [view(9, "git diff"), view(3, "pytest -q"), view(4, "pytest -q"), view(30, "ls")]
    (line,) = MAKER.lines(views, room=200)
    assert line.steps == (3, 4, 9, 30)
    assert tail_line(line) == (
        "[s3-s4,s9,s30 tail] 4 more bash steps may matter; expand them: pytest -q, git diff, ls"
    )
    assert tail_line(line, words={}).startswith("[run/s3-s4,s9,s30 tail] ")


def test_messages_are_told_by_the_words_of_the_question_they_hold() -> None:
    views = [
        view(1, "The port is 5433, and the db is up.", part="m", label="Ada"),
        view(2, "Which port?", part="m", label="Ada"),
        view(5, "ports and dbs", part="m", label="Lin"),
    ]
    ada, lin = MAKER.lines(views, room=200)
    assert ada.text == "2 more Ada steps may matter; expand them: port, db"
    assert lin.text == "1 more Lin step"


def test_runs_do_not_share_a_line() -> None:
    lines = MAKER.lines([view(1, "ls"), view(1, "ls", number=2)], room=200)
    assert [line.trajectory for line in lines] == ["run", "other"]


def test_the_better_ranked_steps_are_named_where_not_all_fit() -> None:
    views = [view(step, f"cat file{step}") for step in (90, 10, 50, 30, 70)]
    (line,) = MAKER.lines(views, room=16)
    assert set(line.steps) == {view.step for view in views[: len(line.steps)]}
    assert 0 < len(line.steps) < 5
    assert line.text.startswith("5 more ")


def test_tools_share_a_line_where_not_every_step_is_named_otherwise() -> None:
    views = [view(2 * step, "x", label=f"tool{step}") for step in range(8)]
    apart, together = MAKER.lines(views, room=200), MAKER.lines(views, room=40)
    assert len(apart) == 8
    (line,) = together
    assert line.steps == tuple(range(0, 16, 2))
    assert line.text.startswith("8 more steps")


@given(
    st.lists(
        st.tuples(st.integers(0, 500), st.text(max_size=60)), max_size=30, unique_by=lambda x: x[0]
    ),
    st.integers(0, 120),
)
def test_a_tail_stays_in_its_room_and_on_its_lines(steps: list[tuple[int, str]], room: int) -> None:
    lines = MAKER.lines([view(step, text) for step, text in steps], room=room)
    assert sum(map(price, lines)) <= room
    named = [step for line in lines for step in line.steps]
    assert len(named) == len(set(named))
    assert set(named) <= {step for step, _ in steps}
    assert all(len(tail_line(line, words={}).splitlines()) == 1 for line in lines)


def plain(line: Noted) -> int:
    """Price a line at a token for each step and each word."""
    return len(line.steps) + len(line.text.split())


def made(views: list[StepText], room: int, **weights: float) -> list[tuple[tuple[int, ...], str]]:
    maker = TailMaker(names={1: "run", 2: "other"}, weights=weights, price=plain)
    return [(line.steps, line.text) for line in maker.lines(views, room=room)]


def first(n: int, label: str = "bash", said: str = "") -> str:
    """Return what the first line says of so many steps."""
    words = f"{n} more {label} step may matter; expand it"
    words = words if n == 1 else f"{n} more {label} steps may matter; expand them"
    return " ".join(words.split()) + (f": {said}" if said else "")


def later(n: int, label: str = "bash", said: str = "") -> str:
    """Return what a line behind it says."""
    words = " ".join(f"{n} more {label} step{'s' * (n > 1)}".split())
    return words + (f": {said}" if said else "")


def test_an_empty_tail_has_no_line() -> None:
    assert made([], 100) == []
    assert made([view(1, "ls")], 0) == []


def test_a_line_says_that_it_is_of_the_tail() -> None:
    (line,) = MAKER.lines([view(1, "ls")], room=50)
    assert (line.structure, line.trajectory) == ("tail", "run")
    assert TAIL == "tail"


def test_clusters_and_what_stands_out_come_in_order_of_rank() -> None:
    views = [view(9, "b", label="two"), view(3, "a", label="one"), view(5, "c", label="two")]
    assert made(views, 100) == [((5, 9), first(2, "two", "b, c")), ((3,), later(1, "one", "a"))]


def test_the_three_commonest_beginnings_stand_out_the_better_ranked_first() -> None:
    calls = ["a", "b", "c", "d", "d"]
    views = [view(n, call) for n, call in enumerate(calls)]
    assert made(views, 100)[0][1] == first(5, said="d, a, b")


def test_a_beginning_is_one_line_of_twenty_eight_characters() -> None:
    (told,) = made([view(0, "  git\n  log " + "x" * 40)], 100)
    assert told[1] == first(1, said="git log " + "x" * 20)
    assert made([view(0, "x" * 28)], 100)[0][1] == first(1, said="x" * 28)
    assert made([view(0, "x" * 27 + " y")], 100)[0][1] == first(1, said="x" * 27)


def test_only_the_first_call_of_a_step_stands_out() -> None:
    both = step_of(block("c1", "ls"), block("c2", "pwd"), block("o1", "a b"), step=4)
    assert made([both], 100) == [((4,), first(1, said="ls"))]


def test_calls_without_a_word_do_not_stand_out() -> None:
    assert made([view(0, " \n "), view(1, "")], 100) == [((0, 1), first(2))]


def test_a_step_is_of_the_tool_it_called_and_else_of_who_speaks() -> None:
    both = step_of(block("m", "hi", label="Ada"), block("c1", "ls", label="bash"))
    assert made([both], 100) == [((0,), first(1, said="ls"))]
    spoken = step_of(block("m", "hi", label="Ada"), block("o1", "hi", label="bash"))
    assert made([spoken], 100) == [((0,), first(1, "Ada"))]


def test_a_name_is_one_word_in_the_tail() -> None:
    assert made([view(0, "x", label="a b\n]c")], 100) == [((0,), first(1, "a_b_c", "x"))]
    assert made([view(0, " ", label="")], 100) == [((0,), first(1, ""))]


def test_the_heaviest_terms_of_messages_stand_out_three_at_most() -> None:
    views = [view(0, "Delta gamma", part="m"), view(1, "beta, ALPHA. Beta", part="m")]
    weights = {"alpha": 1.0, "beta": 2.0, "gamma": 1.0, "delta": 1.5, "eta": 9.0}
    assert made(views, 100, **weights) == [((0, 1), first(2, said="beta, delta, alpha"))]
    twice = [*views, view(2, "alpha", part="m")]
    assert made(twice, 100, **weights)[0][1] == first(3, said="alpha, beta, delta")


def test_what_stands_out_is_said_while_there_is_room_for_it() -> None:
    views = [view(1, "a b c"), view(2, "d", label="two")]
    bare = [((1,), first(1)), ((2,), later(1, "two"))]
    apart = [((1,), first(1, said="a b c")), ((2,), later(1, "two", "d"))]
    assert made(views, 18) == apart
    assert made(views, 17) == [apart[0], bare[1]]
    assert made(views, 16) == [bare[0], apart[1]]
    assert made(views, 15) == [bare[0], apart[1]]
    assert made(views, 14) == bare


@pytest.mark.parametrize(
    ("room", "steps"),
    [(12, (1, 2, 5, 8, 9)), (11, (1, 5, 8, 9)), (10, (1, 5, 9)), (8, (9,))],
)
def test_as_many_of_the_best_steps_are_named_as_fit(room: int, steps: tuple[int, ...]) -> None:
    views = [view(step, " ") for step in (9, 5, 1, 8, 2)]
    assert made(views, room) == [(steps, first(5, ""))]
    assert made(views, 13) == [((1, 2, 5, 8, 9), first(5))]
    assert made(views, 7) == []


def test_a_line_for_all_tools_is_for_each_run_its_own() -> None:
    views = [view(n, " ", label=f"t{n}", number=1 + n // 3) for n in range(6)]
    assert made(views, 34)[0] == ((0,), first(1, "t0"))
    assert made(views, 16) == [((0, 1, 2), first(3, "")), ((3, 4, 5), later(3, ""))]
    assert made(views, 15) == [((0, 1, 2), first(3, "")), ((3, 4), later(3, ""))]


def test_of_two_ways_that_name_as_many_the_one_by_tool_is_said() -> None:
    views = [view(0, " ", label="a"), view(1, " ", label="a"), view(2, " ", label="a")]
    assert made(views, 11) == [((0, 1, 2), first(3, "a"))]
