"""Questions say where to look: named steps, ranges, ends, and sides of errors."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepwell.recall.rank.candidates import speaker_in
from stepwell.recall.rank.places import Facts, resolve
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
    assert places_in(question).near_error is None
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


asked = st.lists(
    st.sampled_from(["step", "steps", "turn", "between", "from", "to", "and", "-", ",", "/"])
    | st.sampled_from(["0", "7", "49", "50", "99999999999", "s3", "first", "last", "before"])
    | st.sampled_from(["after", "the", "error", "second", "previous", "next", "actions"])
    | st.text(max_size=5),
    max_size=9,
).map(" ".join)


@given(asked)
@example("from step 49 to step 99999999999")
@example("the last 99999999999 steps before the error")
def test_any_text_names_steps_that_there_are(question: str) -> None:
    named = resolve(places_in(question), FACTS)
    assert all(0 <= one.step < FACTS.n_steps for one in named)
    assert len({one.step for one in named}) == len(named)
    assert len(without_places(question)) <= len(question) + 9


def test_a_question_in_words_alone_names_no_place() -> None:
    assert places_in("Why?") == Places()


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


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("the first two steps", 2, 0),
        ("the last three turns", 0, 3),
        ("first four steps", 4, 0),
        ("the Final Five steps", 0, 5),
        ("initial ten steps", 10, 0),
        ("the previous step", 0, 1),
        ("the last 12 steps and the first 3 steps", 3, 12),
        ("last step, last 3 steps, last 2 steps", 0, 3),
        ("the last 1000 steps", 0, 0),
        ("the last stepmother", 0, 0),
        ("the first thing", 0, 0),
        ("", 0, 0),
    ],
)
def test_how_many_steps_at_the_ends(question: str, first: int, last: int) -> None:
    places = places_in(question)
    assert (places.first, places.last) == (first, last)


@pytest.mark.parametrize(
    ("question", "ranges"),
    [
        ("steps 1 to 3 and 7", [(1, 3), (7, 7)]),
        ("steps 3, 4-6, 9", [(3, 3), (4, 6), (9, 9)]),
        ("steps 1/2 & 3 + 4 or 5 vs 6 then 7", [(n, n) for n in range(1, 8)]),
        ("step #5, step s6, step no. 7, step number 8", [(n, n) for n in range(5, 9)]),
        ("steps 5 \u2013 7", [(5, 7)]),
        ("steps 5 \u2014 7", [(5, 7)]),
        ("steps 5..7", [(5, 7)]),
        ("steps 5 until 7", [(5, 7)]),
        ("steps 5 up to 7", [(5, 7)]),
        ("steps 5 and step 7", [(5, 5), (7, 7)]),
        ("steps (3, 4)", [(3, 3), (4, 4)]),
        ("steps 5 and 7%", [(5, 5)]),
        ("Step 3-1", [(1, 3)]),
        ("step 4 and step 4", [(4, 4)]),
        ("between the steps 3 & 5", [(3, 5), (3, 3), (5, 5)]),
        ("between 3 and 5 did it work?", [(3, 5)]),
        ("between 3 and 5.", [(3, 5)]),
        ("between 3 and 5.5", []),
        ("from turn 2 until turn 9", [(2, 9)]),
        ("from step 9 to step 2", [(2, 9)]),
        ("s3 and s7.c2:L3-L9", [(3, 3), (7, 7)]),
        ("as42 s42b", []),
        ("Stepping 3, footsteps 3", []),
        ("steps 0-10000", [(0, 10_000)]),
        ("steps 3-10004", [(3, 10_003)]),
    ],
)
def test_ranges_are_read_in_the_order_they_are_named(
    question: str, ranges: list[tuple[int, int]]
) -> None:
    assert list(places_in(question).ranges) == ranges


@pytest.mark.parametrize(
    ("question", "side", "pick", "topic"),
    [
        ("last command before the first database error", "before", "first", "database"),
        ("what did it run following an exception", "after", "last", ""),
        ("which edit fixed its latest crash?", "after", "last", ""),
        ("the call preceding the traceback", "before", "last", ""),
        ("things tried Prior to that initial failure", "before", "first", ""),
        ("tools to fix a failed test", "after", "last", ""),
        ("step that caused the error", "before", "last", ""),
        ("the changes that resolved the most recent fault", "after", "last", ""),
        ("the command after the DNS lookup timeout error", "after", "last", "DNS lookup timeout"),
    ],
)
def test_a_side_of_an_error_is_read(question: str, side: str, pick: str, topic: str) -> None:
    near_error = places_in(question).near_error
    assert near_error is not None
    assert (near_error.side, near_error.pick, near_error.topic) == (side, pick, topic)


@pytest.mark.parametrize(
    "question",
    ["the command. Before the error", "before the error, the command", "commands before lunch"],
)
def test_what_names_no_act_beside_an_error_is_no_errand(question: str) -> None:
    assert places_in(question).near_error is None


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("", False),
        ("which port?", False),
        ("step 3", True),
        ("the first step", True),
        ("the last step", True),
        ("the command before the error", True),
    ],
)
def test_places_are_true_when_a_question_says_where(question: str, *, says: bool) -> None:
    assert bool(places_in(question)) is says


def test_only_two_thousand_characters_at_each_end_are_read_for_places() -> None:
    beside = "x" * 1989
    assert places_in(f"{beside} at step 7" + " y" * 3000).ranges == ((7, 7),)
    assert places_in("y " * 3000 + f"at step 7 {beside}").ranges == ((7, 7),)
    assert places_in(f"{beside}xx at step 7" + " y" * 3000).ranges == ()
    assert places_in(f"{'x' * 3000} at step 7 {'x' * 980}").ranges == ((7, 7),)
    assert places_in(f"{'x' * 2500} at step 7 {'x' * 2500}").ranges == ()


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("between 3 and 5 did it work?", "did it work?"),
        ("from turn 2 until turn 9:  why", ": why"),
        ("between steps 1 and 4 what", "what"),
        ("steps 5 and 7%", "and 7%"),
        ("between 1 and 2 files", "between 1 and 2 files"),
        ("  a \n b ", "a b"),
    ],
)
def test_what_is_left_of_a_question(question: str, rest: str) -> None:
    assert without_places(question) == rest
