"""Which steps a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.grammar.bounds import ALWAYS, bounds_of, without_bounds
from stepwell.structures.temporal.grammar.words.questions import FIRST, LAST, SIDES, UNITS


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    ("side", "word"),
    [(s, w) for s, words in SIDES.items() for w in words if not w.startswith("no ")],
)
def test_every_word_bounds_on_its_side(unit: str, side: str, word: str) -> None:
    found = bounds_of(f"{word.capitalize()} the {unit} 7, what happened?")
    first, last = {
        "before": (0, 6), "until": (0, 7), "after": (8, None), "since": (7, None),
    }[side]  # fmt: skip
    assert (found.first, found.last, found.points) == (first, last, ())
    assert found.said == f"{side} s7"


@pytest.mark.parametrize("word", FIRST)
def test_every_word_for_the_first_picks_it(word: str) -> None:
    assert bounds_of(f"When was it {word} open?").pick == "first"


@pytest.mark.parametrize("word", LAST)
def test_every_word_for_the_last_picks_it(word: str) -> None:
    assert bounds_of(f"When was it {word} open?").pick == "last"


@pytest.mark.parametrize(
    ("question", "first", "last", "said"),
    [
        ("between step 73 and step 76", 73, 76, "from s73 to s76"),
        ("from turn 9 to turn 3", 3, 9, "from s3 to s9"),
        ("from step 9 up to 12", 9, 12, "from s9 to s12"),
        ("steps 14-18", 14, 18, "from s14 to s18"),
        ("steps 14 \u2013 step 18", 14, 18, "from s14 to s18"),
        ("step 14..18", 14, 18, "from s14 to s18"),
        ("step #14 through step no. 18", 14, 18, "from s14 to s18"),
        ("between 3 and 7", 3, 7, "from s3 to s7"),
        ("between the step number 3 until 7", 3, 7, "from s3 to s7"),
        ("after step 3 and before step 9", 4, 8, "before s9 after s3"),
        ("since step 3, until step 9", 3, 9, "until s9 since s3"),
        ("before step 9, until step 4", 0, 4, "before s9 until s4"),
        ("after step 9, since step 4", 4, None, "after s9 since s4"),
        ("before step 0", 0, 0, "before s0"),
        ("before step 1", 0, 0, "before s1"),
        ("after step 1234567890", 0, None, ""),
        ("after 5", 0, None, ""),
        ("Footsteps 3 to 7", 0, None, ""),
    ],
)
def test_bounds_are_read(question: str, first: int, last: int | None, said: str) -> None:
    found = bounds_of(question)
    assert (found.first, found.last, found.said) == (first, last, said)
    assert found.points == ()


@pytest.mark.parametrize(
    ("question", "points", "said"),
    [
        ("at step 7", (7,), "at s7"),
        ("at steps 7, 9 and 12", (7, 9, 12), "at s7, s9, s12"),
        ("at step 7 or step 9", (7, 9), "at s7, s9"),
        ("step 7 & 9, step 7", (7, 9), "at s7, s9"),
        ("turn #4", (4,), "at s4"),
        ("what about s42?", (42,), "at s42"),
        ("s1 s2 s3 s4 s5 s6 s7 s8 s9", tuple(range(1, 10)), "at s1, s2, s3, s4, s5, s6, s7, s8"),
    ],
)
def test_single_steps_are_points(question: str, points: tuple[int, ...], said: str) -> None:
    found = bounds_of(question)
    assert (found.first, found.last, found.points, found.said) == (0, max(points), points, said)


def test_at_most_32_points_are_read() -> None:
    found = bounds_of(" ".join(f"s{n}" for n in range(40)))
    assert found.points == tuple(range(32))
    assert found.last == 31


def test_only_the_beginning_of_a_question_is_read() -> None:
    assert bounds_of("x" * 3_990 + " at step 7").points == (7,)
    assert bounds_of("x" * 3_991 + " at step 7").points == ()


def test_first_goes_before_last() -> None:
    assert bounds_of("the first and the last").pick == "first"
    assert bounds_of("the firstborn").pick == ""
    assert bounds_of("the last time before step 3").pick == "last"
    assert bounds_of("the last time from step 3 to step 4").pick == "last"
    assert bounds_of("the last time at step 3").pick == "last"
    assert bounds_of("anything") == ALWAYS


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**9 - 1))
def test_a_range_is_ascending(one: int, other: int) -> None:
    found = bounds_of(f"from step {one} to step {other}")
    assert (found.first, found.last) == (min(one, other), max(one, other))


@given(st.text(max_size=60))
def test_any_question_has_bounds(question: str) -> None:
    found = bounds_of(question)
    assert found.first >= 0
    assert found.pick in {"", "first", "last"}


@pytest.mark.parametrize(
    ("question", "first", "last", "said"),
    [
        ("What was done no later than step 7?", 0, 7, "until s7"),
        ("What was done not after step 7?", 0, 7, "until s7"),
        ("What was done later than step 7?", 8, None, "after s7"),
        ("What was done no earlier than step 7?", 7, None, "since s7"),
        ("What was done not before step 7?", 7, None, "since s7"),
        ("What was done earlier than step 7?", 0, 6, "before s7"),
        ("After step 2, what was done no later than step 7?", 3, 7, "until s7 after s2"),
    ],
)
def test_a_negated_side_is_the_other_one(
    question: str, first: int, last: int | None, said: str
) -> None:
    found = bounds_of(question)
    assert (found.first, found.last, found.said) == (first, last, said)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Where was mug 1 at step 30?", "Where was mug 1 at ?"),
        ("From step 3 to step 6, what?", ", what?"),
        ("Before step 3 and after turn 5: mug 2", "and : mug 2"),
        ("steps 3, 5 and 9", ""),
    ],
)
def test_a_question_is_read_without_its_steps(question: str, rest: str) -> None:
    assert " ".join(without_bounds(question).split()) == rest
