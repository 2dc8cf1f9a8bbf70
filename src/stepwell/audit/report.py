"""The audit of sharing: runs in, shares with intervals and a plain prediction out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.audit.model import DEFAULT
from stepwell.audit.predict import Prediction, predict
from stepwell.audit.sharing import sharing_of
from stepwell.stats.bootstrap import Interval, bootstrap_mean
from stepwell.trajectory.questions import questions_about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from stepwell.audit.model import EvidenceSet, Origin, RunSharing, SharingOptions
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Questions

__all__ = ["Group", "InUnits", "Report", "Shares", "audit_sharing", "summarise"]

_MOST_FAMILIES: Final = 12
"""Tool families shown: what a screen holds; the rest call little."""

_MOST_COMMON: Final = 12
"""Common names shown."""

_LACKING: Final = "no run of that name has all of its steps"

_DRAWN: Final = frozenset[str]({"time", "words"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Which part of the evidence sets is bound; intervals are 95 % bootstraps over runs.

    Attributes:
        n_sets: How many sets.
        tools: Share in which some pair shares a tool (T+).
        entities: Share in which some pair shares an entity (E+).
        any: Share with either, as the paper counts it.
        uncommon: Share that is bound by a name of at most a quarter of the run's steps.
        cells: How many sets are in each cell.
    """

    n_sets: int
    tools: Interval
    entities: Interval
    any: Interval
    uncommon: Interval
    cells: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class InUnits:
    """How steps are held by units, built from names alone.

    Attributes:
        memberships: Mean number of units a step is in.
        evicted: Share of steps in no unit, of those that would be in some without a limit.
    """

    memberships: float
    evicted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Runs of one format, all runs, or the steps that call one tool family.

    Attributes:
        name: The format, `all`, or the family.
        n_runs: Runs in it.
        n_steps: Steps in it.
        with_tools: Share of steps that call a tool.
        with_entities: Share of steps with an entity.
        evidence: Shares over the evidence sets: those of the questions where some are given, else
            those drawn; None where there is no set.
        chance: Share of sets of steps drawn blindly that are bound by an uncommon name.
        overlap: With up to five units a step.
        disjoint: With one.
        tokens: Estimated tokens of its typical run (the median), all steps of the run.
    """

    name: str
    n_runs: int
    n_steps: int
    with_tools: float
    with_entities: float
    evidence: Shares | None
    chance: float | None
    overlap: InUnits
    disjoint: InUnits
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an audit of sharing found.

    Attributes:
        groups: One for each format, and `all` at the end where there are several.
        families: The tool families called most; sets belong to those of the steps they are drawn
            around.
        predictions: One for each of `groups`, in their order.
        common: Names in more than a quarter of the steps of a run, with the number of such runs.
        is_asked: Whether evidence comes from questions; else it is an estimate.
        n_single: Questions with one step, which nothing can bind.
        skipped: Why each question that is not used was left out.
    """

    groups: tuple[Group, ...]
    families: tuple[Group, ...]
    predictions: tuple[Prediction, ...]
    common: dict[str, int]
    is_asked: bool = False
    n_single: int = 0
    skipped: tuple[str, ...] = ()


def audit_sharing(
    trajectories: Iterable[Trajectory],
    *,
    rng: np.random.Generator,
    options: SharingOptions = DEFAULT,
    questions: Questions | None = None,
) -> Report:
    """Audit runs one after another: what their steps share, and whether overlap is likely to help.

    Args:
        trajectories: The runs; one at a time is held.
        rng: Where evidence sets and intervals are drawn from.
        options: How sharing is estimated.
        questions: Questions with known evidence, which replace the estimate.

    >>> from stepwell.formats.read import read_bytes
    >>> (bundle,) = read_bytes(b'[{"role": "user", "content": "hi"}]', uri="a.json").bundles
    >>> report = audit_sharing([bundle.trajectory], rng=np.random.default_rng(0))
    >>> report.predictions[0].verdict.value
    'too few steps to tell'
    """
    asked = questions.bindable if questions is not None else ()
    runs = [
        sharing_of(
            one,
            rng=rng,
            options=options,
            questions=questions_about(
                asked, trajectory_id=one.trajectory_id, n_steps=len(one.steps)
            ),
        )
        for one in trajectories
    ]
    return summarise(runs, rng=rng, options=options, questions=questions)


def summarise(
    runs: Sequence[RunSharing],
    *,
    rng: np.random.Generator,
    options: SharingOptions = DEFAULT,
    questions: Questions | None = None,
) -> Report:
    """Return the report on runs that were looked at, by format and by tool family."""
    chosen = _Chosen(is_asked=questions is not None, is_several=len(runs) > 1)
    formats = sorted({run.source_format for run in runs})
    parts = [(name, [run for run in runs if run.source_format == name]) for name in formats]
    parts += [("all", list(runs))] if len(formats) != 1 else []
    groups = tuple(_group(name, part, chosen, rng=rng) for name, part in parts)
    return Report(
        groups=groups,
        families=_families(runs, chosen, rng=rng),
        predictions=tuple(
            _predicted(group, part, chosen, options=options)
            for group, (_, part) in zip(groups, parts, strict=True)
        ),
        common=_common(runs),
        is_asked=chosen.is_asked,
        n_single=0 if questions is None else questions.n_single,
        skipped=() if questions is None else (*questions.skipped, *_unused(runs, questions)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """Which sets are evidence.

    Attributes:
        is_asked: Whether they are those of questions.
        is_several: Whether there are several runs, so that a question has to name one.
    """

    is_asked: bool
    is_several: bool

    def of(self, run: RunSharing) -> list[EvidenceSet]:
        """Return the evidence sets of a run."""
        if not self.is_asked:
            return [one for one in run.sets if one.origin in _DRAWN]
        return [
            one
            for one in run.sets
            if one.asked is not None and (one.asked.trajectory or not self.is_several)
        ]


def _group(
    name: str,
    runs: Sequence[RunSharing],
    chosen: _Chosen,
    *,
    rng: np.random.Generator,
    family: str | None = None,
) -> Group:
    """Return a group of runs, or of those of their steps that call a tool family."""
    masks = [_calling(run, family) for run in runs]
    held = [(run, mask) for run, mask in zip(runs, masks, strict=True) if mask.any()]
    sets = [
        (run, one) for run, mask in held for one in chosen.of(run) if mask[[*one.anchors]].any()
    ]
    blind = [one for run, mask in held for one in _of("chance", run) if mask[one.anchors[0]]]
    return Group(
        name=name,
        n_runs=len(held),
        n_steps=sum(int(mask.sum()) for _, mask in held),
        with_tools=_mean([run.has_tool[mask] for run, mask in held]),
        with_entities=_mean([run.has_entity[mask] for run, mask in held]),
        evidence=_shares(sets, rng=rng),
        chance=_mean([np.array([one.binding.is_uncommon for one in blind])]) if blind else None,
        overlap=_in_units([(r.memberships.overlap, r, mask) for r, mask in held]),
        disjoint=_in_units([(r.memberships.disjoint, r, mask) for r, mask in held]),
        tokens=int(np.median([run.tokens for run, _ in held])) if held else 0,
    )


def _calling(run: RunSharing, family: str | None) -> NDArray[np.bool_]:
    if family is None:
        return np.ones(len(run), dtype=np.bool_)
    return np.array([family in its for its in run.families], dtype=np.bool_)


def _of(origin: Origin, run: RunSharing) -> list[EvidenceSet]:
    return [one for one in run.sets if one.origin == origin]


def _shares(
    sets: Sequence[tuple[RunSharing, EvidenceSet]], *, rng: np.random.Generator
) -> Shares | None:
    if not sets:
        return None
    # By place and not by id: two files may hold runs of one name.
    runs = [id(run) for run, _ in sets]
    bound = [one.binding for _, one in sets]

    def interval(is_so: Callable[[int], bool]) -> Interval:
        return bootstrap_mean([float(is_so(n)) for n in range(len(bound))], runs, rng=rng)

    return Shares(
        n_sets=len(sets),
        tools=interval(lambda n: bound[n].tools),
        entities=interval(lambda n: bound[n].entities),
        any=interval(lambda n: bound[n].is_any),
        uncommon=interval(lambda n: bound[n].is_uncommon),
        cells=dict(sorted(Counter(one.cell for one in bound).items())),
    )


def _in_units(
    held: Sequence[tuple[NDArray[np.int64], RunSharing, NDArray[np.bool_]]],
) -> InUnits:
    counts = [counts[mask] for counts, _, mask in held]
    out = [counts[mask & run.memberships.is_bindable] == 0 for counts, run, mask in held]
    return InUnits(memberships=_mean(counts), evicted=_mean(out))


def _mean(parts: Sequence[NDArray[np.bool_] | NDArray[np.int64]]) -> float:
    values = np.concatenate([np.empty(0), *parts])
    return float(values.mean()) if len(values) else 0.0


def _families(
    runs: Sequence[RunSharing], chosen: _Chosen, *, rng: np.random.Generator
) -> tuple[Group, ...]:
    n_steps = Counter(family for run in runs for its in run.families for family in its)
    most = sorted(n_steps, key=lambda family: (-n_steps[family], family))[:_MOST_FAMILIES]
    return tuple(_group(family, runs, chosen, rng=rng, family=family) for family in most)


def _predicted(
    group: Group, runs: Sequence[RunSharing], chosen: _Chosen, *, options: SharingOptions
) -> Prediction:
    shares = group.evidence
    return predict(
        None if shares is None else shares.uncommon,
        any_name=None if shares is None else shares.any.mean,
        tokens=group.tokens,
        budget=options.budget,
        n_steps=None if chosen.is_asked else sum(run.n_candidates for run in runs),
    )


def _common(runs: Sequence[RunSharing]) -> dict[str, int]:
    n_runs = Counter(name for run in runs for name in {name for name, _ in run.common})
    most = sorted(n_runs, key=lambda name: (-n_runs[name], name))[:_MOST_COMMON]
    return {name: n_runs[name] for name in most}


def _unused(runs: Sequence[RunSharing], questions: Questions) -> list[str]:
    used = {one.asked.line for run in runs for one in run.sets if one.asked is not None}
    nameless = f"it names no trajectory, and there are {len(runs)}"
    reasons = (
        (one, nameless if one.trajectory is None and len(runs) > 1 else _LACKING)
        for one in questions.bindable
        if one.line not in used or (one.trajectory is None and len(runs) > 1)
    )
    return [f"line {one.line}: {reason}" for one, reason in reasons]
