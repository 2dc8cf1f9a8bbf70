"""Conditions are read as they are written, and hold where they should."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepwell.errors import PolicyError
from stepwell.policy.base import Context
from stepwell.policy.conditions import parse_condition
from support.policies import conditions

HERE = Context(
    available=("temporal", "episodic"),
    budget=1000,
    n_steps=120,
    n_tokens=30_000,
    domain="Embodied AI",
    kind="C",
    task="clean  the kitchen",
    signals={"temporal.slots": 2.0, "episodic.known": 0.5},
)


@given(conditions())
def test_a_condition_is_read_as_it_is_written(condition: object) -> None:
    again = parse_condition(str(condition))
    assert again == condition
    assert str(again) == str(condition)


@pytest.mark.parametrize(
    "text",
    [
        "asks count",
        "not asks why",
        "domain is Embodied AI",
        "kind is C",
        "task is clean the kitchen",
        "signal temporal.slots >= 1",
        "signal episodic.known < 0.75",
        "steps > 100",
        "tokens > 20000",
        "budget <= 1000",
        "has temporal",
        "not has vector",
        "not signal nobody.knows >= 0",
        "domain is embodied ai",
    ],
)
def test_these_hold(text: str) -> None:
    assert str(parse_condition(text)) == text
    assert parse_condition(text).holds("How many cups are there?", HERE)


@pytest.mark.parametrize(
    "text",
    ["asks why", "domain is games", "kind is unknown", "steps = 121", "signal nobody.knows < 1"],
)
def test_these_do_not(text: str) -> None:
    condition = parse_condition(text)
    assert not condition.holds("How many cups are there?", HERE)
    assert parse_condition(f"not {text}").holds("How many cups are there?", HERE)


def test_what_nobody_said_is_unknown() -> None:
    assert parse_condition("domain is unknown").holds("Why?", Context())


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("steps>100", "steps > 100"),
        ("  not   asks why ", "not asks why"),
        ("budget < 1.0", "budget < 1"),
    ],
)
def test_spaces_are_free(text: str, canonical: str) -> None:
    assert str(parse_condition(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not",
        "not not asks why",
        "asks",
        "asks why how",
        "domain games",
        "domain is",
        "steps > many",
        "steps > 1e999",
        "steps > nan",
        "steps > 1 > 2",
        "steps is 3",
        "signal >= 1",
        "signal a b >= 1",
        "weather is fine",
        "steps > " + "9" * 100_000,
    ],
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(PolicyError, match="no condition"):
        parse_condition(text)


def test_a_cue_nobody_knows_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(PolicyError, match="Did you mean `asks count`"):
        parse_condition("asks counts")


written = st.lists(
    st.sampled_from(["not", "asks", "count", "domain", "is", "has", "x", "steps", "budget"])
    | st.sampled_from(["signal", "a.b", ">", ">=", "<", "=", "!=", "-3", "0.5", "1e15", "1e999"]),
    max_size=6,
).map(" ".join)


@given(st.text() | written)
@example("steps > 1e999")
@example("signal a.b != -1e-999")
def test_any_text_is_a_condition_that_reads_the_same_or_a_policy_error(text: str) -> None:
    try:
        condition = parse_condition(text)
    except PolicyError:
        return
    assert parse_condition(str(condition)) == condition
    assert condition.holds("How many?", HERE) in {True, False}
