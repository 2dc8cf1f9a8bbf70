"""What a bootstrap draws: observed counts below x_min, in their shares, and the law above."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special  # type: ignore[import-untyped]

from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.mixture import Mixture


@pytest.mark.parametrize(("x_min", "scale"), [(1, 1), (5, 1), (80, 1), (3000, 400)])
def test_each_part_is_drawn_in_its_share(x_min: int, scale: int) -> None:
    rng = np.random.default_rng(2)
    below = rng.integers(1, max(2, x_min // scale), 700) * scale
    body = below[below < x_min]
    data = histogram([*body, *[x_min] * 300])
    alpha, n = 2.4, 400
    drawn = Mixture.of(data, alpha=alpha, x_min=x_min).draw(n, rng=rng)
    samples = [drawn.histogram(place) for place in range(n)]
    assert len(drawn) == n
    assert {one.n for one in samples} == {data.n}
    items = np.concatenate([one.items() for one in samples])
    n_items = len(items)
    assert set(items[items < x_min]) <= set(body.tolist())
    for value in {*body[:5].tolist(), *body[-5:].tolist()}:
        share = (body == value).mean() * len(body) / data.n
        assert (items == value).mean() == pytest.approx(share, abs=5 * (share / n_items) ** 0.5)
    for value in (x_min, x_min + 1, 2 * x_min, 64, 90, 10 * x_min + 500):
        if value >= x_min:
            law = float(special.zeta(alpha, value) / special.zeta(alpha, x_min))
            share = law * 300 / data.n
            found = (items >= value).mean()
            assert found == pytest.approx(share, abs=5 * (share / n_items) ** 0.5)


def test_flat_and_steep_laws_give_counts_as_well() -> None:
    rng = np.random.default_rng(3)
    for alpha in (1.001, 1.1, 30.0):
        drawn = Mixture.of(histogram([1] * 90), alpha=alpha, x_min=1).draw(5, rng=rng)
        for place in range(5):
            one = drawn.histogram(place)
            assert one.n == 90
            assert 1 <= one.values[0] <= one.values[-1] <= 2.0**53
