from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from stepwell.errors import InvalidInputError
from stepwell_bench.osu.interaction import Cell, Interaction, interaction

SIZES = {"T+E+": 56, "T-E+": 44, "T-E-": 132, "T+E-": 96}
"""Questions per cell of OSU-Mem's cross-tab."""

NET_WINS = {64: (9, 2, 1, 5), 128: (13, 5, -3, 5), 256: (10, 7, -17, 0), 512: (9, 10, -48, -10)}
"""Wins less losses per budget and cell. Those of T+E- are not published, only their signs at small
and large budgets: they are set to what agrees with those signs."""

tenths = st.integers(-50, 50).map(lambda whole: whole / 10)
seeds = st.integers(0, 2**32 - 1)


def rng(seed: int = 11) -> np.random.Generator:
    return np.random.default_rng(seed)


def near(p: float, *, n: int) -> float:
    """Return five standard errors of a share of n draws, and the draw that is always counted."""
    return float(5 * np.sqrt(p * (1 - p) / n) + 1 / n)


def outcomes(n_values: int, *, net: int, discordant: float) -> list[int]:
    """Return wins (1), losses (-1) and draws (0) with this net and about this share of no draws."""
    n_discordant = max(abs(net), round(discordant * n_values))
    odd = (n_discordant - net) % 2
    n_discordant += odd if n_discordant < n_values else -odd
    n_won = (n_discordant + net) // 2
    return [1] * n_won + [-1] * (n_discordant - n_won) + [0] * (n_values - n_discordant)


def cross_tab(budget: int, *, discordant: float) -> Interaction:
    differences: list[int] = []
    cells: list[str] = []
    for (cell, size), net in zip(SIZES.items(), NET_WINS[budget], strict=True):
        differences += outcomes(size, net=net, discordant=discordant)
        cells += [cell] * size
    return interaction(differences, cells, rng=rng())


def between(values: np.ndarray[tuple[int], np.dtype[np.float64]], cells: list[str]) -> float:
    """Return F as its definition has it, cell by cell."""
    labels = np.asarray(cells)
    groups = [values[labels == label] for label in set(cells)]
    return float(sum(len(group) * (group.mean() - values.mean()) ** 2 for group in groups))


@pytest.mark.parametrize("shift", [0.0, 0.6, 1.2])
def test_the_p_value_of_an_interaction_is_that_of_all_flips_of_residuals(shift: float) -> None:
    cells = list("abacbcabacba")
    labels = np.asarray(cells)
    values = np.random.default_rng(3).normal(size=12) + shift * (labels == "b")
    means = {label: values[labels == label].mean() for label in "abc"}
    residuals = values - np.asarray([means[label] for label in cells])
    null = stats.permutation_test(
        (residuals,),
        lambda flipped: between(flipped, cells),
        permutation_type="samples",
        vectorized=False,
        n_resamples=2**12,
    ).null_distribution
    observed = between(values, cells)
    assert len(null) == 2**12
    exact = float(np.mean(null >= observed))
    found = interaction(values, cells, rng=rng(), n=20_000)
    assert found.statistic == pytest.approx(observed)
    assert found.p == pytest.approx(exact, abs=near(exact, n=20_000))


def test_the_statistic_is_the_sum_of_squares_between_cells_of_an_analysis_of_variance() -> None:
    draws = np.random.default_rng(9)
    groups = [draws.normal(size=size) for size in (7, 4, 11)]
    values = np.concatenate(groups)
    within = sum(((group - group.mean()) ** 2).sum() for group in groups)
    ratio = stats.f_oneway(*groups).statistic
    found = interaction(values, list("a" * 7 + "b" * 4 + "c" * 11), rng=rng(), n=10)
    assert (found.statistic / 2) / (within / 19) == pytest.approx(ratio)


def test_without_an_interaction_p_values_are_uniform() -> None:
    draws = np.random.default_rng(10)
    cells = [cell for cell, size in SIZES.items() for _ in range(size)]
    found = [
        interaction(draws.normal(0.5, 1, size=len(cells)), cells, rng=draws, n=99).p
        for _ in range(300)
    ]
    assert stats.kstest(found, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("budget", "low", "high"), [(64, 0.37, 0.63), (128, 0.015, 0.15), (256, 0.00005, 0.016)]
)
def test_published_net_wins_interact_with_the_cell_more_the_larger_the_budget(
    budget: int, low: float, high: float
) -> None:
    # Published: .308, .081 and .002. How many pairs are discordant is not, so a range is tried.
    found = [cross_tab(budget, discordant=share).p for share in (0.3, 0.4, 0.5)]
    assert found == sorted(found)
    assert all(low <= p <= high for p in found)


@pytest.mark.parametrize("discordant", [0.1, 0.4, 0.7, 1.0])
def test_net_wins_at_the_largest_budget_cannot_be_without_interaction(discordant: float) -> None:
    # Published: .558, which no share of discordant pairs gives.
    assert cross_tab(512, discordant=discordant).p <= 0.0005


def test_cells_come_with_their_means_in_order_of_appearance() -> None:
    found = interaction([1, 0, 3, 2], ["b", "a", "b", None], rng=rng(), n=10)
    assert found.cells == (
        Cell(label="b", mean=2, n_values=2),
        Cell(label="a", mean=0, n_values=1),
        Cell(label=None, mean=2, n_values=1),
    )


@pytest.mark.parametrize("value", [0.0, 0.1, 1e200])
def test_cells_of_one_value_do_not_interact(value: float) -> None:
    assert interaction([value] * 9, list("aaabbbccc"), rng=rng(), n=100).p == 1


@given(st.lists(st.tuples(tenths, st.integers(0, 3)), min_size=8, max_size=30), seeds)
def test_an_interaction_does_not_depend_on_names_units_direction_or_the_mean(
    rows: list[tuple[float, int]], seed: int
) -> None:
    # Two cells at least, and one of them with two values.
    rows = [*rows, (0.5, 0), (1.0, 1)]
    values, cells = np.asarray([value for value, _ in rows]), [cell for _, cell in rows]
    expected = interaction(values, cells, rng=rng(seed), n=50)
    assert 0 < expected.p <= 1
    assert expected == interaction(values, cells, rng=rng(seed), n=50)
    for same in (-values, 3.7 * values, values + 2.5):
        assert interaction(same, cells, rng=rng(seed), n=50).p == expected.p
    named = interaction(values, [f"cell {cell}" for cell in cells], rng=rng(seed), n=50)
    assert (named.p, named.statistic) == (expected.p, expected.statistic)
    backwards = interaction(values[::-1], cells[::-1], rng=rng(seed), n=50)
    assert backwards.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert sum(cell.n_values for cell in expected.cells) == len(rows)


@pytest.mark.parametrize("cells", ["aaa", "abc"])
def test_cells_that_leave_nothing_to_compare_are_refused(cells: str) -> None:
    with pytest.raises(InvalidInputError, match="nothing to compare"):
        interaction([1, 2, 3], list(cells), rng=rng())


def test_labels_that_do_not_match_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="3 differences but 2 labels"):
        interaction([1, 2, 3], ["a", "b"], rng=rng())


@pytest.mark.parametrize(
    ("differences", "n"),
    [([], 10), ([float("nan")], 10), ([float("inf"), 1], 10), ([[1.0]], 10), ([1.0, 2.0], 0)],
)
def test_differences_that_cannot_be_tested_are_refused(differences: list[float], n: int) -> None:
    with pytest.raises(InvalidInputError):
        interaction(differences, list("ab"), rng=rng(), n=n)
