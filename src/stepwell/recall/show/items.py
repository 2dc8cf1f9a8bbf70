"""Items: from packed excerpts to the pieces of evidence, their price and the payload."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stepwell.recall.evidence import Format, Item, Noted, mark
from stepwell.recall.markup import escaped, json_text, plain_word
from stepwell.recall.show.compose import compose, heading, json_row, with_absence
from stepwell.store.rowids import MAX_PLACES, number_of, step_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from stepwell.recall.rank.candidates import Candidate
    from stepwell.recall.show.excerpt import Excerpt
    from stepwell.recall.show.pack import Packed
    from stepwell.recall.show.texts import StepText
    from stepwell.store.read import Entry
    from stepwell.text.tokens import TokenCounter

__all__ = ["HEADER_TOKENS", "ItemMaker"]

HEADER_TOKENS: dict[Format, int] = {"text": 8, "json": 56}
"""What stands around an excerpt: a citation and a name, or an object with all fields."""

_DAY_TOKENS = 10
"""Of `[on 2026-05-01]` and its line end: eight to ten, by the tokenizer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMaker:
    """Makes items of one recall.

    Attributes:
        entries: The trajectories in scope, by number.
        candidates: The candidates, by key.
        form: Form of the payload.
        counter: What counts tokens.
        dated: Whether days are shown.
        notes: What structures say themselves.
        absence: The line that nothing, or little, in memory supports the question.
        words: What stands for a trajectory, by id.
    """

    entries: Mapping[int, Entry]
    candidates: Mapping[int, Candidate]
    form: Format
    counter: TokenCounter
    dated: bool
    notes: tuple[Noted, ...] = ()
    absence: str = ""
    words: Mapping[str, str] = field(default_factory=dict[str, str])

    def price(self, view: StepText, excerpts: Sequence[Excerpt]) -> int:
        """Return the tokens of excerpts of a step, each with its header and line end."""
        if self.form == "json":
            rows = [json_row(item) for item in self._made(view, excerpts)]
            return sum(self.counter.count(f"{json_text(row)}, ") for row in rows)
        # The same text as the payload's, put together without items: a recall asks hundreds of
        # prices and makes a dozen items.
        pieces: list[str] = []
        before = ""
        for excerpt in excerpts:
            label = "" if excerpt.block.label == before else excerpt.block.label
            before = excerpt.block.label
            pieces += (
                heading(
                    excerpt.address(view.step),
                    label,
                    kind=view.facts.kind,
                    active=view.facts.active,
                    superseded=self.candidates[view.key].is_superseded,
                    count=len(self.candidates[view.key].alike),
                ),
                _quoted(excerpt),
                "\n",
            )
        return self.counter.count("".join(pieces))

    def groups(self, view: StepText) -> dict[str, int]:
        """Return the tokens of the lines before the first step of its trajectory and of its day."""
        if self.form == "json":
            return {}
        lines: dict[str, int] = {}
        if len(self.entries) > 1:
            id_ = self.entries[view.number].trajectory_id
            name = self.words.get(id_) or plain_word(id_)
            lines[f"{view.number}"] = self.counter.count(f"[trajectory {name}]\n")
        if self.dated and view.facts.time:
            lines[f"{view.number} {view.facts.time:%Y-%m-%d}"] = _DAY_TOKENS
        return lines

    def items(self, packed: Sequence[Packed]) -> tuple[Item, ...]:
        """Return the items in payload order: by trajectory, the best first, then by step."""
        places: dict[int, int] = {}
        for entry in packed:
            places.setdefault(entry.view.number, len(places))
        ordered = sorted(packed, key=lambda each: (places[each.view.number], each.view.step))
        return tuple(item for entry in ordered for item in self._made(entry.view, entry.excerpts))

    def payload(self, packed: Sequence[Packed], tail: Sequence[Noted] = ()) -> str:
        """Return the composed payload."""
        payload = compose(
            self.items(packed),
            form=self.form,
            notes=self.notes,
            tail=tail,
            dated=self.dated,
            words=self._named,
        )
        return with_absence(payload, self.absence, form=self.form) if self.absence else payload

    @property
    def _named(self) -> Mapping[str, str] | None:
        return self.words if len(self.entries) > 1 else None

    def step_id(self, key: int) -> str:
        """Return the citation of a whole step."""
        row = key * MAX_PLACES
        return f"{self.entries[number_of(row)].trajectory_id}/s{step_of(row)}"

    def _made(self, view: StepText, excerpts: Sequence[Excerpt]) -> Iterator[Item]:
        candidate = self.candidates[view.key]
        trajectory = self.entries[view.number].trajectory_id
        for excerpt in excerpts:
            yield Item(
                id=f"{trajectory}/{excerpt.address(view.step)}",
                trajectory=trajectory,
                step=view.step,
                part=excerpt.block.part,
                text=excerpt.text,
                kind=view.facts.kind,
                label=excerpt.block.label,
                structure=candidate.structure,
                score=candidate.score,
                scores=candidate.parts,
                why=candidate.why,
                active=view.facts.active,
                time=view.facts.time,
                superseded=candidate.is_superseded,
                alike=candidate.alike,
                begins_cut=excerpt.begins_cut,
                ends_cut=excerpt.ends_cut,
            )


def _quoted(excerpt: Excerpt) -> str:
    text = escaped(excerpt.text)
    return mark(text, begins_cut=excerpt.begins_cut, ends_cut=excerpt.ends_cut)
