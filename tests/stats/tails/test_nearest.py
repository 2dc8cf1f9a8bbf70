"""Where tails begin, for many samples at once: as the plain search finds it for each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stepwell.stats.tails.histogram import Histogram, histogram
from stepwell.stats.tails.mixture import Mixture
from stepwell.stats.tails.nearest import nearest_tails
from stepwell.stats.tails.powerlaw import fit_power_law
from stepwell.stats.tails.samples import Samples, samples_of

KINDS = ("power law", "log-normal", "geometric", "around a mean", "few values", "body and tail")


def counts_of(kind: str, n: int, rng: np.random.Generator) -> Histogram:
    if kind == "power law":
        found = rng.zipf(rng.uniform(1.4, 4), n).astype(np.float64)
    elif kind == "log-normal":
        found = np.ceil(rng.lognormal(rng.uniform(0, 4), rng.uniform(0.2, 2), n))
    elif kind == "geometric":
        found = rng.geometric(10 ** rng.uniform(-2.5, -0.1), n).astype(np.float64)
    elif kind == "around a mean":
        found = 1 + rng.poisson(10 ** rng.uniform(0, 2.5), n).astype(np.float64)
    elif kind == "few values":
        found = np.append(rng.integers(1, 4, n - 1), rng.integers(1, 10**6)).astype(np.float64)
    else:
        found = np.concatenate((rng.integers(1, 30, n), 9.0 * rng.zipf(2.5, n // 2)))
    return histogram(np.minimum(found, 2.0**53))


def plain(data: Histogram) -> dict[int, float]:
    """D of each x_min below 500, by the plain formula; beyond, not all are tried."""
    least = min(50, max(2, data.n // 10))
    fits = [
        fit_power_law(data, x_min=int(x))
        for x in data.values[:-1]
        if x < 500 and data.tail(x).n >= least
    ]
    return {fit.x_min: fit.distance for fit in fits if fit is not None}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(KINDS), st.integers(60, 600), st.integers(0, 2**32))
def test_of_each_draw_it_is_what_the_plain_search_finds(kind: str, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = counts_of(kind, n, rng)
    fit = fit_power_law(data)
    assume(fit is not None)
    assert fit is not None
    mixture = Mixture.of(data, alpha=fit.alpha, x_min=fit.x_min)
    parts = [mixture.draw(size, rng=rng) for size in (3, 1)]
    for part, (starts, distances) in zip(parts, nearest_tails(parts), strict=True):
        for place, (start, distance) in enumerate(zip(starts, distances, strict=True)):
            drawn = part.histogram(place)
            assert drawn.n == data.n
            expected = plain(drawn)
            if start < 500:
                assert distance == pytest.approx(min(expected.values(), default=0.0), abs=2e-5)
                assert expected.get(int(start), 0.0) == pytest.approx(distance, abs=2e-5)
            else:
                found = fit_power_law(drawn, x_min=int(start))
                assert found is not None
                assert distance == pytest.approx(found.distance, abs=2e-5)
                assert distance <= min(expected.values(), default=1.0) + 2e-5


def joined(first: Samples, second: Samples) -> Samples:
    width = max(first.far.shape[1], second.far.shape[1])
    far = [
        np.pad(one.far, ((0, 0), (width - one.far.shape[1], 0)), constant_values=1)
        for one in (first, second)
    ]
    return Samples(
        low=first.low,
        start=first.start,
        sizes=np.concatenate((first.sizes, second.sizes)),
        far=np.concatenate(far),
        n_far=np.concatenate((first.n_far, second.n_far)),
    )


@pytest.mark.parametrize("kind", KINDS)
def test_counts_among_others_are_as_far_from_their_law_as_alone(kind: str) -> None:
    rng = np.random.default_rng(4)
    data = counts_of(kind, 300, rng)
    fit = fit_power_law(data)
    assert fit is not None
    alone = samples_of(data)
    law = Mixture.of(data, alpha=fit.alpha, x_min=fit.x_min)
    others = Mixture(
        n=data.n,
        low=alone.low,
        start=alone.start,
        weights=np.append(np.ones(alone.start - alone.low), (0.0, 9.0))
        / (alone.start - alone.low + 9),
        observed=np.empty(0),
        alpha=law.alpha,
        beyond=alone.start,
    ).draw(40, rng=rng)
    ((starts, distances),) = nearest_tails([joined(others, alone)])
    assert starts[-1] == fit.x_min
    assert distances[-1] == pytest.approx(fit.distance, abs=1e-5)


def test_samples_without_a_tail_have_none() -> None:
    ((starts, distances),) = nearest_tails([samples_of(histogram([7] * 300))])
    assert (starts.tolist(), distances.tolist()) == ([0], [0])
    ((starts, _),) = nearest_tails([samples_of(histogram([700] * 300))])
    assert starts.tolist() == [0]


def test_beyond_five_hundred_x_min_is_sought_in_small_steps() -> None:
    rng = np.random.default_rng(1)
    data = histogram(np.floor(3000 * (1 - rng.random(2000)) ** -0.5))
    fit = fit_power_law(data)
    assert fit is not None
    everywhere = [fit_power_law(data, x_min=int(x)) for x in data.values[:-49:7]]
    best = min(one.distance for one in everywhere if one is not None)
    assert fit.distance == pytest.approx(best, rel=0.1)
    assert fit.alpha == pytest.approx(3, abs=0.2)
