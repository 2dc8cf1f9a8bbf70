"""Score one payload strictly: a step counts only where its text was really shown and cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.errors import StepwellError
from stepwell.memory.looking import cited_text
from stepwell.recall.markup import escaped
from stepwell.trajectory.atoms import atoms_of, parse_citation
from stepwell_bench.gold import holds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.recall.evidence import Evidence, Item, Noted
    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.model import Trajectory
    from stepwell_bench.baselines import Packed
    from stepwell_bench.datasets import Question

__all__ = ["Mode", "Outcome", "Shown", "outcome", "shown_by_evidence", "shown_by_packing"]

Mode: TypeAlias = Literal["as-asked", "stripped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one payload shows.

    Attributes:
        steps: Steps that count as shown.
        text: All text shown of them, and of what structures say themselves.
        tokens: Tokens of the whole payload, counted anew.
        violations: Names of the rules that were broken, once per breach.
        told: Those of the steps that are shown in a structure's own line alone.
    """

    steps: frozenset[int]
    text: str
    tokens: int
    violations: tuple[str, ...] = ()
    told: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one method did on one question at one budget.

    Attributes:
        question: The question's id.
        episode: The trajectory's id.
        domain: The question's domain.
        kind: The question's type.
        mode: `as-asked`, or `stripped` of step numbers.
        budget: Tokens allowed.
        method: `stepwell` or a baseline.
        recall: Share of the gold steps shown.
        literals: Share of the gold answer's literals shown; None when it has none.
        tokens: Tokens used.
        violations: Rules broken.
    """

    question: str
    episode: str
    domain: str
    kind: str
    mode: Mode
    budget: int
    method: str
    recall: float
    literals: float | None
    tokens: int
    violations: tuple[str, ...] = ()


def shown_by_evidence(
    evidence: Evidence, *, trajectory: Trajectory, counter: TokenCounter
) -> Shown:
    """Return what a recall shows, checked against the stored trajectory.

    An item counts when its text is not blank, stands verbatim in the atom it cites, and stands
    in the payload right behind its citation. A structure's own line counts for its first step when
    it quotes that step: when a part of it that is not blank stands verbatim in one of the step's
    atoms; the other steps it is derived from do not count.

    Breaches are named: `over-budget`, `miscounted` (the recall states another number of tokens),
    `foreign` (of another trajectory), `unquoted`, `misplaced` (the lines cited do not hold it),
    `unshown`, and `misquoted` (a structure's own line quotes what does not stand there).
    """
    tokens = counter.count(evidence.text)
    violations = ["over-budget"] if tokens > evidence.budget else []
    violations += ["miscounted"] if tokens != evidence.tokens else []
    good: list[Item] = []
    for item in evidence.items:
        breach = _breach(item, evidence.text, trajectory)
        if breach is None:
            good.append(item)
        else:
            violations.append(breach)
    quoted = frozenset(item.step for item in good)
    told: set[int] = set()
    for note in evidence.notes:
        breach = _misquotes(note, evidence.text, trajectory)
        violations += [] if breach is None else [breach]
        if breach is None and note.quote.strip():
            told.add(note.steps[0])
    return Shown(
        steps=quoted | told,
        text="\n".join([*(note.text for note in evidence.notes), *(item.text for item in good)]),
        tokens=tokens,
        violations=tuple(violations),
        told=frozenset(told) - quoted,
    )


def _misquotes(note: Noted, payload: str, trajectory: Trajectory) -> str | None:
    if note.trajectory != trajectory.trajectory_id or note.steps[-1] >= len(trajectory.steps):
        return "foreign"
    if escaped(" ".join(note.text.split())) not in payload:
        return "unshown"
    atoms = atoms_of(trajectory.steps[note.steps[0]])
    stands = note.quote in note.text and any(note.quote in atom.text for atom in atoms)
    return None if stands else "misquoted"


def _breach(item: Item, payload: str, trajectory: Trajectory) -> str | None:
    if item.trajectory != trajectory.trajectory_id or item.step >= len(trajectory.steps):
        return "foreign"
    step = trajectory.steps[item.step]
    atom = next((atom for atom in atoms_of(step) if atom.part == item.part), None)
    if atom is None or not item.text.strip() or item.text not in atom.text:
        return "unquoted"
    citation = parse_citation(item.id)
    try:
        cited = cited_text(step, citation)
    except StepwellError:
        return "misplaced"
    if (citation.step, citation.part) != (item.step, item.part) or item.text not in cited:
        return "misplaced"
    address = item.id.rpartition("/")[2]
    return None if _stands_behind(address, escaped(item.text), payload) else "unshown"


def _stands_behind(address: str, quoted: str, payload: str) -> bool:
    """Return whether a line opens with `[address]` or `[address …]` and then the quoted text."""
    opening = f"\n[{address}"
    at = payload.find(opening)
    while at >= 0:
        end = at + len(opening)
        text_at = payload.find("] ", end) + 2
        if payload[end : end + 1] in {"]", " "} and payload.startswith(quoted, text_at):
            return True
        at = payload.find(opening, end)
    return False


def shown_by_packing(packed: Packed, *, budget: int) -> Shown:
    """Return what a baseline's payload shows."""
    return Shown(
        steps=frozenset(packed.shown),
        text="\n".join(packed.shown.values()),
        tokens=packed.tokens,
        violations=("over-budget",) if packed.tokens > budget else (),
    )


def outcome(
    question: Question, shown: Shown, *, episode: str, mode: Mode, budget: int, method: str
) -> Outcome:
    """Return the score of a payload for a question."""
    return Outcome(
        question=question.id,
        episode=episode,
        domain=question.domain,
        kind=question.kind,
        mode=mode,
        budget=budget,
        method=method,
        recall=len(shown.steps.intersection(question.gold)) / len(question.gold),
        literals=_share(question.literals, shown.text.lower()),
        tokens=shown.tokens,
        violations=shown.violations,
    )


def _share(literals: Sequence[str], text: str) -> float | None:
    if not literals:
        return None
    return sum(holds(text, literal) for literal in literals) / len(literals)
