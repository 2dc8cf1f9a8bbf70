"""The experiments of OSU-Mem's paper: which methods are compared at which budgets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.units.model import UnitOptions
from stepwell_bench.osu.analysis import Pair
from stepwell_bench.osu.experiments import Experiment, standard_pairs
from stepwell_bench.osu.methods import (
    OSU,
    Method,
    ablations,
    adaptive,
    baselines,
    coverage_guided,
    oracle,
    osu,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell_bench.osu.analysis import Draws

__all__ = [
    "BETAS",
    "EVIDENCE_SIZES",
    "MEMBERSHIPS",
    "ablation",
    "beta_sweep",
    "evidence_sweep",
    "membership_sweep",
    "stage_d",
    "synthetic",
    "tau",
    "toolbench",
]

_BUDGETS, _PRIMARY = (64, 128, 256, 512), 256
_TOOLBENCH_BUDGETS, _TOOLBENCH_PRIMARY = (200, 400, 800, 1600), 400

MEMBERSHIPS = (1, 2, 3, 4, 5, 6)
"""Most units per step; the paper says that 5 saturates."""

BETAS = (0.04, 0.08, 0.12, 0.16, 0.20)
"""The paper's sweep (section 6.1)."""

EVIDENCE_SIZES = (2, 3, 4)
"""The paper's sweep (appendix G)."""

_EVIDENCE = 3
"""Evidence steps in the paper's main table."""

_VARIANTS = (f"{OSU} disjoint", f"{OSU} similarity only", f"{OSU} without novelty", f"{OSU} plus")
"""Ablations that stand in every table."""


def synthetic(draws: Draws) -> Experiment:
    """Return the experiment on made-up runs (table 2)."""
    return _full("synthetic", draws)


def tau(draws: Draws) -> Experiment:
    """Return the experiment on joined τ-bench runs, cell by cell (table 5)."""
    return _full("tau", draws)


def stage_d(draws: Draws) -> Experiment:
    """Return the experiment on joined runs with copied evidence (section 6.3)."""
    return _full("stage-d", draws)


def _full(benchmark: str, draws: Draws) -> Experiment:
    methods = (*baselines(), osu(), *_named(ablations(), _VARIANTS), oracle(), *adaptive())
    return Experiment(
        benchmark=benchmark,
        name=f"osu-{benchmark}",
        methods=methods,
        pairs=standard_pairs(methods),
        budgets=_BUDGETS,
        primary=_PRIMARY,
        draws=draws,
    )


def toolbench(draws: Draws) -> Experiment:
    """Return the experiment on planted ToolBench evidence (table 3)."""
    methods = (*baselines(), osu(), *_named(ablations(), _VARIANTS[:1]), *coverage_guided())
    methods = (*methods, *adaptive())
    overlap = (
        Pair(a="coverage", b="coverage disjoint"),
        Pair(a="coverage", b="flat"),
    )
    return Experiment(
        benchmark="toolbench",
        name="osu-toolbench",
        methods=methods,
        pairs=(*overlap, *standard_pairs(methods)),
        budgets=_TOOLBENCH_BUDGETS,
        primary=_TOOLBENCH_PRIMARY,
        draws=draws,
    )


def ablation(benchmark: str, draws: Draws) -> Experiment:
    """Return OSU-Mem against itself without one part (section 6.4).

    Args:
        benchmark: `synthetic`, `tau` or `stage-d`: what it is run on.
        draws: How intervals and tests are drawn.
    """
    parts = ablations()
    return Experiment(
        benchmark=benchmark,
        name=f"osu-ablation-{benchmark}",
        methods=(osu(), *parts),
        pairs=tuple(Pair(a=OSU, b=part.name) for part in parts),
        budgets=_BUDGETS,
        primary=_PRIMARY,
        draws=draws,
    )


def membership_sweep(draws: Draws) -> Experiment:
    """Return OSU-Mem with at most 1, 2, … units per step, against disjoint units (section 6.4)."""
    methods = tuple(
        replace(osu(), name=f"{OSU} M={most}", units=UnitOptions(max_memberships=most))
        for most in MEMBERSHIPS
    )
    return Experiment(
        benchmark="synthetic",
        name="osu-sweep-memberships",
        methods=methods,
        pairs=tuple(Pair(a=method.name, b=methods[0].name) for method in methods[1:]),
        budgets=_BUDGETS,
        primary=_PRIMARY,
        draws=draws,
    )


def beta_sweep(draws: Draws) -> Experiment:
    """Return coverage-guided selection at every β, overlapping against disjoint (appendix G)."""
    methods = tuple(method for beta in BETAS for method in coverage_guided(beta))
    return Experiment(
        benchmark="toolbench",
        figures="",
        name="osu-sweep-beta",
        methods=methods,
        pairs=tuple(
            Pair(a=one.name, b=other.name)
            for one, other in zip(methods[::2], methods[1::2], strict=True)
        ),
        budgets=_TOOLBENCH_BUDGETS,
        primary=_TOOLBENCH_PRIMARY,
        draws=draws,
    )


def evidence_sweep(n_evidence: int, draws: Draws) -> Experiment:
    """Return overlapping against disjoint units for one number of evidence steps (appendix G)."""
    methods = (*_named(baselines(), ("flat",)), *coverage_guided())
    return Experiment(
        benchmark="toolbench",
        figures="toolbench" if n_evidence == _EVIDENCE else "",
        name=f"osu-sweep-evidence-{n_evidence}",
        methods=methods,
        pairs=(Pair(a="coverage", b="coverage disjoint"), Pair(a="coverage", b="flat")),
        budgets=_TOOLBENCH_BUDGETS,
        primary=_TOOLBENCH_PRIMARY,
        draws=draws,
    )


def _named(methods: Iterable[Method], names: Iterable[str]) -> tuple[Method, ...]:
    wanted = set(names)
    return tuple(method for method in methods if method.name in wanted)
