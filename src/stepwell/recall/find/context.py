"""Context: what a policy may know of the scope before anything but words has been searched."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stepwell.policy.base import STRUCTURES, Context
from stepwell.store.facts import n_characters
from stepwell.store.read import load_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Structure, Within
    from stepwell.structures.units.index import UnitIndex
    from stepwell.structures.units.model import Units
    from stepwell.structures.vector import Vector

__all__ = [
    "Background",
    "Backgrounds",
    "Signals",
    "Sources",
    "UnitSource",
    "context_of",
    "in_order",
]

_KEPT = 256
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What a trajectory is about.

    Attributes:
        domain: As its log says; may be empty.
        task: The task it states; may be empty.
        n_tokens: A fourth of its characters.
    """

    domain: str
    task: str
    n_tokens: int


@dataclass(slots=True)
class Backgrounds:
    """The backgrounds of the trajectories in a database, read once while they do not grow."""

    db: Database
    _known: OrderedDict[tuple[int, int], Background] = field(
        default_factory=OrderedDict[tuple[int, int], Background], repr=False
    )

    def of(self, entry: Entry) -> Background:
        """Return what a trajectory is about."""
        key = (entry.number, entry.n_passages)
        if key not in self._known:
            self._known[key] = self._read(entry)
        self._known.move_to_end(key)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return self._known[key]

    def _read(self, entry: Entry) -> Background:
        head = load_head(self.db, entry.number)
        domain = "" if head is None else head.extra.get("domain")
        return Background(
            domain=domain if isinstance(domain, str) else "",
            task="" if head is None else head.task or "",
            n_tokens=n_characters(self.db, entry.number) // _CHARS_PER_TOKEN,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSource:
    """Where units come from.

    Attributes:
        index: The units of each trajectory.
        vector: Gives steps their vectors, and so units their similarity view; None without.
    """

    index: UnitIndex
    vector: Vector | None = None

    def of(self, entry: Entry) -> Units:
        """Return the units of a trajectory; similarity waits until every passage is encoded."""
        vectors = None if self.vector is None else self.vector.step_vectors(entry)
        return self.index.units(entry.number, vectors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What can be read.

    Attributes:
        structures: The structures, `episodic` among them.
        units: Where units over steps come from.
        backgrounds: What trajectories are about.
    """

    structures: Sequence[Structure]
    units: UnitSource
    backgrounds: Backgrounds

    @property
    def words(self) -> Structure:
        """The structure that matches words: it is searched for every question."""
        return next(one for one in self.structures if one.traits.matches == "words")


@dataclass(slots=True)
class Signals(Mapping[str, float]):
    """What structures can tell of a question, each asked when a policy first looks.

    A structure that is asked may have to derive its view of a run first. That takes a while once,
    and a policy that goes by words alone does not need it.

    Attributes:
        structures: The structures.
        query: The question.
        within: What a search may see.
        seen: What was looked at, by name, and what is known without a structure.
    """

    structures: Sequence[Structure]
    query: Query
    within: Within
    seen: dict[str, float] = field(default_factory=dict[str, float])
    _known: set[str] = field(default_factory=set[str], repr=False)

    def __getitem__(self, name: str) -> float:
        self._ask(name.partition(".")[0])
        return self.seen[name]

    def __iter__(self) -> Iterator[str]:
        for structure in self.structures:
            self._ask(structure.name)
        return iter(dict(self.seen))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _ask(self, owner: str) -> None:
        if owner not in self._known:
            self._known.add(owner)
            for structure in self.structures:
                if structure.name == owner:
                    self.seen |= structure.signals(self.query, within=self.within)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of structures in the order of their sections, those of users behind.

    >>> in_order(["episodic", "mine", "summary"])
    ('summary', 'episodic', 'mine')
    """
    found = sorted(set(names))
    return (
        *(name for name in STRUCTURES if name in found),
        *(name for name in found if name not in STRUCTURES),
    )


def context_of(
    signals: Signals, *, budget: int, entries: Sequence[Entry], sources: Sources
) -> Context:
    """Return what a policy sees besides the question.

    Args:
        signals: What structures can tell.
        budget: Tokens of the whole payload.
        entries: The trajectories looked at.
        sources: What can be read.
    """
    known = [sources.backgrounds.of(entry) for entry in entries]
    domains = {one.domain for one in known}
    return Context(
        available=in_order(structure.name for structure in sources.structures),
        budget=budget,
        n_steps=sum(entry.n_steps for entry in entries),
        n_tokens=sum(one.n_tokens for one in known),
        domain=next(iter(domains)) if len(domains) == 1 else "",
        task=known[0].task if len(known) == 1 else "",
        signals=signals,
    )
