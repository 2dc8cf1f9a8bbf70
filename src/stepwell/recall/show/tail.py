"""Tail: name the candidates that are not quoted, by step, so that a reader can ask for more.

Candidates of one trajectory and one tool, or one speaker, share a line: their steps, how many they
are, and what stands out: the commonest beginnings of calls, or words of the question in messages.
The first line says in words what they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.recall.evidence import Noted
from stepwell.recall.markup import plain_word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell.recall.show.texts import StepText

__all__ = ["TAIL", "TailMaker"]

TAIL = "tail"
"""What stands where a structure's name does."""

_WORD = re.compile(r"\w+")

_INVITES = (" may matter; expand it", " may matter; expand them")
"""What the first line says of one step, and of several."""

_HEADS = 3
_HEAD_CHARS = 28
"""Characters of a call's beginning: the name of a command and what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TailMaker:
    """Sums up the tail of one recall.

    Attributes:
        names: Trajectory ids by number.
        weights: Weight of each search token of the question.
        price: Tokens of a line in the payload.
    """

    names: Mapping[int, str]
    weights: Mapping[str, float]
    price: Callable[[Noted], int]

    def lines(self, views: Sequence[StepText], *, room: int) -> tuple[Noted, ...]:
        """Return one line per cluster while they fit, clusters and steps in order of rank.

        A cluster that does not fit whole is said with as many of its steps as do. Where not all
        clusters fit, the steps of a run share one line if more of them are named so; what stands
        out among them is said last, for which steps they are says more.

        Args:
            views: The candidates that are not quoted, best rank first.
            room: Tokens.
        """
        lines = self._bare(_clusters(views, _label), room=room)
        if _n_named(lines) < len(views):
            joined = self._bare(_clusters(views, lambda _: ""), room=room)
            lines = max(lines, joined, key=_n_named)
        room -= sum(self.price(line) for line, _ in lines)
        told: list[Noted] = []
        for line, members in lines:
            said = ", ".join(_heads(members) or self._terms(members))
            full = replace(line, text=f"{line.text}: {said}") if said else line
            more = self.price(full) - self.price(line)
            told.append(full if more <= room else line)
            room -= more if more <= room else 0
        return tuple(told)

    def _bare(
        self, clusters: Mapping[tuple[int, str], Sequence[StepText]], *, room: int
    ) -> list[tuple[Noted, Sequence[StepText]]]:
        """Return the lines that fit, without what stands out, each with its members."""
        lines: list[tuple[Noted, Sequence[StepText]]] = []
        for (number, label), members in clusters.items():
            text = _counted(len(members), label, is_first=not lines)
            line = self._fitting(self.names[number], text, members, room=room)
            if line is None:
                break
            room -= self.price(line)
            lines.append((line, members))
        return lines

    def _fitting(
        self, trajectory: str, text: str, members: Sequence[StepText], *, room: int
    ) -> Noted | None:
        """Return the line of as many members as fit, by bisection; None where not one does."""

        def line(n: int) -> Noted:
            return Noted(
                structure=TAIL,
                trajectory=trajectory,
                steps=tuple(sorted(view.step for view in members[:n])),
                text=text,
            )

        low, high = 0, len(members)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.price(line(middle)) <= room else (low, middle - 1)
        return line(low) if low else None

    def _terms(self, members: Sequence[StepText]) -> list[str]:
        found: defaultdict[str, float] = defaultdict(float)
        for view in members:
            words = {word for block in view.blocks for word in _WORD.findall(block.text.lower())}
            for term in words.intersection(self.weights):
                found[term] += self.weights[term]
        return sorted(found, key=lambda term: (-found[term], term))[:_HEADS]


def _clusters(
    views: Sequence[StepText], label: Callable[[StepText], str]
) -> dict[tuple[int, str], list[StepText]]:
    clusters: dict[tuple[int, str], list[StepText]] = {}
    for view in views:
        clusters.setdefault((view.number, label(view)), []).append(view)
    return clusters


def _counted(n: int, label: str, *, is_first: bool) -> str:
    words = " ".join(filter(None, (f"{n} more", label, "step" if n == 1 else "steps")))
    return words + _INVITES[n > 1] * is_first


def _n_named(lines: Sequence[tuple[Noted, Sequence[StepText]]]) -> int:
    return sum(len(line.steps) for line, _ in lines)


def _label(view: StepText) -> str:
    calls = [block.label for block in view.blocks if block.part.startswith("c")]
    return plain_word(calls[0] if calls else view.blocks[0].label)


def _heads(members: Sequence[StepText]) -> list[str]:
    """Return the commonest beginnings of calls, the better ranked first among equals."""
    heads = Counter(
        " ".join(block.text.split())[:_HEAD_CHARS].strip()
        for view in members
        for block in view.blocks
        if block.part == "c1"
    )
    return [head for head, _ in heads.most_common(_HEADS) if head]
