"""Texts: what a recall may quote of each candidate step, read with one query for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.recall.show.verdict import verdict_in
from stepwell.store.read import last_passages, load_passages
from stepwell.store.rowids import MAX_PLACES, number_of, step_of
from stepwell.text.bulk import is_head_of_bulk
from stepwell.trajectory.passages import MAX_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from stepwell.recall.rank.score import PassageScores
    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts
    from stepwell.trajectory.passages import Passage

__all__ = ["Block", "StepText", "known_by", "load_texts", "with_task"]

_BULK = " "
"""What stands behind the beginning of bulk: more of the line, and no word of its own."""

_EXCERPTED = 60
"""Tokens of the budget per rank that may get more than an outline; behind these ranks only what an
outline needs is read."""

_HITS = 3
"""Best passages of a step that are read: of a long one two are often neighbours."""

_FARTHEST = 100
"""Passages read on each side of a hit at most, however large the budget: 100,000 characters."""

_STANDS_OUT = 1.0
"""Standard deviations above which a second place in a long atom is worth an excerpt of its own."""

_HEAD = 3
"""Passages read at a step's start: all of most steps; of a long one the call and how it began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Adjacent passages of one atom, joined.

    Attributes:
        part: The atom.
        label: Tool or actor.
        text: Their text.
        first_line: Line of the atom on which it starts, from 1.
        first_column: Character of that line, from 1.
        before: The character of the atom before it; empty where the atom begins.
        after: The character of the atom behind it; empty where the atom ends.
        edges: Start of each passage in `text`, and the end of the last.
        scores: Score of each passage.
        verdict: The line that says how a failure ended, as a part of `text`.
    """

    part: str
    label: str
    text: str
    first_line: int
    first_column: int
    before: str
    after: str
    edges: tuple[int, ...]
    scores: tuple[float, ...]
    verdict: tuple[int, int] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole atom."""
        return not (self.before or self.after)

    @property
    def best(self) -> float:
        """Score of its best passage."""
        return max(self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepText:
    """A candidate step with the text that may be quoted.

    Attributes:
        key: Its row id divided by `MAX_PLACES`.
        facts: What is known of it otherwise.
        blocks: Its text in reading order, at most two blocks per atom: its best places.
    """

    key: int
    facts: StepFacts
    blocks: tuple[Block, ...]

    @property
    def number(self) -> int:
        """Number of its trajectory."""
        return number_of(self.key * MAX_PLACES)

    @property
    def step(self) -> int:
        """Its index."""
        return step_of(self.key * MAX_PLACES)


def known_by(text: StepText, moment: datetime | None) -> StepText:
    """Return a step's text without the results that had not come by a moment."""
    if moment is None or text.facts.answered is None or text.facts.answered < moment:
        return text
    said = tuple(block for block in text.blocks if not block.part.startswith("o"))
    return replace(text, blocks=said)


def with_task(text: StepText, task: str) -> StepText:
    """Return a step's text behind the task that the log states outside its steps.

    Of a step that is no prompt the task alone is quoted.
    """
    block = Block(
        part="task",
        label="task",
        text=task,
        first_line=1,
        first_column=1,
        before="",
        after="",
        edges=(0, len(task)),
        scores=(0.0,),
    )
    return replace(text, blocks=(block, *(text.blocks if text.facts.kind == "user" else ())))


def load_texts(
    db: Database,
    facts: Mapping[int, StepFacts],
    *,
    scores: PassageScores,
    budget: int,
) -> dict[int, StepText]:
    """Return what may be quoted of steps, by key.

    Args:
        db: The database.
        facts: The steps, by key, best first.
        scores: Scores of passages.
        budget: Tokens to be filled. So many characters are read on each side of the best step's
            hits, and less for the ranks after, that an excerpt can grow over the edge.
    """
    rows: set[int] = set()
    best = scores.best_of(list(facts), _HITS)
    n_deep = max(8, budget // _EXCERPTED)
    for rank, (key, hits) in enumerate(best.items()):
        rows.update(_rows_of(key, rank, hits, budget) if rank < n_deep else _few(key, hits))
    rows.update(last_passages(db, list(best)[:n_deep]))
    passages = load_passages(db, sorted({row + way for row in rows for way in (-1, 0, 1)}))
    ordered = sorted(rows & passages.keys())
    scored = dict(zip(ordered, scores.of(ordered), strict=True))
    by_step: dict[int, list[Block]] = {}
    for run in _runs(ordered, passages):
        by_step.setdefault(run[0] // MAX_PLACES, []).append(_block(run, passages, scored))
    return {
        key: StepText(
            key=key,
            facts=facts[key],
            blocks=_worth_showing(blocks, is_failed=facts[key].has_error),
        )
        for key, blocks in by_step.items()
    }


def _few(key: int, hits: Sequence[int]) -> Iterator[int]:
    first = key * MAX_PLACES
    yield from (first, first + 1, *hits[:1])


def _rows_of(key: int, rank: int, hits: Sequence[int], budget: int) -> Iterator[int]:
    first = key * MAX_PLACES
    yield from range(first, first + _HEAD)
    around = min(max(1, round(budget / MAX_CHARS / (rank + 1))), _FARTHEST)
    for hit in hits:
        yield from range(max(first, hit - around), hit + around + 1)


def _runs(rows: Sequence[int], passages: Mapping[int, Passage]) -> list[list[int]]:
    """Join the rows of passages that follow each other in an atom, without a gap."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and runs[-1][-1] == row - 1 and passages[row - 1].goes_on_in(passages[row]):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _worth_showing(blocks: Sequence[Block], *, is_failed: bool) -> tuple[Block, ...]:
    """Return of each atom the best block, the next best if it stands out, and a failure's verdict.

    They stand in reading order.
    """
    by_part: dict[str, list[Block]] = {}
    for block in blocks:
        by_part.setdefault(block.part, []).append(_judged(block, is_failed=is_failed))
    kept: list[Block] = []
    for ranked in by_part.values():
        ranked.sort(key=lambda block: -block.best)
        some = [b for n, b in enumerate(ranked[:2]) if n == 0 or b.best >= _STANDS_OUT]
        some += [_only_verdict(b) for b in ranked if b.verdict and b not in some]
        kept += sorted(some, key=lambda block: (block.first_line, block.first_column))
    return tuple(kept)


def _judged(block: Block, *, is_failed: bool) -> Block:
    if block.after or not block.part.startswith("o"):
        return block
    return replace(block, verdict=verdict_in(block.text, is_failed=is_failed))


def _only_verdict(block: Block) -> Block:
    start, end = block.verdict or (0, len(block.text))
    line_start = block.text.rfind("\n", 0, start) + 1
    n_lines = block.text.count("\n", 0, start)
    return replace(
        block,
        text=block.text[line_start:],
        first_line=block.first_line + n_lines,
        first_column=1 if n_lines else block.first_column,
        before="\n" if n_lines else block.before,
        edges=(0, len(block.text) - line_start),
        scores=(block.best,),
        verdict=(start - line_start, end - line_start),
    )


def _block(
    run: Sequence[int], passages: Mapping[int, Passage], scores: Mapping[int, float]
) -> Block:
    first, last = passages[run[0]], passages[run[-1]]
    texts = [passages[row].text for row in run]
    after = _edge(passages.get(run[-1] + 1), last, end=0)
    if is_head_of_bulk(texts[-1]):  # what it cites must be what it shows, and `…` is a mark
        texts[-1], after = texts[-1][:-1], _BULK
    edges = [0]
    for text in texts:
        edges.append(edges[-1] + len(text))
    before = passages.get(run[0] - 1)
    is_first = (first.first_line, first.first_column) == (1, 1)
    return Block(
        part=first.part,
        label=first.label,
        text="".join(texts),
        first_line=first.first_line,
        first_column=first.first_column,
        before="" if is_first else _edge(before, first, end=-1) or "\n",
        after=after,
        edges=tuple(edges),
        scores=tuple(scores[row] for row in run),
    )


def _edge(beside: Passage | None, passage: Passage, *, end: int) -> str:
    """Return the character of a passage that stands beside another of the same atom."""
    is_same = beside is not None and (beside.step, beside.part) == (passage.step, passage.part)
    return beside.text[end] if is_same and beside is not None else ""
