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
from stepwell.stats.bootstrap import Interval, bootstrap_ratio, paired_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from stepwell_bench.scoring import Outcome

__all__ = [
    "LIMITS",
    "OURS",
    "PER_QUESTION",
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

LIMITS = frozenset({"gold", "nothing"})
"""Controls that no method could be: the gold steps themselves, and an empty payload."""


PER_QUESTION: dict[str, Callable[[Outcome], float | None]] = {
    "recall": lambda found: found.recall,
    "support": lambda found: found.support,
    "grounded": lambda found: found.grounded,
    "coverage": lambda found: found.coverage,
    "literals": lambda found: found.literals,
    "spread": lambda found: found.spread,
    "tokens": lambda found: found.tokens,
}
"""What each question has a value of, or None where a measure does not apply to it."""

_OF_ALL: dict[str, Callable[[Outcome], tuple[int, int]]] = {
    "cut in a word": lambda found: (found.cutting.in_word, found.cutting.excerpts),
    "cut unmarked": lambda found: (found.cutting.unmarked, found.cutting.cuts),
}
"""What is a share of all excerpts or cuts, however many a question has."""

_BETTER = frozenset({"recall", "support", "grounded", "coverage", "literals"})
"""Measures of which more is better: only of these is there a best baseline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A mean over the questions of one group.

    Attributes:
        measure: A name in `PER_QUESTION`, or a share of cuts.
        mode: How the question was put.
        group: `all`, `domain: …`, `type: …`, or `gold: named` and `gold: not named`.
        budget: Tokens allowed.
        method: Who packed them.
        value: Mean, or share of all excerpts or cuts, with its interval, bootstrapped by episode.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """A question's value, as a part of a whole."""

    question: str
    episode: str
    part: float
    whole: float


def _grouped(outcomes: Iterable[Outcome]) -> dict[Key, dict[str, list[_Value]]]:
    """Collect values by measure, mode, group and budget, then by method."""
    found: dict[Key, dict[str, list[_Value]]] = {}
    for one in outcomes:
        for measure, part, whole in _measured(one):
            row = _Value(question=one.question, episode=one.episode, part=part, whole=whole)
            for group in _groups(one):
                methods = found.setdefault((measure, one.mode, group, one.budget), {})
                methods.setdefault(one.method, []).append(row)
    return found


def _measured(one: Outcome) -> Iterator[tuple[str, float, float]]:
    for measure, value_of in PER_QUESTION.items():
        value = value_of(one)
        if value is not None:
            yield measure, value, 1.0
    for measure, share_of in _OF_ALL.items():
        part, whole = share_of(one)
        if whole:
            yield measure, part, whole


def _groups(one: Outcome) -> tuple[str, ...]:
    named = "gold: named" if one.names_gold else "gold: not named"
    return ("all", f"domain: {one.domain}", f"type: {one.kind}", named)


def summarise(outcomes: Sequence[Outcome], *, seed: int, draws: int) -> list[Cell]:
    """Return the mean of every measure, mode, group, budget and method."""
    return [
        Cell(
            measure=measure,
            mode=mode,
            group=group,
            budget=budget,
            method=method,
            value=bootstrap_ratio(
                [row.part for row in rows],
                [row.whole for row in rows],
                [row.episode for row in rows],
                rng=np.random.default_rng(seed),
                n=draws,
            ),
        )
        for (measure, mode, group, budget), methods in _grouped(outcomes).items()
        for method, rows in methods.items()
    ]


def gaps(outcomes: Sequence[Outcome], *, seed: int, draws: int) -> list[Gap]:
    """Return Stepwell's lead over the baseline that did best in each cell.

    The best baseline is chosen after the fact, cell by cell, which favours the baselines. `LIMITS`
    are none of them.
    """
    found: list[Gap] = []
    for (measure, mode, group, budget), methods in _grouped(outcomes).items():
        ours = methods.get(OURS)
        others = {name: rows for name, rows in methods.items() if name not in {OURS, *LIMITS}}
        if not ours or not others or measure not in _BETTER:
            continue
        best = max(others, key=lambda name: sum(row.part for row in others[name]))
        theirs = {row.question: row.part for row in others[best]}
        value = paired_difference(
            [row.part for row in ours],
            [theirs[row.question] for row in ours],
            [row.episode for row in ours],
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
