from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.learn.replay.measure import literal_share, measured, shown_by
from stepwell.learn.rewards import NOTHING, Read
from stepwell.memory.memory import Memory
from stepwell.recall.evidence import Noted
from stepwell.trajectory.questions import Question

if TYPE_CHECKING:
    from stepwell.recall.evidence import Evidence
    from stepwell.trajectory.model import Trajectory

ASKED = Question(text="Which port is free?", answer="port 5433", steps=(1, 2, 5, 6))


@pytest.fixture(scope="module")
def recalled() -> Evidence:
    with Memory(None, encoder=None) as memory:
        for number in range(3):
            memory.add({"role": "user", "content": f"The port 543{number} is free."})
        return memory.recall("Which port is free?", 400)


def note(*steps: int, quote: str = "") -> Noted:
    return Noted(structure="summary", trajectory="t", steps=steps, text="a line", quote=quote)


def of(recalled: Evidence, *notes: Noted, steps: tuple[int, ...] = ()) -> Evidence:
    items = tuple(replace(recalled.items[0], step=step, text=f"text {step}") for step in steps)
    return replace(recalled, items=items, notes=notes)


def never() -> Trajectory:
    raise AssertionError("the trajectory is not needed")


def test_steps_are_shown_by_quoting_them_or_by_a_line_that_quotes_them(recalled: Evidence) -> None:
    evidence = of(recalled, note(5, 6, quote="free"), note(2), note(1, quote=" "), steps=(1, 9))
    found = measured(ASKED, evidence, never)
    assert shown_by(evidence).steps == {1, 9, 5}
    assert found.evidence == 2 / 4
    assert found.quoted == 1 / 4
    assert found.tokens == evidence.tokens
    assert (found.literals, found.violations) == (None, ())


def test_what_is_shown_is_the_text_of_lines_and_items(recalled: Evidence) -> None:
    evidence = of(recalled, note(2), steps=(1, 9))
    assert shown_by(evidence).text == "a line\ntext 1\ntext 9"
    assert shown_by(of(recalled)) == Read(text="", steps=frozenset(), tokens=recalled.tokens)


def test_the_answer_s_words_are_looked_for_in_what_is_shown(recalled: Evidence) -> None:
    item = replace(recalled.items[0], text="the port is 5432")
    found = measured(ASKED, replace(recalled, items=(item,), notes=()), never)
    assert found.literal == pytest.approx(1 / 3)  # the number is worth twice the word
    none = measured(replace(ASKED, answer=""), recalled, never)
    assert none.literal is None


def test_more_tokens_than_the_budget_are_worth_nothing(recalled: Evidence) -> None:
    item = replace(recalled.items[0], text="port 5433")
    for tokens, worth in ((recalled.budget, 1.0), (recalled.budget + 1, 0.0)):
        evidence = replace(recalled, items=(item,), tokens=tokens)
        assert measured(ASKED, evidence, never).literal == worth


@pytest.mark.parametrize(("answer", "share"), [("port", 0.0), ("", None), (" .. ", None)])
def test_an_answer_without_words_is_no_answer(answer: str, share: float | None) -> None:
    assert literal_share(replace(ASKED, answer=answer), NOTHING, cap=9) == share


def test_a_recall_of_a_memory_is_measured_as_it_is(recalled: Evidence) -> None:
    question = replace(ASKED, steps=(0, 1, 2), answer="5431")
    found = measured(question, recalled, never)
    assert (found.evidence, found.quoted, found.literal) == (1.0, 1.0, 1.0)
    assert 0 < found.tokens <= 400
