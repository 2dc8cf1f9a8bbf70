"""Measure recalls strictly: what is shown counts only where it stands as it is cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.learn.replay.measure import Measured, literal_share
from stepwell.learn.rewards import Read
from stepwell.text.tokens import counter
from stepwell_bench.gold import holds
from stepwell_bench.scoring import shown_by_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell.recall.evidence import Evidence
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Question

__all__ = ["StrictMeasure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictMeasure:
    """Measures a recall against the stored trajectory, and names every rule it breaks.

    Attributes:
        literals: Rare literals of each question's answer, by its id.
        tokenizer: Counts tokens.
    """

    literals: Mapping[str, Sequence[str]]
    tokenizer: str = "o200k"

    def __call__(
        self, question: Question, evidence: Evidence, trajectory: Callable[[], Trajectory]
    ) -> Measured:
        """Return what a recall is worth."""
        shown = shown_by_evidence(
            evidence, trajectory=trajectory(), counter=counter(self.tokenizer)
        )
        gold = frozenset(question.steps)
        read = Read(text=shown.text, steps=shown.steps, tokens=shown.tokens)
        return Measured(
            tokens=shown.tokens,
            evidence=len(shown.steps & gold) / len(gold),
            quoted=len((shown.steps - shown.told) & gold) / len(gold),
            literal=literal_share(question, read, cap=evidence.budget),
            literals=_share(self.literals.get(question.id, ()), shown.text.lower()),
            violations=shown.violations,
        )


def _share(literals: Sequence[str], text: str) -> float | None:
    if not literals:
        return None
    return sum(holds(text, one) for one in literals) / len(literals)
