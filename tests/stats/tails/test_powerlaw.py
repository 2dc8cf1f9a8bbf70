"""Power laws fitted to counts: what was planted is found, as the plain method finds it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special  # type: ignore[import-untyped]

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.histogram import Histogram, histogram
from stepwell.stats.tails.powerlaw import bootstrap_distances, draw_power_law, fit_power_law


def plain_fit(data: Histogram, x_min: float) -> tuple[float, float]:
    """α and D for one x_min, with scipy and every whole number looked at."""
    tail = data.tail(x_min)
    mean = float(tail.sizes @ np.log(tail.values)) / tail.n

    def cost(alpha: float) -> float:
        return float(np.log(special.zeta(alpha, x_min)) + alpha * mean)

    alpha = float(optimize.minimize_scalar(cost, bounds=(1.001, 30), options={"xatol": 1e-9}).x)
    numbers = np.arange(x_min, tail.values[-1] + 2)
    law = special.zeta(alpha, numbers) / special.zeta(alpha, x_min)
    items = np.repeat(tail.values, tail.sizes)
    observed = 1 - np.searchsorted(items, numbers) / tail.n
    return alpha, float(np.abs(law - observed).max())


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=60, max_size=200), st.integers(0, 2**32))
def test_it_is_the_plain_method(low: list[int], seed: int) -> None:
    high = draw_power_law(30, alpha=2.0, x_min=10, rng=np.random.default_rng(seed))
    counts = [*low, *np.minimum(np.repeat(high.values, high.sizes), 5000).astype(int).tolist()]
    data = histogram(counts)
    fit = fit_power_law(data)
    assert fit is not None
    tails = [x for x in data.values[:-1] if data.tail(x).n >= min(50, data.n // 10)]
    plain = {x: plain_fit(data, x) for x in tails}
    assert fit.distance == pytest.approx(min(d for _, d in plain.values()), abs=1e-4)
    alpha, distance = plain[float(fit.x_min)]
    assert fit.alpha == pytest.approx(alpha, abs=1e-3)
    assert fit.distance == pytest.approx(distance, abs=1e-4)


@settings(max_examples=15, deadline=None)
@given(st.floats(1.6, 3.5), st.integers(1, 8), st.integers(0, 2**32))
def test_a_planted_exponent_is_found(alpha: float, x_min: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = draw_power_law(5000, alpha=alpha, x_min=x_min, rng=rng)
    fit = fit_power_law(data, x_min=x_min)
    assert fit is not None
    assert fit.n_tail == 5000
    assert abs(fit.alpha - alpha) < 5 * fit.error


def test_a_body_below_the_tail_is_left_out() -> None:
    rng = np.random.default_rng(5)
    tail = draw_power_law(2000, alpha=2.5, x_min=10, rng=rng)
    body = rng.integers(1, 10, size=6000)
    fit = fit_power_law(histogram([*body, *np.repeat(tail.values, tail.sizes)]))
    assert fit is not None
    assert 8 <= fit.x_min <= 14
    assert fit.alpha == pytest.approx(2.5, abs=0.15)


def test_the_tail_may_begin_where_no_item_is() -> None:
    fit = fit_power_law(histogram([1, 1, 5, 5, 6, 9, 30]), x_min=3)
    assert fit is not None
    assert fit.x_min == 3
    assert fit.n_tail == 5
    alpha, distance = plain_fit(histogram([1, 1, 5, 5, 6, 9, 30]), 3.0)
    assert (fit.alpha, fit.distance) == pytest.approx((alpha, distance), abs=1e-4)


@pytest.mark.parametrize("counts", [[], [0, 0], [7], [3] * 500, [1] * 499 + [9]], ids=str)
def test_what_has_no_tail_has_no_law(counts: list[int]) -> None:
    assert fit_power_law(histogram(counts)) is None or len(set(counts)) == 2


def test_draws_follow_their_law_far_out_too() -> None:
    drawn = draw_power_law(200_000, alpha=1.8, x_min=2, rng=np.random.default_rng(1))
    assert drawn.n == 200_000
    for value in (2.0, 10.0, 258.0, 259.0, 5000.0):
        share = drawn.tail(value).n / drawn.n
        expected = float(special.zeta(1.8, value) / special.zeta(1.8, 2))
        assert share == pytest.approx(expected, abs=4 * np.sqrt(expected / 200_000) + 1e-12)


def test_impossible_laws_are_refused() -> None:
    for alpha, x_min, n in ((1.0, 1, 5), (2.0, 0, 5), (2.0, 1, -1), (float("nan"), 1, 5)):
        with pytest.raises(InvalidInputError, match="no power law"):
            draw_power_law(n, alpha=alpha, x_min=x_min, rng=np.random.default_rng(0))


def test_power_laws_pass_the_bootstrap_and_others_do_not() -> None:
    rng = np.random.default_rng(2)
    shares: list[float] = []
    for _ in range(30):
        data = draw_power_law(400, alpha=2.3, rng=rng)
        fit = fit_power_law(data)
        assert fit is not None
        shares.append(float(np.mean(bootstrap_distances(data, fit, rng=rng, n=40) >= fit.distance)))
    # Of a true law, p is uniform: about one in ten is below .1.
    assert sum(share < 0.1 for share in shares) <= 8
    assert np.mean(shares) > 0.35
    even = histogram(rng.integers(1, 60, size=3000))
    fit = fit_power_law(even)
    assert fit is not None
    assert float(np.mean(bootstrap_distances(even, fit, rng=rng, n=40) >= fit.distance)) < 0.1


def test_one_seed_gives_one_result_and_each_draw_is_reported() -> None:
    data = draw_power_law(300, alpha=2.0, rng=np.random.default_rng(3))
    fit = fit_power_law(data)
    assert fit is not None
    told: list[int] = []
    first, second = (
        bootstrap_distances(
            data, fit, rng=np.random.default_rng(4), n=70, progress=lambda: told.append(1)
        )
        for _ in range(2)
    )
    assert first.tolist() == second.tolist()
    assert len(told) == 140


def test_many_distinct_counts_are_thinned_and_still_fitted() -> None:
    rng = np.random.default_rng(6)
    data = draw_power_law(20_000, alpha=2.5, x_min=400, rng=rng)
    assert len(data.values) > 1000
    fit = fit_power_law(data)
    assert fit is not None
    assert fit.alpha == pytest.approx(2.5, abs=0.1)
