"""What OSU-Mem's paper reports, to stand beside what is measured here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell_bench.osu.methods import OSU

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "PublishedEffect",
    "PublishedGap",
    "PublishedMean",
    "published_effects",
    "published_facts",
    "published_gaps",
    "published_means",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedMean:
    """A method's mean in the paper."""

    method: str
    budget: int
    measure: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedGap:
    """A difference of two methods in the paper, a minus b, and its p-value where it is given."""

    a: str
    b: str
    budget: int
    measure: str
    cell: str
    value: float
    p: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedEffect:
    """The p-value of an interaction of method and cell in the paper."""

    a: str
    b: str
    budget: int
    measure: str
    p: float


_SYNTHETIC = {
    OSU: (0.221, 0.084),
    "mmr": (0.158, 0.052),
    f"{OSU} disjoint": (0.138, 0.034),
    f"{OSU} similarity only": (0.110, 0.014),
}
"""Recall and Hit@2 at 256 tokens (table 2, section 6.4)."""

_STAGE_D = {OSU: 0.435, "flat": 0.328, f"{OSU} disjoint": 0.387, f"{OSU} similarity only": 0.285}
"""Hit@2 at 256 tokens (section 6.3)."""

_TAU_BUDGETS = (64, 128, 256, 512)
_TAU_CELLS = {
    "T+E+": (0.161, 0.232, 0.179, 0.161),
    "T-E+": (0.045, 0.114, 0.159, 0.227),
    "T-E-": (0.008, -0.023, -0.129, -0.364),
}
"""Hit@2 of OSU-Mem minus Flat (table 5, section 6.2)."""

_TAU_P = {
    ("T+E+", 256): "p=.022",
    ("T+E+", 64): "p<.05",
    ("T+E+", 128): "p<.05",
    ("T+E+", 512): "p<.05",
    ("T-E+", 512): "p<.05",
    ("T-E-", 512): "p<.001",
}

_TAU_EFFECTS = {
    ("hit2", 64): 0.308,
    ("hit2", 128): 0.081,
    ("hit2", 256): 0.002,
    ("hit2", 512): 0.558,
    ("recall", 256): 0.021,
}
"""The one at 512 cannot follow from the table's own differences, of which one is -.364 on 132
questions: whatever the share of ties, it would be below .001."""

_TOOLBENCH_BUDGETS = (200, 400, 800, 1600)
_OVERLAP = {"hit2": (0.062, 0.048, 0.037, 0.038), "recall": (0.027, 0.037, 0.021, 0.016)}
"""Coverage-guided, overlapping minus disjoint units (table 3)."""

_FACTS: dict[str, dict[str, float]] = {
    "synthetic": {
        "episodes": 197,
        "questions": 907,
        "share with a shared signature": 0.393,
        "share with a shared tool": 0.834,
    },
    "tau": {
        "episodes": 125,
        "questions": 328,
        "evidence steps, mean": 3.5,
        "steps, least": 256,
        "steps, most": 311,
        "questions T+E+": 56,
        "questions T+E-": 96,
        "questions T-E+": 44,
        "questions T-E-": 132,
    },
    "stage-d": {"questions T+E+": 328},
    "toolbench": {
        "evidence steps, mean": 3,
        "units per evidence step, overlapping": 2.16,
        "units per evidence step, disjoint": 0.87,
        "evidence in no unit, overlapping": 0.0,
        "evidence in no unit, disjoint": 0.132,
    },
}


def published_facts(benchmark: str) -> dict[str, float]:
    """Return what the paper says of a benchmark's questions, by name."""
    return dict(_FACTS.get("tau" if benchmark == "tau-weak" else benchmark, {}))


def published_means(benchmark: str) -> tuple[PublishedMean, ...]:
    """Return the means that the paper gives for a benchmark."""
    return tuple(_means(benchmark))


def _means(benchmark: str) -> Iterator[PublishedMean]:
    if benchmark == "synthetic":
        for method, values in _SYNTHETIC.items():
            for measure, value in zip(("recall", "hit2"), values, strict=True):
                yield PublishedMean(method=method, budget=256, measure=measure, value=value)
    elif benchmark == "stage-d":
        for method, value in _STAGE_D.items():
            yield PublishedMean(method=method, budget=256, measure="hit2", value=value)
    elif benchmark == "toolbench":
        for budget, value in ((200, 0.686), (1600, 0.917)):
            yield PublishedMean(method="flat", budget=budget, measure="recall", value=value)


def published_gaps(benchmark: str) -> tuple[PublishedGap, ...]:
    """Return the differences that the paper gives for a benchmark."""
    return tuple(_gaps(benchmark))


def _gaps(benchmark: str) -> Iterator[PublishedGap]:
    if benchmark == "synthetic":
        yield from _synthetic_gaps()
    elif benchmark == "tau":
        yield from _tau_gaps()
    elif benchmark == "tau-weak":
        yield PublishedGap(
            a=OSU, b="flat", budget=256, measure="hit2", cell="T+E+", value=0.143, p="p=.094"
        )
    elif benchmark == "stage-d":
        yield from _stage_d_gaps()
    elif benchmark == "toolbench":
        for measure, values in _OVERLAP.items():
            for budget, value in zip(_TOOLBENCH_BUDGETS, values, strict=True):
                yield _gap("coverage", "coverage disjoint", budget, measure, value=value)


def _gap(a: str, b: str, budget: int, measure: str, *, value: float, p: str = "") -> PublishedGap:
    return PublishedGap(a=a, b=b, budget=budget, measure=measure, cell="all", value=value, p=p)


def _synthetic_gaps() -> Iterator[PublishedGap]:
    for at, measure in enumerate(("recall", "hit2")):
        for method, values in _SYNTHETIC.items():
            if method != OSU:
                value = round(_SYNTHETIC[OSU][at] - values[at], 3)
                p = "p≤.002" if method == "mmr" else ""
                yield _gap(OSU, method, 256, measure, value=value, p=p)


def _tau_gaps() -> Iterator[PublishedGap]:
    for cell, values in _TAU_CELLS.items():
        for budget, value in zip(_TAU_BUDGETS, values, strict=True):
            p = _TAU_P.get((cell, budget), "")
            yield PublishedGap(
                a=OSU, b="flat", budget=budget, measure="hit2", cell=cell, value=value, p=p
            )


def _stage_d_gaps() -> Iterator[PublishedGap]:
    yield _gap(OSU, "flat", 256, "hit2", value=0.107, p="p=.001 by episode (+.141)")
    yield _gap(OSU, f"{OSU} disjoint", 256, "hit2", value=0.048, p="p=.012 by episode")
    yield _gap(OSU, "disjoint hierarchy", 512, "hit2", value=0.28)
    yield _gap(OSU, "tree", 512, "hit2", value=0.37)


def published_effects(benchmark: str) -> tuple[PublishedEffect, ...]:
    """Return the interactions of method and cell that the paper gives for a benchmark."""
    if benchmark != "tau":
        return ()
    return tuple(
        PublishedEffect(a=OSU, b="flat", budget=budget, measure=measure, p=p)
        for (measure, budget), p in _TAU_EFFECTS.items()
    )
