"""Questions about generated worlds, their exact answers, and whether evidence holds them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np

    from stepwell_bench.mesa.worlds import World

__all__ = ["KINDS", "Needed", "WorldQuestion", "ask_world", "exact"]

_MOST = 8
"""Parts of an answer: a question that needs more would test how much fits, not whether it is so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """A part of an answer: words that have to stand together in one line.

    Attributes:
        literals: The words, names and values.
        step: The step that the line has to name; None when it is not asked.
        count: The number that it has to give; no line about the same may give another.
    """

    literals: tuple[str, ...]
    step: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldQuestion:
    """A question about a generated world.

    Attributes:
        trajectory_id: The world's trajectory.
        text: The question.
        kind: What is asked.
        answer: All parts of the exact answer.
        dialect: How the world is told.
    """

    trajectory_id: str
    text: str
    kind: str
    answer: tuple[Needed, ...]
    dialect: str = ""


def exact(lines: Sequence[str], question: WorldQuestion) -> bool:
    """Return whether lines hold the exact answer: every part of it, and no other number for one.

    A line names a step as `s12`.
    """
    folded = [line.casefold() for line in lines]
    return all(_holds(folded, part) for part in question.answer)


def _holds(lines: Sequence[str], part: Needed) -> bool:
    about = [line for line in lines if all(_has(line, literal) for literal in part.literals)]
    if part.step is not None:
        about = [line for line in about if _has(line, f"s{part.step}")]
    if part.count is None:
        return bool(about)
    counts = {_number(found) for line in about for found in _COUNT.findall(_after(line, part))}
    return counts == {part.count}


_COUNT = re.compile(r"(?:: |\bx)(\d+(?= times?\b| \()|never|none)\b")
_NUMBERS: Final = {"never": 0, "none": 0}


def _after(line: str, part: Needed) -> str:
    """Return the line from what is counted on, up to the next thing that is."""
    start = line.find(part.literals[0].casefold())
    return line[start:].split("), '", maxsplit=1)[0]


def _number(text: str) -> int:
    return _NUMBERS[text] if text in _NUMBERS else int(text)


def _has(line: str, literal: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(literal.casefold())}(?!\w)", line) is not None


_Made = tuple[str, tuple[Needed, ...]]


def _draw(rng: np.random.Generator, options: Sequence[str]) -> str:
    return options[int(rng.integers(len(options)))]


def _location(rng: np.random.Generator, world: World) -> _Made | None:
    thing = _draw(rng, sorted(world.moved)) if world.moved else ""
    if not thing:
        return None
    moves = world.moved[thing]
    at = int(rng.integers(moves[0][0], world.n))
    step, place = [move for move in moves if move[0] <= at][-1]
    text = _draw(
        rng,
        [f"Where is {thing} at step {at}?", f"What is the location of the {thing} at step {at}?",
         f"At step {at}, where was {thing}?"],
    )  # fmt: skip
    return text, (Needed(literals=(thing, place), step=step),)


def _history(rng: np.random.Generator, world: World) -> _Made | None:
    thing = _draw(rng, sorted(world.moved)) if world.moved else ""
    if not thing:
        return None
    until = int(rng.integers(world.moved[thing][0][0], world.n))
    moves = [move for move in world.moved[thing] if move[0] <= until]
    text = _draw(
        rng,
        [f"Until step {until}, what was the location history of {thing}?",
         f"How did the location of {thing} change up to step {until}, and at which steps?"],
    )  # fmt: skip
    return text, tuple(Needed(literals=(thing, place), step=step) for step, place in moves)


def _inventory(rng: np.random.Generator, world: World) -> _Made | None:
    until = int(rng.integers(world.n // 2, world.n))
    parts = [
        Needed(literals=(thing, "added" if place == "inventory" else "removed"), step=step)
        for thing, moves in world.moved.items()
        for step, place in moves
        if step <= until
    ]
    text = f"Until step {until}, what changes occurred to the inventory and at which steps?"
    return (text, tuple(parts)) if 0 < len(parts) <= 2 * _MOST else None


def _carried(rng: np.random.Generator, world: World) -> _Made | None:
    at = int(rng.integers(world.n // 3, world.n))
    held = {
        thing
        for thing, moves in world.moved.items()
        if [place for step, place in moves if step <= at][-1:] == ["inventory"]
    }
    if not held:
        return None
    return f"What was the agent carrying at step {at}?", (
        Needed(literals=("inventory", *sorted(held))),
    )


def _on(rng: np.random.Generator, world: World) -> _Made | None:
    thing = _draw(rng, sorted(world.moved)) if world.moved else ""
    before = int(rng.integers(world.n // 3, world.n + 1))
    done = [e for e in world.events if e.deed.thing == thing and e.step < before]
    if not done or len(done) > _MOST:
        return None
    text = (
        f"Before step {before}, which actions were performed on {thing} and at which steps "
        "(excluding 'go to' actions)?"
    )
    return text, tuple(Needed(literals=(event.text,), step=event.step) for event in done)


def _between(rng: np.random.Generator, world: World) -> _Made | None:
    first = int(rng.integers(0, world.n - 6))
    last = first + int(rng.integers(1, 6))
    text = f"What actions were performed between step {first} and step {last}?"
    parts = [Needed(literals=(e.text,), step=e.step) for e in world.events[first : last + 1]]
    return text, tuple(parts)


def _changed(rng: np.random.Generator, world: World) -> _Made | None:
    first = int(rng.integers(0, world.n - 12))
    last = first + int(rng.integers(4, 12))
    parts = [
        Needed(literals=(thing, place), step=step)
        for moves in (world.moved, world.shifts)
        for thing, line in moves.items()
        for step, place in line
        if first <= step <= last
    ]
    text = f"From step {first} to step {last}, which actions changed the environment, and how?"
    return (text, tuple(parts)) if parts else None


def _shut(rng: np.random.Generator, world: World) -> _Made | None:
    place = _draw(rng, sorted(world.shifts)) if world.shifts else ""
    if not place:
        return None
    at = int(rng.integers(world.shifts[place][0][0], world.n))
    step, state = [shift for shift in world.shifts[place] if shift[0] <= at][-1]
    return f"Is {place} open or closed at step {at}?", (Needed(literals=(place, state), step=step),)


_DONE: Final = {"take": "take", "put": "put down", "open": "open", "close": "close"}


def _count(rng: np.random.Generator, world: World) -> _Made | None:
    kind = _draw(rng, ["open", "close", "take", "put"])
    pool = sorted({e.deed.thing for e in world.events if e.deed.kind == kind and e.deed.works})
    if not pool:
        return None
    thing = _draw(rng, pool)
    until = int(rng.integers(world.n // 2, world.n))
    n = sum(
        e.deed.kind == kind and e.deed.thing == thing and e.deed.works and e.step <= until
        for e in world.events
    )
    text = f"Until step {until}, how many times did the agent successfully {_DONE[kind]} {thing}?"
    return text, (Needed(literals=(thing,), count=n),)


def _often(rng: np.random.Generator, world: World) -> _Made | None:
    before = int(rng.integers(world.n // 2, world.n + 1))
    texts = Counter(event.text for event in world.events if event.step < before)
    text = _draw(rng, [name for name, n in texts.items() if n > 1] or list(texts))
    if world.dialect.call is not None or '"' in text:
        return None
    return f"How often was '{text}' performed before step {before}?", (
        Needed(literals=(text,), count=texts[text]),
    )


def _frequencies(rng: np.random.Generator, world: World) -> _Made | None:
    until = int(rng.integers(world.n // 2, world.n))
    counts = Counter(event.text for event in world.events if event.step <= until)
    text = f"Until step {until}, what actions has the agent performed and how frequently?"
    return text, tuple(Needed(literals=(name,), count=n) for name, n in counts.most_common(5))


def _first_time(rng: np.random.Generator, world: World) -> _Made | None:
    thing = _draw(rng, sorted(world.moved)) if world.moved else ""
    if not thing:
        return None
    steps = [step for step, place in world.moved[thing] if place == "inventory"]
    which = _draw(rng, ["first", "last"])
    step = steps[0] if which == "first" else steps[-1]
    return f"At which step was {thing} {which} picked up?", (Needed(literals=(which,), step=step),)


def _contents(rng: np.random.Generator, world: World) -> _Made | None:
    seen = sorted(world.seen)
    if not seen:
        return None
    place = _draw(rng, seen)
    at = int(rng.integers(world.seen[place], world.n))
    where = _places_at(world, at)
    inside = sorted(thing for thing, there in where.items() if there == place)
    if not inside or len(inside) > _MOST:
        return None
    return f"Which objects does {place} contain at step {at}?", (
        Needed(literals=(place, "holds", *inside)),
    )


def _places_at(world: World, at: int) -> dict[str, str]:
    """Return where each thing was after a step: what never moved is where it is now."""
    found = dict(world.at)
    for thing, moves in world.moved.items():
        past = [place for step, place in moves if step <= at]
        found[thing] = past[-1] if past else _origin(world, thing)
    return found


def _origin(world: World, thing: str) -> str:
    first = next(
        e for e in world.events if e.deed.thing == thing and e.deed.kind == "take" and e.deed.works
    )
    return first.deed.place


def _score(rng: np.random.Generator, world: World) -> _Made | None:
    if not world.dialect.has_score or not world.scores:
        return None
    at = int(rng.integers(world.scores[0][0], world.n))
    step, score = [one for one in world.scores if one[0] <= at][-1]
    return f"What was the score at step {at}?", (Needed(literals=("score", str(score)), step=step),)


def _held_for(rng: np.random.Generator, world: World) -> _Made | None:
    pool = sorted(thing for thing, moves in world.moved.items() if len(moves) > 1)
    if not pool:
        return None
    thing = _draw(rng, pool)
    (taken, _), (put, _) = world.moved[thing][:2]
    return f"How long was {thing} in the inventory, from which step to which?", (
        Needed(literals=(thing, "inventory", f"{put - taken} steps", f"s{put - 1}"), step=taken),
    )


_ASKED: Final[dict[str, Callable[[np.random.Generator, World], _Made | None]]] = {
    "location": _location,
    "history": _history,
    "inventory changes": _inventory,
    "inventory": _carried,
    "actions on": _on,
    "actions between": _between,
    "changes between": _changed,
    "open or closed": _shut,
    "count": _count,
    "how often": _often,
    "frequencies": _frequencies,
    "first or last": _first_time,
    "contents": _contents,
    "score": _score,
    "duration": _held_for,
}
KINDS: Final = tuple(_ASKED)
"""What is asked."""


def ask_world(rng: np.random.Generator, world: World) -> Iterator[WorldQuestion]:
    """Yield one question of each kind that makes sense in a world."""
    for kind, make in _ASKED.items():
        made = make(rng, world)
        if made is not None and len(made[1]) <= 2 * _MOST:
            yield WorldQuestion(
                trajectory_id=world.name,
                text=made[0],
                kind=kind,
                answer=made[1],
                dialect=world.dialect.name,
            )
