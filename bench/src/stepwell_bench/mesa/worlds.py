"""Generated worlds with questions whose exact answers the simulator knows.

An agent walks between places, opens and shuts them, takes things and puts them down, fails, looks
around. The simulator writes down what is so; a dialect tells it as a log would. What is asked is
only what somebody who read all of the log could know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from stepwell.trajectory.model import Trajectory
from stepwell_bench.mesa.dialects import DIALECTS, Deed, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from stepwell.trajectory.model import Step
    from stepwell_bench.mesa.dialects import Dialect

__all__ = ["Event", "World", "generate_world", "generate_worlds"]

_THINGS: Final = (
    ("mug", "spoon", "towel", "candle", "book"),
    ("чашка", "ложка", "книга", "свеча"),
    ("Löffel", "Tasse", "Schlüssel", "Krug"),
    ("茶碗", "鍵", "本"),
    ("blue vase", "silver key", "old map"),
    ("φλιτζάνι", "κλειδί", "βιβλίο"),
)
_PLACES: Final = (
    ("shelf", "table", "desk"),
    ("полка", "стол"),
    ("Regal", "Tisch"),
    ("棚", "机"),
    ("side table", "work bench"),
    ("τραπέζι", "ράφι"),
)
_SHUT: Final = (
    ("drawer", "cabinet", "safe"),
    ("ящик", "шкаф"),
    ("Schublade", "Truhe"),
    ("引き出し", "箱"),
    ("tool box", "wooden chest"),
    ("συρτάρι", "κουτί"),
)
_KINDS: Final = ("go", "take", "put", "open", "close", "look", "inventory", "help", "examine")
_WEIGHTS: Final = (0.28, 0.17, 0.17, 0.10, 0.07, 0.10, 0.04, 0.02, 0.05)
_POINTS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A step of the simulator.

    Attributes:
        step: Its index.
        deed: What was done.
        text: The action as the log has it.
    """

    step: int
    deed: Deed
    text: str


@dataclass(slots=True, kw_only=True)
class World:
    """A world as it is, and all that has happened in it.

    Attributes:
        name: Id of its trajectory.
        dialect: How it is told.
        things: Names of what can be carried.
        places: Names of where things can be.
        at: Where each thing is; `inventory` when it is carried.
        is_open: Of each place that can be shut, whether it is open.
        here: Where the agent is.
        score: Points so far.
        events: What was done.
        moved: Of each thing, the steps that moved it, and where to.
        shifts: Of each place that can be shut, the steps that opened or shut it.
        scores: The steps at which the score changed, and to what.
        seen: Of each place, the first step at which all that lies there could be seen.
    """

    name: str
    dialect: Dialect
    things: tuple[str, ...]
    places: tuple[str, ...]
    at: dict[str, str]
    is_open: dict[str, bool]
    here: str
    score: int = 0
    events: list[Event] = field(default_factory=list[Event])
    steps: list[Step] = field(default_factory=list["Step"])
    moved: dict[str, list[tuple[int, str]]] = field(
        default_factory=dict[str, list["tuple[int, str]"]]
    )
    shifts: dict[str, list[tuple[int, str]]] = field(
        default_factory=dict[str, list["tuple[int, str]"]]
    )
    scores: list[tuple[int, int]] = field(default_factory=list["tuple[int, int]"])
    seen: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def n(self) -> int:
        """Return how many steps there are."""
        return len(self.events)

    @property
    def carried(self) -> tuple[str, ...]:
        """Return what the agent carries."""
        return tuple(thing for thing in self.things if self.at[thing] == "inventory")

    @property
    def visible(self) -> tuple[str, ...]:
        """Return what lies where the agent is, if that is not shut."""
        if not self.is_open.get(self.here, True):
            return ()
        return tuple(thing for thing in self.things if self.at[thing] == self.here)

    def trajectory(self) -> Trajectory:
        """Return the log of what happened."""
        return Trajectory(
            trajectory_id=self.name,
            session_id=self.name,
            source_format="generated",
            steps=tuple(self.steps),
        )

    def do(self, deed: Deed) -> None:
        """Let something happen, and write it down."""
        step = self.n
        if deed.works:
            self._change(deed, step)
        is_open = self.is_open.get(self.here, True)
        view = View(
            here=self.here,
            carried=self.carried,
            seen=self.visible if is_open else None,
            is_open=self.is_open.get(self.here),
            score=self.score,
            left=999 - step,
        )
        self.events.append(Event(step=step, deed=deed, text=self.dialect.action(deed)))
        self.steps.append(self.dialect.step(step, deed, view))
        if deed.kind in self.dialect.shows and is_open and deed.works:
            self.seen.setdefault(self.here, step)

    def _change(self, deed: Deed, step: int) -> None:
        if deed.kind == "go":
            self.here = deed.thing
        elif deed.kind in {"take", "put"}:
            self.at[deed.thing] = "inventory" if deed.kind == "take" else deed.place
            self.moved.setdefault(deed.thing, []).append((step, self.at[deed.thing]))
            if deed.kind == "put":
                self.score += _POINTS
                self.scores.append((step, self.score))
        elif deed.kind in {"open", "close"}:
            self.is_open[deed.thing] = deed.kind == "open"
            self.shifts.setdefault(deed.thing, []).append(
                (step, "open" if deed.kind == "open" else "closed")
            )


def generate_world(rng: np.random.Generator, *, dialect: Dialect, name: str, n: int) -> World:
    """Return a world in which n steps have happened.

    Args:
        rng: Where chance comes from.
        dialect: How it is told.
        name: Id of its trajectory.
        n: How many steps.
    """
    tongue = int(rng.integers(len(_THINGS)))
    things = _numbered(rng, _THINGS[tongue], 8)
    places, shut = _numbered(rng, _PLACES[tongue], 5), _numbered(rng, _SHUT[tongue], 4)
    everywhere = (*places, *shut)
    world = World(
        name=name,
        dialect=dialect,
        things=things,
        places=everywhere,
        at={thing: everywhere[int(rng.integers(len(everywhere)))] for thing in things},
        is_open=dict.fromkeys(shut, False),
        here=places[0],
    )
    world.do(Deed(kind="go", thing=places[0]))
    while world.n < n:
        kind = _KINDS[int(rng.choice(len(_KINDS), p=_WEIGHTS))]
        if (deed := _deed(rng, world, kind)) is not None:
            world.do(deed)
    return world


def _numbered(rng: np.random.Generator, names: tuple[str, ...], n: int) -> tuple[str, ...]:
    """Return n names with numbers, some of which differ in the number alone."""
    found: dict[str, None] = {}
    while len(found) < n:
        found[f"{names[int(rng.integers(len(names)))]} {int(rng.integers(1, 5))}"] = None
    return tuple(found)


def _deed(rng: np.random.Generator, world: World, kind: str) -> Deed | None:
    """Return a deed of a kind that makes sense where the agent is; now and then one that fails."""
    if kind == "go":
        others = [place for place in world.places if place != world.here]
        return Deed(kind="go", thing=others[int(rng.integers(len(others)))])
    if kind in {"look", "inventory", "help"}:
        return Deed(kind=kind)
    if kind == "examine":
        return Deed(kind="examine", thing=world.things[int(rng.integers(len(world.things)))])
    if kind in {"open", "close"}:
        return _shift(world, kind)
    return _take(rng, world) if kind == "take" else _put(rng, world)


def _shift(world: World, kind: str) -> Deed | None:
    if world.here not in world.is_open:
        return None
    works = world.is_open[world.here] == (kind == "close")
    return Deed(kind=kind, thing=world.here, works=works)


def _take(rng: np.random.Generator, world: World) -> Deed | None:
    near = [thing for thing in world.things if world.at[thing] == world.here]
    if not near:
        return None
    thing = near[int(rng.integers(len(near)))]
    works = world.is_open.get(world.here, True)
    return Deed(kind="take", thing=thing, place=world.here, works=works)


def _put(rng: np.random.Generator, world: World) -> Deed | None:
    if not world.carried:
        return None
    thing = world.carried[int(rng.integers(len(world.carried)))]
    works = world.is_open.get(world.here, True)
    return Deed(kind="put", thing=thing, place=world.here, works=works)


def generate_worlds(
    rng: np.random.Generator,
    *,
    n: int,
    first: int = 0,
    n_steps: tuple[int, int] = (60, 160),
    dialects: Sequence[Dialect] = DIALECTS,
) -> list[World]:
    """Return n worlds, their dialects in turn.

    Args:
        rng: Where chance comes from.
        n: How many.
        first: Number of the first; it stands in its name.
        n_steps: Fewest and most steps of one.
        dialects: How they are told.
    """
    return [
        generate_world(
            rng,
            dialect=dialects[number % len(dialects)],
            name=f"world-{number}",
            n=int(rng.integers(n_steps[0], n_steps[1] + 1)),
        )
        for number in range(first, first + n)
    ]
