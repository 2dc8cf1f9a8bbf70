from __future__ import annotations

import numpy as np
import pytest

from stepwell.errors import InvalidInputError
from stepwell_bench.saving import paired_saving


def rng(seed: int = 11) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_saving_is_of_the_sums_and_weighs_large_values_more() -> None:
    found = paired_saving([10.0, 900.0], [20.0, 1000.0], ["a", "b"], rng=rng())
    assert found.mean == pytest.approx(1 - 910 / 1020)
    assert found.low == pytest.approx(0.1)
    assert found.high == pytest.approx(0.5)
    assert (found.n_values, found.n_groups) == (2, 2)


def test_a_constant_saving_has_no_spread_whatever_the_sizes() -> None:
    sizes = np.random.default_rng(4).uniform(1, 1000, size=40)
    found = paired_saving(0.75 * sizes, sizes, [place % 7 for place in range(40)], rng=rng())
    assert found.low == pytest.approx(0.25)
    assert found.high == pytest.approx(0.25)


@pytest.mark.parametrize("other", [[0.0, 1.0], [-1.0, 1.0], [1.0], [float("inf"), 1.0]])
def test_a_saving_from_nothing_is_refused(other: list[float]) -> None:
    with pytest.raises(InvalidInputError):
        paired_saving([1.0, 1.0], other, ["a", "b"], rng=rng())
