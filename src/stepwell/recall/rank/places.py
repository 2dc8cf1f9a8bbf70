"""Resolve what a question says about where into steps of a trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from stepwell.text.question import NearError, Places

__all__ = ["Facts", "Named", "outline_of", "resolve", "spread"]

_AFTER_ERROR = 3
"""Steps shown after an error: the repair is rarely the very next one, and seldom far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What resolving needs to know of a trajectory.

    Attributes:
        n_steps: Number of steps.
        errors: Indices of steps with an error, ascending.
        acts: Indices of steps with a call, ascending.
    """

    n_steps: int
    errors: Sequence[int]
    acts: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A step the question names.

    Attributes:
        step: Its index.
        why: How it was named, for a person.
        rank: 0 for the best match; grows along wide ranges, so that their ends come first.
        task: The task that the log states outside its steps, to be quoted with this one.
    """

    step: int
    why: str
    rank: int
    task: str = ""


def resolve(
    places: Places, facts: Facts, *, topic_scores: Mapping[int, float] | None = None
) -> list[Named]:
    """Return the steps a question names, each once, best first.

    Args:
        places: What the question says.
        facts: What the trajectory holds.
        topic_scores: How well steps match the words that tell which error is meant.
    """
    named: dict[int, Named] = {}
    for found in _named(places, facts, topic_scores or {}):
        known = named.get(found.step)
        if 0 <= found.step < facts.n_steps and (known is None or found.rank < known.rank):
            named[found.step] = found
    return sorted(named.values(), key=lambda entry: (entry.rank, entry.step))


def outline_of(n_steps: int) -> list[Named]:
    """Return all steps of a run, spread evenly, for a question of which no word is in it."""
    why = "no word of the question is in this run; an outline of it"
    return [
        Named(step=step, why=why, rank=rank) for rank, step in enumerate(spread(0, n_steps - 1))
    ]


def _named(places: Places, facts: Facts, topic_scores: Mapping[int, float]) -> Iterator[Named]:
    for first, last in places.ranges:
        span = f"step {first}" if first == last else f"steps {first} to {last}"
        for rank, step in enumerate(spread(first, min(last, facts.n_steps - 1))):
            yield Named(step=step, why=f"the question names {span}", rank=rank)
    for rank in range(places.first):
        yield Named(step=rank, why="the question asks for the first steps", rank=rank)
    for rank in range(places.last):
        why = "the question asks for the last steps"
        yield Named(step=facts.n_steps - 1 - rank, why=why, rank=rank)
    if places.near_error is not None:
        for rank, (step, why) in enumerate(_near_error(places.near_error, facts, topic_scores)):
            yield Named(step=step, why=why, rank=rank)


def spread(first: int, last: int) -> list[int]:
    """Order a range so that any beginning of it covers it evenly: ends, middle, quarters, ….

    >>> spread(3, 7)
    [3, 7, 5, 4, 6]
    """
    if last < first:
        return []
    order = [first, last] if last > first else [first]
    gaps = [(first, last)]
    while gaps:
        halves: list[tuple[int, int]] = []
        for low, high in gaps:
            if high - low > 1:
                middle = (low + high) // 2
                order.append(middle)
                halves += [(low, middle), (middle, high)]
        gaps = halves
    return order


def _near_error(
    near_error: NearError, facts: Facts, topic_scores: Mapping[int, float]
) -> list[tuple[int, str]]:
    errors = list(facts.errors)
    if near_error.topic and topic_scores:
        best = max((topic_scores.get(step, 0.0) for step in errors), default=0.0)
        # A quarter of the best match: an error of the same kind, said in fewer of its words.
        errors = [step for step in errors if topic_scores.get(step, 0.0) >= best / 4 > 0] or errors
    if not errors:
        return []
    error = errors[0] if near_error.pick == "first" else errors[-1]
    if near_error.side == "before":
        earlier = [step for step in facts.acts if step < error][-1:]
        wanted = [error, *earlier]
        return [(step, f"the last act before the error at step {error}") for step in wanted]
    later = [step for step in facts.acts if step > error][:_AFTER_ERROR]
    return [
        (step, f"what followed the error at step {error}")
        for step in [*later[:1], error, *later[1:]]
    ]
