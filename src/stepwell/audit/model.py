"""What an audit of sharing is told, and what it finds out about one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from stepwell.errors import InvalidInputError
from stepwell.structures.units.index import LIVE_NAMES, LIVE_UNITS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepwell.structures.units.marks import AnnotateOptions
    from stepwell.trajectory.questions import Question

__all__ = [
    "COMMON",
    "DEFAULT",
    "Binding",
    "EvidenceSet",
    "Memberships",
    "Origin",
    "RunSharing",
    "SharingOptions",
]

Origin: TypeAlias = Literal["time", "words", "chance", "question"]
"""Where a set of steps comes from: neighbours in time, neighbours in words, steps drawn blindly, or
a question's own evidence."""

COMMON: Final = LIVE_UNITS.max_share
"""Share of the steps above which a name is common, as in a recall: it tells none of them apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingOptions:
    """How sharing is estimated.

    Attributes:
        annotate: What is taken as an entity and as a tool; by default what a recall takes.
        set_size: Steps of a plausible evidence set, at least 2. Of 778 questions about recorded
            runs whose evidence is known and has two steps or more, the median has 3.
        anchors: Steps per run that sets are drawn around, at most; each gives one set by time and
            one by words. Fifty know the share of a single run to within .1 in 19 of 20 cases.
        budget: Tokens a recall may cost; 800 is the default of `ask`.

    Raises:
        InvalidInputError: A number is too small.
    """

    annotate: AnnotateOptions = LIVE_NAMES
    set_size: int = 3
    anchors: int = 50
    budget: int = 800

    def __post_init__(self) -> None:
        for name, least in (("set_size", 2), ("anchors", 1), ("budget", 1)):
            value: int = getattr(self, name)
            if value < least:
                raise InvalidInputError(
                    f"{name} is {value}.", hint=f"An audit of sharing needs at least {least}."
                )


DEFAULT: Final = SharingOptions()
"""What `stepwell audit sharing` does when it is told nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What some pair of a set of steps shares (OSU-Mem, section 6.2).

    Attributes:
        tools: Whether some pair shares a tool (T+).
        entities: Whether some pair shares an entity (E+).
        uncommon_tools: Whether one shares a tool that is not common in the run.
        uncommon_entities: Whether one shares such an entity.
    """

    tools: bool
    entities: bool
    uncommon_tools: bool
    uncommon_entities: bool

    @property
    def is_any(self) -> bool:
        """Whether the set is in any cell but T-E-: any-binding, as the paper counts it."""
        return self.tools or self.entities

    @property
    def is_uncommon(self) -> bool:
        """Whether it still is when common names bind nothing."""
        return self.uncommon_tools or self.uncommon_entities

    @property
    def cell(self) -> str:
        """The cell, such as `T+E-`."""
        return f"T{'+' if self.tools else '-'}E{'+' if self.entities else '-'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSet:
    """Steps that a question could need together, or does.

    Attributes:
        steps: Them, ascending, at least two.
        anchors: Those it was drawn around; all of them for a question.
        origin: Where it comes from.
        binding: What binds it.
        asked: The question; None for a set that was drawn.
    """

    steps: tuple[int, ...]
    anchors: tuple[int, ...]
    origin: Origin
    binding: Binding
    asked: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Memberships:
    """How many units each of n steps is in, built from names alone, without vectors.

    Attributes:
        overlap: With up to five units a step, shape (n,), int64.
        disjoint: With one, shape (n,), int64.
        is_bindable: Whether a step would be in some unit without any limit, shape (n,), bool.
    """

    overlap: NDArray[np.int64]
    disjoint: NDArray[np.int64]
    is_bindable: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunSharing:
    """What the steps of one run share.

    Attributes:
        trajectory_id: The run.
        source_format: Name of the reader.
        tokens: Estimated tokens of all its steps.
        n_candidates: Steps that can be evidence.
        families: Tool families that each step calls, n of them.
        has_tool: Whether a step calls a tool that can bind, shape (n,), bool.
        has_entity: Whether it has an entity, shape (n,), bool.
        memberships: The units of its steps.
        common: Names that are common, with the number of steps each is in, the most common first.
        sets: Evidence sets, drawn and asked.
    """

    trajectory_id: str
    source_format: str
    tokens: int
    n_candidates: int
    families: tuple[tuple[str, ...], ...]
    has_tool: NDArray[np.bool_]
    has_entity: NDArray[np.bool_]
    memberships: Memberships
    common: tuple[tuple[str, int], ...]
    sets: tuple[EvidenceSet, ...]

    def __len__(self) -> int:
        return len(self.families)
