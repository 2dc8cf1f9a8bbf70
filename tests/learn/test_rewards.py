from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.learn.rewards import NOTHING, EvidenceReward, LiteralReward, Read
from stepwell.trajectory.questions import Question

steps = st.frozensets(st.integers(0, 30))
texts = st.text(st.characters(), max_size=60)


def read(text: str = "", *, shown: frozenset[int] = frozenset(), tokens: int = 10) -> Read:
    return Read(text=text, steps=shown, tokens=tokens)


def answered(answer: str) -> Question:
    return Question(text="What happened?", answer=answer)


def literal(answer: str, text: str) -> float:
    return LiteralReward().reward(answered(answer), read(text))


@given(gold=steps.filter(bool), shown=steps, more=steps)
def test_evidence_is_the_share_of_gold_steps(
    gold: frozenset[int], shown: frozenset[int], more: frozenset[int]
) -> None:
    asked = Question(text="?", answer="", steps=tuple(gold))
    value = EvidenceReward().reward(asked, read(shown=shown))
    assert value == len(gold & shown) / len(gold)
    assert EvidenceReward().reward(asked, read(shown=shown | more)) >= value
    assert EvidenceReward().reward(asked, NOTHING) == 0


def test_gold_that_is_missing_is_an_error_and_no_zero() -> None:
    with pytest.raises(InvalidInputError, match="no gold steps"):
        EvidenceReward().reward(answered("5433"), NOTHING)
    with pytest.raises(InvalidInputError, match="no words"):
        LiteralReward().reward(answered(" ... "), NOTHING)


@pytest.mark.parametrize(
    ("answer", "text", "expected"),
    [
        ("The agent deployed port 5433", "deploying agents", 2 / 5),
        ("The agent deployed port 5433", "5433", 2 / 5),
        ("Port 5433 and port 5433", "5433", 2 / 3),
        ("port 543", "port 5433", 1 / 3),
        ("src/app/main.py", "in src/app/main.py:12", 1),
        ("src/app/main.py", "src app main.py", 0),
        ("parseQuery failed", "parse the query", 0),
        ("parseQuery failed", "parseQuery()", 2 / 3),
        ("端口被占用", "端口被占用了", 1),
        ("端口被占用", "端口", 1 / 4),
        ("Лампочка сгорела", "лампочка", 1 / 2),
        ("It wasn't O'Brien's", "O'Brien", 2 / 3),
    ],
)
def test_literals_are_weighed_words(answer: str, text: str, expected: float) -> None:
    assert literal(answer, text) == pytest.approx(expected)


def test_numbers_of_steps_are_left_out() -> None:
    assert literal("At step 7 the port was taken", "port taken") == 1
    assert literal("steps 3-9: timeout", "timeout") == 1
    # Unless there is nothing else to look for.
    assert literal("At step 7", "[s7.o1] step 7") == 1
    assert literal("At step 7", "at step 8") == pytest.approx(1 / 3)
    assert literal("In May", "it may be in") == 1


def test_evidence_above_the_cap_is_worth_nothing() -> None:
    reward = LiteralReward(cap=10)
    assert reward.reward(answered("5433"), read("5433", tokens=10)) == 1
    assert reward.reward(answered("5433"), read("5433", tokens=11)) == 0
    assert reward.name == "literal@10"


@given(answer=texts, shown=texts, more=texts)
def test_any_text_is_rewarded_and_more_text_no_less(answer: str, shown: str, more: str) -> None:
    try:
        value = literal(answer, shown)
    except InvalidInputError:
        return
    assert 0 <= value <= literal(answer, f"{shown} {more}") <= 1
    assert literal(answer, answer) == 1
    assert LiteralReward().reward(answered(answer), NOTHING) == 0


def test_a_long_hostile_answer_is_read_once() -> None:
    for piece in ("a-", "1.", "'", "\\" * 3 + "a", "step 1, ", "端"):
        LiteralReward().reward(answered("x " + piece * 20_000), NOTHING)
