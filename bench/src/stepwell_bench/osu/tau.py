"""The τ-bench probe: short runs joined into long ones, with one of them asked about.

OSU-Mem (section 5.1) joins runs of τ-bench until they have 256 to 311 steps; of each joined run one
is asked about, and the evidence are its ground-truth actions, far from the question. Published are
125 joined runs, 328 questions and 3.5 evidence steps on average. What is left open:

- A step is one message: a call and its result are two. Runs then have a median of 25 messages.
- A run can be asked about when at least two of its ground-truth actions were carried out.
- It is asked about at up to four decision points, evenly spaced from its second ground-truth action
  to its last; the evidence are the actions up to that point. Evidence of questions about one run is
  nested, so intervals and tests draw runs, not questions.
- Other trials of the same task are never background: they hold the same calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.structures.units.annotate import annotate
from stepwell_bench.osu.actions import solving_steps
from stepwell_bench.osu.encoded import Excerpt, messages_of, read_runs
from stepwell_bench.osu.world import Question, World, cell_of, unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stepwell.trajectory.model import Trajectory
    from stepwell_bench.osu.encoded import EncodedRun

__all__ = ["TauOptions", "decision_points", "tau_excerpts", "tau_worlds"]

FORMATS = frozenset({"tau-bench", "tau2"})

_LEAST_STEPS = 256
"""Runs are joined until there are so many steps; the last one makes it up to 311 (published)."""

_LEAST_EVIDENCE = 2
"""Evidence steps below which Hit@2 cannot be reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TauOptions:
    """How questions are made.

    Attributes:
        episodes: Joined runs, drawn at random; None makes one of every run that can be asked about.
        noise: Deviation of the noise in a question, per coordinate (.25 published).
        weak: Whether a question is one random evidence step plus noise, not the mean of all.
        most_questions: Decision points per run.
    """

    episodes: int | None = None
    noise: float = 0.25
    weak: bool = False
    most_questions: int = 4


def tau_excerpts(data: Path) -> list[Excerpt]:
    """Read the runs of τ-bench and tau2-bench under a folder, one message a step.

    Raises:
        NotFoundError: There is no such folder.
        InvalidInputError: It holds no such run.
    """
    return [_excerpt(run) for run in read_runs(data, FORMATS)]


def _excerpt(run: Trajectory) -> Excerpt:
    messages = messages_of(run)
    return Excerpt(
        name=run.trajectory_id,
        # τ-bench numbers its tasks, tau2-bench too: told apart by what the user is to do.
        task=run.task or run.trajectory_id,
        texts=messages.texts,
        annotations=tuple(annotate(messages.steps, namespace=run.trajectory_id)),
        question=run.task or "",
        evidence=tuple(
            messages.places[step] for step in solving_steps(run) if step in messages.places
        ),
    )


def tau_worlds(runs: Sequence[EncodedRun], options: TauOptions, *, seed: int) -> list[World]:
    """Join runs; each joined run depends on the seed and its focal run only.

    Args:
        runs: All runs, focal ones and background.
        options: How questions are made.
        seed: Of the background, its order and the noise.

    Raises:
        InvalidInputError: No run can be asked about.
    """
    focal = [at for at, run in enumerate(runs) if len(run.excerpt.evidence) >= _LEAST_EVIDENCE]
    if not focal:
        raise InvalidInputError(
            f"None of {len(runs)} runs can be asked about: in none were two of the actions carried "
            "out that would have solved its task.",
            hint="Give a folder with more runs of tau-bench or tau2-bench.",
        )
    if options.episodes is not None and options.episodes < len(focal):
        drawn = np.random.default_rng(seed).choice(focal, size=options.episodes, replace=False)
        focal = sorted(drawn.tolist())
    return [_world(runs, at, options, np.random.default_rng([seed, at])) for at in focal]


def decision_points(n_evidence: int, most: int) -> list[int]:
    """Return how many evidence steps each question has: from 2 to all, at most `most` of them.

    >>> decision_points(3, 4), decision_points(9, 4)
    ([2, 3], [2, 4, 7, 9])
    """
    points = np.arange(_LEAST_EVIDENCE, n_evidence + 1)
    places = np.linspace(0, len(points) - 1, min(most, len(points)))
    return [int(point) for point in points[np.rint(places).astype(np.int64)]]


def _world(
    runs: Sequence[EncodedRun], at: int, options: TauOptions, rng: np.random.Generator
) -> World:
    focal = runs[at]
    parts, offset = _joined(runs, focal, rng)
    annotations = tuple(one for part in parts for one in part.excerpt.annotations)
    vectors = np.concatenate([part.vectors for part in parts])
    steps = [offset + step for step in focal.excerpt.evidence]
    questions: list[Question] = []
    for n_evidence in decision_points(len(steps), options.most_questions):
        evidence = tuple(steps[:n_evidence])
        questions.append(
            Question(
                name=f"{focal.excerpt.name}, {n_evidence} actions",
                vector=_question_vector(vectors[list(evidence)], options, rng),
                evidence=evidence,
                asked_at=len(annotations),
                cell=cell_of(annotations, evidence),
            )
        )
    return World(
        name=focal.excerpt.name,
        source="tau",
        annotations=annotations,
        vectors=vectors,
        costs=np.concatenate([part.costs for part in parts]),
        questions=tuple(questions),
    )


def _joined(
    runs: Sequence[EncodedRun], focal: EncodedRun, rng: np.random.Generator
) -> tuple[list[EncodedRun], int]:
    """Return the joined runs in order, and the first step of the focal one.

    The focal run stands where at least half of all steps come after it.
    """
    parts: list[EncodedRun] = []
    n_steps = len(focal)
    others = [run for run in runs if run.excerpt.task != focal.excerpt.task]
    for place in rng.permutation(len(others)):
        if n_steps >= _LEAST_STEPS:
            break
        parts.append(others[int(place)])
        n_steps += len(parts[-1])
    starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    early = np.flatnonzero(starts + len(focal) <= n_steps // 2)
    slot = int(rng.choice(early)) if len(early) else 0
    return [*parts[:slot], focal, *parts[slot:]], int(starts[slot])


def _question_vector(
    evidence: NDArray[np.float32], options: TauOptions, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return the unit vector of the noisy mean of evidence (or of one step of it), shape (d,)."""
    single = evidence[int(rng.integers(len(evidence)))]
    middle: NDArray[np.float32] = single if options.weak else evidence.mean(axis=0)
    return unit_rows(middle + rng.normal(scale=options.noise, size=middle.shape))
