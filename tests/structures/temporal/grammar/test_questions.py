"""What a question asks of a log."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.kinds import QueryKind
from stepwell.structures.temporal.grammar.mentions import Names
from stepwell.structures.temporal.grammar.questions import LogQuery, read_question
from stepwell.structures.temporal.grammar.words.questions import (
    BECOMING,
    EXPLAINING,
    PLACES,
    REACHING,
    STATES_OF,
    SUCCESS,
)
from stepwell.structures.temporal.grammar.words.verbs import DOUBTFUL

VERBS = ("take", "bash", "look", "put", "slice")
NAMES = Names()
for known in ("mug 1", "shelf 2", "score", "look out", "bread 1"):
    NAMES.add(known)


def asked(question: str) -> LogQuery:
    return read_question(question, NAMES, VERBS)


@pytest.mark.parametrize(
    ("question", "verbs"),
    [
        ("How often was mug 1 taken?", ("take",)),
        ("How often was mug 1 grabbed?", ("take",)),
        ("How often did it drop mug 1 and look?", ("put", "look")),
        ("How often was bread 1 fried?", ("fry",)),
        ("How often was bash called?", ("bash",)),
        ("Did it walk?", ("walk",)),
        ("How often did the look out change?", ()),
        ("How often did it frob?", ()),
        ("What was set, placed or run?", ()),
        ("take, took and taken", ("take",)),
    ],
)
def test_verbs_are_those_of_the_log(question: str, verbs: tuple[str, ...]) -> None:
    assert asked(question).verbs == verbs


@pytest.mark.parametrize("verb", sorted(DOUBTFUL))
def test_verbs_of_asking_are_no_verbs_of_the_log(verb: str) -> None:
    assert read_question(f"Did it {verb}?", Names(), [verb]).verbs == ()


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("Was 'take mug 1' done?", ("take mug 1",)),
        ('"look" and `wait `', ("look", "wait")),
        ("'x'", ()),
        ("'xy'", ("xy",)),
        ("'" + "x" * 120 + "'", ("x" * 120,)),
        ("'" + "x" * 121 + "'", ()),
        ("'a\nb'", ()),
    ],
)
def test_quoted_texts_are_kept(question: str, quoted: tuple[str, ...]) -> None:
    assert asked(question).quoted == quoted


@pytest.mark.parametrize(
    ("question", "with_moves"),
    [
        ("Which actions, excluding 'go to' actions?", False),
        ("Which actions without moves?", False),
        ("Which actions other than walking?", False),
        ("Which actions, not counting navigation?", False),
        ("Which actions except going to it?", False),
        ("Which actions apart from movement?", False),
        ("Which actions without mug 1?", True),
        ("Which moves?", True),
    ],
)
def test_moves_may_be_excluded(question: str, *, with_moves: bool) -> None:
    assert asked(question).with_moves is with_moves
    assert "go" not in read_question(question, NAMES, ["go"]).verbs or with_moves


@pytest.mark.parametrize("word", SUCCESS)
def test_every_word_of_success_asks_for_it(word: str) -> None:
    text = f"Did it {word.replace('*', 's')} take it?"
    assert asked(text).only_successful
    assert not asked(f"{text} Or FAIL?").only_successful
    assert not asked("Did it take it?").only_successful


@pytest.mark.parametrize("word", PLACES)
def test_every_word_of_places_asks_for_them(word: str) -> None:
    assert asked(f"mug 1 {word.replace('*', 'ed')} at").only_place
    assert not asked("mug 1 state").only_place


@pytest.mark.parametrize("word", ["key", "critical", "crucial", "important", "significant", "main"])
def test_telling_actions_may_be_asked_for(word: str) -> None:
    assert asked(f"What {word} actions were there?").only_telling
    assert asked(f"The {word} game action?").only_telling
    assert not asked(f"What {word} things?").only_telling


@pytest.mark.parametrize("verb", REACHING)
def test_every_verb_of_reaching_stands_before_a_value(verb: str) -> None:
    assert asked(f"When did score {verb} to 4,000.5?").value == "4,000.5"
    assert asked(f"When did score {verb}s above -3?").value == "-3"


def test_a_value_may_be_a_word() -> None:
    assert asked("When did it become dirty?").value == "dirty"
    assert asked("When was it?").value == ""


@pytest.mark.parametrize("word", EXPLAINING)
def test_reasons_are_never_sure(word: str) -> None:
    assert asked("Where is mug 1?").is_sure
    assert not asked(f"Where is mug 1, {word.replace('*', 's')}?").is_sure


@pytest.mark.parametrize("word", STATES_OF)
def test_every_word_for_a_state_makes_it_sure(word: str) -> None:
    text = f"Is mug 1 {word.replace('*', 's')} it?"
    found = asked(text)
    assert (found.kind, found.is_sure) == (QueryKind.STATE, True)
    assert not asked("Is mug 1 nice?").is_sure


@pytest.mark.parametrize("word", BECOMING)
def test_every_word_for_becoming_makes_a_moment_sure(word: str) -> None:
    found = read_question(f"When was mug 1 {word.replace('*', 'd')}?", NAMES, [])
    if found.kind is QueryKind.WHEN:
        assert found.is_sure
    assert not read_question("When was mug 1 nice?", NAMES, []).is_sure


@pytest.mark.parametrize(
    ("question", "kind", "is_sure"),
    [
        ("What was the score?", QueryKind.STATE, True),
        ("What were their mug 1?", QueryKind.STATE, True),
        ("What was a score?", QueryKind.STATE, False),
        ("What was the fun of score?", QueryKind.STATE, True),
        ("What changed?", QueryKind.CHANGES, True),
        ("Which actions changed the environment?", QueryKind.CHANGES, True),
        ("Did its actions lead to any kind of change?", QueryKind.CHANGES, False),
        ("What actions led to change of mug 1?", QueryKind.CHANGES, True),
        ("What changes in the world, by what action?", QueryKind.CHANGES, True),
        ("When was mug 1 taken?", QueryKind.WHEN, True),
        ("When was 'look' done?", QueryKind.WHEN, True),
        ("When was mug 1 lost?", QueryKind.WHEN, False),
        ("How often was mug 1 taken?", QueryKind.COUNT, True),
        ("hello", None, False),
    ],
)
def test_an_answer_is_sure_when_it_is_what_was_asked(
    question: str, kind: QueryKind | None, *, is_sure: bool
) -> None:
    found = asked(question)
    assert (found.kind, found.is_sure) == (kind, is_sure)


def test_only_the_beginning_of_a_question_is_read() -> None:
    assert asked("x " * 1_997 + "score").keys == ("score",)
    assert asked("x " * 1_998 + "score").keys == ()


def test_things_bounds_and_defaults() -> None:
    found = asked("Where is mug 1 on shelf 2 at step 4?")
    assert (found.keys, found.bounds.points) == (("mug 1", "shelf 2"), (4,))
    assert read_question("", Names(), []) == LogQuery(is_sure=False)
