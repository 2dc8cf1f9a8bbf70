"""A question is prepared once: without step numbers, and without the words every log is full of."""

from __future__ import annotations

import numpy as np
import pytest

from stepwell.policy.base import Context, Selection
from stepwell.recall.allocation import Allocation
from stepwell.recall.question import MODES, Question, prepare
from stepwell.text.tokens import counter
from support.encoders import HashEncoder


class Words:
    """A policy that reads words."""

    name = "words"

    def select(self, question: str, context: Context) -> Selection:
        return Selection(structures=("episodic",), why=f"{question} {context.budget}")


def question(text: str) -> Question:
    return Question(
        text=text, budget=800, form="text", before=None, counter=counter("o200k"), policy=Words()
    )


def test_a_question_is_adaptive_and_shares_as_usual_unless_told() -> None:
    one = question("which port?")
    assert one.mode == "adaptive"
    assert one.allocation == Allocation()
    assert MODES == ("adaptive", "coverage", "flat", "paper", "plus")


def test_step_numbers_are_no_words_to_search_for() -> None:
    query = question("Which port was used at step 7?").query(None)
    assert "7" not in query.text
    assert "port" in query.terms
    assert query.asked == "Which port was used at step 7?"


def test_a_question_of_a_step_number_alone_is_taken_as_it_stands() -> None:
    query = question("step 7").query(None)
    assert query.text == query.asked == "step 7"


@pytest.mark.parametrize(
    "word", ["agent", "steps", "turn", "actions", "observation", "trajectory", "task"]
)
def test_words_that_every_log_is_full_of_are_left_out(word: str) -> None:
    assert (
        prepare(f"which port {word}", encoder=None).terms
        == prepare("which port", encoder=None).terms
    )


def test_a_question_of_nothing_else_is_searched_by_them() -> None:
    assert prepare("agent action", encoder=None).terms


def test_a_question_has_a_vector_where_an_encoder_runs() -> None:
    assert prepare("which port", encoder=None).vector is None
    encoder = HashEncoder()
    vector = prepare("which port", encoder=encoder).vector
    assert vector is not None
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)
    assert prepare("which port", encoder=encoder).text == "which port"
