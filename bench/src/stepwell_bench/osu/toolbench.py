"""The ToolBench probe: a few steps of one answer, planted among 500 steps of others.

OSU-Mem (section 5.1) plants evidence that shares tool and entities on purpose, to measure what
overlapping units add where they can add most; questions are ToolBench's own, encoded as they are.
What is left open, and how it is done here:

- A step is a call with its result; `Finish` is none. Its tool is the service, the `<api>` in
  `<function>_for_<api>`, since the paper has all evidence share one tool by that convention.
- Evidence is drawn from all subsets of one service of which two steps share an argument.
- Background are distinct steps: 75 % from the answers to the most similar questions, 25 % from the
  rest. The paper's 30 nearest answers hold a third of the steps that asks for, so the next nearest
  are used as well.
- Evidence stands 12 steps apart, anywhere: as far as a tool unit reaches. Published is that under
  overlap no evidence is outside all units, and spread over the whole run no unit could hold it.
- Arguments are cut off in ToolBench's published answers; those that are whole count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.structures.units.annotate import annotate
from stepwell_bench.osu.encoded import Excerpt, read_runs, shown_text
from stepwell_bench.osu.world import Question, World, cell_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stepwell.structures.units.model import Annotation
    from stepwell.trajectory.model import Call, JsonObject, Step, Trajectory
    from stepwell_bench.osu.encoded import EncodedRun

__all__ = ["ToolBenchOptions", "toolbench_excerpts", "toolbench_worlds"]

FORMATS = frozenset({"toolbench"})

_FINISH = "Finish"
_OF_SERVICE = "_for_"

_SPACING = 12
"""Steps from one evidence step to the next: the gap at which tool groups are still one unit."""

_NEAR_SHARE = 0.75

_PAIR = re.compile(r'"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?=\s*[,}\]]))')
"""A name and a whole string or number after it, in JSON that may break off."""

_Step = tuple[int, int]
"""Run, and step in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolBenchOptions:
    """The shape of the episodes.

    Attributes:
        episodes: How many; an answer is asked about again only after all others were.
        evidence: Evidence steps of an episode.
        background: Other steps of an episode; fewer where the data hold fewer.
    """

    episodes: int = 200
    evidence: int = 3
    background: int = 500


def toolbench_excerpts(data: Path) -> list[Excerpt]:
    """Read ToolBench answers under a folder; those without a call are left out.

    Raises:
        NotFoundError: There is no such folder.
        InvalidInputError: It holds no answers.
    """
    return [one for one in map(_excerpt, read_runs(data, FORMATS)) if one.texts]


def _excerpt(run: Trajectory) -> Excerpt:
    steps = [step for step in run.steps if step.active and _calls(step)]
    whole = [replace(step, calls=tuple(map(_mended, _calls(step)))) for step in steps]
    annotations = annotate(whole, namespace=run.trajectory_id)
    return Excerpt(
        name=run.trajectory_id,
        task=run.task or run.trajectory_id,
        texts=tuple(shown_text(step) for step in steps),
        annotations=tuple(_by_service(one, run.trajectory_id) for one in annotations),
        question=run.task or "",
    )


def _calls(step: Step) -> tuple[Call, ...]:
    return tuple(call for call in step.calls if call.name != _FINISH)


def _mended(call: Call) -> Call:
    """Return a call whose arguments, if they break off, are those that are whole."""
    if call.args is not None:
        return call
    whole: JsonObject = {}
    for name, value in _PAIR.findall(call.args_raw):
        try:
            whole[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:  # an escape that JSON does not have
            continue
    return replace(call, args=whole)


def _by_service(annotation: Annotation, namespace: str) -> Annotation:
    services = [f"{namespace}::{tool.rsplit(_OF_SERVICE, 1)[-1]}" for tool in annotation.tools]
    return replace(annotation, tools=tuple(dict.fromkeys(services)))


def toolbench_worlds(
    runs: Sequence[EncodedRun],
    questions: NDArray[np.float32],
    options: ToolBenchOptions,
    *,
    seed: int,
) -> list[World]:
    """Plant evidence; each episode depends on the seed and its number only.

    Args:
        runs: All answers.
        questions: The unit vector of each answer's question, shape (runs, d).
        options: The shape of the episodes.
        seed: Of the evidence, the background and the places.

    Raises:
        InvalidInputError: No answer has so many steps of one service, two of which share an
            argument, or there is no other answer to be background.
    """
    subsets = {
        at: found
        for at, run in enumerate(runs)
        if (found := _subsets(run.excerpt.annotations, options.evidence))
    }
    if not subsets or len({run.excerpt.task for run in runs}) == 1:
        raise InvalidInputError(
            f"None of {len(runs)} answers can be planted with {options.evidence} evidence steps.",
            hint="Give a folder with more ToolBench answers, or fewer evidence steps.",
        )
    order = np.random.default_rng(seed).permutation(sorted(subsets))
    return [
        _world(
            runs,
            questions,
            _Draw(number=number, at=at, subsets=tuple(subsets[at]), size=options.background),
            rng=np.random.default_rng([seed, number]),
        )
        for number, at in enumerate(_cycled(order, options.episodes))
    ]


def _subsets(annotations: Sequence[Annotation], size: int) -> list[tuple[int, ...]]:
    """Return the subsets of steps that all share a service, and two of which share an entity."""
    found: list[tuple[int, ...]] = []
    for subset in combinations(range(len(annotations)), size):
        some = [annotations[step] for step in subset]
        services = set(some[0].tools).intersection(*(one.tools for one in some))
        if services and any(set(a.entities) & set(b.entities) for a, b in combinations(some, 2)):
            found.append(subset)
    return found


def _cycled(order: NDArray[np.int64], n: int) -> list[int]:
    return [int(order[number % len(order)]) for number in range(n)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draw:
    """What an episode is made from: its number, its answer, what can be planted, background."""

    number: int
    at: int
    subsets: tuple[tuple[int, ...], ...]
    size: int


def _world(
    runs: Sequence[EncodedRun],
    questions: NDArray[np.float32],
    draw: _Draw,
    *,
    rng: np.random.Generator,
) -> World:
    at, subset = draw.at, draw.subsets[int(rng.integers(len(draw.subsets)))]
    background = _background(runs, questions, at=at, size=draw.size, rng=rng)
    steps, evidence = _planted(background, [(at, step) for step in subset], rng)
    annotations = tuple(runs[run].excerpt.annotations[step] for run, step in steps)
    excerpt = runs[at].excerpt
    asked = Question(
        name=f"{excerpt.name}, episode {draw.number}",
        vector=questions[at],
        evidence=evidence,
        asked_at=len(steps),
        cell=cell_of(annotations, evidence),
    )
    return World(
        name=excerpt.name,
        source="toolbench",
        annotations=annotations,
        vectors=np.stack([runs[run].vectors[step] for run, step in steps]),
        costs=np.asarray([runs[run].costs[step] for run, step in steps], dtype=np.int64),
        questions=(asked,),
    )


def _background(
    runs: Sequence[EncodedRun],
    questions: NDArray[np.float32],
    *,
    at: int,
    size: int,
    rng: np.random.Generator,
) -> list[_Step]:
    """Return background steps in random order: of the nearest answers, then of any other."""
    order = np.argsort(-(questions @ questions[at]), kind="stable")
    steps = [
        (int(run), step)
        for run in order
        if runs[int(run)].excerpt.task != runs[at].excerpt.task
        for step in range(len(runs[int(run)]))
    ]
    n_near = round(_NEAR_SHARE * min(size, len(steps)))
    rest = rng.permutation(np.arange(n_near, len(steps)))[: size - n_near]
    chosen = rng.permutation(np.concatenate([np.arange(n_near), rest]))
    return [steps[int(place)] for place in chosen]


def _planted(
    background: Sequence[_Step], evidence: Sequence[_Step], rng: np.random.Generator
) -> tuple[list[_Step], tuple[int, ...]]:
    """Return all steps with the evidence evenly spaced among them, and where it stands."""
    n = len(background) + len(evidence)
    spacing = min(_SPACING, n // len(evidence))
    first = int(rng.integers(n - spacing * (len(evidence) - 1)))
    places = tuple(first + spacing * number for number in range(len(evidence)))
    steps = list(background)
    for place, step in zip(places, evidence, strict=True):
        steps.insert(place, step)
    return steps, places
