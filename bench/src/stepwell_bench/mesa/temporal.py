"""How often the temporal structure answers over generated worlds, and how often that is exact."""

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
from stepwell_bench.mesa.firstcontact import FIRST_CONTACT
from stepwell_bench.mesa.worldquestions import ask_world, exact
from stepwell_bench.mesa.worlds import generate_worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.stats.bootstrap import Interval
    from stepwell.structures.base import Note
    from stepwell_bench.mesa.dialects import Dialect
    from stepwell_bench.mesa.worldquestions import WorldQuestion
    from stepwell_bench.mesa.worlds import World

__all__ = ["Shares", "TemporalReport", "TemporalRow", "lines_of", "run_temporal"]

_BUDGET = 1_000
"""Tokens of lines that are read, the most useful first."""

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalRow:
    """A question and whether its answer was computed.

    Attributes:
        question: What was asked.
        is_exact: Whether the lines hold the exact answer.
        is_answered: Whether a line is said to be an answer.
        is_right: Whether the lines said to be answers hold the exact answer.
        n_lines: How many lines came back.
    """

    question: WorldQuestion
    is_exact: bool
    is_answered: bool
    is_right: bool
    n_lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What lines are worth over some questions; worlds are drawn as wholes.

    Attributes:
        recall: Share of questions whose exact answer stands in the lines.
        coverage: Share of questions of which a line is said to be the answer.
        precision: Share of those so answered whose answer is exact; None without any.
    """

    recall: Interval
    coverage: Interval
    precision: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalReport:
    """What was computed, and what it is worth.

    Attributes:
        rows: Every question.
        overall: Over the dialects that the grammar knows.
        first_contact: Over those that it has not been written for; None without any.
        by_kind: By what is asked, over all dialects.
        by_dialect: By how the world is told.
    """

    rows: tuple[TemporalRow, ...]
    overall: Shares
    first_contact: Shares | None
    by_kind: dict[str, Shares]
    by_dialect: dict[str, Shares]


def run_temporal(
    seed: int = 0, n: int = 400, *, unseen: Sequence[Dialect] = FIRST_CONTACT
) -> TemporalReport:
    """Ask at least n questions of generated worlds, and return how many are answered exactly.

    Worlds of the dialects that the grammar knows are the same however many others there are.

    Args:
        seed: Of the worlds, the questions and the bootstrap.
        n: Fewest questions, of each of the two groups of dialects.
        unseen: Dialects that the grammar has not been written for.
    """
    rng, other = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    known = _rows(rng, n, DIALECTS)
    met = _rows(other, n, unseen) if unseen else []
    rows = [*known, *met]
    return TemporalReport(
        rows=tuple(rows),
        overall=_shares(known, rng),
        first_contact=_shares(met, rng) if met else None,
        by_kind=_grouped(rows, rng, lambda question: question.kind),
        by_dialect=_grouped(rows, rng, lambda question: question.dialect),
    )


def _rows(rng: np.random.Generator, n: int, dialects: Sequence[Dialect]) -> list[TemporalRow]:
    rows: list[TemporalRow] = []
    n_worlds = 0
    while len(rows) < n:
        for world in generate_worlds(rng, n=len(dialects), first=n_worlds, dialects=dialects):
            rows += _asked(rng, world)
        n_worlds += len(dialects)
    return rows


def _asked(rng: np.random.Generator, world: World) -> list[TemporalRow]:
    db = open_database(None)
    written = put_trajectory(db, world.trajectory(), scope=Scope(), now=_NOW)
    structure = Temporal(db)
    within = Within(spans=(span(written.number),), n_passages=len(written.passages), is_all=True)
    rows: list[TemporalRow] = []
    for question in ask_world(rng, world):
        query = Query(text=question.text, terms=tuple(query_tokens(question.text)))
        notes = structure.search(query, within=within, limit=50).notes
        answers = [note for note in notes if note.is_answer]
        rows.append(
            TemporalRow(
                question=question,
                is_exact=exact(lines_of(notes, budget=_BUDGET), question),
                is_answered=bool(answers),
                is_right=bool(answers) and exact(lines_of(answers, budget=_BUDGET), question),
                n_lines=len(notes),
            )
        )
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


def _shares(rows: Sequence[TemporalRow], rng: np.random.Generator) -> Shares:
    answered = [row for row in rows if row.is_answered]
    return Shares(
        recall=_share(rows, rng, lambda row: row.is_exact),
        coverage=_share(rows, rng, lambda row: row.is_answered),
        precision=_share(answered, rng, lambda row: row.is_right) if answered else None,
    )


def _share(
    rows: Sequence[TemporalRow], rng: np.random.Generator, is_so: Callable[[TemporalRow], bool]
) -> Interval:
    # Worlds of different dialects may have one name, but no two of one dialect.
    groups = [(row.question.dialect, row.question.trajectory_id) for row in rows]
    return bootstrap_mean([float(is_so(row)) for row in rows], groups, rng=rng)


def _grouped(
    rows: Sequence[TemporalRow],
    rng: np.random.Generator,
    key: Callable[[WorldQuestion], str],
) -> dict[str, Shares]:
    groups: dict[str, list[TemporalRow]] = {}
    for row in rows:
        groups.setdefault(key(row.question), []).append(row)
    return {name: _shares(group, rng) for name, group in groups.items()}
