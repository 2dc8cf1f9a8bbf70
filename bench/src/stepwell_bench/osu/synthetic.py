"""The synthetic OSU-Mem benchmark: made-up embeddings whose shared structure is known.

OSU-Mem (section 5.1) gives weights, noise, lengths and costs; what it leaves open is chosen so that
its *baselines* come out as published, and the shares of questions whose evidence shares a tool
signature (39.3 %) or a tool (83.4 %). No figure of OSU-Mem itself was looked at for that.

What a subgoal is decides most, and the paper does not say; both readings are made:

- `event`: every event is a subgoal of its own. Overlapping units then beat disjoint ones and flat
  retrieval, as published; but so does the disjoint hierarchy over subgoals, which has the evidence
  of an event in one partition, while in the paper Flat + MMR is the strongest baseline.
- `segment`: the run is cut into one stretch per subgoal, and an event lies within one. No baseline
  then recalls more than Flat and Flat + MMR, as published, and units gain little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from stepwell.structures.units.model import Annotation
from stepwell_bench.osu.world import Question, World, cell_of, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SyntheticOptions", "synthetic_worlds"]

_EVENT_STEP = (0.55, 0.20, 0.15, 0.10)
"""Weights of event, entity, tool and subgoal in an event step."""

_BACKGROUND_STEP = (0.0, 0.35, 0.35, 0.30)
"""The same in any other step."""

_QUESTION = (0.70, 0.15, 0.10, 0.05)
"""The same in a question."""

_EVENT_NOISE, _BACKGROUND_NOISE, _QUESTION_NOISE = 0.55, 0.45, 0.25
"""Deviation of the noise, per coordinate: only so do the flat baselines recall as little."""

_COST, _COST_DEVIATION, _LEAST_COST = 15, 3, 5
_MIN_COSINE = 0.30
_MAX_GAP = 4
"""Most steps from one step of an event to the next: events come as bursts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticOptions:
    """The shape of the synthetic episodes.

    Attributes:
        episodes: How many.
        lengths: Fewest and most steps of an episode.
        events: Fewest and most events of an episode; each is asked about once.
        sizes: Chance of each number of evidence steps of an event; with `own_tool` it fixes the
            share of questions whose evidence shares a tool.
        own_tool: Chance that an event step uses the event's tool; else it uses any.
        templates: Argument templates of a tool; they fix the share that shares a signature.
        entities: Entities, each with a coordinate.
        tools: Tools, each with a coordinate.
        subgoals: Subgoals, each with a coordinate.
        subgoal_scope: Whether every event is a subgoal of its own, and other steps have any of the
            subgoals, or the run is cut into as many segments as there are subgoals.
        dimension: Coordinates in all; the rest are events'.
    """

    episodes: int = 200
    lengths: tuple[int, int] = (150, 296)
    events: tuple[int, int] = (3, 6)
    sizes: tuple[tuple[int, float], ...] = ((2, 0.5), (3, 0.5))
    own_tool: float = 0.8
    templates: int = 3
    entities: int = 8
    tools: int = 6
    subgoals: int = 6
    subgoal_scope: Literal["segment", "event"] = "event"
    dimension: int = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Facts:
    """What each step is about, one number per step; event -1 is none. Shape (n,) each."""

    event: NDArray[np.int64]
    entity: NDArray[np.int64]
    tool: NDArray[np.int64]
    subgoal: NDArray[np.int64]
    template: NDArray[np.int64]


def synthetic_worlds(options: SyntheticOptions, *, seed: int) -> list[World]:
    """Make the episodes; each depends on the seed and its number only."""
    return [
        _world(f"episode {number}", options, np.random.default_rng([seed, number]))
        for number in range(options.episodes)
    ]


def _world(name: str, options: SyntheticOptions, rng: np.random.Generator) -> World:
    n = int(rng.integers(options.lengths[0], options.lengths[1] + 1))
    bursts = _bursts(n, options, rng)
    facts, themes = _facts(n, bursts, options, rng)
    annotations = tuple(_annotation(facts, step, options) for step in range(n))
    questions = tuple(
        Question(
            name=f"{name}, event {number}",
            vector=vector,
            evidence=tuple(burst.tolist()),
            asked_at=n,
            cell=cell_of(annotations, burst.tolist()),
        )
        for number, (burst, vector) in enumerate(
            zip(bursts, _question_vectors(themes, options, rng), strict=True)
        )
    )
    costs = np.rint(rng.normal(_COST, _COST_DEVIATION, size=n)).astype(np.int64)
    return World(
        name=name,
        source="synthetic",
        annotations=annotations,
        vectors=_step_vectors(facts, options, rng),
        costs=np.maximum(costs, _LEAST_COST),
        questions=questions,
        min_cosine=_MIN_COSINE,
    )


def _bursts(n: int, options: SyntheticOptions, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return the steps of each event, ascending; no step is in two."""
    n_events = int(rng.integers(options.events[0], options.events[1] + 1))
    sizes, chances = zip(*options.sizes, strict=True)
    taken: set[int] = set()
    bursts: list[NDArray[np.int64]] = []
    while len(bursts) < n_events:
        size = int(rng.choice(sizes, p=chances))
        gaps = rng.integers(1, _MAX_GAP + 1, size=size - 1)
        burst = np.concatenate([[0], np.cumsum(gaps)]).astype(np.int64)
        burst += int(rng.integers(0, n - int(burst[-1])))
        if taken.isdisjoint(burst.tolist()):
            taken.update(burst.tolist())
            bursts.append(burst)
    return bursts


def _facts(
    n: int,
    bursts: list[NDArray[np.int64]],
    options: SyntheticOptions,
    rng: np.random.Generator,
) -> tuple[_Facts, _Facts]:
    """Return the facts of the steps, and those of the events."""
    n_events = options.dimension - options.entities - options.tools - options.subgoals
    facts = _drawn(n, options, rng)
    themes = _drawn(len(bursts), options, rng)
    themes.event[:] = rng.permutation(n_events)[: len(bursts)]
    if options.subgoal_scope == "segment":
        facts.subgoal[:] = _segments(n, options, rng)
        themes.subgoal[:] = facts.subgoal[[burst[0] for burst in bursts]]
    for number, burst in enumerate(bursts):
        facts.event[burst] = themes.event[number]
        facts.entity[burst] = themes.entity[number]
        facts.subgoal[burst] = themes.subgoal[number]
        own = burst[rng.random(len(burst)) < options.own_tool]
        facts.tool[own] = themes.tool[number]
    return facts, themes


def _drawn(n: int, options: SyntheticOptions, rng: np.random.Generator) -> _Facts:
    return _Facts(
        event=np.full(n, -1, dtype=np.int64),
        entity=rng.integers(options.entities, size=n),
        tool=rng.integers(options.tools, size=n),
        subgoal=rng.integers(options.subgoals, size=n),
        template=rng.integers(options.templates, size=n),
    )


def _segments(n: int, options: SyntheticOptions, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the subgoal of each step when each subgoal is one stretch of the run, shape (n,)."""
    cuts = np.sort(rng.choice(np.arange(1, n), size=options.subgoals - 1, replace=False))
    order = rng.permutation(options.subgoals)
    return order[np.searchsorted(cuts, np.arange(n), side="right")]


def _annotation(facts: _Facts, step: int, options: SyntheticOptions) -> Annotation:
    is_own = options.subgoal_scope == "event" and facts.event[step] >= 0
    return Annotation(
        entities=(f"entity {facts.entity[step]}",),
        tools=(f"tool {facts.tool[step]}({facts.template[step]})",),
        subgoal=f"event {facts.event[step]}" if is_own else f"phase {facts.subgoal[step]}",
    )


def _signal(
    facts: _Facts, options: SyntheticOptions, weights: tuple[float, ...]
) -> NDArray[np.float64]:
    """Return the weighted coordinates of the facts, shape (rows, d)."""
    n = len(facts.event)
    found = np.zeros((n, options.dimension))
    rows = np.arange(n)
    first_tool = options.entities
    first_subgoal = first_tool + options.tools
    first_event = first_subgoal + options.subgoals
    found[rows, np.maximum(facts.event, 0) + first_event] += weights[0]
    found[rows, facts.entity] += weights[1]
    found[rows, facts.tool + first_tool] += weights[2]
    found[rows, facts.subgoal + first_subgoal] += weights[3]
    return found


def _step_vectors(
    facts: _Facts, options: SyntheticOptions, rng: np.random.Generator
) -> NDArray[np.float32]:
    is_event = (facts.event >= 0)[:, None]
    signal = np.where(
        is_event,
        _signal(facts, options, _EVENT_STEP),
        _signal(facts, options, _BACKGROUND_STEP),
    )
    noise = rng.normal(size=signal.shape) * np.where(is_event, _EVENT_NOISE, _BACKGROUND_NOISE)
    return unit_rows(signal + noise)


def _question_vectors(
    themes: _Facts, options: SyntheticOptions, rng: np.random.Generator
) -> NDArray[np.float32]:
    signal = _signal(themes, options, _QUESTION)
    return unit_rows(signal + rng.normal(scale=_QUESTION_NOISE, size=signal.shape))
