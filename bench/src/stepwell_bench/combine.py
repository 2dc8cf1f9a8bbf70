"""Several p-values at once: combined into one, or corrected for being several."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["fisher", "holm"]


def fisher(p_values: ArrayLike) -> float:
    """Return one p-value for k independent tests of the same hypothesis, as of one per seed.

    X = -2 Σ ln p is χ² with 2k degrees of freedom when the hypothesis holds (Fisher, 1932, §21.1).
    With an even number of them the survival function is a finite sum, here taken in logarithms:

        P(χ²_2k >= X) = exp(-X/2) Σ_{i<k} (X/2)^i / i!

    Args:
        p_values: Numbers above 0 and at most 1, shape (k,).

    Returns:
        The combined p-value. It is at most 1, and 0 where it lies below the smallest float.

    Raises:
        InvalidInputError: There are no p-values, or one is not above 0 and at most 1.

    >>> round(fisher([0.04, 0.2, 0.1]), 4)
    0.0268
    """
    numbers = _checked(p_values)
    if not numbers.all():
        raise InvalidInputError(
            "A p-value of 0 has no logarithm to combine.",
            hint="Count the observation among the draws: p = (1 + as far out) / (1 + draws).",
        )
    half = -math.fsum(np.log(numbers))
    if half <= 0:
        return 1.0
    logs = np.cumsum(np.log(half / np.arange(1, len(numbers))))
    largest = max(0.0, float(logs.max(initial=0.0)))
    terms = math.exp(-largest) + float(np.exp(logs - largest).sum())
    return min(1.0, math.exp(largest - half + math.log(terms)))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return p-values corrected so that one false rejection among them stays improbable.

    The j-th smallest of m p-values becomes max_{i<=j} min(1, (m - i + 1) p_(i)) (Holm, 1979).
    Rejecting what is then at or below a level keeps the probability of any false rejection at or
    below it, however the tests depend on each other.

    Args:
        p_values: Numbers from 0 to 1, shape (m,).

    Returns:
        Corrected p-values, shape (m,), in the order given.

    Raises:
        InvalidInputError: There are no p-values, or one is not from 0 to 1.

    >>> holm([0.01, 0.5, 0.015]).tolist()
    [0.03, 0.5, 0.03]
    """
    numbers = _checked(p_values)
    order = np.argsort(numbers, kind="stable")
    factors = np.arange(len(numbers), 0, -1)
    adjusted = np.empty_like(numbers)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * numbers[order]))
    return adjusted


def _checked(p_values: ArrayLike) -> NDArray[np.float64]:
    numbers = np.asarray(p_values, dtype=np.float64)
    if numbers.ndim != 1 or numbers.size == 0 or not ((numbers >= 0) & (numbers <= 1)).all():
        raise InvalidInputError(
            "P-values are at least one number from 0 to 1, in one dimension.",
            hint="Leave out tests that gave no p-value.",
        )
    return numbers
