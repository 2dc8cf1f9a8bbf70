"""Chunk summaries that a language model wrote, kept in the store."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from stepwell.errors import ModelUnavailableError
from stepwell.store.derived import load_derived, save_derived
from stepwell.store.read import load_steps
from stepwell.store.units import progress_of
from stepwell.structures.reading import head_and_tail
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import apsw

    from stepwell.structures.summary.view import Chunk
    from stepwell.trajectory.model import Step

__all__ = ["Written"]

_STRUCTURE: Final = "summary-written"

_MOST_CHARS: Final = 16_000
"""Characters of a chunk that a model reads; only a chunk of one huge step has more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    """What is kept: `seen` says what the chunk was like when the model read it."""

    seen: str
    text: str


@dataclass(slots=True)
class Written:
    """A model's summaries of closed chunks.

    Attributes:
        db: The database.
        model: The model's name; what another wrote is not read.
        summarise: Gives the summary of a chunk's text, a few lines.
    """

    db: apsw.Connection
    model: str
    summarise: Callable[[str], str]
    _unsaved: dict[tuple[int, int], tuple[int, _Summary]] = field(
        default_factory=dict[tuple[int, int], "tuple[int, _Summary]"], repr=False
    )

    def write(self, trajectory: int, chunks: Iterable[Chunk]) -> None:
        """Have every chunk summarised that is not yet.

        Raises:
            ModelUnavailableError: The model cannot be asked, or says nothing. What it wrote
                before is kept.
        """
        for chunk in chunks:
            if self.read(trajectory, chunk) is None:
                progress = progress_of(self.db, trajectory)
                steps = load_steps(self.db, trajectory, first=chunk.first, last=chunk.last)
                text = self.summarise(_text(list(steps))).strip()
                if not text:
                    raise ModelUnavailableError(
                        f"{self.model} gives an empty summary of steps {chunk.first} to "
                        f"{chunk.last}.",
                        hint="Ask again, or name another model.",
                    )
                revision = 0 if progress is None else progress.revision
                summary = _Summary(seen=_seen(chunk), text=text)
                self._unsaved[trajectory, chunk.last] = revision, summary
                self.save()

    def read(self, trajectory: int, chunk: Chunk) -> str | None:
        """Return what the model wrote about a chunk as it is; None if nothing.

        Of a chunk of which a part is out of sight nothing was written: it looks different.
        """
        _, summary = self._unsaved.get((trajectory, chunk.last)) or (0, None)
        if summary is None:
            bodies = load_derived(
                self.db, trajectory, structure=_STRUCTURE, version=self.model, first=chunk.last
            )
            summary = _decoded(bodies[0]) if bodies else None
        return summary.text if summary is not None and summary.seen == _seen(chunk) else None

    def save(self) -> None:
        """Store what could not be stored when it was written."""
        for (trajectory, last), (revision, summary) in list(self._unsaved.items()):
            if save_derived(
                self.db,
                trajectory,
                [msgspec.msgpack.encode(summary)],
                first=last,
                made_by=(_STRUCTURE, self.model),
                revision=revision,
            ):
                del self._unsaved[trajectory, last]


def _decoded(body: bytes) -> _Summary | None:
    try:
        return msgspec.msgpack.decode(body, type=_Summary)
    except msgspec.MsgspecError:
        return None  # damaged: the extractive one stands in, and the next build writes it again


def _seen(chunk: Chunk) -> str:
    """Return a fingerprint of a chunk: its border and what is seen of its steps."""
    data = msgspec.msgpack.encode((chunk.first, chunk.digests))
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _text(steps: Sequence[Step]) -> str:
    """Return a chunk as a model reads it: each atom after its address."""
    texts = [
        f"[s{atom.step}.{atom.part} {atom.label}]\n"
        + (atom.text if len(steps) > 1 else head_and_tail(atom.text))
        for step in steps
        for atom in atoms_of(step)
        if not atom.is_recalled
    ]
    return "\n\n".join(texts)[:_MOST_CHARS]
