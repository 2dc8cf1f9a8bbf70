"""Figures of a table, ours beside the paper's, and what a whole table claims."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stepwell.stats.bootstrap import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell_bench.ctmc.paper import Published

__all__ = ["Claim", "Figure", "Findings", "Report", "Scale", "across_seeds", "figure"]

_T975: Final = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""97.5 % quantiles of Student's t with 1 to 30 degrees of freedom."""

_LIMIT: Final = 1.96
_SLOPE: Final = 2.4
"""Beyond, 1.96 + 2.4/df errs by less than .003."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure.

    Attributes:
        row: What is measured: a family, a method.
        column: Which figure of it.
        value: Ours, with its interval over seeds; the interval is the value with one seed.
        published: The paper's.
        reproduced: Whether ours is as near to it as was asked for beforehand; None without one.
    """

    row: str
    column: str
    value: Interval
    published: float | None
    reproduced: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Something that a whole table is to show, and whether it does here."""

    text: str
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What an experiment found.

    Attributes:
        figures: All figures.
        claims: What they are to show together.
        options: What it was run with, beside seeds.
        notices: What limits it.
    """

    figures: tuple[Figure, ...]
    claims: tuple[Claim, ...] = ()
    options: Mapping[str, Any]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the result file holds."""

    schema: int
    name: str
    title: str
    created: str
    commit: str
    seeds: tuple[int, ...]
    findings: Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How large an experiment is.

    Attributes:
        seeds: Of worlds and walks.
        n_steps: Steps of a walk.
        progress: Told what is counted, how much is done, and of how much.
    """

    seeds: tuple[int, ...]
    n_steps: int
    progress: Callable[[str, int, int], None]


def across_seeds(values: Sequence[float]) -> Interval:
    """Return the mean over seeds and its 95 % interval, mean ± t·sd/√n.

    Seeds are the only independent draws: graph, payloads and walk are made from one.

    >>> found = across_seeds([1.0, 2.0, 3.0])
    >>> round(found.low, 2), found.mean, round(found.high, 2)
    (-0.48, 2.0, 4.48)
    """
    n, mean = len(values), float(np.mean(values))
    half = 0.0
    if n > 1:
        half = _t975(n - 1) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return Interval(mean=mean, low=mean - half, high=mean + half, n_values=n, n_groups=n)


def _t975(freedom: int) -> float:
    return _T975[freedom - 1] if freedom <= len(_T975) else _LIMIT + _SLOPE / freedom


def figure(
    row: str, column: str, values: Sequence[float], published: Published | None = None
) -> Figure:
    """Return a figure of one value per seed, judged by the distance of the mean.

    Args:
        row: What is measured.
        column: Which figure of it.
        values: One per seed.
        published: The paper's figure and how near is near.
    """
    value = across_seeds(values)
    return Figure(
        row=row,
        column=column,
        value=value,
        published=None if published is None else published.value,
        reproduced=None if published is None else published.is_near(value.mean),
    )
