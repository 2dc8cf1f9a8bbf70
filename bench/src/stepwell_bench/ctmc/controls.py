"""The tables on what memories cost and foresee: policies, encodings, allocations, both errors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stepwell.text.tokens import counter
from stepwell_bench.ctmc import paper
from stepwell_bench.ctmc.allocation import FullRank
from stepwell_bench.ctmc.balanced import Balanced, BalancedOptions
from stepwell_bench.ctmc.baselines import (
    FlatRetrieval,
    FrequencyCache,
    FullHistory,
    GraphMemory,
    HierarchicalSummary,
    RecencyCache,
    SlidingWindow,
)
from stepwell_bench.ctmc.controller import ControllerOptions, CoreTail
from stepwell_bench.ctmc.episodes import score, walk
from stepwell_bench.ctmc.figures import Claim, Findings, figure
from stepwell_bench.ctmc.graphs import Family
from stepwell_bench.ctmc.policies import POLICIES, AlwaysFirst, LanguageModel, Semantic
from stepwell_bench.ctmc.world import Stream, make_world

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.chat.base import Chat
    from stepwell_bench.ctmc.allocation import Arm
    from stepwell_bench.ctmc.episodes import Scores
    from stepwell_bench.ctmc.figures import Figure, Scale
    from stepwell_bench.ctmc.policies import Policy
    from stepwell_bench.ctmc.transitions import PromptMemory
    from stepwell_bench.ctmc.world import World

__all__ = [
    "Method",
    "allocations",
    "both_errors",
    "by_model",
    "encodings",
    "memories",
    "run_method",
]

_STATES: Final = 100
_FULL_SHARE: Final = 4
"""Full History is run on a fourth of the steps, as in the paper: 500 of 2,000."""

_COUNTER: Final = "o200k"
_MEASURES: Final = (
    "tokens",
    "tail_error",
    "error",
    "tail_error_knowing",
    "error_knowing",
    "coverage",
)
_OFFLINE: Final = (
    "The paper's walker was a language model; here it always takes the first action (and, where "
    "said, the semantic policy chooses), so that everything can be run again."
)
_BUDGET: Final = 155.7
"""Tokens per step of the published controller."""

_NEAR: Final = 0.5
_CLOSE: Final = 0.1
"""The search for a budget ends as near to the wanted tokens as this."""

_BUDGETS: Final = (32.0, 400.0)
"""Memory budgets between which the one that gives as many tokens is looked for."""

_TRIES: Final = 12
_GOAL: Final = 0.75
_AIMED: Final = ("first", "semantic")
"""Under a random walk no memory can reach the goal: any successor is as likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A memory policy of a table.

    Attributes:
        name: Its row.
        make: Makes an empty memory for a world.
        share: It is run on one of so many of the steps.
    """

    name: str
    make: Callable[[World], PromptMemory]
    share: int = 1


def _core_tail(options: ControllerOptions) -> Callable[[World], PromptMemory]:
    return lambda world: CoreTail(
        len(world), rng=Stream.CONTROLLER.rng(world.seed), options=options
    )


_SIX: Final = (
    Method(name="Full History", make=lambda _: FullHistory(), share=_FULL_SHARE),
    Method(name="Sliding Window", make=lambda _: SlidingWindow()),
    Method(
        name="Flat Retrieval", make=lambda world: FlatRetrieval(rng=Stream.FLAT.rng(world.seed))
    ),
    Method(name="Frequency Cache", make=lambda _: FrequencyCache()),
    Method(name="Recency Cache", make=lambda _: RecencyCache()),
    Method(name="Hierarchical Summary", make=lambda _: HierarchicalSummary()),
)
_EPISODE: Final = 100
_GRAPH: Final = Method(name="Graph Memory, compact", make=lambda _: GraphMemory())
_CTMC: Final = Method(name="CTMC, compact", make=_core_tail(ControllerOptions()))
_FOUR: Final = (
    Method(
        name="Graph Memory, verbose", make=lambda _: GraphMemory(verbose=True, episode=_EPISODE)
    ),
    Method(name="CTMC, verbose", make=_core_tail(ControllerOptions(encoding="verbose"))),
    Method(name="Graph Memory, compact", make=lambda _: GraphMemory(episode=_EPISODE)),
    _CTMC,
)
_OURS: Final = Method(name="balanced", make=lambda _: Balanced())
_PARETO: Final = (
    _GRAPH,
    _CTMC,
    _OURS,
    Method(
        name="balanced, no way back", make=lambda _: Balanced(BalancedOptions(leads_back=False))
    ),
)


def run_method(method: Method, policy: Callable[[World], Policy], scale: Scale) -> list[Scores]:
    """Return the scores of a memory under a policy, one per seed."""
    found: list[Scores] = []
    for seed in scale.seeds:
        world = make_world(Family.SCALE_FREE, _STATES, seed=seed)
        episode = walk(
            world,
            policy(world),
            method.make(world),
            n_states=max(2, scale.n_steps // method.share),
            counter=counter(_COUNTER),
        )
        found.append(score(episode))
    return found


def memories(scale: Scale) -> Findings:
    """Compare six memory policies: table 4."""
    return _compared(_SIX, scale)


def encodings(scale: Scale) -> Findings:
    """Compare graph memory and the controller, verbose and compact: table 5."""
    return _compared(_FOUR, scale)


def _compared(methods: Sequence[Method], scale: Scale) -> Findings:
    figures: list[Figure] = []
    for done, method in enumerate(methods):
        scale.progress("memories", done, len(methods))
        figures += _figures(method.name, run_method(method, AlwaysFirst, scale))
        runs = run_method(method, Semantic, scale)
        for measure in ("tail_error", "error"):
            values = [getattr(one, measure) for one in runs]
            figures.append(figure(method.name, f"semantic {measure}", values))
    return Findings(figures=tuple(figures), options=_told(scale), notices=(_OFFLINE,))


def _figures(row: str, runs: Sequence[Scores], *, column: str = "{}") -> list[Figure]:
    return [
        figure(
            row,
            column.format(measure),
            [getattr(one, measure) for one in runs],
            paper.error(row, measure) if column == "{}" else None,
        )
        for measure in _MEASURES
    ]


def allocations(scale: Scale) -> Findings:
    """Share the budget by rank, equally, by shuffled and by reversed ranks: table 6.

    Each is given the budget at which its prompts have as many tokens as the published controller's.
    """
    arms: dict[str, tuple[float, Arm]] = {
        "τ=1": (1.0, "ranked"),
        "uniform (τ=0)": (0.0, "ranked"),
        "shuffled ranks": (1.0, "shuffled"),
        "reversed ranks": (1.0, "reversed"),
    }
    figures: list[Figure] = []
    budgets: dict[str, float] = {}
    for done, (name, (tau, arm)) in enumerate(arms.items()):
        scale.progress("allocations", done, len(arms))
        budgets[name], runs = _matched(tau, arm, scale)
        figures += [
            figure(name, measure, [getattr(r, measure) for r in runs], paper.control(name, measure))
            for measure in _MEASURES
        ]
    return Findings(
        figures=tuple(figures),
        claims=(*_ordered(figures, "tail_error"), *_ordered(figures, "error"), _equal(figures)),
        options={**_told(scale), "memory budgets": budgets},
        notices=(_OFFLINE, "The paper's overall error is not the one it defines, nor this one."),
    )


def _matched(tau: float, arm: Arm, scale: Scale) -> tuple[float, list[Scores]]:
    """Return the memory budget whose tokens per step come nearest to CTMC's, and its runs."""
    tried: dict[float, list[Scores]] = {}
    low, high = _BUDGETS
    for _ in range(_TRIES):
        budget = (low + high) / 2
        tried[budget] = run_method(_full_rank(tau, arm, budget), AlwaysFirst, scale)
        missing = _BUDGET - _tokens(tried[budget])
        if abs(missing) <= _CLOSE:
            break
        low, high = (budget, high) if missing > 0 else (low, budget)
    best = min(tried, key=lambda one: abs(_tokens(tried[one]) - _BUDGET))
    return best, tried[best]


def _full_rank(tau: float, arm: Arm, budget: float) -> Method:
    return Method(
        name=arm,
        make=lambda world: FullRank(
            len(world),
            rng=Stream.CONTROLLER.rng(world.seed),
            budget=budget,
            counter=counter(_COUNTER),
            tau=tau,
            arm=arm,
        ),
    )


def _tokens(runs: Sequence[Scores]) -> float:
    return float(np.mean([one.tokens for one in runs]))


def _ordered(figures: Sequence[Figure], measure: str) -> list[Claim]:
    means = [one.value.mean for one in figures if one.column == measure]
    return [
        Claim(
            text=f"{measure}: τ=1 < uniform < shuffled < reversed",
            holds=all(a < b for a, b in pairwise(means)),
        )
    ]


def _equal(figures: Sequence[Figure]) -> Claim:
    means = [one.value.mean for one in figures if one.column == "tokens"]
    text = f"every arm has {_BUDGET} tokens per step, within {_NEAR}"
    return Claim(text=text, holds=all(abs(one - _BUDGET) <= _NEAR for one in means))


def both_errors(scale: Scale) -> Findings:
    """Ask which memory lowers the tail error and the error over all steps: beyond the paper."""
    figures: list[Figure] = []
    claims: list[Claim] = []
    for done, (policy, walker) in enumerate(POLICIES.items()):
        scale.progress("policies", done, len(POLICIES))
        runs = {method.name: run_method(method, walker, scale) for method in _PARETO}
        for name, found in runs.items():
            figures += _figures(name, found, column=f"{policy} {{}}")
        claims += _pareto(policy, runs)
    return Findings(figures=tuple(figures), claims=tuple(claims), options=_told(scale))


def by_model(scale: Scale, chat: Chat) -> Findings:
    """Let a language model walk with each memory: tables 4 and 5 as the paper made them.

    Args:
        scale: Seeds and steps; each step is one request.
        chat: The model.

    Raises:
        ModelUnavailableError: It gives no reply.
    """
    figures: list[Figure] = []
    for done, method in enumerate((*_SIX, *_FOUR, _OURS)):
        scale.progress("memories", done, len(_SIX) + len(_FOUR) + 1)
        walkers: list[LanguageModel] = []

        def walker(world: World, made: list[LanguageModel] = walkers) -> LanguageModel:
            made.append(LanguageModel(world, chat=chat))
            return made[-1]

        figures += _figures(method.name, run_method(method, walker, scale))
        unusable = [float(one.n_unusable) for one in walkers]
        figures.append(figure(method.name, "unusable replies", unusable))
    options = {**_told(scale), "model": chat.model_id}
    return Findings(figures=tuple(figures), options=options)


def _pareto(policy: str, runs: dict[str, list[Scores]]) -> list[Claim]:
    tail, error, tokens = _means(runs[_OURS.name])
    others = [_means(found) for name, found in runs.items() if not name.startswith(_OURS.name)]
    dominates = Claim(
        text=f"{policy}: below graph memory and the published controller in both errors",
        holds=all(tail < other and error < whole for other, whole, _ in others),
    )
    if policy not in _AIMED:
        return [dominates]
    said = f"tail {tail:.3f} and overall {error:.3f} at {tokens:.1f} tokens"
    aim = Claim(
        text=f"{policy}: both errors ≤ {_GOAL} at ≤ {_BUDGET} tokens per step ({said})",
        holds=tail <= _GOAL and error <= _GOAL and tokens <= _BUDGET,
    )
    return [aim, dominates]


def _means(runs: Sequence[Scores]) -> tuple[float, float, float]:
    rows = [(one.tail_error, one.error, one.tokens) for one in runs]
    tail, error, tokens = np.mean(rows, axis=0).tolist()
    return tail, error, tokens


def _told(scale: Scale) -> dict[str, Any]:
    return {"steps": scale.n_steps, "states": _STATES, "tokens counted by": _COUNTER}
