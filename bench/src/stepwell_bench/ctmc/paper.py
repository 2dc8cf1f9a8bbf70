"""What CTMC's paper reports, and how near to it counts as reproduced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stepwell.stats.tails.audit import LEAST_P
from stepwell_bench.ctmc.graphs import Family

__all__ = [
    "CONTROLS",
    "LADDER",
    "METHODS",
    "SCREEN",
    "SIZES",
    "WALK",
    "Published",
    "control",
    "error",
    "ladder",
    "screen",
    "walk_figure",
]

SIZES: Final = (100, 500, 1000)

_GINI, _SHARE, _SIGMA, _SLOPE, _ERROR, _TOKENS, _ALPHA = 0.06, 6.0, 0.10, 0.06, 0.03, 0.03, 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure of the paper.

    Attributes:
        value: The figure.
        within: How far ours may be from it.
        relative: Whether that is a share of it.
        beyond: If given, ours is near when it lies on the same side of this as the paper's.
    """

    value: float
    within: float = 0.0
    relative: bool = False
    beyond: float | None = None

    def is_near(self, ours: float) -> bool:
        """Tell whether ours is as near as that.

        >>> Published(value=200.0, within=0.1, relative=True).is_near(215.0)
        True
        """
        if self.beyond is not None:
            return (ours >= self.beyond) == (self.value >= self.beyond)
        allowed = self.within * abs(self.value) if self.relative else self.within
        return abs(ours - self.value) <= allowed


WALK: Final[dict[Family, tuple[float, ...]]] = {
    Family.UNIFORM: (
        0.5741, 0.7550, 0.7934, 39.53, 74.84, 78.57, 0.152, 0.802, 1.364, 0.505, 0.967,
    ),
    Family.EXPONENTIAL: (
        0.6054, 0.7618, 0.7954, 46.46, 75.77, 78.68, 0.333, 0.900, 1.369, 0.433, 0.971,
    ),
    Family.SCALE_FREE: (
        0.6045, 0.7563, 0.7944, 46.24, 74.70, 78.63, 0.385, 0.809, 1.349, 0.392, 0.915,
    ),
    Family.MODULAR: (
        0.4851, 0.8098, 0.8170, 30.85, 79.56, 80.48, 0.162, 1.461, 1.366, 0.573, 0.874,
    ),
    Family.MIXED: (
        0.4024, 0.7867, 0.8220, 26.66, 78.13, 80.32, 0.231, 1.252, 1.430, 0.541, 0.975,
    ),
    Family.SYMMETRIC: (0.253, 1.190, 1.543, 0.564, 0.999),
}  # fmt: skip
"""Table 7: Gini, top-10 % share and σ_top10 at each size, slope and R²; table 2 for the last."""

SCREEN: Final[dict[Family, tuple[float, float, float]]] = {
    Family.SCALE_FREE: (2.35, 0.57, 3.22),
    Family.MODULAR: (2.03, 0.96, 0.60),
    Family.EXPONENTIAL: (2.98, 0.36, 0.81),
    Family.UNIFORM: (2.91, 0.06, 1.69),
}
"""Table 3: exponent, p of the goodness of fit, truncated power law against log-normal."""

METHODS: Final[dict[str, tuple[float, float]]] = {
    "Full History": (3601.1, 1.000),
    "Sliding Window": (1479.5, 0.987),
    "Flat Retrieval": (159.9, 0.994),
    "Frequency Cache": (166.4, 1.000),
    "Recency Cache": (159.0, 1.000),
    "Hierarchical Summary": (411.7, 0.996),
    "Graph Memory, verbose": (170.7, 0.932),
    "CTMC, verbose": (200.3, 0.856),
    "Graph Memory, compact": (156.4, 0.931),
    "CTMC, compact": (155.7, 0.805),
}
"""Tables 4 and 5: prompt tokens per step and tail error."""

CONTROLS: Final[dict[str, tuple[float, float, float]]] = {
    "τ=1": (155.7, 0.214, 0.805),
    "uniform (τ=0)": (156.0, 0.236, 0.861),
    "shuffled ranks": (155.9, 0.249, 0.889),
    "reversed ranks": (156.1, 0.267, 0.917),
}
"""Table 6: tokens, overall and tail error; the paper does not define this overall error."""

LADDER: Final[dict[str, tuple[float, ...]]] = {
    "no retrieval": (0.334, 0.339, 0.350, 0.333, 0.292),
    "recency": (0.577, 0.569, 0.584, 0.472, 0.358),
    "state-mate uniform": (0.571, 0.574, 0.595, 0.468, 0.351),
    "state-aware frequency": (0.584, 0.608, 0.633, 0.500, 0.435),
}
"""Table 8: Gini of the first five families."""

_WALK_PLACES: Final = {"gini": 0, "share": 3, "sigma": 6}


def walk_figure(family: Family, measure: str, n_states: int) -> Published | None:
    """Return a figure of tables 2 and 7: `gini`, `share` (%), `sigma`, or `slope` and `r2`.

    >>> walk_figure(Family.MIXED, "sigma", 500).value
    1.252
    """
    row = WALK[family]
    if measure in {"slope", "r2"}:
        return Published(value=row[-2 if measure == "slope" else -1], within=_SLOPE)
    place = _WALK_PLACES[measure] - (11 - len(row))
    if place < 0 or n_states not in SIZES:
        return None
    value = row[place + SIZES.index(n_states)]
    within = {"gini": _GINI, "share": _SHARE, "sigma": _SIGMA}[measure]
    return Published(value=value, within=within, relative=measure == "sigma")


def screen(family: Family, measure: str) -> Published | None:
    """Return a figure of table 3: `alpha`, `p` or `z`.

    Its policy was a language model, so near is: the exponent within .6, p on the same side of .10,
    and the same sign of z.
    """
    columns = ("alpha", "p", "z")
    if family not in SCREEN or measure not in columns:
        return None
    value = SCREEN[family][columns.index(measure)]
    if measure == "alpha":
        return Published(value=value, within=_ALPHA)
    return Published(value=value, beyond=LEAST_P if measure == "p" else 0.0)


def error(method: str, measure: str) -> Published | None:
    """Return a figure of tables 4 and 5: `tokens` or `tail_error`."""
    if method not in METHODS:
        return None
    if measure == "tokens":
        return Published(value=METHODS[method][0], within=_TOKENS, relative=True)
    return Published(value=METHODS[method][1], within=_ERROR) if measure == "tail_error" else None


def control(arm: str, measure: str) -> Published | None:
    """Return a figure of table 6: `tokens`, `error` or `tail_error`."""
    if arm not in CONTROLS or measure not in {"tokens", "error", "tail_error"}:
        return None
    place = ("tokens", "error", "tail_error").index(measure)
    within = 0.5 if measure == "tokens" else _ERROR
    return Published(value=CONTROLS[arm][place], within=within)


def ladder(rung: str, family: Family) -> Published | None:
    """Return a figure of table 8."""
    places = list(WALK)[:5]
    if family not in places:
        return None
    return Published(value=LADDER[rung][places.index(family)], within=_GINI)
