"""What a memory structure is: a view of trajectories that says what it is, and can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


__all__ = ["Note", "Query", "Ranking", "Structure", "Traits", "Within"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a structure is, as far as reading, scoring and explaining depend on it.

    Attributes:
        matches: What a hit shares with the question: its `words` or its `meaning`. Such a hit says
            that the answer is near, so it lends some of its score to the steps around it. Empty
            where a structure works out which steps are meant: its hits are these steps themselves.
        is_wide: Whether one search covers any number of trajectories; else a recall over many asks
            about the few nearest to the question.
        quotes: Whether it finds steps that may be quoted; else it only states lines of its own.
        orders: Whether it finds nothing by itself, and only orders what other structures find.
        why: Why a step that it found is evidence, as a phrase for a person; empty says that the
            structure found it.
    """

    matches: Literal["words", "meaning", ""] = ""
    is_wide: bool = False
    quotes: bool = True
    orders: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, prepared once for every structure.

    Attributes:
        text: The question, for matching by content: without the step numbers it names.
        terms: Its search tokens (`stepwell.text.search`), in order, repeats included.
        vector: Its unit vector; None when no encoder runs.
        asked: The question as asked, step numbers included; empty when `text` is that.
    """

    text: str
    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None = None
    asked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Where a search may look.

    Attributes:
        spans: First and last passage row id of each trajectory in scope, inclusive, ascending.
        n_passages: How many passages that is.
        is_all: Whether that is all of the store, so that nothing found has to be checked.
        share: Share of the store's passages that these are, from 0 to 1.
        unanswered: Keys (row id divided by `MAX_PLACES`) of steps in scope of which only what was
            said counts: their results had not come by the moment asked about.
    """

    spans: tuple[tuple[int, int], ...]
    n_passages: int
    is_all: bool = False
    share: float = 1.0
    unanswered: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One line that a structure says itself: an answer it computed, a fact or summary it holds.

    Attributes:
        number: Number of the trajectory it is about.
        text: The line; log data in it is quoted as it stands.
        steps: Indices of the steps it is derived from, ascending; never empty.
        place: Where it stands among the notes of its structure when they are shown: lower first.
        quote: A part of `text` that stands verbatim in an atom of the first of `steps`; empty when
            the line only refers to its steps.
        is_answer: Whether it answers the question as asked, computed exactly from what the log
            says; else it is context.
    """

    number: int
    text: str
    steps: tuple[int, ...]
    place: int = 0
    quote: str = ""
    is_answer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What a structure found.

    Attributes:
        structure: Its name.
        traits: Its traits.
        rowids: Passage row ids, best first, shape (n,), int64.
        scores: Their scores, higher is better, shape (n,), float64.
        mean: Mean score over all passages searched, not only those returned.
        deviation: Standard deviation over the same.
        coverage: Share of the passages in scope that the structure has indexed, from 0 to 1.
        is_sparse: Whether what is not returned scores 0; else it scores no more than the last one.
        notes: What it says itself, the most useful first: a budget may hold only the first few.
        comment: What a person should know about how they came about; may be empty.
        failure: Why nothing of it is here, which whoever asked is told; empty when it worked.
    """

    structure: str
    rowids: NDArray[np.int64]
    scores: NDArray[np.float64]
    mean: float = 0.0
    deviation: float = 1.0
    coverage: float = 1.0
    is_sparse: bool = True
    notes: tuple[Note, ...] = ()
    comment: str = ""
    failure: str = ""
    traits: Traits = Traits()


class Structure(Protocol):
    """A view of the trajectories of a store: an index over their passages, or what they come to.

    It reads what is stored when it is asked. Steps that come in any portions, and opening the
    structure anew, give the same view as if all had been there at once: the conformance suite holds
    every structure to it.
    """

    @property
    def name(self) -> str:
        """Name in rankings, evidence, policies and options."""
        ...

    @property
    def tokens(self) -> int:
        """Tokens of evidence that one reading gives at most, notes and quotations together."""
        ...

    @property
    def traits(self) -> Traits:
        """What it is, as far as a recall depends on it."""
        ...

    def save(self) -> None:
        """Store what was derived while nothing could be written; where all is stored, nothing."""
        ...

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        """Return what it can tell of a question cheaply, by name: a policy may go by it."""
        ...

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return at most `limit` passages, best first, ties by row id, and what it says itself."""
        ...
