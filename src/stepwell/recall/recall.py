"""Recall: from a question to cited evidence within a token budget.

find (a policy chooses structures, and these find) → rank (scores of steps, and the best of them)
→ show (what of them is quoted, the payload, counted whole). What flows is a `Question`, what is
`Found`, the steps `Ranked`, and `Evidence`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.recall.find.find import find
from stepwell.recall.find.identifiers import with_identifiers
from stepwell.recall.find.scope import within
from stepwell.recall.rank.rank import rank
from stepwell.recall.rank.support import support_of
from stepwell.recall.show.show import frame_tokens, show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.policy.base import Selection
    from stepwell.recall.evidence import Evidence
    from stepwell.recall.find.context import Sources
    from stepwell.recall.question import Question
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query

__all__ = ["recall"]


def recall(
    db: Database,
    question: Question,
    query: Query,
    *,
    sources: Sources,
    entries: Sequence[Entry],
    notices: Sequence[str] = (),
) -> Evidence:
    """Return the evidence that answers a question.

    Args:
        db: The database.
        question: What is asked.
        query: The question, prepared for structures.
        sources: What can be read.
        entries: The trajectories in scope.
        notices: What the caller should know besides.

    Raises:
        BudgetTooSmallError: The budget cannot hold even an empty payload.
        PolicyError: The policy failed.
    """
    frame_tokens(question)  # a budget that is too small is told before anything is searched
    where = within(db, entries, before=question.before, after=question.after)
    query = with_identifiers(db, query, where)
    found = find(question, query, entries=entries, within=where, sources=sources)
    ranked = rank(db, question, query, found=found, sources=sources)
    if not ranked.is_steered:
        ranked = replace(ranked, support=support_of(db, query, found))
    told = (*notices, *_unknown(found.selection))
    return show(db, question, query, found=found, ranked=ranked, notices=told)


def _unknown(selection: Selection) -> Iterator[str]:
    """Yield what should be known of a policy that names structures there are none of."""
    if selection.unknown:
        yield (
            f"the policy names {', '.join(selection.unknown)}, and there is no such structure; "
            f"{', '.join(selection.structures)} was read."
        )
