"""Cues: each shows in its example, none depends on capitals or spaces, all are read in one pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.policy.cues import CUES, cues_of


@pytest.mark.parametrize("name", CUES)
def test_a_cue_shows_in_its_example(name: str) -> None:
    assert name in cues_of(CUES[name].example)


@pytest.mark.parametrize(
    ("question", "cue"),
    [
        ("Warum wurde der Server neu gestartet?", "why"),
        ("¿Cuántas veces se ejecutó la prueba?", "count"),
        ("为什么部署失败了", "why"),
        ("Сколько раз запускались тесты?", "count"),
        ("What changed in steps 3 to 9?", "steps"),
        ("Quote what s42.o1 says.", "steps"),
        ("What is in src/app/main.py?", "names"),
        ("Who set maxRetries?", "names"),
        ("Would it have failed if the cache had been warm?", "counterfactual"),
        ("Has the door been opened?", "yes_no"),
    ],
)
def test_questions_show_what_they_demand(question: str, cue: str) -> None:
    assert cue in cues_of(question)


@pytest.mark.parametrize(
    ("question", "cue"),
    [
        ("What is behind the whydah?", "why"),
        ("Which account was closed?", "count"),
        ("He said it's the agent's turn.", "names"),
        ("What was done in the city?", "steps"),
        ("What has the agent opened?", "yes_no"),
    ],
)
def test_what_only_looks_like_a_cue_is_none(question: str, cue: str) -> None:
    assert cue not in cues_of(question)


def test_a_question_is_long_or_short_or_neither() -> None:
    assert "short" in cues_of("word " * 12)
    assert not {"short", "long"} & cues_of("word " * 13)
    assert "long" in cues_of("word " * 40)


def test_both_ends_of_a_long_question_are_read() -> None:
    pasted = "x" * 1_000_000
    assert {"why", "count", "long"} <= cues_of(f"Why? {pasted} How many?")


@pytest.mark.parametrize(
    "piece", ["a ", "if ", "from ", '"', "'a", "which a ", "a_", "A.", "(", "\x00", "had it "]
)
def test_a_question_of_one_repeated_piece_is_read_in_time(piece: str) -> None:
    assert cues_of(piece * 100_000) <= CUES.keys()


@given(st.text())
def test_any_text_has_known_cues_which_spaces_do_not_change(text: str) -> None:
    found = cues_of(text)
    assert found <= CUES.keys()
    assert cues_of(f"  {text}\n") == found
