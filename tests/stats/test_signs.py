"""What tests by random signs share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.stats import signs
from stepwell.stats.signs import checked, coded, random_signs, scaled


@pytest.mark.parametrize("n_values", [0, 1, 3])
def test_as_many_rows_of_signs_come_as_were_asked_for(n_values: int) -> None:
    rows = np.concatenate(list(random_signs(n_values, rng=np.random.default_rng(0), n=7)))
    assert rows.shape == (7, n_values)
    assert set(rows.ravel()) <= {-1.0, 1.0}


def test_both_signs_are_equally_likely() -> None:
    (rows,) = random_signs(100, rng=np.random.default_rng(0), n=1_000)
    assert abs(rows.mean()) < 5 / np.sqrt(rows.size)


def test_blocks_do_not_change_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(random_signs(3, rng=np.random.default_rng(5), n=10)))
    monkeypatch.setattr(signs, "_BLOCK", 7)  # two rows of three
    blocks = list(random_signs(3, rng=np.random.default_rng(5), n=10))
    assert [len(block) for block in blocks] == [2, 2, 2, 2, 2]
    assert np.array_equal(np.concatenate(blocks), whole)


@given(st.lists(st.integers(-(2**40), 2**40).map(lambda n: n / 1024), min_size=1, max_size=10))
def test_scaling_is_exact_and_leaves_nothing_at_or_above_one(values: list[float]) -> None:
    shares, exponent = scaled(np.array(values))
    assert np.abs(shares).max() < 1
    assert np.ldexp(shares, exponent).tolist() == values


def test_zeros_are_scaled_by_nothing() -> None:
    shares, exponent = scaled(np.zeros(3))
    assert (shares.tolist(), exponent) == ([0.0, 0.0, 0.0], 0)


@pytest.mark.parametrize("values", [[], [float("nan")], [float("inf"), 1.0], [[1.0]]])
def test_differences_that_cannot_be_tested_are_refused(values: list[float]) -> None:
    with pytest.raises(InvalidInputError, match="at least one difference, all of them finite"):
        checked(values)


def test_no_draws_are_refused() -> None:
    assert checked([1, 2], n=1).tolist() == [1.0, 2.0]
    with pytest.raises(InvalidInputError, match=r"^0 draws give no p-value"):
        checked([1, 2], n=0)


def test_each_difference_needs_a_label() -> None:
    codes, labels = coded("aab", n_values=3)
    assert (codes.tolist(), labels) == ([0, 0, 1], ("a", "b"))
    with pytest.raises(InvalidInputError, match="3 differences but 2 labels"):
        coded("ab", n_values=3)
