"""By which share one method uses less than another, with an interval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.stats.bootstrap import bootstrap_ratio

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike

    from stepwell.stats.bootstrap import Interval

__all__ = ["paired_saving"]


def paired_saving(
    a: ArrayLike,
    b: ArrayLike,
    groups: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    n: int = 2000,
) -> Interval:
    """Return the interval of 1 - Σa/Σb: the share by which one method's sum is below another's.

    Args:
        a: One method's values, at least 0, shape (v,).
        b: The other's, above 0.
        groups: The group of each pair.
        rng: Where the draws come from.
        n: Number of draws.

    Raises:
        InvalidInputError: As for `bootstrap_ratio`.

    >>> import numpy as np
    >>> paired_saving([30.0, 45.0], [40.0, 60.0], ["x", "y"], rng=np.random.default_rng(0)).mean
    0.25
    """
    ratio = bootstrap_ratio(a, b, groups, rng=rng, n=n)
    return replace(ratio, mean=1 - ratio.mean, low=1 - ratio.high, high=1 - ratio.low)
