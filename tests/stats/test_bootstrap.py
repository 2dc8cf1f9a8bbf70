from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from stepwell.errors import InvalidInputError
from stepwell.stats.bootstrap import bootstrap_mean, bootstrap_ratio, paired_difference

finite = st.floats(-100, 100)


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_the_interval_of_independent_values_is_the_normal_one() -> None:
    values = np.random.default_rng(5).normal(3, 2, size=900)
    found = bootstrap_mean(values, range(900), rng=rng(), n=4000)
    half = 1.96 * values.std() / np.sqrt(900)
    assert found.mean == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - half, abs=0.06 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.06 * half)
    assert (found.n_values, found.n_groups) == (900, 900)


def test_the_interval_of_groups_of_any_size_is_that_of_a_ratio_of_their_sums() -> None:
    draws = np.random.default_rng(6)
    sizes = draws.integers(1, 9, size=50)
    groups = np.repeat(np.arange(50), sizes)
    values = draws.normal(size=50)[groups] + draws.normal(size=len(groups))
    sums = np.bincount(groups, weights=values)
    reference = stats.bootstrap(
        (sums, sizes),
        lambda drawn, counts, axis=-1: drawn.sum(axis=axis) / counts.sum(axis=axis),
        paired=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    found = bootstrap_mean(values, groups.tolist(), rng=rng(), n=20_000)
    error = 0.05 * reference.standard_error
    assert found.low == pytest.approx(reference.confidence_interval.low, abs=error)
    assert found.high == pytest.approx(reference.confidence_interval.high, abs=error)


def test_two_groups_have_the_three_means_that_can_be_drawn() -> None:
    # Means 0, .5 and 1 with probabilities 1/4, 1/2, 1/4.
    wide = bootstrap_mean([0, 1], ["a", "b"], rng=rng(), level=0.9)
    narrow = bootstrap_mean([0, 1], ["a", "b"], rng=rng(), level=0.4)
    assert (wide.low, wide.high) == (0, 1)
    assert (narrow.low, narrow.high) == (0.5, 0.5)


def test_repeating_every_value_within_its_group_adds_no_information() -> None:
    values = np.random.default_rng(3).random(40)
    once = bootstrap_mean(values, range(40), rng=rng())
    thrice = bootstrap_mean(np.repeat(values, 3), np.repeat(np.arange(40), 3).tolist(), rng=rng())
    assert thrice.low == pytest.approx(once.low)
    assert thrice.high == pytest.approx(once.high)


def test_groups_weigh_by_their_values() -> None:
    found = bootstrap_mean([0, 0, 0, 1], ["a", "a", "a", "b"], rng=rng())
    assert found.mean == 0.25
    assert (found.low, found.high, found.n_groups) == (0, 1, 2)


@given(st.lists(finite, min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_the_interval_lies_within_the_values_and_a_seed_repeats_it(
    values: list[float], seed: int
) -> None:
    groups = [index % 4 for index in range(len(values))]
    first, second = (
        bootstrap_mean(values, groups, rng=np.random.default_rng(seed), n=50) for _ in range(2)
    )
    assert first == second
    assert min(values) - 1e-9 <= first.low <= first.high <= max(values) + 1e-9


def test_a_paired_difference_cancels_what_both_share() -> None:
    shared = np.random.default_rng(8).normal(0, 50, size=60)
    found = paired_difference(shared + 0.5, shared, range(60), rng=rng())
    assert found.low == pytest.approx(0.5)
    assert found.high == pytest.approx(0.5)


def test_one_group_has_no_spread() -> None:
    found = bootstrap_mean([1, 2, 3], ["a"] * 3, rng=rng())
    assert found.low == found.mean == found.high == 2


def test_draws_in_blocks_are_as_many_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bootstrap_mean(np.arange(10.0), range(10), rng=rng(), n=101)
    monkeypatch.setattr("stepwell.stats.bootstrap._BLOCK", 70)
    assert bootstrap_mean(np.arange(10.0), range(10), rng=rng(), n=101) == whole


@pytest.mark.parametrize(
    ("values", "groups", "n", "level"),
    [
        ([], [], 10, 0.9),
        ([float("nan")], ["a"], 10, 0.9),
        ([1.0], ["a", "b"], 10, 0.9),
        ([1.0], ["a"], 0, 0.9),
        ([1.0], ["a"], 10, 1.0),
        ([[1.0]], ["a"], 10, 0.9),
    ],
)
def test_what_gives_no_interval_is_refused(
    values: list[float], groups: list[str], n: int, level: float
) -> None:
    with pytest.raises(InvalidInputError):
        bootstrap_mean(values, groups, rng=rng(), n=n, level=level)


def test_unequal_pairs_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="paired"):
        paired_difference([1, 2], [1], ["a"], rng=rng())


def test_a_ratio_is_of_the_sums_and_weighs_large_values_more() -> None:
    found = bootstrap_ratio([10.0, 900.0], [20.0, 1000.0], ["a", "b"], rng=rng())
    assert found.mean == pytest.approx(910 / 1020)
    assert found.low == pytest.approx(0.5)
    assert found.high == pytest.approx(0.9)
    assert (found.n_values, found.n_groups) == (2, 2)


def test_a_ratio_draws_whole_groups() -> None:
    # Within a group the values differ, but every group has the same ratio of sums.
    found = bootstrap_ratio([1.0, 3.0, 2.0], [4.0, 4.0, 4.0], ["a", "a", "b"], rng=rng())
    assert found.low == found.mean == found.high == 0.5


@pytest.mark.parametrize("divisors", [[0.0, 1.0], [-1.0, 1.0]])
def test_a_ratio_to_nothing_is_refused(divisors: list[float]) -> None:
    with pytest.raises(InvalidInputError, match="a value is not above 0"):
        bootstrap_ratio([1.0, 1.0], divisors, ["a", "b"], rng=rng())


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.integers(0, 2**32 - 1))
def test_a_mean_is_the_ratio_to_ones(values: list[float], seed: int) -> None:
    groups = [place % 3 for place in range(len(values))]
    ones = [1.0] * len(values)
    mean = bootstrap_mean(values, groups, rng=np.random.default_rng(seed), n=20)
    assert mean == bootstrap_ratio(values, ones, groups, rng=np.random.default_rng(seed), n=20)
    assert mean.mean == np.mean(values)
