"""Permutation tests of paired differences: is one method better than another.

When two methods do equally well, the difference of their values on a question is as likely to be d
as -d. So the signs are drawn anew, and the p-value is the share of draws that lie as far out as
what was observed, the observation counted among them:

    p = (1 + #{draws as far out}) / (1 + n)

It is never zero (Phipson and Smyth, 2010), and its standard error is √(p(1-p)/n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.signs import TIE, checked, coded, random_signs, scaled

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Flip", "by_episode", "sign_flip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A mean difference and the sign-flip test of it.

    Attributes:
        mean: Mean of the differences.
        p: Two-sided p-value, in (0, 1].
        n_values: How many differences.
    """

    mean: float
    p: float
    n_values: int


def sign_flip(differences: ArrayLike, *, rng: np.random.Generator, n: int = 10_000) -> Flip:
    """Test whether paired differences are symmetric about zero.

    With signs s uniform on {-1, 1}^v, T = mean of d and T* = mean of s·d, the p-value is
    (1 + #{|T*| >= |T|}) / (1 + n) (Fisher, 1935, §21; OSU-Mem's paired test). Sums that are equal
    in exact arithmetic count as equal. One seed gives one p-value in whatever order the
    differences come, whichever method is subtracted, and however many zeros are among them.

    Args:
        differences: One method's values minus the other's, finite, shape (v,).
        rng: Where the signs come from.
        n: Number of draws.

    Raises:
        InvalidInputError: There are no differences, some are not finite, or `n` is below 1.

    >>> found = sign_flip([1, 1, 1, 1, 1, 1, 1, 0], rng=np.random.default_rng(0))
    >>> found.mean, round(found.p, 2)  # 2 of the 2⁷ flips are as far out: .016
    (0.875, 0.02)
    """
    values, exponent = scaled(checked(differences, n=n))
    total = math.fsum(values)
    # s·d has the distribution of s·|d|, in any order: sorted magnitudes make p a function of them.
    magnitudes = np.sort(np.abs(values[values != 0]))
    least = abs(total) - TIE * magnitudes.sum()
    n_far = 0
    for signs in random_signs(len(magnitudes), rng=rng, n=n):
        n_far += int(np.count_nonzero(np.abs(signs @ magnitudes) >= least))
    return Flip(
        mean=float(np.ldexp(total / len(values), exponent)),
        p=(1 + n_far) / (1 + n),
        n_values=len(values),
    )


def by_episode(differences: ArrayLike, episodes: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return the mean difference of each episode, in the order of its first value.

    Questions about one episode share its text, so they are no independent draws; episodes are.
    `sign_flip` of these means is the test by episode (OSU-Mem's episode-level test).

    Args:
        differences: One method's values minus the other's, finite, shape (v,).
        episodes: The episode of each difference, shape (v,).

    Returns:
        Means, shape (number of episodes,).

    Raises:
        InvalidInputError: There are no differences, some are not finite, or the lengths differ.

    >>> by_episode([1.0, 0.0, -1.0], ["a", "a", "b"]).tolist()
    [0.5, -1.0]
    """
    values, exponent = scaled(checked(differences))
    codes, labels = coded(episodes, n_values=len(values))
    sums = np.bincount(codes, weights=values, minlength=len(labels))
    return np.ldexp(sums / np.bincount(codes, minlength=len(labels)), exponent)
