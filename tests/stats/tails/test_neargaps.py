"""Gaps at small counts, against those of each law by itself."""

from __future__ import annotations

import numpy as np
import pytest

from stepwell.stats.tails.exponents import best_alpha
from stepwell.stats.tails.histogram import Histogram, histogram
from stepwell.stats.tails.neargaps import near_gaps, polynomials
from stepwell.stats.tails.powerlaw import draw_power_law
from stepwell.stats.tails.samples import samples_of
from stepwell.stats.tails.sums import Sums
from stepwell.stats.tails.zeta import zeta


def sums_of(data: Histogram) -> Sums:
    return Sums.of(samples_of(data))


def gap_of(data: Histogram, x_min: float, alpha: float, *, start: int) -> float:
    """Return the largest distance between a tail and its law at counts up to `start`."""
    tail = data.tail(x_min).items()
    numbers = np.arange(x_min + 1, start + 1)
    observed = np.array([(tail >= number).mean() for number in numbers])
    return float(np.abs(zeta(alpha, numbers) / zeta(alpha, x_min) - observed).max())


@pytest.mark.parametrize("alpha", [1.5, 2.5, 4.0])
def test_each_gap_is_that_of_the_law_that_fits_its_tail_best(alpha: float) -> None:
    data = draw_power_law(600, alpha=alpha, rng=np.random.default_rng(3))
    sums = sums_of(data)
    found = near_gaps(sums, polynomials([sums]))
    begins = np.flatnonzero(np.isfinite(found.gaps[:, 0]))
    assert 0 in begins
    for place in begins[:6]:
        x_min = float(sums.samples.near[place])
        means = np.array([np.log(data.tail(x_min).items()).mean()])
        expected = float(best_alpha(means, np.array([x_min]))[0])
        assert found.alphas[place, 0] == pytest.approx(expected, abs=1e-6)
        start = sums.samples.start
        gap = gap_of(data, x_min, expected, start=start)
        assert found.gaps[place, 0] == pytest.approx(gap, abs=1e-7)
        share = float(zeta(expected, start) / zeta(expected, x_min))
        assert found.shares[place, 0] == pytest.approx(share, abs=1e-7)


def test_where_no_tail_may_begin_the_gap_is_infinite() -> None:
    sums = sums_of(histogram([1] * 60 + [3] * 60 + [9] * 30))
    gaps = near_gaps(sums, polynomials([sums])).gaps[:, 0]
    assert np.isfinite(gaps[[0, 2]]).all()
    assert np.isinf(gaps[[1, 3, 8]]).all()


def test_polynomials_serve_all_samples_they_were_made_for() -> None:
    rng = np.random.default_rng(4)
    both = [sums_of(draw_power_law(400, alpha=alpha, rng=rng)) for alpha in (2.0, 2.2)]
    if both[0].samples.start != both[1].samples.start:
        pytest.fail("the samples are to have the same large counts")
    shared = polynomials(both)
    for one in both:
        alone = near_gaps(one, polynomials([one])).gaps
        together = near_gaps(one, shared).gaps
        assert together == pytest.approx(alone, abs=1e-7)
