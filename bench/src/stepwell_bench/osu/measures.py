"""What is measured of a choice of steps: recall, Hit@2, and recall near and far in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from stepwell_bench.osu.world import Question

__all__ = ["MEASURES", "Marks", "marks"]

MEASURES = ("recall", "hit2", "near", "far")
"""The fields of `Marks`, as measures are named in results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How good one choice is (OSU-Mem, section 5.2).

    Attributes:
        recall: |S ∩ E| / |E|.
        hit2: 1 when at least two evidence steps were chosen, else 0.
        near: Recall of the evidence in the half of the past next to the question; None without any.
        far: Recall of the evidence in the half before; None without any.
    """

    recall: float
    hit2: float
    near: float | None
    far: float | None


def marks(question: Question, chosen: Collection[int]) -> Marks:
    """Mark a choice of steps."""
    found, evidence = set(chosen), set(question.evidence)
    half = question.asked_at / 2
    near = {step for step in evidence if step >= half}
    return Marks(
        recall=len(found & evidence) / len(evidence),
        hit2=float(len(found & evidence) >= 2),  # noqa: PLR2004  (the 2 of Hit@2)
        near=_recall(found, near),
        far=_recall(found, evidence - near),
    )


def _recall(found: set[int], evidence: set[int]) -> float | None:
    return len(found & evidence) / len(evidence) if evidence else None
