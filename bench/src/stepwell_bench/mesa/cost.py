"""What structures and policies cost: time to build, to append a step, to choose, and to recall.

Runs are made up, of two kinds: logs with the sizes and word statistics of real ones, and generated
worlds, whose every step changes a state. No model and no encoder takes part. Times are CPU times
of this process; only a program, which runs in a process of its own, is timed by the clock.
"""

from __future__ import annotations

import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.memory.views import open_views
from stepwell.policy.kinds import All, Program
from stepwell.policy.registry import find
from stepwell.recall.find.find import look
from stepwell.recall.find.scope import within
from stepwell.recall.question import Question
from stepwell.recall.recall import recall
from stepwell.store.database import open_database, transaction
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from stepwell.store.units import snapshot
from stepwell.store.write import append_step, put_trajectory
from stepwell.structures.base import Query
from stepwell.text.tokens import counter
from stepwell_bench.mesa.dialects import DIALECTS
from stepwell_bench.mesa.worldquestions import ask_world
from stepwell_bench.mesa.worlds import generate_world
from stepwell_bench.synthetic import probes, runs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from stepwell.memory.views import Views
    from stepwell.policy.base import Policy
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.trajectory.model import Step, Trajectory

__all__ = ["BARS", "COST_STEPS", "CostReport", "Timing", "measure_cost"]

COST_STEPS: Final = 300
"""Steps of a long run."""

BARS: Final = {"build all": 300.0, "append a step": 5.0, "rules": 1.0, "program": 1.0}
"""Milliseconds that each is to stay below, for a run of 300 steps."""

_ROUNDS: Final = 5
_APPENDED: Final = 30
_QUESTIONS: Final = 40
_BUDGET: Final = 1_000
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_NOTHING: Final = Query(text="", terms=())
_FEW: Final = 12
"""Steps of a first run that is not timed: libraries load, caches fill."""

_PROGRAM: Final = """
def select(question, context):
    slots = context["signals"].get("temporal.slots", 0)
    for cue in ("state", "count", "history", "inventory"):
        if cue in context["cues"] and slots >= 1:
            return ["temporal", "episodic"]
    return {"units": 400, "episodic": 600}
"""
"""What the default rules do, as a program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """One figure, in milliseconds.

    Attributes:
        what: What was measured.
        text: `logs` or `worlds`.
        steps: Steps of the run.
        best: The least of all rounds.
        median: Their median.
        bar: What the median is to stay below, where that is said.
    """

    what: str
    text: str
    steps: int
    best: float
    median: float
    bar: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the median is below the bar."""
        return self.bar is None or self.median <= self.bar


@dataclass(frozen=True, slots=True, kw_only=True)
class CostReport:
    """What a run found; the result file holds exactly this."""

    schema: int
    benchmark: str
    created: str
    commit: str
    seed: int
    timings: tuple[Timing, ...]


def measure_cost(
    *,
    steps: int = COST_STEPS,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _what: None,
) -> list[Timing]:
    """Measure building, appending, choosing and recalling.

    Args:
        steps: Of each run.
        seed: Of the texts.
        progress: Called with what is measured next.
    """
    rng = np.random.default_rng(seed)
    world = generate_world(rng, dialect=DIALECTS[0], name="world", n=steps)
    (log,) = runs(steps, n_runs=1, seed=seed)
    of_log = [probe.text for probe in probes([log], n=_QUESTIONS, seed=seed)]
    of_world = [question.text for question in ask_world(rng, world)][:_QUESTIONS]
    found: list[Timing] = []
    for text, run, questions in (
        ("logs", log, of_log),
        ("worlds", world.trajectory(), of_world),
    ):
        _ = _build(_part(run, _FEW))
        for name, measured in (
            ("building", _building(run)),
            ("appending", _appending(run)),
            ("recalling", _asking(run, questions)),
        ):
            progress(f"{name}: {text}")
            found += [
                Timing(
                    what=what,
                    text=text,
                    steps=len(run.steps),
                    best=min(times),
                    median=float(np.median(times)),
                    bar=BARS.get(what) if steps == COST_STEPS else None,
                )
                for what, times in measured
            ]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Built:
    """A store with one run whose structures are built, and the milliseconds that each took."""

    db: Database
    views: Views
    entry: Entry
    times: Mapping[str, float]


def _part(run: Trajectory, n: int) -> Trajectory:
    """Return the beginning of a run."""
    return replace(run, steps=run.steps[:n])


def _build(run: Trajectory) -> _Built:
    db = open_database(None)
    views = open_views(db, encoder=None)
    times: dict[str, float] = {}
    with transaction(db):
        written = put_trajectory(db, run, scope=Scope(), now=_NOW)
        with _timed(times, "build episodic"):
            views.episodic.append(written.rowids, written.passages)
    (entry,) = entries(db, Scope())
    with _timed(times, "build units"):
        views.units.units(entry.number)
    scope = within(db, [entry])
    for structure in views.structures:
        if structure.traits.is_wide or structure.traits.orders:
            continue  # those that are written to, and units, are built above
        with _timed(times, f"build {structure.name}"):
            structure.search(_NOTHING, within=scope, limit=1)
    times["build all"] = sum(times.values())
    return _Built(db=db, views=views, entry=entry, times=times)


def _building(run: Trajectory) -> Iterator[tuple[str, list[float]]]:
    times: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(_ROUNDS):
        built = _build(run)
        built.db.close()
        for what, taken in built.times.items():
            times[what].append(taken)
    yield from times.items()


def _appending(run: Trajectory) -> Iterator[tuple[str, list[float]]]:
    """Yield what the last steps take, each stored and then read on by every structure."""
    n = max(1, len(run.steps) - _APPENDED)
    built = _build(_part(run, n))
    times = [_appended(built, step) for step in run.steps[n:]]
    built.db.close()
    yield "append a step", times


def _appended(built: _Built, step: Step) -> float:
    started = time.process_time()
    with transaction(built.db):
        written = append_step(built.db, built.entry.number, step)
        built.views.episodic.append(written.rowids, written.passages)
    (entry,) = entries(built.db, Scope())
    built.views.derive(entry)
    return 1_000 * (time.process_time() - started)


def _asking(run: Trajectory, questions: Sequence[str]) -> Iterator[tuple[str, list[float]]]:
    """Yield what a recall of everything takes, and what policies take on its questions."""
    built = _build(run)
    sources, scope = built.views.sources(), within(built.db, [built.entry])
    policies: dict[str, Policy] = {"rules": find("default"), "program": Program(source=_PROGRAM)}
    clocks = {"rules": time.process_time, "program": time.perf_counter}
    times: defaultdict[str, list[float]] = defaultdict(list)
    for question in questions:
        request = Question(
            text=question,
            budget=_BUDGET,
            form="text",
            before=None,
            counter=counter("o200k"),
            policy=All(),
        )
        query = request.query(None)
        started = time.process_time()
        with snapshot(built.db):
            recall(built.db, request, query, sources=sources, entries=[built.entry])
        times["recall with all structures"].append(1_000 * (time.process_time() - started))
        seen = look(query, _BUDGET, entries=[built.entry], within=scope, sources=sources)
        context = replace(seen.context, signals=dict(seen.context.signals))
        for name, policy in policies.items():
            started = clocks[name]()
            policy.select(question, context)
            times[name].append(1_000 * (clocks[name]() - started))
    built.db.close()
    yield from times.items()


@contextmanager
def _timed(times: dict[str, float], what: str) -> Generator[None]:
    """Note the CPU milliseconds that a block takes."""
    started = time.process_time()
    yield
    times[what] = 1_000 * (time.process_time() - started)
