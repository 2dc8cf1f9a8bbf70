"""Texts: what a recall may quote of each candidate step, read with one query for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.store.read import load_passages
from stepwell.store.rowids import MAX_PLACES, number_of, step_of
from stepwell.trajectory.passages import MAX_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from stepwell.recall.rank.score import PassageScores
    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts
    from stepwell.trajectory.passages import Passage

__all__ = ["Block", "StepText", "known_by", "load_texts", "with_task"]

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
        is_whole: Whether it is known to be the whole atom.
        edges: Start of each passage in `text`, and the end of the last.
        scores: Score of each passage.
    """

    part: str
    label: str
    text: str
    first_line: int
    first_column: int
    is_whole: bool
    edges: tuple[int, ...]
    scores: tuple[float, ...]

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
        is_whole=True,
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
    for rank, (key, hits) in enumerate(scores.best_of(list(facts), _HITS).items()):
        rows.update(_rows_of(key, rank, hits, budget))
    passages = load_passages(db, sorted(rows))
    ordered = sorted(passages)
    scored = dict(zip(ordered, scores.of(ordered), strict=True))
    by_step: dict[int, list[int]] = {}
    for row in ordered:
        by_step.setdefault(row // MAX_PLACES, []).append(row)
    return {
        key: StepText(key=key, facts=facts[key], blocks=_blocks(found, passages, scored))
        for key, found in by_step.items()
    }


def _rows_of(key: int, rank: int, hits: Sequence[int], budget: int) -> Iterator[int]:
    first = key * MAX_PLACES
    if rank >= max(8, budget // _EXCERPTED):
        yield from (first, first + 1, *hits[:1])
        return
    yield from range(first, first + _HEAD)
    around = min(max(1, round(budget / MAX_CHARS / (rank + 1))), _FARTHEST)
    for hit in hits:
        yield from range(max(first, hit - around), hit + around + 1)


def _blocks(
    rows: Sequence[int], passages: Mapping[int, Passage], scores: Mapping[int, float]
) -> tuple[Block, ...]:
    runs: list[list[int]] = []
    for row in rows:
        if runs and runs[-1][-1] == row - 1 and passages[row - 1].goes_on_in(passages[row]):
            runs[-1].append(row)
        else:
            runs.append([row])
    by_part: dict[str, list[Block]] = {}
    for run in runs:
        block = _block(run, passages, scores)
        by_part.setdefault(block.part, []).append(block)
    return tuple(block for blocks in by_part.values() for block in _worth_showing(blocks))


def _worth_showing(blocks: Sequence[Block]) -> list[Block]:
    """Return the best block of an atom, and the next best if it stands out, in reading order."""
    ranked = sorted(blocks, key=lambda block: -block.best)[:2]
    kept = [block for block in ranked if block is ranked[0] or block.best >= _STANDS_OUT]
    return sorted(kept, key=lambda block: (block.first_line, block.first_column))


def _block(
    run: Sequence[int], passages: Mapping[int, Passage], scores: Mapping[int, float]
) -> Block:
    first, last = passages[run[0]], passages[run[-1]]
    texts = [passages[row].text for row in run]
    edges = [0]
    for text in texts:
        edges.append(edges[-1] + len(text))
    following = passages.get(run[-1] + 1)
    # A window ends early only behind a line end, so one that is short without it is the last; one
    # of which more follows in the atom ends where bulk is left out.
    ends = (
        following.part != last.part
        if following is not None
        else len(last.text) < MAX_CHARS * 0.9 and not last.text.endswith("\n")
    )
    return Block(
        part=first.part,
        label=first.label,
        text="".join(texts),
        first_line=first.first_line,
        first_column=first.first_column,
        is_whole=ends and (first.first_line, first.first_column) == (1, 1),
        edges=tuple(edges),
        scores=tuple(scores[row] for row in run),
    )
