"""Score one payload strictly: a step counts only where its text was really shown and cited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.errors import StepwellError
from stepwell.memory.looking import cited_text
from stepwell.recall.markup import escaped
from stepwell.trajectory.atoms import atoms_of, parse_citation
from stepwell_bench.cutting import MARK, UNCUT, Cutting, cutting, found_parts
from stepwell_bench.gold import holds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.evidence import Evidence, Item, Noted
    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.atoms import Citation
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
        quoted: What is quoted of each step; of those that are only told, the line's quotation.
        notes: Structures' own lines, each with the steps it is derived from.
        tail: The lines that name what is not quoted.
        cutting: How the excerpts are cut.
    """

    steps: frozenset[int]
    text: str
    tokens: int
    violations: tuple[str, ...] = ()
    told: frozenset[int] = frozenset()
    quoted: Mapping[int, str] = field(default_factory=dict[int, str])
    notes: tuple[tuple[frozenset[int], str], ...] = ()
    tail: str = ""
    cutting: Cutting = UNCUT


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
        names_gold: Whether the question as asked names all of its gold steps.
        support: Share of what only the gold answer says that the payload holds (`support`).
        grounded: The same, in text cited to a gold step, or in lines derived of one, alone.
        coverage: Share shown of the gold steps, of each up to 120 tokens.
        spread: Share of the run's steps shown.
        cutting: How the excerpts are cut.
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
    names_gold: bool = False
    support: float | None = None
    grounded: float | None = None
    coverage: float | None = None
    spread: float | None = None
    cutting: Cutting = UNCUT


def shown_by_evidence(
    evidence: Evidence, *, trajectory: Trajectory, counter: TokenCounter
) -> Shown:
    """Return what a recall shows, checked against the stored trajectory.

    An item counts when its text is not blank, stands verbatim in the atom it cites, and stands
    in the payload right behind its citation; parts of it may be left out where `…` stands. A
    structure's own line counts for its first step when it quotes that step: when a part of it that
    is not blank stands verbatim in one of the step's atoms; the other steps it is derived from do
    not count.

    Breaches are named: `over-budget`, `miscounted` (the recall states another number of tokens),
    `foreign` (of another trajectory), `unquoted`, `misplaced` (the lines cited do not hold it),
    `unshown`, and `misquoted` (a structure's own line quotes what does not stand there).
    """
    tokens = counter.count(evidence.text)
    violations = ["over-budget"] if tokens > evidence.budget else []
    violations += ["miscounted"] if tokens != evidence.tokens else []
    checked = [(item, _checked(item, evidence.text, trajectory)) for item in evidence.items]
    cuts = [found for _, found in checked if isinstance(found, Cutting)]
    good = [item for item, found in checked if isinstance(found, Cutting)]
    breaches = {note: _misquotes(note, evidence.text, trajectory) for note in evidence.notes}
    violations += [found for _, found in checked if isinstance(found, str)]
    violations += [breach for breach in breaches.values() if breach is not None]
    true = [note for note, breach in breaches.items() if breach is None]
    quoted = _quoted(good)
    told = {note.steps[0]: note.quote for note in true if note.quote.strip()}
    return Shown(
        steps=frozenset(told | quoted),
        text="\n".join([*(note.text for note in evidence.notes), *(item.text for item in good)]),
        tokens=tokens,
        violations=tuple(violations),
        told=frozenset(told) - frozenset(quoted),
        quoted=told | quoted,
        notes=tuple((frozenset(note.steps), note.text) for note in true),
        tail="\n".join(note.text for note in evidence.tail),
        cutting=sum(cuts, UNCUT),
    )


def _quoted(items: Sequence[Item]) -> dict[int, str]:
    """Return what items quote of each step."""
    texts: dict[int, list[str]] = {}
    for item in items:
        texts.setdefault(item.step, []).append(item.text)
    return {step: "\n".join(found) for step, found in texts.items()}


def _misquotes(note: Noted, payload: str, trajectory: Trajectory) -> str | None:
    if note.trajectory != trajectory.trajectory_id or note.steps[-1] >= len(trajectory.steps):
        return "foreign"
    if escaped(" ".join(note.text.split())) not in payload:
        return "unshown"
    atoms = atoms_of(trajectory.steps[note.steps[0]])
    stands = note.quote in note.text and any(note.quote in atom.text for atom in atoms)
    return None if stands else "misquoted"


def _checked(item: Item, payload: str, trajectory: Trajectory) -> Cutting | str:
    """Return how an item is cut, or the rule it breaks."""
    if item.trajectory != trajectory.trajectory_id or item.step >= len(trajectory.steps):
        return "foreign"
    step = trajectory.steps[item.step]
    atom = next((atom for atom in atoms_of(step) if atom.part == item.part), None)
    if atom is None or not item.text.strip() or found_parts(item.text, atom.text) is None:
        return "unquoted"
    citation = parse_citation(item.id)
    try:
        parts = found_parts(item.text, cited_text(step, citation))
    except StepwellError:
        return "misplaced"
    if (citation.step, citation.part) != (item.step, item.part) or parts is None:
        return "misplaced"
    place = _place_behind(item.id.rpartition("/")[2], escaped(item.text), payload)
    if place is None:
        return "unshown"
    offset = _offset(citation, atom.text)
    return cutting(
        item.text,
        [(offset + start, offset + end) for start, end in parts],
        atom.text,
        marked=(
            payload[: place[0]].rstrip(" ").endswith(MARK),
            payload[place[1] :].lstrip(" ").startswith(MARK),
        ),
    )


def _offset(citation: Citation, text: str) -> int:
    """Return where in an atom the text begins that a citation names."""
    if citation.lines is None:
        return citation.columns[0] - 1 if citation.columns else 0
    lines = text.split("\n")[: citation.lines[0] - 1]
    column = citation.columns[0] - 1 if citation.columns else 0
    return sum(len(line) + 1 for line in lines) + column


def _place_behind(address: str, quoted: str, payload: str) -> tuple[int, int] | None:
    """Return where a quotation stands behind `[address]` or `[address …]` that opens a line."""
    opening = f"\n[{address}"
    at = payload.find(opening)
    while at >= 0:
        end = at + len(opening)
        text_at = payload.find("] ", end) + 2
        while payload[text_at : text_at + 1] in {MARK, " "} and not payload.startswith(
            quoted, text_at
        ):
            text_at += 1
        if payload[end : end + 1] in {"]", " "} and payload.startswith(quoted, text_at):
            return text_at, text_at + len(quoted)
        at = payload.find(opening, end)
    return None


def shown_by_packing(packed: Packed, *, budget: int) -> Shown:
    """Return what a baseline's payload shows."""
    return Shown(
        steps=frozenset(packed.shown),
        text="\n".join(packed.shown.values()),
        tokens=packed.tokens,
        violations=("over-budget",) if packed.tokens > budget else (),
        quoted=packed.shown,
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
