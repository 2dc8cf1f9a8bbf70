"""Labels of values as numbers, so that sums over groups are one call of numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

__all__ = ["codes_of"]


def codes_of(
    labels: Sequence[Hashable],
) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
    """Return the number of the label of each value, and the labels in order of appearance.

    >>> codes, names = codes_of(["b", "a", "b"])
    >>> codes.tolist(), names
    ([0, 1, 0], ('b', 'a'))
    """
    places: dict[Hashable, int] = {}
    codes = [places.setdefault(label, len(places)) for label in labels]
    return np.asarray(codes, dtype=np.int64), tuple(places)
