"""Find: a policy chooses structures for a question, and each of them tells what it finds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.find.context import Signals, context_of, in_order
from stepwell.store.rowids import number_of, rowid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.policy.base import Context, Selection
    from stepwell.recall.find.context import Sources
    from stepwell.recall.question import Question
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Ranking, Traits, Within

__all__ = ["ALL_STEPS", "Found", "Look", "find", "look"]

ALL_STEPS = 5_000
"""Scopes of up to so many steps are scored step by step, and structures asked for signals; larger
ones are scored only where there are hits."""

_HITS = 200
"""Passages asked of each structure in a larger scope."""

_MOST_RUNS = 8
"""Trajectories that structures which look at whole runs are asked about: those of the best hits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found for a question.

    Attributes:
        entries: The trajectories in scope.
        within: Where was searched.
        selection: What the policy chose.
        context: What it saw: of the signals, those it looked at.
        rankings: One per structure read, in the order of their sections; units are none.
        most: Tokens of evidence each chosen structure may give.
        chosen: Traits of each chosen structure that there is, by name.
    """

    entries: Sequence[Entry]
    within: Within
    selection: Selection
    context: Context
    rankings: tuple[Ranking, ...]
    most: Mapping[str, int]
    chosen: Mapping[str, Traits]

    @property
    def quotes(self) -> bool:
        """Whether any structure was read that tells which steps to quote."""
        missing = any(name not in self.chosen for name in self.selection.structures)
        return missing or any(traits.quotes for traits in self.chosen.values())

    @property
    def has_units(self) -> bool:
        """Whether units take part."""
        return any(traits.orders for traits in self.chosen.values())

    @property
    def has_units_alone(self) -> bool:
        """Whether nothing but units was chosen: then they order steps by themselves."""
        return set(self.selection.structures) == set(self.chosen) and all(
            traits.orders for traits in self.chosen.values()
        )

    @property
    def reads_words(self) -> bool:
        """Whether words were to find the steps."""
        return any(traits.matches == "words" for traits in self.chosen.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is known before a policy chooses.

    Attributes:
        words: What words alone find.
        limit: Hits asked for.
        near: What a search may see of the trajectories worth a closer look.
        signals: What structures can tell, asked when looked at.
        context: What a policy sees, these signals among it.
    """

    words: Ranking
    limit: int
    near: Within
    signals: Signals
    context: Context


def look(
    query: Query, budget: int, *, entries: Sequence[Entry], within: Within, sources: Sources
) -> Look:
    """Search words, and tell what a policy may go by.

    Words are searched in any case: they tell which runs of a large scope are worth a closer look,
    and how far the best hit stands out tells a policy how much words can be relied on
    (`words.top`, in deviations of all passages' scores; `words.share`, of passages with a hit).
    """
    n_steps = sum(entry.n_steps for entry in entries)
    limit = max(within.n_passages if n_steps <= ALL_STEPS else _HITS, 1)
    words = sources.words.search(query, within=within, limit=limit)
    runs, near = _nearest(words, entries, within)
    n_near = sum(entry.n_steps for entry in runs)
    top = float((words.scores[0] - words.mean) / words.deviation) if len(words.scores) else 0.0
    share = len(words.rowids) / within.n_passages if within.n_passages else 0.0
    signals = Signals(
        # Of a long run, a view that was never derived would take as long as hundreds of recalls.
        structures=sources.structures if n_near <= ALL_STEPS else (),
        query=query,
        within=near,
        seen={"words.top": top, "words.share": share},
    )
    context = context_of(signals, budget=budget, entries=runs, sources=sources)
    return Look(words=words, limit=limit, near=near, signals=signals, context=context)


def find(
    question: Question,
    query: Query,
    *,
    entries: Sequence[Entry],
    within: Within,
    sources: Sources,
) -> Found:
    """Let a policy choose, and search what it chose.

    Raises:
        PolicyError: The policy failed.
    """
    seen = look(query, question.budget, entries=entries, within=within, sources=sources)
    selection = question.policy.select(question.text, seen.context)
    by_name = {structure.name: structure for structure in sources.structures}
    chosen = {name: by_name[name] for name in in_order(selection.structures) if name in by_name}
    words = sources.words.name
    rankings: dict[str, Ranking] = {words: seen.words}
    for name, structure in chosen.items():
        if name not in rankings and not structure.traits.orders:
            scope = within if structure.traits.is_wide else seen.near
            rankings[name] = structure.search(query, within=scope, limit=seen.limit)
    # Units order steps that something else has scored: without anything else, words do.
    finding = {name for name, structure in chosen.items() if not structure.traits.orders}
    scored = finding or {words}
    return Found(
        entries=entries,
        within=within,
        selection=selection,
        context=replace(seen.context, signals=seen.signals.seen),
        rankings=tuple(
            rankings[name] if question.after is None else _since(rankings[name], within)
            for name in in_order(rankings)
            if name in scored
        ),
        most={
            name: selection.tokens.get(name, structure.tokens) for name, structure in chosen.items()
        },
        chosen={name: structure.traits for name, structure in chosen.items()},
    )


def _since(ranking: Ranking, within: Within) -> Ranking:
    """Return a ranking without what stands before the steps in scope, which structures read on."""
    starts = {number_of(first): first for first, _ in within.spans}
    inside = np.array(
        [row >= starts.get(number_of(row), row + 1) for row in ranking.rowids.tolist()], dtype=bool
    )
    notes = tuple(
        note
        for note in ranking.notes
        if note.number in starts and rowid(note.number, note.steps[0]) >= starts[note.number]
    )
    return replace(
        ranking, rowids=ranking.rowids[inside], scores=ranking.scores[inside], notes=notes
    )


def _nearest(
    words: Ranking, entries: Sequence[Entry], within: Within
) -> tuple[Sequence[Entry], Within]:
    """Return the trajectories with the best hits, or the latest ones, and what is seen of them."""
    if len(entries) <= _MOST_RUNS:
        return entries, within
    found = dict.fromkeys(number_of(words.rowids).tolist())
    latest = (entry.number for entry in reversed(entries))
    numbers = set(list(dict.fromkeys([*found, *latest]))[:_MOST_RUNS])
    runs = [entry for entry in entries if entry.number in numbers]
    spans = tuple(one for one in within.spans if number_of(one[0]) in numbers)
    n_passages = sum(entry.n_passages for entry in runs)
    share = n_passages / within.n_passages * within.share if within.n_passages else 0.0
    return runs, replace(within, spans=spans, n_passages=n_passages, is_all=False, share=share)
