"""Turn outcomes into means with intervals, and keep them as one JSON file per run."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.bootstrap import Interval, bootstrap_mean, paired_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from stepwell_bench.scoring import Outcome

__all__ = [
    "OURS",
    "Cell",
    "Gap",
    "check_folder",
    "commit",
    "gaps",
    "save",
    "save_rows",
    "summarise",
]

OURS = "stepwell"
"""The method name of Stepwell itself."""

MEASURES: dict[str, Callable[[Outcome], float | None]] = {
    "recall": lambda found: found.recall,
    "literals": lambda found: found.literals,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A mean over the questions of one group.

    Attributes:
        measure: `recall` of gold steps, or share of `literals`.
        mode: How the question was put.
        group: `all`, `domain: …` or `type: …`.
        budget: Tokens allowed.
        method: Who packed them.
        value: Mean with its interval, bootstrapped by episode.
    """

    measure: str
    mode: str
    group: str
    budget: int
    method: str
    value: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Stepwell minus the best baseline of a cell, paired by question; fields as in `Cell`."""

    measure: str
    mode: str
    group: str
    budget: int
    baseline: str
    value: Interval


Key = tuple[str, str, str, int]


def _grouped(outcomes: Iterable[Outcome]) -> dict[Key, dict[str, list[tuple[str, str, float]]]]:
    """Collect (question, episode, value) by measure, mode, group and budget, then by method."""
    found: dict[Key, dict[str, list[tuple[str, str, float]]]] = {}
    for one in outcomes:
        for measure, value_of in MEASURES.items():
            value = value_of(one)
            if value is None:
                continue
            for group in ("all", f"domain: {one.domain}", f"type: {one.kind}"):
                methods = found.setdefault((measure, one.mode, group, one.budget), {})
                methods.setdefault(one.method, []).append((one.question, one.episode, value))
    return found


def summarise(outcomes: Sequence[Outcome], *, seed: int, draws: int) -> list[Cell]:
    """Return the mean of every measure, mode, group, budget and method."""
    return [
        Cell(
            measure=measure,
            mode=mode,
            group=group,
            budget=budget,
            method=method,
            value=bootstrap_mean(
                [value for _, _, value in rows],
                [episode for _, episode, _ in rows],
                rng=np.random.default_rng(seed),
                n=draws,
            ),
        )
        for (measure, mode, group, budget), methods in _grouped(outcomes).items()
        for method, rows in methods.items()
    ]


def gaps(outcomes: Sequence[Outcome], *, seed: int, draws: int) -> list[Gap]:
    """Return Stepwell's lead over the baseline that did best in each cell.

    The best baseline is chosen after the fact, cell by cell, which favours the baselines.
    """
    found: list[Gap] = []
    for (measure, mode, group, budget), methods in _grouped(outcomes).items():
        ours = methods.get(OURS)
        others = {name: rows for name, rows in methods.items() if name != OURS}
        if not ours or not others:
            continue
        best = max(others, key=lambda name: sum(value for _, _, value in others[name]))
        theirs = {question: value for question, _, value in others[best]}
        value = paired_difference(
            [value for _, _, value in ours],
            [theirs[question] for question, _, _ in ours],
            [episode for _, episode, _ in ours],
            rng=np.random.default_rng(seed),
            n=draws,
        )
        found.append(
            Gap(measure=measure, mode=mode, group=group, budget=budget, baseline=best, value=value)
        )
    return found


@cache
def commit() -> str:
    """Return the short git commit this code runs from, `-dirty` if changed; empty without one.

    It is asked once: the checkout may move on while a process runs, and what it loaded does not.
    """
    git = shutil.which("git")
    if git is None:
        return ""
    here = str(Path(__file__).resolve().parent)
    # A fixed command without a shell; outside a repository it fails, and that is an answer.
    done = subprocess.run(  # noqa: S603
        [git, "-C", here, "describe", "--always", "--dirty", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def check_folder(folder: Path) -> None:
    """Make a folder if it is missing, and see that files can be made in it.

    Before a run that takes an hour, not after it.

    Raises:
        InvalidInputError: It cannot be made, or no file in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InvalidInputError(
            f"No result can be written to {folder}: {error.strerror}.",
            hint="Give another folder with --out.",
        ) from error


def save(report: Any, folder: Path, *, name: str, now: datetime, at: str) -> Path:
    """Write a report as JSON, named by benchmark, date and commit, and return the file.

    Args:
        report: A dataclass, or anything else of plain values.
        folder: Where to; made if it is missing.
        name: The benchmark.
        now: The time of the run.
        at: The commit it ran from; may be empty.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = (name, f"{now:%Y-%m-%d-%H%M%S}", at)
    path = folder / f"{'-'.join(part for part in parts if part)}.json"
    plain = msgspec.to_builtins(report)
    path.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def save_rows(rows: Iterable[Any], path: Path) -> None:
    """Write every row, a dataclass of plain values, as one line of JSON."""
    with path.open("wb") as file:
        for one in rows:
            file.write(msgspec.json.encode(one) + b"\n")
