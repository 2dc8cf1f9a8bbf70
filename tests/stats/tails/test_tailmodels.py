"""Laws fitted to tails, against plain sums and optimisers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats  # type: ignore[import-untyped]

from stepwell.stats.tails.histogram import Histogram, histogram
from stepwell.stats.tails.powerlaw import draw_power_law, fit_power_law
from stepwell.stats.tails.quadrature import integral, sum_to_infinity
from stepwell.stats.tails.tailmodels import (
    Law,
    compare,
    exponential,
    log_normal,
    power_law,
    survival,
    truncated_power_law,
)

NUMBERS = np.arange(1.0, 200_001.0)
LOGS = np.log(NUMBERS)


def samples() -> dict[str, Histogram]:
    rng = np.random.default_rng(7)
    weights = NUMBERS**-1.6 * np.exp(-0.01 * NUMBERS)
    return {
        "power law": draw_power_law(2000, alpha=2.4, rng=rng),
        "steep": draw_power_law(2000, alpha=3.6, x_min=4, rng=rng),
        "truncated": histogram(rng.choice(NUMBERS, 2000, p=weights / weights.sum())),
        "log-normal": histogram(np.ceil(rng.lognormal(1.5, 1.2, 2000))),
        "narrow": histogram(np.maximum(1, np.round(rng.lognormal(3, 0.4, 2000)))),
        "geometric": histogram(rng.geometric(0.1, 2000)),
        "falling": histogram(rng.geometric(0.7, 2000)),
        "poisson": histogram(rng.poisson(20, 2000) + 1),
        "two": histogram([1] * 900 + [2] * 100),
        "far": histogram([1] * 300 + [2] * 150 + [10**9]),
    }


SAMPLES = samples()
names = pytest.mark.parametrize("name", SAMPLES)


def truncated_likelihood(tail: Histogram, alpha: float, rate: float, x_min: float) -> float:
    first = int(x_min) - 1
    terms = -alpha * LOGS[first:] - rate * NUMBERS[first:]
    whole = terms[0] + np.log(np.exp(terms - terms[0]).sum())  # the first is the largest
    return float(tail.sizes @ (-alpha * np.log(tail.values) - rate * tail.values - whole))


def normal_likelihood(tail: Histogram, mu: float, sigma: float, x_min: float) -> float:
    with np.errstate(all="ignore"):
        low = stats.norm.logsf((np.log(tail.values - 0.5) - mu) / sigma)
        high = stats.norm.logsf((np.log(tail.values + 0.5) - mu) / sigma)
        whole = stats.norm.logsf((np.log(x_min - 0.5) - mu) / sigma)
        found = float(tail.sizes @ (low + np.log(-np.expm1(high - low)) - whole))
    return found if np.isfinite(found) else -1e18


def start_of(tail: Histogram) -> tuple[float, float]:
    x_min = float(tail.values[0])
    fit = fit_power_law(tail, x_min=int(x_min))
    assert fit is not None
    return x_min, fit.alpha


@names
def test_the_truncated_power_law_is_the_likeliest(name: str) -> None:
    tail = SAMPLES[name]
    x_min, alpha = start_of(tail)
    law = truncated_power_law(tail, x_min=x_min, alpha=alpha).law
    cut = law.parameters
    if cut["rate"] > 1e-3:
        assert law.log_likelihood == pytest.approx(
            truncated_likelihood(tail, cut["alpha"], cut["rate"], x_min), abs=1e-5
        )
    if name == "far":
        return
    best = optimize.minimize(
        lambda v: -truncated_likelihood(tail, abs(v[0]), float(np.exp(v[1])), x_min),
        [max(cut["alpha"], 0.1), np.log(max(cut["rate"], 1e-3))],
        method="Nelder-Mead",
        options={"maxiter": 60},
    )
    assert law.log_likelihood >= -best.fun - 1e-3


@names
def test_it_is_no_less_likely_than_the_laws_it_contains(name: str) -> None:
    tail = SAMPLES[name]
    x_min, alpha = start_of(tail)
    law = truncated_power_law(tail, x_min=x_min, alpha=alpha).law
    for other in (power_law(tail, x_min=x_min, alpha=alpha), exponential(tail, x_min=x_min)):
        assert law.log_likelihood >= other.law.log_likelihood - 1e-6


@names
def test_the_log_normal_is_the_likeliest(name: str) -> None:
    tail = SAMPLES[name]
    x_min = float(tail.values[0])
    law = log_normal(tail, x_min=x_min).law
    mu, sigma = law.parameters["mu"], law.parameters["sigma"]
    if name != "far":
        expected = normal_likelihood(tail, mu, sigma, x_min)
        assert law.log_likelihood == pytest.approx(expected, abs=1e-4)
    logs = np.log(tail.values)
    middle = float(tail.sizes @ logs) / tail.n
    best = optimize.minimize(
        lambda v: -normal_likelihood(tail, v[0], float(np.exp(v[1])), x_min),
        [middle, 0.0],
        method="Nelder-Mead",
        options={"maxiter": 500},
    )
    if sigma > 0.11:  # it is kept above .1
        assert law.log_likelihood >= -best.fun - 1e-3


@names
def test_the_exponential_is_the_likeliest(name: str) -> None:
    tail = SAMPLES[name]
    x_min = float(tail.values[0])
    law = exponential(tail, x_min=x_min).law
    rate = law.parameters["rate"]
    expected = stats.geom.logpmf(tail.values - x_min + 1, -np.expm1(-rate))
    assert law.log_likelihood == pytest.approx(float(tail.sizes @ expected), rel=1e-6)
    for other in (rate * 0.99, rate * 1.01):
        worse = stats.geom.logpmf(tail.values - x_min + 1, -np.expm1(-other))
        assert float(tail.sizes @ worse) < law.log_likelihood


@names
def test_log_p_sums_up_to_the_survival(name: str) -> None:
    """What each law gives to the counts below x and to those from x on is one."""
    tail = SAMPLES[name]
    x_min, alpha = start_of(tail)
    numbers = Histogram(values=x_min + np.arange(50.0), sizes=np.ones(50, dtype=np.int64))
    pure = power_law(numbers, x_min=x_min, alpha=alpha)
    rest = survival(pure.law, np.array([x_min + 50]), x_min=x_min)[0]
    assert np.exp(pure.log_p).sum() + rest == pytest.approx(1, abs=1e-9)
    for law in (
        truncated_power_law(tail, x_min=x_min, alpha=alpha).law,
        log_normal(tail, x_min=x_min).law,
        exponential(tail, x_min=x_min).law,
    ):
        heights = survival(law, x_min + np.arange(51.0), x_min=x_min)
        assert heights[0] == pytest.approx(1)
        assert (np.diff(heights) <= 0).all()


def test_the_survival_of_a_log_normal_is_that_of_scipy() -> None:
    law = Law(name="log-normal", parameters={"mu": 1.0, "sigma": 0.8}, log_likelihood=0.0)
    values = np.array([2.0, 3.0, 10.0, 50.0])
    expected = stats.norm.sf((np.log(values - 0.5) - 1) / 0.8)
    assert survival(law, values, x_min=2) == pytest.approx(expected / expected[0], rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.0, 4.0), st.floats(1e-4, 3.0), st.integers(1, 500))
def test_infinite_sums_are_those_added_one_by_one(alpha: float, rate: float, start: int) -> None:
    places, weights = sum_to_infinity(start, reach=start + 68 / rate)
    found = float(weights @ (places**-alpha * np.exp(-rate * (places - start))))
    numbers = start + np.arange(min(1_000_000.0, 45 / rate + 10))
    plain = float((numbers**-alpha * np.exp(-rate * (numbers - start))).sum())
    assert found == pytest.approx(plain, rel=1e-8)


def test_integrals_are_those_of_calculus() -> None:
    places, weights = integral(-8.0, 8.0)
    assert float(weights @ np.exp(-(places**2) / 2)) == pytest.approx(np.sqrt(2 * np.pi))


def test_two_laws_are_compared_as_vuong_does() -> None:
    tail = SAMPLES["truncated"]
    x_min, alpha = start_of(tail)
    first, second = log_normal(tail, x_min=x_min), exponential(tail, x_min=x_min)
    found, turned = compare(tail, first, second), compare(tail, second, first)
    terms = np.repeat(first.log_p - second.log_p, tail.sizes)
    assert found.ratio == pytest.approx(terms.sum())
    assert found.z == pytest.approx(terms.sum() / (terms.std() * np.sqrt(tail.n)))
    assert found.p == pytest.approx(2 * stats.norm.sf(abs(found.z)))
    assert (turned.z, turned.p) == pytest.approx((-found.z, found.p))
    pure = power_law(tail, x_min=x_min, alpha=alpha)
    same = compare(tail, pure, pure)
    assert (same.ratio, same.z, same.p) == (0, 0, 1)
    cut = truncated_power_law(tail, x_min=x_min, alpha=alpha)
    nested = compare(tail, cut, pure, is_nested=True)
    assert nested.p == pytest.approx(stats.chi2.sf(2 * nested.ratio, 1))
