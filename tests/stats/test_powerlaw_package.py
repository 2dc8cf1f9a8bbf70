"""Against the package `powerlaw` (Alstott et al., 2014), where it is installed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from stepwell.stats.powerlaw import draw_power_law
from stepwell.stats.tails import audit_counts

powerlaw = pytest.importorskip(
    "powerlaw", reason="powerlaw is not installed: no cross-check of the fits"
)


def samples() -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    rng = np.random.default_rng(11)
    numbers = np.arange(1.0, 50_001.0)
    weights = numbers**-1.8 * np.exp(-numbers / 100)
    steep = draw_power_law(1500, alpha=2.8, x_min=2, rng=rng)
    flat = draw_power_law(1500, alpha=2.1, rng=rng)
    return {
        "power law": np.repeat(flat.values, flat.sizes),
        "from two on": np.repeat(steep.values, steep.sizes),
        "truncated": rng.choice(numbers, 1500, p=weights / weights.sum()),
        "log-normal": np.ceil(rng.lognormal(1.0, 1.5, 1500)),
        "geometric": rng.geometric(0.25, 1500).astype(np.float64),
    }


SAMPLES = samples()


def their_fit(counts: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return powerlaw.Fit(
            counts.astype(int),
            discrete=True,
            estimate_discrete=False,
            verbose=False,
            parameter_ranges={"alpha": [1.001, 30.0]},
            **options,
        )


@pytest.mark.parametrize("name", SAMPLES)
def test_the_exponent_is_theirs(name: str) -> None:
    found = audit_counts(SAMPLES[name], rng=np.random.default_rng(0), n_draws=0).fit
    assert found is not None
    theirs = their_fit(SAMPLES[name], xmin=found.power_law.x_min)
    assert found.power_law.alpha == pytest.approx(theirs.power_law.alpha, abs=0.02)


# Two of the five: their truncated power law takes up to half a minute on the others.
@pytest.mark.parametrize("name", ["power law", "log-normal"])
def test_the_comparison_is_theirs(name: str) -> None:
    found = audit_counts(SAMPLES[name], rng=np.random.default_rng(0), n_draws=0).fit
    assert found is not None
    theirs = their_fit(SAMPLES[name], xmin=found.power_law.x_min)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z, p = theirs.distribution_compare(
            "truncated_power_law", "lognormal", normalized_ratio=True
        )
    assert found.against_log_normal.z == pytest.approx(z, abs=0.05)
    assert found.against_log_normal.p == pytest.approx(p, abs=0.05)


@pytest.mark.parametrize("name", ["power law", "from two on", "truncated"])
def test_the_beginning_of_the_tail_is_theirs(name: str) -> None:
    found = audit_counts(SAMPLES[name], rng=np.random.default_rng(0), n_draws=0).fit
    assert found is not None
    theirs = their_fit(SAMPLES[name])
    assert found.power_law.alpha == pytest.approx(theirs.power_law.alpha, abs=0.02)
    assert found.power_law.distance == pytest.approx(theirs.power_law.D, abs=0.005)
