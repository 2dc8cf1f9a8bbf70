"""What a structure derives of each step, kept per step and read on from where it stopped.

A structure whose view of a trajectory is a fold over its steps (states, triples, sentences) gives a
pure function of one step, and something that grows by what it returns. This module does the rest:
keeps what was derived in the store, notices steps that were added, changed or dropped, and folds
again only what has to be.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import msgspec

from stepwell.errors import NotFoundError
from stepwell.store.derived import load_derived, save_derived
from stepwell.store.read import load_step, load_steps
from stepwell.store.rowids import MAX_PLACES, number_of, step_of
from stepwell.store.units import first_rewritten, progress_of, snapshot
from stepwell.trajectory.prose import prose_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from stepwell.store.database import Database
    from stepwell.store.units import Progress
    from stepwell.structures.base import Within
    from stepwell.trajectory.model import Step

__all__ = ["Derived", "Deriving", "Growing", "Part", "parts_of"]

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
G = TypeVar("G", bound="Growing[Any]")

_KEPT = 16
"""Trajectories whose fold is kept in memory."""

_READ = "+prose1"
"""Changes with what `prose_of` leaves out."""

_SAVED_AT_ONCE = 8
"""Steps that are worth a write; fewer are derived again by the next process."""


class Growing(Protocol[T_contra]):
    """A view of a trajectory that grows with its steps.

    Extending it in any portions gives the same view.
    """

    def extend(self, values: Sequence[T_contra]) -> None:
        """Take in what was derived of the next steps, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Deriving(Generic[T, G]):
    """How a structure sees steps.

    Attributes:
        structure: Its name.
        version: Changes whenever `extract` gives something else than before for some step.
        type: Type of what `extract` returns, one that msgspec can encode.
        extract: What a single step says, without bulk; pure.
        start: The view of no steps.
        cut: Takes back the steps of a view from an index on; None where a view cannot, and is made
            anew of the steps before.
    """

    structure: str
    version: str
    type: type[T]
    extract: Callable[[Step], T]
    start: Callable[[], G]
    cut: Callable[[G, int], None] | None = None

    @property
    def made_by(self) -> tuple[str, str]:
        """The structure, and the version of what it reads and of what it makes of it."""
        return self.structure, f"{self.version}{_READ}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of a trajectory that a search may see.

    Attributes:
        number: The trajectory's number.
        end: Steps from this index on are out of sight; None when there are none.
        unanswered: Steps whose results are out of sight.
    """

    number: int
    end: int | None = None
    unanswered: tuple[int, ...] = ()


def parts_of(within: Within) -> list[Part]:
    """Return the trajectories a search may look at, and how far."""
    hidden: dict[int, list[int]] = {}
    for key in sorted(within.unanswered):
        hidden.setdefault(number_of(key * MAX_PLACES), []).append(step_of(key * MAX_PLACES))
    parts: list[Part] = []
    for first, last in within.spans:
        number = number_of(first)
        is_cut = number_of(last + 1) == number
        parts.append(
            Part(
                number=number,
                end=step_of(last + 1) if is_cut else None,
                unanswered=tuple(hidden.get(number, ())),
            )
        )
    return parts


@dataclass(slots=True)
class _Known(Generic[T, G]):
    revision: int
    view: G
    values: list[T] = field(default_factory=list[T])
    n_saved: int = 0

    def cut(self, n: int, deriving: Deriving[T, G]) -> None:
        """Forget the steps from n on."""
        if n >= len(self.values):
            return
        del self.values[n:]
        self.n_saved = min(self.n_saved, n)
        if deriving.cut is not None:
            deriving.cut(self.view, n)
        else:
            self.view = deriving.start()
            self.view.extend(self.values)


@dataclass(slots=True)
class Derived(Generic[T, G]):
    """The views of the trajectories in a database, one kind of them.

    Like the connection, it is for one thread at a time.
    """

    db: Database
    deriving: Deriving[T, G]
    _known: OrderedDict[int, _Known[T, G]] = field(
        default_factory=OrderedDict[int, "_Known[T, G]"], repr=False
    )

    def view(self, part: Part) -> G:
        """Return the view of a trajectory as it is stored now, as far as a search may see.

        Raises:
            NotFoundError: There is no such trajectory.
        """
        known = self._current(part.number)
        n = len(known.values) if part.end is None else min(part.end, len(known.values))
        if n == len(known.values) and not part.unanswered:
            return known.view
        view = self.deriving.start()
        view.extend(self._seen(part.number, known.values[:n], part.unanswered))
        return view

    def n_steps(self, trajectory: int) -> int:
        """Return how many steps of a trajectory are derived, which is all that are stored now."""
        return len(self._current(trajectory).values)

    def save(self) -> None:
        """Store what was derived within a transaction, in which nothing could be stored."""
        for trajectory, known in self._known.items():
            self._save(trajectory, known)

    def _seen(self, number: int, values: list[T], unanswered: Collection[int]) -> list[T]:
        seen = list(values)
        for index in unanswered:
            step = load_step(self.db, number, index) if index < len(seen) else None
            if step is not None:
                seen[index] = self.deriving.extract(prose_of(replace(step, results=())))
        return seen

    def _start(self, revision: int) -> _Known[T, G]:
        return _Known(revision=revision, view=self.deriving.start())

    def _current(self, trajectory: int) -> _Known[T, G]:
        """Return what is known of a trajectory, read up to its last step."""
        with snapshot(self.db):
            progress = progress_of(self.db, trajectory)
            if progress is None:
                self._known.pop(trajectory, None)
                raise NotFoundError(
                    f"There is no trajectory {trajectory}.", hint="It may have been forgotten."
                )
            known = self._known.setdefault(trajectory, self._start(progress.revision))
            self._known.move_to_end(trajectory)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            self._forget_rewritten(trajectory, known, progress)
            if len(known.values) < progress.n_steps:
                self._read_on(trajectory, known)
        self._save(trajectory, known)
        return known

    def _forget_rewritten(self, trajectory: int, known: _Known[T, G], progress: Progress) -> None:
        if progress.revision != known.revision:
            first = first_rewritten(self.db, trajectory, since=known.revision)
            known.cut(progress.n_steps if first is None else first, self.deriving)
            known.revision = progress.revision

    def _read_on(self, trajectory: int, known: _Known[T, G]) -> None:
        """Load what is stored, and derive the steps of which nothing is."""
        deriving, first = self.deriving, len(known.values)
        if known.n_saved == first:
            bodies = load_derived(
                self.db,
                trajectory,
                structure=deriving.structure,
                version=deriving.made_by[1],
                first=first,
            )
            decoder = msgspec.msgpack.Decoder(deriving.type)
            try:
                for body in bodies:
                    known.values.append(decoder.decode(body))
            except msgspec.MsgspecError:
                pass  # what is damaged, and all after it, is derived again
            known.n_saved = len(known.values)
            known.view.extend(known.values[first:])
        self._extract_on(trajectory, known)

    def _extract_on(self, trajectory: int, known: _Known[T, G]) -> None:
        first = len(known.values)
        steps = load_steps(self.db, trajectory, first=first)
        fresh = [self.deriving.extract(prose_of(step)) for step in steps]
        known.values += fresh
        known.view.extend(fresh)

    def _save(self, trajectory: int, known: _Known[T, G]) -> None:
        first = known.n_saved
        if len(known.values) - first < _SAVED_AT_ONCE:
            return
        if save_derived(
            self.db,
            trajectory,
            [msgspec.msgpack.encode(value) for value in known.values[first:]],
            first=first,
            made_by=self.deriving.made_by,
            revision=known.revision,
        ):
            known.n_saved = len(known.values)
