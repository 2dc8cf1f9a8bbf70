"""Against the package `powerlaw` (Alstott et al., 2014), where it is installed."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.stats.tails.audit import audit_counts
from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.nearest import nearest_tails
from stepwell.stats.tails.powerlaw import bootstrap_draws
from support.tail_speed import HEADER, WIDE, rows, their_fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.stats.tails.audit import TailFit

pytest.importorskip("powerlaw", reason="powerlaw is not installed: no cross-check of the fits")

N_DRAWS = 20


def samples() -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(11)
    numbers = np.arange(1.0, 50_001.0)
    weights = numbers**-1.8 * np.exp(-numbers / 100)
    steep = rng.zipf(2.8, 20_000)
    return {
        "power law": rng.zipf(2.1, 1500).astype(np.float64),
        "from two on": steep[steep > 1][:1500].astype(np.float64),
        "truncated": rng.choice(numbers, 1500, p=weights / weights.sum()),
        "log-normal": np.ceil(rng.lognormal(1.0, 1.5, 1500)),
        "geometric": rng.geometric(0.25, 1500).astype(np.float64),
    }


SAMPLES = samples()

each = pytest.mark.parametrize("name", SAMPLES)


def fitted(name: str, *, n_draws: int = 0) -> TailFit:
    found = audit_counts(SAMPLES[name], rng=np.random.default_rng(0), n_draws=n_draws).fit
    assert found is not None
    return found


def exact_fit(name: str, **options: Any) -> Any:
    """Their fit, by maximum likelihood from x_min = 10 on as well."""
    return their_fit(SAMPLES[name], estimate_discrete=False, parameter_ranges=WIDE, **options)


def compared(fit: Any, other: str, **options: Any) -> tuple[float, float]:
    """Their R or z, and p, of the truncated power law against another law."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ratio, p = fit.distribution_compare("truncated_power_law", other, **options)
    return float(ratio), float(p)


@each
def test_the_beginning_of_the_tail_and_its_exponent_are_theirs(name: str) -> None:
    law, theirs = fitted(name).power_law, exact_fit(name, least=50)
    assert law.x_min == theirs.xmin
    assert law.n_tail == theirs.n_tail
    assert law.alpha == pytest.approx(theirs.power_law.alpha, abs=0.001)
    # They look at observed counts only, and not right after them.
    assert -1e-4 < law.distance - theirs.power_law.D < 0.003


# One power law less: each of these draws takes them some fifty milliseconds.
@pytest.mark.parametrize("name", ["power law", "truncated", "log-normal", "geometric"])
def test_the_goodness_of_fit_and_the_verdict_are_theirs(name: str) -> None:
    found, theirs = fitted(name, n_draws=1000), exact_fit(name, least=50)
    rng = np.random.default_rng(1)
    ((part,),) = bootstrap_draws(histogram(SAMPLES[name]), found.power_law, rng=rng, n=N_DRAWS)
    ((_, ours),) = nearest_tails([part])
    draws = [part.histogram(place).items() for place in range(N_DRAWS)]
    fits = [their_fit(draw, least=50, parameter_ranges=WIDE) for draw in draws]
    distances = np.array([fit.power_law.D for fit in fits])
    assert distances == pytest.approx(ours, abs=0.01)
    # The same draws are as far as the data, but for one or two; ours of all draws, about as many.
    share = float((distances >= theirs.power_law.D).mean())
    assert share == pytest.approx((ours >= found.power_law.distance).mean(), abs=2.01 / N_DRAWS)
    assert share == pytest.approx(found.p_gof, abs=2 * 0.5 / N_DRAWS**0.5)
    z, p = compared(theirs, "lognormal", normalized_ratio=True)
    _, p_nested = compared(theirs, "exponential", nested=True)
    by_their_figures = replace(
        found,
        p_gof=share,
        against_log_normal=replace(found.against_log_normal, z=z, p=p),
        against_exponential=replace(found.against_exponential, p=p_nested),
    )
    assert found.verdict is by_their_figures.verdict


# Two of the five: their truncated power law takes up to half a minute on the others.
@pytest.mark.parametrize("name", ["power law", "log-normal"])
def test_the_comparison_is_theirs(name: str) -> None:
    found = fitted(name)
    theirs = exact_fit(name, xmin=found.power_law.x_min)
    z, p = compared(theirs, "lognormal", normalized_ratio=True)
    assert found.against_log_normal.z == pytest.approx(z, abs=0.05)
    assert found.against_log_normal.p == pytest.approx(p, abs=0.05)


def test_both_are_timed_on_draws_of_the_same_law() -> None:
    found = list(rows(300, n_draws=20, n_theirs=1))
    assert [len(row) for row in found] == [len(HEADER)] * 5
    for row in found:
        assert float(row[-4]) == pytest.approx(float(row[-3]), abs=0.02)
