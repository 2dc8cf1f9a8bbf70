"""Notes: the lines that structures say themselves, as far as their share of a budget goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.recall.evidence import Noted
from stepwell.recall.markup import json_text
from stepwell.recall.show.compose import note_line, note_row
from stepwell.store.rowids import MAX_PLACES, rowid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.evidence import Format
    from stepwell.recall.find.find import Found
    from stepwell.store.read import Entry
    from stepwell.structures.base import Note, Ranking
    from stepwell.text.tokens import TokenCounter

__all__ = ["Chosen", "NotePrice", "choose_notes"]

_ANSWERS = 0.5
"""Share of the room that a structure with a computed answer may take at least: an answer is worth
more than the text it was computed from, and the text is one `expand` away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePrice:
    """Tells what a note costs in the payload.

    Attributes:
        form: Form of the payload.
        counter: What counts tokens.
        words: What stands for a trajectory before its lines, by id; None for nothing.
    """

    form: Format
    counter: TokenCounter
    words: Mapping[str, str] | None = None

    def __call__(self, note: Noted, *, is_first: bool) -> int:
        """Return the tokens of a note; `is_first` says it is the first of its trajectory."""
        if self.form == "json":
            return self.counter.count(f"{json_text(note_row(note))}, ")
        head = ""
        if self.words is not None and is_first:
            head = f"[trajectory {self.words.get(note.trajectory, note.trajectory)}]\n"
        return self.counter.count(f"{head}{note_line(note)}\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The notes that go into a payload.

    Attributes:
        notes: In the order of the payload: by structure, then by their places.
        tokens: Their price.
        covered: Keys of steps that they quote: to quote these again adds little.
    """

    notes: tuple[Noted, ...] = ()
    tokens: int = 0
    covered: frozenset[int] = frozenset()


def choose_notes(
    found: Found, *, room: int, price: NotePrice, entries: Mapping[int, Entry]
) -> Chosen:
    """Return the notes that fit, each structure's most useful first.

    Of the room, a structure may take the part that its own most is of what all chosen ones may
    give, and half of the room when it has computed an answer.

    Args:
        found: What was found.
        room: Tokens of notes and quotations together.
        price: What a note costs.
        entries: The trajectories in scope, by number.
    """
    total = sum(found.most.values())
    chosen: list[Noted] = []
    covered: set[int] = set()
    spent = 0
    for ranking in found.rankings:
        share = found.most.get(ranking.structure, 0) / total if total else 0.0
        if any(note.is_answer for note in ranking.notes):
            share = max(share, _ANSWERS)
        taken, tokens = _taken(ranking, min(share * room, room - spent), price, entries)
        spent += tokens
        covered.update(
            rowid(note.number, note.steps[0]) // MAX_PLACES
            for note, _ in taken
            if note.quote.strip()
        )
        chosen += [noted for _, noted in _placed(taken, entries)]
    return Chosen(notes=tuple(chosen), tokens=spent, covered=frozenset(covered))


def _taken(
    ranking: Ranking, most: float, price: NotePrice, entries: Mapping[int, Entry]
) -> tuple[list[tuple[Note, Noted]], int]:
    taken: list[tuple[Note, Noted]] = []
    spent = 0
    known: set[int] = set()
    for note in sorted(ranking.notes, key=lambda note: _is_side(entries.get(note.number))):
        if note.number not in entries:
            continue
        noted = _noted(note, ranking.structure, entries[note.number])
        tokens = price(noted, is_first=note.number not in known)
        if spent + tokens > most:
            break  # in order of use: a shorter line further down is worth less than its place
        known.add(note.number)
        spent += tokens
        taken.append((note, noted))
    return taken, spent


def _placed(
    taken: Sequence[tuple[Note, Noted]], entries: Mapping[int, Entry]
) -> list[tuple[Note, Noted]]:
    """Return notes as they are shown: main runs before subagents, each in its order."""
    return sorted(
        taken,
        key=lambda pair: (_is_side(entries[pair[0].number]), pair[0].number, pair[0].place),
    )


def _is_side(entry: Entry | None) -> bool:
    return entry is not None and entry.parent_id is not None


def _noted(note: Note, structure: str, entry: Entry) -> Noted:
    return Noted(
        structure=structure,
        trajectory=entry.trajectory_id,
        steps=note.steps,
        text=note.text,
        quote=note.quote,
        is_answer=note.is_answer,
    )
