"""How often the temporal structure's own lines hold the exact answer, over generated worlds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.bootstrap import bootstrap_mean
from stepwell.store.database import open_database
from stepwell.store.rowids import span
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Query, Within
from stepwell.structures.temporal.index import Temporal
from stepwell.text.search import query_tokens
from stepwell.text.tokens import counter
from stepwell_bench.mesa.dialects import DIALECTS
from stepwell_bench.mesa.worldquestions import ask_world, exact
from stepwell_bench.mesa.worlds import generate_worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.stats.bootstrap import Interval
    from stepwell.structures.base import Note
    from stepwell_bench.mesa.worldquestions import WorldQuestion
    from stepwell_bench.mesa.worlds import World

__all__ = ["TemporalReport", "TemporalRow", "lines_of", "run_temporal"]

_BUDGET = 1_000
"""Tokens of lines that are read, the most useful first."""

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalRow:
    """A question and whether its answer was computed.

    Attributes:
        question: What was asked.
        is_exact: Whether the lines hold the exact answer.
        n_lines: How many lines came back.
    """

    question: WorldQuestion
    is_exact: bool
    n_lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalReport:
    """Shares of exact answers.

    Attributes:
        rows: Every question.
        overall: Over all of them; worlds are drawn as wholes.
        by_kind: By what is asked.
        by_dialect: By how the world is told.
    """

    rows: tuple[TemporalRow, ...]
    overall: Interval
    by_kind: dict[str, Interval]
    by_dialect: dict[str, Interval]


def run_temporal(seed: int = 0, n: int = 400) -> TemporalReport:
    """Ask at least n questions of generated worlds, and return how many are answered exactly.

    Args:
        seed: Of the worlds, the questions and the bootstrap.
        n: Fewest questions.
    """
    rng = np.random.default_rng(seed)
    rows: list[TemporalRow] = []
    while len(rows) < n:
        n_worlds = len({row.question.trajectory_id for row in rows})
        for world in generate_worlds(rng, n=len(DIALECTS), first=n_worlds):
            rows += _asked(rng, world)
    return TemporalReport(
        rows=tuple(rows),
        overall=_share(rows, rng),
        by_kind=_shares(rows, rng, lambda question: question.kind),
        by_dialect=_shares(rows, rng, lambda question: question.dialect),
    )


def _asked(rng: np.random.Generator, world: World) -> list[TemporalRow]:
    db = open_database(None)
    written = put_trajectory(db, world.trajectory(), scope=Scope(), now=_NOW)
    structure = Temporal(db)
    within = Within(spans=(span(written.number),), n_passages=len(written.passages), is_all=True)
    rows: list[TemporalRow] = []
    for question in ask_world(rng, world):
        query = Query(text=question.text, terms=tuple(query_tokens(question.text)))
        notes = structure.search(query, within=within, limit=50).notes
        found = exact(lines_of(notes, budget=_BUDGET), question)
        rows.append(TemporalRow(question=question, is_exact=found, n_lines=len(notes)))
    db.close()
    return rows


def lines_of(notes: Sequence[Note], *, budget: int) -> list[str]:
    """Return notes as lines that name their steps, as many as a budget of tokens holds."""
    count = counter("o200k").count
    lines: list[str] = []
    for note in notes:
        line = f"[{', '.join(f's{step}' for step in note.steps)}] {note.text}"
        budget -= count(line)
        if budget < 0:
            break
        lines.append(line)
    return lines


def _share(rows: Sequence[TemporalRow], rng: np.random.Generator) -> Interval:
    values = [float(row.is_exact) for row in rows]
    return bootstrap_mean(values, [row.question.trajectory_id for row in rows], rng=rng)


def _shares(
    rows: Sequence[TemporalRow],
    rng: np.random.Generator,
    key: Callable[[WorldQuestion], str],
) -> dict[str, Interval]:
    groups: dict[str, list[TemporalRow]] = {}
    for row in rows:
        groups.setdefault(key(row.question), []).append(row)
    return {name: _share(group, rng) for name, group in groups.items()}
