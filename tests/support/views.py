"""Candidate steps as tests make them: blocks of text with what is known of their step."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from stepwell.recall.show.texts import Block, StepText
from stepwell.store.facts import StepFacts
from stepwell.store.rowids import MAX_PLACES, rowid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


def block(
    part: str,
    *texts: str,
    label: str = "bash",
    scores: Sequence[float] = (0.0,),
    first_line: int = 1,
    first_column: int = 1,
    is_whole: bool = True,
) -> Block:
    """Return a block of one passage per text, scored alike if there is one score only."""
    return Block(
        part=part,
        label=label,
        text="".join(texts),
        first_line=first_line,
        first_column=first_column,
        before="" if (first_line, first_column) == (1, 1) else "\n",
        after="" if is_whole else "\n",
        edges=(0, *accumulate(len(text) for text in texts)),
        scores=tuple(scores) if len(scores) == len(texts) else tuple(scores) * len(texts),
    )


def view(
    *blocks: Block,
    step: int = 0,
    number: int = 1,
    kind: str = "agent",
    active: bool = True,
    time: datetime | None = None,
    answered: datetime | None = None,
) -> StepText:
    """Return a candidate step of these blocks."""
    facts = StepFacts(kind=kind, active=active, has_error=False, time=time, answered=answered)
    return StepText(key=rowid(number, step) // MAX_PLACES, facts=facts, blocks=blocks)
