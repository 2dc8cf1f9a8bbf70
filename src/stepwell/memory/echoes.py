"""Find in what is written what this memory recalled, and say of each step how much that is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from stepwell.errors import StepwellError
from stepwell.memory.looking import cited_text, entry_of
from stepwell.recall.echoes import echoes
from stepwell.store.read import entries, load_head, load_step
from stepwell.store.settings import mark_key
from stepwell.trajectory.atoms import atoms_of, parse_citation
from stepwell.trajectory.model import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope
    from stepwell.trajectory.atoms import Citation
    from stepwell.trajectory.model import Step, Trajectory

__all__ = ["Echoes", "echo_notices"]

_MOST_RUNS = 16
"""Runs that are read, the latest first, where a quotation does not say of which one it is."""

_NAMED = 4


@dataclass(slots=True)
class Echoes:
    """What finds echoes while something is written.

    Attributes:
        db: The database.
        scope: What quotations may be of.
        own: The steps that are being written: a log quotes what stands further up in it.
    """

    db: Database
    scope: Scope
    own: Sequence[Step] = ()
    _key: bytes | None = field(init=False, repr=False)
    _entries: list[Entry] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Read the secret once."""
        self._key = mark_key(self.db)

    def marked(self, step: Step) -> Step:
        """Return a step whose texts say which parts of them are echoes, whatever they said."""

        def spans(text: str) -> tuple[tuple[int, int], ...]:
            return echoes(text, key=self._key, cited=lambda run, part: self._cited(run, part, step))

        recalled = spans(step.message)
        found = [spans(result.text) for result in step.results]
        if recalled == step.recalled and all(
            new == result.recalled for new, result in zip(found, step.results, strict=True)
        ):
            return step
        results = tuple(
            replace(result, recalled=new) for new, result in zip(found, step.results, strict=True)
        )
        return replace(step, recalled=recalled, results=results)

    def _cited(self, run: str, part: str, step: Step) -> Iterator[str]:
        citation = parse_citation(part)
        yield from self._texts(citation, self._own(citation, step))
        for entry in self._runs(run, citation.step):
            if citation.part == "task":
                head = load_head(self.db, entry.number)
                yield (head.task or "").strip() if head else ""
            else:
                yield from self._texts(citation, load_step(self.db, entry.number, citation.step))

    def _own(self, citation: Citation, step: Step) -> Step | None:
        """Return the cited step of the run that is being written; it names itself as it likes."""
        is_before = citation.step < min(step.index, len(self.own))
        return self.own[citation.step] if is_before else None

    def _runs(self, run: str, index: int) -> Iterable[Entry]:
        if self._entries is None:
            self._entries = entries(self.db, self.scope)
        known = [entry for entry in self._entries if index < entry.n_steps]
        if not run:
            return known[: -_MOST_RUNS - 1 : -1]
        return entry_of(known, run)[:_MOST_RUNS]

    def _texts(self, citation: Citation, step: Step | None) -> Iterator[str]:
        if step is not None:
            try:
                yield cited_text(step, citation)
            except StepwellError:  # it has no such lines: the citation is of something else
                return


def echo_notices(trajectory: Trajectory, *, uri: str) -> Iterator[Notice]:
    """Yield the notice of what of a run is left out of the index, if anything is."""
    parts = {
        f"s{step.index}.{atom.part}": sum(end - start for start, end in atom.recalled)
        for step in trajectory.steps
        if step.recalled or any(result.recalled for result in step.results)
        for atom in atoms_of(step)
        if atom.recalled
    }
    if parts:
        named = ", ".join(f"{n} of {part}" for part, n in list(parts.items())[:_NAMED])
        more = f" and {len(parts) - _NAMED} parts more" if len(parts) > _NAMED else ""
        yield Notice(
            position=uri,
            code="recalled-text",
            message=f"{trajectory.trajectory_id}: {sum(parts.values())} characters are what this "
            f"memory recalled ({named}{more}); they are stored, and are no evidence again.",
        )
