from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from stepwell.errors import InvalidInputError
from stepwell.stats.permutation import by_episode, sign_flip

tenths = st.integers(-50, 50).map(lambda whole: whole / 10)
samples = st.lists(tenths, min_size=1, max_size=25)
seeds = st.integers(0, 2**32 - 1)


def rng(seed: int = 11) -> np.random.Generator:
    return np.random.default_rng(seed)


def near(p: float, *, n: int) -> float:
    """Return five standard errors of a share of n draws, and the draw that is always counted."""
    return float(5 * np.sqrt(p * (1 - p) / n) + 1 / n)


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.8])
def test_the_p_value_is_that_of_all_flips(shift: float) -> None:
    differences = np.random.default_rng(2).normal(shift, 1, size=12)
    exact = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=2**12
    ).pvalue
    found = sign_flip(differences, rng=rng(), n=20_000)
    assert found.mean == pytest.approx(differences.mean())
    assert found.p == pytest.approx(exact, abs=near(exact, n=20_000))


@pytest.mark.parametrize(("won", "lost"), [(9, 3), (14, 2), (30, 30), (1, 0), (21, 8)])
def test_wins_and_losses_have_the_p_value_of_the_sign_test(won: int, lost: int) -> None:
    exact = stats.binomtest(won, won + lost).pvalue
    found = sign_flip([1] * won + [-1] * lost + [0] * 20, rng=rng(), n=20_000)
    assert found.p == pytest.approx(exact, abs=near(exact, n=20_000))
    assert found.n_values == won + lost + 20


def test_many_values_have_the_p_value_of_the_normal_distribution() -> None:
    differences = np.random.default_rng(4).normal(0.06, 1, size=900)
    z = differences.sum() / np.sqrt((differences**2).sum())
    exact = 2 * stats.norm.sf(abs(z))
    assert sign_flip(differences, rng=rng()).p == pytest.approx(exact, abs=0.02)


def test_without_any_effect_p_values_are_uniform() -> None:
    draws = np.random.default_rng(6)
    found = [sign_flip(draws.normal(size=30), rng=draws, n=199).p for _ in range(400)]
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_sums_equal_but_for_rounding_are_ties() -> None:
    assert 0.1 + 0.2 - 0.3 != 0
    assert sign_flip([0.1, 0.2, -0.3], rng=rng()).p == 1
    whole, part = (
        sign_flip([3, 1, 2, 2, -1], rng=rng()),
        sign_flip([0.3, 0.1, 0.2, 0.2, -0.1], rng=rng()),
    )
    assert whole.p == part.p


@pytest.mark.parametrize("n_values", [1, 2, 40])
def test_differences_of_zero_are_no_evidence(n_values: int) -> None:
    found = sign_flip([0.0] * n_values, rng=rng(), n=100)
    assert (found.mean, found.p) == (0, 1)


def test_an_effect_no_draw_reaches_has_the_smallest_p_value() -> None:
    assert sign_flip([1.0] * 60, rng=rng(), n=999).p == 1 / 1000


@given(samples, seeds)
def test_a_p_value_is_a_share_above_zero_and_a_seed_repeats_it(
    differences: list[float], seed: int
) -> None:
    first, second = (sign_flip(differences, rng=rng(seed), n=50) for _ in range(2))
    assert first == second
    assert 0 < first.p <= 1
    assert first.p * 51 == pytest.approx(round(first.p * 51))
    assert first.mean == pytest.approx(np.mean(differences), abs=1e-12)


@given(samples, seeds, st.floats(1e-3, 1e3), st.data())
def test_order_direction_unit_and_zeros_do_not_change_a_p_value(
    differences: list[float], seed: int, unit: float, data: st.DataObject
) -> None:
    expected = sign_flip(differences, rng=rng(seed), n=50)
    shuffled = data.draw(st.permutations(differences))
    assert sign_flip(shuffled, rng=rng(seed), n=50) == expected
    scaled = [unit * value for value in differences]
    assert sign_flip(scaled, rng=rng(seed), n=50).p == expected.p
    negated = sign_flip([-value for value in differences], rng=rng(seed), n=50)
    assert (negated.mean, negated.p) == (-expected.mean, expected.p)
    assert sign_flip([*differences, 0.0, 0.0], rng=rng(seed), n=50).p == expected.p


@given(samples.filter(any), st.sampled_from([2.0**-1000, 2.0**1000]))
def test_magnitudes_at_the_ends_of_floats_are_no_special_case(
    differences: list[float], unit: float
) -> None:
    scaled = [unit * value for value in differences]
    expected = sign_flip(differences, rng=rng(), n=50)
    found = sign_flip(scaled, rng=rng(), n=50)
    assert found.p == expected.p
    assert found.mean / unit == pytest.approx(expected.mean)


@pytest.mark.parametrize("block", [1, 70, 1000])
def test_draws_in_blocks_are_those_of_one_block(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    differences = np.arange(-3.0, 7.0)
    flip = sign_flip(differences, rng=rng(), n=101)
    monkeypatch.setattr("stepwell.stats.signs._BLOCK", block)
    assert sign_flip(differences, rng=rng(), n=101) == flip


def test_episodes_weigh_alike_however_many_values_they_have() -> None:
    found = by_episode([1, 1, -1, 1, 0], ["b", "b", "a", "b", "a"])
    assert found.tolist() == [1, -0.5]


def test_repeating_values_within_an_episode_is_no_evidence() -> None:
    differences = np.random.default_rng(7).normal(0.2, 1, size=30)
    repeated = by_episode(np.repeat(differences, 8), np.repeat(np.arange(30), 8).tolist())
    once = sign_flip(differences, rng=rng())
    assert sign_flip(repeated, rng=rng()).p == once.p
    assert sign_flip(np.repeat(differences, 8), rng=rng()).p < once.p


@given(samples, st.data())
def test_means_of_episodes_weighted_by_size_give_the_mean(
    differences: list[float], data: st.DataObject
) -> None:
    labels = st.lists(st.integers(0, 4), min_size=len(differences), max_size=len(differences))
    episodes = data.draw(labels)
    sizes = [episodes.count(episode) for episode in dict.fromkeys(episodes)]
    found = by_episode(differences, episodes)
    assert found.shape == (len(sizes),)
    assert found @ np.asarray(sizes) == pytest.approx(sum(differences), abs=1e-9)


@pytest.mark.parametrize(
    ("differences", "n"),
    [([], 10), ([float("nan")], 10), ([float("inf"), 1], 10), ([[1.0]], 10), ([1.0, 2.0], 0)],
)
def test_differences_that_cannot_be_tested_are_refused(differences: list[float], n: int) -> None:
    with pytest.raises(InvalidInputError):
        sign_flip(differences, rng=rng(), n=n)


@pytest.mark.parametrize("differences", [[], [float("nan"), 1.0], [[1.0, 2.0]]])
def test_differences_that_have_no_means_are_refused(differences: list[float]) -> None:
    with pytest.raises(InvalidInputError):
        by_episode(differences, list("ab"))


def test_labels_that_do_not_match_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="3 differences but 2 labels"):
        by_episode([1, 2, 3], ["a", "b"])


def test_every_pattern_of_four_signs_is_drawn() -> None:
    # All patterns of |d| = 1, 2, 4, 8 have their own sum, so p counts those as far out.
    magnitudes = np.asarray([1.0, 2.0, 4.0, 8.0])
    sums = [abs(np.dot(signs, magnitudes)) for signs in product([-1, 1], repeat=4)]
    for signs in product([-1, 1], repeat=4):
        observed = abs(np.dot(signs, magnitudes))
        exact = float(np.mean([total >= observed for total in sums]))
        found = sign_flip(np.asarray(signs) * magnitudes, rng=rng(), n=4000)
        assert found.p == pytest.approx(exact, abs=near(exact, n=4000))
