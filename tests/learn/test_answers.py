from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.learn.answers import exact_match, locomo_f1, token_f1

if TYPE_CHECKING:
    from collections.abc import Callable

texts = st.text(st.characters(), max_size=40)
words = st.lists(st.sampled_from(["port", "5433", "端口", "running", "a", "and", "!"]), max_size=8)


@pytest.mark.parametrize("measure", [exact_match, token_f1, locomo_f1])
@given(left=texts, right=texts)
def test_any_texts_have_a_value_and_order_does_not_matter(
    measure: Callable[[str, str], float], left: str, right: str
) -> None:
    assert 0 <= measure(left, right) <= 1
    assert measure(left, right) == measure(right, left)
    assert measure(left, left) == 1


@given(left=words, right=words)
def test_f1_is_1_only_for_the_same_words(left: list[str], right: list[str]) -> None:
    one, other = " ".join(left), " ".join(right)
    if exact_match(one, other):
        assert token_f1(one, other) == 1
    if token_f1(one, other) == 1:
        assert token_f1(" ".join(sorted(left)), other) == 1


@given(left=words, right=words)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(left: list[str], right: list[str]) -> None:
    kept = [[w for w in side if w in {"port", "5433", "running"}] for side in (left, right)]
    one, other = kept
    common = sum(min(one.count(word), other.count(word)) for word in set(one))
    expected = float(one == other == [])
    if common:
        precision, recall = common / len(one), common / len(other)
        expected = 2 * precision * recall / (precision + recall)
    assert token_f1(" ".join(one), " ".join(other)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "gold", "exact", "f1"),
    [
        ("The Port  5433.", "port 5433", 1, 1),
        ("an apple a day", "apple day", 1, 1),
        ("port", "ports", 0, 0),
        ("x x y", "x y y", 0, 2 / 3),
        ("『端口5433』", "端口 5433。", 1, 1),
        ("端口", "端点", 0, 0.5),
        ("\uff30\uff2f\uff32\uff34", "port", 1, 1),  # full-width letters
        ("CAFÉ", "café", 1, 1),
        ("don't", "dont", 1, 1),
        ("", "port", 0, 0),
        ("...", "", 1, 1),
        ("\x00\ud800", "\x00\ud800", 1, 1),
    ],
)
def test_words_are_compared_as_people_would(
    answer: str, gold: str, exact: float, f1: float
) -> None:
    assert exact_match(answer, gold) == exact
    assert token_f1(answer, gold) == pytest.approx(f1)


def test_locomo_stems_and_drops_and() -> None:
    assert locomo_f1("paints, and runs", "painting running") == 1
    assert token_f1("paints, and runs", "painting running") == 0
