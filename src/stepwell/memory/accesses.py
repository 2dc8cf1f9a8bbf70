"""Which steps a recall considered, and what became of them, read from its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.store.usage import Access

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from stepwell.recall.evidence import Evidence, Item, Noted

__all__ = ["accesses_of"]

_MOST: Final = 256
"""Accesses logged of one recall: what is quoted first, what was cut last."""

_MOST_TOLD: Final = 16
"""Steps logged of one line: one derived of a whole run says nothing of the use of its steps."""

_CHARS_PER_TOKEN: Final = 4


def accesses_of(evidence: Evidence, numbers: Mapping[str, int]) -> tuple[Access, ...]:
    """Return the steps that evidence quotes and tells of, and those that were cut.

    Args:
        evidence: What a recall returns.
        numbers: Numbers of trajectories by id; of others no steps are returned.
    """
    quoted: dict[tuple[str, int], list[Item]] = {}
    for item in evidence.items:
        quoted.setdefault((item.trajectory, item.step), []).append(item)
    # Steps that the question names are ranked before all others, whatever their scores.
    ranked = [(items[0].structure != "steps", -items[0].score) for items in quoted.values()]
    left_out = [(cut.structure != "steps", -cut.score) for cut in evidence.cut]
    ranks = _ranks(ranked + left_out)
    accesses = [
        Access(
            number=numbers[trajectory],
            step=step,
            rank=rank,
            fate="quoted",
            structure=items[0].structure,
            tokens=sum(_tokens(item.text) for item in items),
        )
        for ((trajectory, step), items), rank in zip(quoted.items(), ranks, strict=False)
        if trajectory in numbers
    ]
    for place, note in enumerate(evidence.notes, 1):
        if note.trajectory in numbers:
            accesses += _told(note, numbers[note.trajectory], place)
    for cut, rank in zip(evidence.cut, ranks[len(ranked) :], strict=True):
        trajectory, _, step = cut.id.rpartition("/s")
        if trajectory not in numbers:
            continue
        accesses.append(
            Access(
                number=numbers[trajectory],
                step=int(step),
                rank=rank,
                fate="cut",
                structure=cut.structure,
                tokens=0,
            )
        )
    return tuple(accesses[:_MOST])


def _told(note: Noted, number: int, rank: int) -> Iterator[Access]:
    steps = note.steps[:_MOST_TOLD]
    for step in steps:
        yield Access(
            number=number,
            step=step,
            rank=rank,
            fate="told",
            structure=note.structure,
            tokens=-(-_tokens(note.text) // len(steps)),
        )


def _ranks(keys: list[tuple[bool, float]]) -> list[int]:
    """Return the place, from 1, that each key has when they are sorted."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ranks = [0] * len(keys)
    for rank, place in enumerate(order, 1):
        ranks[place] = rank
    return ranks


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARS_PER_TOKEN)
