"""The tables on how memory is used: concentration under a random walk, and tails under a policy."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stepwell.stats.tails.audit import LEAST_P, LEAST_TAIL, audit_counts
from stepwell.stats.tails.concentration import concentration
from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.powerlaw import fit_power_law
from stepwell_bench.ctmc import paper
from stepwell_bench.ctmc.figures import Claim, Findings, figure
from stepwell_bench.ctmc.graphs import Family
from stepwell_bench.ctmc.policies import Semantic
from stepwell_bench.ctmc.reservoir import ReservoirOptions
from stepwell_bench.ctmc.walks import random_walk, use, use_along
from stepwell_bench.ctmc.world import make_world

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.stats.tails.audit import TailFit, Tails
    from stepwell.stats.tails.concentration import Concentration
    from stepwell_bench.ctmc.figures import Figure, Scale

__all__ = ["ladder", "spread", "tail_screen", "tau_sweep", "walk_concentration", "worlds"]

_FIVE: Final = tuple(Family)[:5]
_TAUS: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
_STATES: Final = 100


def walk_concentration(scale: Scale, options: ReservoirOptions | None = None) -> Findings:
    """Audit a reservoir under a random walk: tables 2 and 7, six families at three sizes."""
    options = options or ReservoirOptions()
    runs = [(family, n) for family in Family for n in paper.SIZES]
    found: dict[tuple[Family, int], list[Concentration]] = {}
    for done, (family, n) in enumerate(runs):
        scale.progress("walks", done, len(runs))
        found[family, n] = [
            _walked(family, n, seed, scale.n_steps, options) for seed in scale.seeds
        ]
    figures: list[Figure] = []
    for family in Family:
        for n in paper.SIZES:
            figures += _concentration_figures(family, n, found[family, n])
        figures += _scaling(family, [found[family, n] for n in paper.SIZES])
    return Findings(figures=tuple(figures), options=_told(scale, options))


def spread(scale: Scale) -> Findings:
    """Return table 2: σ_top10 and its scaling alone, for the symmetric baseline as well."""
    found = walk_concentration(scale)
    kept = ("sigma", "slope", "r2")
    return replace(found, figures=tuple(x for x in found.figures if x.column.startswith(kept)))


def worlds(scale: Scale) -> Findings:
    """Describe the worlds: their transitions and actions, and what a random walk sees of them."""
    figures: list[Figure] = []
    for family in Family:
        for n in paper.SIZES:
            scale.progress("worlds", len(figures), 5 * len(Family) * len(paper.SIZES))
            made = [make_world(family, n, seed=seed) for seed in scale.seeds]
            degrees = [list(map(len, world.successors)) for world in made]
            seen = [len({t for _, t in random_walk(world, scale.n_steps)}) for world in made]
            values = {
                "transitions": [float(world.n_edges) for world in made],
                "successors, mean": [float(np.mean(row)) for row in degrees],
                "successors, most": [float(max(row)) for row in degrees],
                "actions, mean": [
                    float(np.mean([one.n_actions for one in world.payloads])) for world in made
                ],
                "walked, share": [x / world.n_edges for x, world in zip(seen, made, strict=True)],
            }
            figures += [figure(f"{family} {n}", name, row) for name, row in values.items()]
    return Findings(figures=tuple(figures), options={"steps": scale.n_steps})


def _walked(
    family: Family, n: int, seed: int, n_steps: int, options: ReservoirOptions
) -> Concentration:
    world = make_world(family, n, seed=seed)
    return concentration(use(world, random_walk(world, n_steps), options))


def _concentration_figures(family: Family, n: int, runs: Sequence[Concentration]) -> list[Figure]:
    values = {
        "gini": [one.gini for one in runs],
        "share": [100 * one.top_share for one in runs],
        "sigma": [one.sigma_top for one in runs],
    }
    return [
        figure(family, f"{measure} {n}", row, paper.walk_figure(family, measure, n))
        for measure, row in values.items()
    ]


def _scaling(family: Family, runs: Sequence[Sequence[Concentration]]) -> list[Figure]:
    """Return slope and R² of the least squares of σ_top10, averaged over seeds, on ln n."""
    means = np.array([np.mean([one.sigma_top for one in row]) for row in runs])
    logs = np.log(paper.SIZES)
    slope, start = np.polyfit(logs, means, 1)
    left = ((means - start - slope * logs) ** 2).sum()
    r2 = 1 - left / ((means - means.mean()) ** 2).sum()
    return [
        figure(family, measure, [float(value)], paper.walk_figure(family, measure, 0))
        for measure, value in (("slope", slope), ("r2", r2))
    ]


def ladder(scale: Scale) -> Findings:
    """Climb the ladder of retrieval designs on the same walk: table 8.

    The paper does not say how long its walk is; with 5,000 steps ours comes nearest.
    """
    rungs = {
        "no retrieval": ReservoirOptions(read="none"),
        "recency": ReservoirOptions(read="recency"),
        "state-mate uniform": ReservoirOptions(read="mates"),
        "state-aware frequency": ReservoirOptions(read="frequency"),
    }
    figures: list[Figure] = []
    for done, (rung, options) in enumerate(rungs.items()):
        scale.progress("rungs", done, len(rungs))
        for family in _FIVE:
            runs = [_walked(family, _STATES, seed, scale.n_steps, options) for seed in scale.seeds]
            ginis = [one.gini for one in runs]
            figures.append(figure(rung, f"gini {family}", ginis, paper.ladder(rung, family)))
            ratios = [one.max_over_median for one in runs]
            figures.append(figure(rung, f"max/median {family}", ratios))
    return Findings(
        figures=tuple(figures),
        claims=tuple(_climbs(figures, family) for family in _FIVE),
        options=_told(scale, ReservoirOptions()),
    )


def _climbs(figures: Sequence[Figure], family: Family) -> Claim:
    ginis = {one.row: one.value.mean for one in figures if one.column == f"gini {family}"}
    least, recent, mates, frequent = ginis.values()
    return Claim(
        text=f"{family}: no retrieval < recency and state-mate uniform < state-aware frequency",
        holds=least < min(recent, mates) and max(recent, mates) < frequent,
    )


def tail_screen(scale: Scale, *, n_draws: int = 1000) -> Findings:
    """Fit the tails of use under the semantic policy, and screen them: table 3.

    Counts of all seeds are audited together, because a walk of one seed leaves fewer than 100 items
    in its tail, which no screen lets pass; a random walk's are audited beside them.

    Args:
        scale: Seeds and steps.
        n_draws: Draws of the bootstrap.
    """
    options = ReservoirOptions(read="tau")
    figures: list[Figure] = []
    passed: dict[Family, TailFit | None] = {}
    verdicts: dict[str, str] = {}
    for done, family in enumerate(paper.SCREEN):
        scale.progress("families", done, len(paper.SCREEN))
        walked = [_semantic(family, seed, scale.n_steps, options) for seed in scale.seeds]
        drifted = [_drifting(family, seed, scale.n_steps, options) for seed in scale.seeds]
        for row, counts in ((str(family), walked), (f"{family}, random walk", drifted)):
            rng = np.random.default_rng(scale.seeds[0])
            audit = audit_counts(np.concatenate(counts), rng=rng, n_draws=n_draws)
            figures += _tail_figures(row, family if counts is walked else None, audit)
            figures += _alone(row, counts)
            verdicts[row] = audit.verdict.value
            if counts is walked:
                passed[family] = audit.fit
    return Findings(
        figures=tuple(figures),
        claims=_screened(passed),
        options={**_told(scale, options), "draws": n_draws, **verdicts},
    )


def _screened(fits: Mapping[Family, TailFit | None]) -> tuple[Claim, Claim]:
    """Return the paper's verdict, and that those which pass have tails long enough to tell."""
    passing = {family for family, fit in fits.items() if fit and (fit.p_gof or 0.0) >= LEAST_P}
    long = {family for family, fit in fits.items() if fit and fit.power_law.n_tail >= LEAST_TAIL}
    wanted = set(fits) - {Family.UNIFORM}
    return (
        Claim(
            text=f"scale-free, modular and exponential have p ≥ {LEAST_P}, uniform has not",
            holds=passing == wanted,
        ),
        Claim(text=f"their tails hold {LEAST_TAIL} items", holds=wanted <= long),
    )


def _tail_figures(row: str, family: Family | None, audit: Tails) -> list[Figure]:
    if audit.fit is None:
        return []
    values = {
        "alpha": audit.fit.power_law.alpha,
        "p": audit.fit.p_gof or 0.0,
        "z": audit.fit.against_log_normal.z,
        "tail items": float(audit.fit.power_law.n_tail),
    }
    return [
        figure(row, name, [value], None if family is None else paper.screen(family, name))
        for name, value in values.items()
    ]


def _alone(row: str, walks: Sequence[NDArray[np.int64]]) -> list[Figure]:
    """Return α of each walk alone: together, their tail begins further out, and is steeper."""
    fits = [fit_power_law(histogram(counts)) for counts in walks]
    alphas = [fit.alpha for fit in fits if fit]
    return [figure(row, "alpha, seeds alone", alphas)] if alphas else []


def _drifting(
    family: Family, seed: int, n_steps: int, options: ReservoirOptions
) -> NDArray[np.int64]:
    world = make_world(family, _STATES, seed=seed)
    return use(world, random_walk(world, n_steps), options)


def tau_sweep(scale: Scale) -> Findings:
    """Vary how steeply retrieval prefers the first ranks, under the semantic policy: figure 6."""
    figures: list[Figure] = []
    means: list[float] = []
    for done, tau in enumerate(_TAUS):
        scale.progress("τ", done, len(_TAUS))
        options = ReservoirOptions(read="tau", tau=tau)
        runs = [
            concentration(_semantic(Family.SCALE_FREE, seed, scale.n_steps, options))
            for seed in scale.seeds
        ]
        row = f"τ={tau:g}"
        figures.append(figure(row, "gini", [one.gini for one in runs]))
        figures.append(figure(row, "skew", [one.skew for one in runs]))
        figures.append(figure(row, "max/median", [one.max_over_median for one in runs]))
        means.append(figures[-3].value.mean)
    rises = all(a < b for a, b in pairwise(means))
    return Findings(
        figures=tuple(figures),
        claims=(Claim(text="mean Gini rises with τ", holds=rises),),
        options=_told(scale, ReservoirOptions(read="tau")),
    )


def _semantic(
    family: Family, seed: int, n_steps: int, options: ReservoirOptions
) -> NDArray[np.int64]:
    world = make_world(family, _STATES, seed=seed)
    return use_along(world, Semantic(world), n_steps=n_steps, options=options)


def _told(scale: Scale, options: ReservoirOptions) -> dict[str, Any]:
    return {
        "steps": scale.n_steps,
        "capacity": options.capacity,
        "eviction": options.evict,
        "ranked by": options.frequency,
    }
