from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from stepwell.errors import InvalidInputError
from stepwell_bench.combine import fisher, holm

positive = st.lists(st.floats(1e-12, 1), min_size=1, max_size=12)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(positive)
def test_fisher_agrees_with_the_chi_square_distribution(p_values: list[float]) -> None:
    assert fisher(p_values) == pytest.approx(stats.combine_pvalues(p_values).pvalue, rel=1e-9)


@pytest.mark.parametrize(
    "p_values",
    [[1e-300], [1e-100, 1e-100, 1e-90], [1e-307], [1e-30] * 10, [0.3] * 2000, [1 - 1e-16] * 50],
)
def test_fisher_is_exact_far_out(p_values: list[float]) -> None:
    expected = stats.chi2.sf(-2 * np.log(p_values).sum(), 2 * len(p_values))
    assert fisher(p_values) == pytest.approx(expected, rel=1e-9, abs=0)


def test_fisher_of_two_is_the_area_under_a_hyperbola() -> None:
    # P(U₁U₂ <= c) = c(1 - ln c).
    product = 0.03 * 0.2
    assert fisher([0.03, 0.2]) == pytest.approx(product * (1 - math.log(product)))


@given(st.floats(1e-300, 1))
def test_fisher_of_one_p_value_is_that_value(p: float) -> None:
    assert fisher([p]) == pytest.approx(p, rel=1e-9)


@given(positive, st.data())
def test_fisher_is_a_probability_in_any_order_and_grows_with_each_p_value(
    p_values: list[float], data: st.DataObject
) -> None:
    found = fisher(p_values)
    assert 0 < found <= 1
    assert fisher(data.draw(st.permutations(p_values))) == found
    smaller = [p_values[0] / 2, *p_values[1:]]
    assert fisher(smaller) <= found * (1 + 1e-12)


def test_fisher_of_nothing_but_ones_is_one() -> None:
    assert fisher([1.0, 1, 1]) == 1


def test_fisher_below_the_smallest_float_is_zero() -> None:
    assert fisher([1e-300] * 4) == 0


def test_fisher_of_uniform_p_values_is_uniform() -> None:
    p_values = 1 - np.random.default_rng(1).random((2000, 3))
    found = [fisher(row) for row in p_values]
    assert stats.kstest(found, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        # Times 4, 3, 2, 1 from the smallest; what would fall below its predecessor is lifted.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.001, 0.002, 0.003, 0.004], [0.004, 0.006, 0.006, 0.006]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.9, 0.4], [0.9, 0.8]),
        ([0.6, 0.7], [1, 1]),
        ([0.3], [0.3]),
        ([0, 1], [0, 1]),
    ],
)
def test_holm_multiplies_by_what_is_left_and_never_falls(
    p_values: list[float], adjusted: list[float]
) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


@given(shares)
def test_holm_rejects_what_stepping_down_rejects(p_values: list[float]) -> None:
    level = 0.05
    m = len(p_values)
    rejected: set[int] = set()
    for step, index in enumerate(sorted(range(m), key=p_values.__getitem__)):
        if (m - step) * p_values[index] > level:
            break
        rejected.add(index)
    assert set(np.flatnonzero(holm(p_values) <= level)) == rejected


@given(shares)
def test_holm_lies_between_no_correction_and_bonferroni_in_the_order_of_the_p_values(
    p_values: list[float],
) -> None:
    raw, adjusted = np.asarray(p_values), holm(p_values)
    assert (raw <= adjusted).all()
    assert (adjusted <= np.minimum(1, len(raw) * raw)).all()
    assert (np.diff(adjusted[np.argsort(raw)]) >= 0).all()
    assert (holm(raw[::-1]) == adjusted[::-1]).all()


def test_holm_leaves_its_argument_alone() -> None:
    p_values = np.asarray([0.04, 0.01])
    holm(p_values)
    assert p_values.tolist() == [0.04, 0.01]


@pytest.mark.parametrize("p_values", [[], [float("nan")], [-0.1], [1.1, 0.5], [[0.5]]])
def test_what_is_no_list_of_p_values_is_refused(p_values: list[float]) -> None:
    with pytest.raises(InvalidInputError, match="from 0 to 1"):
        fisher(p_values)
    with pytest.raises(InvalidInputError, match="from 0 to 1"):
        holm(p_values)


def test_fisher_refuses_a_p_value_of_zero_and_says_how_to_avoid_it() -> None:
    with pytest.raises(InvalidInputError, match="among the draws"):
        fisher([0.2, 0.0])
