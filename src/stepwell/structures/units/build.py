"""Units over a finished trajectory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.units.growing import DEFAULT, Growing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.structures.units.model import Annotation, UnitOptions, Units

__all__ = ["build_units"]


def build_units(
    annotations: Sequence[Annotation],
    vectors: NDArray[np.float32] | None,
    options: UnitOptions = DEFAULT,
) -> Units:
    """Build the units of a trajectory (OSU-Mem, section 3).

    Args:
        annotations: What each step is about, in step order, length n.
        vectors: Unit vectors of the steps, shape (n, d); without them there is no similarity
            view, and cosines count as 0.
        options: Views, sizes, memberships; one membership is the disjoint variant.

    Raises:
        InvalidInputError: Options or vectors that cannot be.

    >>> from stepwell.structures.units.model import Annotation
    >>> steps = [Annotation(entities=("r::oslo",)), Annotation(), Annotation(entities=("r::oslo",))]
    >>> units = build_units(steps, None)
    >>> units.keys, units.of(0).tolist()
    (('r::oslo',), [0, 2])
    """
    growing = Growing(options)
    growing.extend(annotations, vectors)
    return growing.units()
