"""The speed benchmark: what Stepwell costs beside the least that could do the same.

Texts are made up (`synthetic`), vectors come from a hash instead of a model, and every figure
stands beside a floor measured in the same run, call by call in turn: a plain FTS5 table, or a
synced log. Only the ratios carry over to another machine.
"""

from __future__ import annotations

import json
import os
import platform
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from stepwell.formats.atif.writer import to_atif
from stepwell.memory.memory import Memory
from stepwell.store.database import open_database
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.episodic import Episodic
from stepwell.text.search import match_expression, query_tokens
from stepwell.trajectory.atoms import parse_citation
from stepwell_bench.datasets import step_text
from stepwell_bench.floors import PlainFts, RawLog, peak_megabytes
from stepwell_bench.peers import ADDED_ONE_BY_ONE, ADDED_TOGETHER, ASKED, measure_peer
from stepwell_bench.results import commit
from stepwell_bench.sheet import PLAIN, Sheet, SpeedReport, SpeedRow
from stepwell_bench.synthetic import WARM, HashEncoder, Probe, n_runs, probes, runs, ticket

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.encode.base import Encoder
    from stepwell.trajectory.model import Trajectory

__all__ = ["SpeedPlan", "measure", "run_speed"]

SCHEMA = 1
"""Version of the result file."""

_BUDGET = 800
_LIVE = "live"
_MEGABYTE = 1e6

_FIRST_LIVE = 1 << 30
"""Tickets of live steps start here, so that no stored step holds them."""

_STEPS_ENCODED = 1_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedPlan:
    """What to measure.

    Attributes:
        sizes: Steps in the store, one measurement each.
        adds: Live adds to time.
        questions: Recalls to time, per scope.
        seed: Of all texts and questions.
        peers: Names of peers to measure beside, up to `peer_size` steps.
        peer_size: Peers are not asked to hold more than this.
    """

    sizes: tuple[int, ...] = (1_000, 10_000)
    adds: int = 300
    questions: int = 200
    seed: int = 0
    peers: tuple[str, ...] = ()
    peer_size: int = 10_000


def run_speed(
    plan: SpeedPlan,
    *,
    now: datetime,
    model: Encoder | None = None,
    progress: Callable[[str], None] = lambda _what: None,
) -> SpeedReport:
    """Measure every size, each in a process of its own.

    Args:
        plan: What to measure.
        now: The time of the run, UTC.
        model: A real encoder, whose cost per question is measured apart.
        progress: Called with what comes next.
    """
    at = commit()  # now: on a long run the checkout may move on
    rows: list[SpeedRow] = []
    notices = ["vectors come from a hash of words, not from a model: encoding is measured apart"]
    for size in plan.sizes:
        progress(f"stepwell, {size:,} steps")
        rows += _in_own_process(measure, size, plan)
        for name in plan.peers:
            if size <= plan.peer_size:
                progress(f"{name}, {size:,} steps")
                found, why = _in_own_process(
                    measure_peer, name, size, questions=plan.questions, seed=plan.seed
                )
                rows += _beside(found, rows)
                notices += [why] if why else []
    if model is None:
        notices.append("no model is installed: what encoding a question costs was not measured")
    else:
        rows += _encoding(model, plan)
    return SpeedReport(
        schema=SCHEMA,
        benchmark="speed",
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=plan.seed,
        machine=_machine(),
        notices=tuple(dict.fromkeys(notices)),
        rows=tuple(rows),
    )


def _in_own_process(call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *args, **kwargs).result()


_SAME_WORK = {
    ADDED_TOGETHER: "store trajectories directly",
    f"{ADDED_ONE_BY_ONE}, p50": "add live, p50",
    f"{ADDED_ONE_BY_ONE}, p99": "add live, p99",
    f"{ASKED}, p50": "recall in all, p50",
    f"{ASKED}, p99": "recall in all, p99",
}
"""What of Stepwell's a peer's row is set beside."""


def _beside(found: Sequence[SpeedRow], rows: Sequence[SpeedRow]) -> list[SpeedRow]:
    """Return a peer's rows with Stepwell's figure for the same work as their floor."""
    ours = {(row.size, row.what): row.value for row in rows if row.by == "stepwell"}
    paired: list[SpeedRow] = []
    for row in found:
        floor = ours[row.size, _SAME_WORK[row.what]]
        ratio = floor / row.value if row.unit.endswith("/s") else row.value / floor
        paired.append(replace(row, floor=floor, floor_by="stepwell", ratio=ratio))
    return paired


def _machine() -> dict[str, str]:
    return {
        "system": platform.platform(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
    }


def _encoding(model: Encoder, plan: SpeedPlan) -> list[SpeedRow]:
    """Time the encoding of one question by a real model."""
    sheet = Sheet(size=0)
    made = list(runs(_STEPS_ENCODED, n_runs=2, seed=plan.seed))
    seconds: list[float] = []
    for question in probes(made, n=WARM + plan.questions, seed=plan.seed):
        started = perf_counter()
        model.encode([question.text])
        seconds.append(perf_counter() - started)
    sheet.times(f"encode a question ({model.encoder_id})", seconds[WARM:], floors={})
    return sheet.rows


def measure(size: int, plan: SpeedPlan) -> list[SpeedRow]:
    """Measure Stepwell at one size, in a temporary folder."""
    made = list(runs(size, n_runs=n_runs(size), seed=plan.seed))
    sheet = Sheet(size=size)
    with TemporaryDirectory(prefix="stepwell-speed-") as name:
        folder = Path(name)
        with PlainFts(folder / "plain.db") as plain:
            _ingest(sheet, made, folder, plain)
            sheet.plain(
                "size on disk, text only",
                "MB",
                _megabytes(folder / "store.db"),
                floor=_megabytes(folder / "plain.db"),
            )
            encoder = HashEncoder()
            with Memory(folder / "store.db", encoder=encoder) as memory:
                started = perf_counter()
                n = memory.index()
                sheet.rate(
                    "fill in vectors (hash)", "passages/s", n=n, seconds=perf_counter() - started
                )
                questions = probes(made, n=plan.questions, seed=plan.seed)
                for question in questions:
                    encoder.encode([question.text])
                _recall(sheet, memory, plain, questions, _rows_of(made))
                _add(sheet, memory, plain, folder, plan.adds)
        sheet.plain("size on disk, vectors too", "MB", _megabytes(folder / "store.db"))
        texts = [question.text for question in questions]
        peak = _in_own_process(peak_of_recalls, folder / "store.db", texts)
        if peak is not None:
            sheet.plain("peak memory of a process that recalls", "MB", peak)
    return sheet.rows


def _megabytes(path: Path) -> float:
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists()) / _MEGABYTE


def _ingest(sheet: Sheet, made: Sequence[Trajectory], folder: Path, plain: PlainFts) -> None:
    """Store all runs three ways, one transaction per run: from files, directly, and plainly."""
    logs = folder / "logs"
    logs.mkdir()
    for one in made:
        (logs / f"{one.trajectory_id}.json").write_text(json.dumps(to_atif(one)), encoding="utf-8")
    texts = [[step_text(step) for step in one.steps] for one in made]
    with Memory(folder / "store.db", encoder=None) as memory:
        started = perf_counter()
        memory.ingest(logs)
        from_files = perf_counter() - started
    direct = _direct(made, folder / "direct.db")
    started = perf_counter()
    for run_texts in texts:
        plain.put(run_texts)
    floor = perf_counter() - started
    n = sum(map(len, texts))
    sheet.rate("ingest ATIF files", "steps/s", n=n, seconds=from_files, floor=floor)
    sheet.rate("store trajectories directly", "steps/s", n=n, seconds=direct, floor=floor)


def _direct(made: Sequence[Trajectory], path: Path) -> float:
    db = open_database(path)
    episodic = Episodic(db)
    now = datetime.now(UTC)
    started = perf_counter()
    for one in made:
        with db:
            written = put_trajectory(db, one, scope=Scope(), now=now)
            episodic.append(written.rowids, written.passages)
    seconds = perf_counter() - started
    db.close()
    return seconds


def _rows_of(made: Sequence[Trajectory]) -> dict[str, tuple[int, int]]:
    """Return first and last row of each run in the plain table."""
    ends = list(accumulate(len(one.steps) for one in made))
    return {
        one.trajectory_id: (end - len(one.steps) + 1, end)
        for one, end in zip(made, ends, strict=True)
    }


def _recall(
    sheet: Sheet,
    memory: Memory,
    plain: PlainFts,
    questions: Sequence[Probe],
    rows_of: dict[str, tuple[int, int]],
) -> None:
    for what in ("recall in one trajectory", "recall in all"):
        ours: list[float] = []
        floors: list[float] = []
        found = 0
        for question in [*questions[:WARM], *questions]:
            name = question.trajectory if what.endswith("one trajectory") else None
            expression = match_expression(query_tokens(question.text))
            started = perf_counter()
            evidence = memory.recall(question.text, _BUDGET, scope=Scope(trajectory=name))
            middle = perf_counter()
            plain.search(expression, rows=None if name is None else rows_of[name])
            floors.append(perf_counter() - middle)
            ours.append(middle - started)
            cited = {(item.trajectory, item.step) for item in evidence.items}
            found += (question.trajectory, question.step) in cited
        n_warm = len(ours) - len(questions)
        sheet.times(what, ours[n_warm:], floors={PLAIN: floors[n_warm:]})
        sheet.plain(f"{what}, asked step cited", "share", found / len(ours))


def _add(sheet: Sheet, memory: Memory, plain: PlainFts, folder: Path, n: int) -> None:
    """Time live adds, vectors filled in behind; each must be found by the very next recall."""
    ours: list[float] = []
    floors: list[float] = []
    logged: list[float] = []
    found = 0
    (live,) = runs(n, n_runs=1, seed=n, first=_FIRST_LIVE)
    with RawLog(folder / "raw.log") as log:
        for number, step in enumerate(live.steps, start=_FIRST_LIVE):
            text = step_text(step)
            times = [perf_counter()]
            citation = memory.add(step, trajectory=_LIVE)
            times.append(perf_counter())
            plain.put([text])
            times.append(perf_counter())
            log.put(text)
            times.append(perf_counter())
            for seconds, start, end in zip((ours, floors, logged), times, times[1:], strict=False):
                seconds.append(end - start)
            evidence = memory.recall(ticket(number), _BUDGET, scope=Scope(trajectory=_LIVE))
            index = parse_citation(citation).step
            found += any((item.trajectory, item.step) == (_LIVE, index) for item in evidence.items)
    sheet.times("add live", ours, floors={PLAIN: floors, "log and fdatasync": logged})
    sheet.plain("add live, found by the next recall", "share", found / n)


def peak_of_recalls(path: Path, questions: Sequence[str]) -> float | None:
    """Return the peak memory, in MB, of a process that answers questions over a whole store."""
    with Memory(path, encoder=HashEncoder()) as memory:
        for question in questions:
            memory.recall(question, _BUDGET)
    return peak_megabytes()
