"""Questions say where to look: named steps, ranges, ends, and sides of errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.find.places import Facts, resolve
from stepwell.recall.rank.rank import speaker_in
from stepwell.text.question import Places, places_in, without_places

FACTS = Facts(n_steps=50, errors=(10, 20, 30), acts=tuple(range(0, 50, 2)))


@pytest.mark.parametrize(
    ("question", "ranges"),
    [
        ("What happened at step 42?", [(42, 42)]),
        ("Compare steps 4 and 23-24.", [(4, 4), (23, 24)]),
        ("In Steps 9, 10, and 11 the title changes.", [(9, 9), (10, 10), (11, 11)]),
        ("Trace Step 21 to Step 29.", [(21, 29)]),
        ("steps 28/29", [(28, 28), (29, 29)]),
        ("turns 5 through 8", [(5, 8)]),
        ("from step 2 to 7", [(2, 7)]),
        ("What changed between 3 and 9?", [(3, 9)]),
        ("between step 9 and step 3", [(3, 9), (9, 9), (3, 3)]),
        ("what does s42.o1:L3 say", [(42, 42)]),
        ("items priced between 3 and 9 euros", []),
        ("between step 0 and step 99999999", [(0, 10_000), (0, 0), (99_999_999, 99_999_999)]),
        ("at step 123456789012", [(123_456_789_012, 123_456_789_012)]),
        ("at step 1234567890123", []),
        ("what are the next steps", []),
        ("version 3.9 and port 42", []),
    ],
)
def test_named_steps(question: str, ranges: list[tuple[int, int]]) -> None:
    assert list(places_in(question).ranges) == ranges


@pytest.mark.parametrize(
    "question",
    [
        "first " * 17_000,
        "between step 1 and " * 5_000,
        "step 1-" * 14_000,
        "command " * 12_000 + "before",
        "command before" + " " * 50_000 + "it",
        "step" + " " * 100_000,
    ],
)
def test_a_long_question_is_read_at_once(question: str) -> None:
    # Hangs, where a pattern costs the square of the length or more.
    assert places_in(question).errand is None
    assert len(without_places(question)) <= len(question)


def test_places_are_read_at_both_ends_of_a_long_question() -> None:
    pasted = "some line of a log, step 7\n" * 1_000
    found = places_in(f"At step 3? {pasted} And at step 9?").ranges
    assert {(3, 3), (9, 9)} <= set(found)


def test_content_is_left_without_the_numbers() -> None:
    assert without_places("At step 42, which file was edited?") == "At , which file was edited?"
    assert without_places("which port, 5433 or 8080?") == "which port, 5433 or 8080?"


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("the last command before the error", [28, 30]),
        ("What was the exact command after the last error?", [30, 32, 34, 36]),
        ("Which command fixed the first failure?", [10, 12, 14, 16]),
        ("what did it run after that failure?", [30, 32, 34, 36]),
        ("the first 3 steps", [0, 1, 2]),
        ("what happened in the last step", [49]),
    ],
)
def test_places_are_resolved_by_what_the_run_holds(question: str, steps: list[int]) -> None:
    assert sorted(named.step for named in resolve(places_in(question), FACTS)) == steps


def test_the_words_of_an_error_choose_among_errors() -> None:
    places = places_in("the exact command after the last database error")
    named = resolve(places, FACTS, topic_scores={10: 3.0, 20: 2.5, 30: 0.2})
    assert named[0].step == 22
    assert "error at step 20" in named[0].why


def test_any_beginning_of_a_wide_range_covers_it() -> None:
    named = resolve(places_in("between step 0 and step 49"), FACTS)
    assert [each.step for each in named[:5]] == [0, 49, 24, 12, 36]
    assert sorted(each.step for each in named) == list(range(50))


@given(st.text())
def test_any_text_is_a_question(question: str) -> None:
    places = places_in(question)
    assert isinstance(places, Places)
    for named in resolve(places, FACTS):
        assert 0 <= named.step < FACTS.n_steps
    without_places(question)


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("What did the user say about seats?", "user"),
        ("the user's preferences", "user"),
        ("what did the agent claim", "agent"),
        ("which user table was altered", None),
    ],
)
def test_the_speaker_asked_about(question: str, speaker: str | None) -> None:
    assert speaker_in(question) == speaker
