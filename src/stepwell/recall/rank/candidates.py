"""Candidates: the steps that may be quoted, in order, and why each of them is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from stepwell.recall.rank.places import Named
    from stepwell.recall.rank.score import Scored
    from stepwell.store.facts import StepFacts
    from stepwell.structures.base import Traits

__all__ = ["Candidate", "best_first", "best_keys", "candidates_of", "speaker_in"]

_DEMOTED = {"summary": 1.5, "context": 1.5, "meta": 1.5}
"""Standard deviations taken off what repeats or surrounds a run: a summary names every topic, and
the step it summarises is the better evidence."""

_ABANDONED = 1.0
"""Taken off a step on an abandoned branch: it happened, and did not last."""

_SPEAKER = 2.0
"""Given to the steps of the speaker a question asks about."""

_OUTSIDE = frozenset({"summary", "context", "meta"})

_USER_SAYS = re.compile(
    r"\bdid\s+(?:the\s+)?user\s+\w+|\b(?:the\s+)?user(?:'s)?\s+(?:said|says?|asked|asks|wants?|wanted|"
    r"told|tells?|requested|requests?|prefers?|preferred|preferences?|mentioned|confirmed|approved|"
    r"request|instruction|message)",
    re.IGNORECASE,
)
_AGENT_SAYS = re.compile(
    r"\b(?:did\s+(?:the\s+)?(?:agent|assistant)\s+(?:say|tell|answer|reply|claim|promise)"
    r"|(?:agent|assistant)\s+(?:said|told|answered|replied|claimed|promised))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A step that may be quoted.

    Attributes:
        key: Its key.
        score: Fused score after what its kind takes or gives.
        structure: The structure that ranked it highest, or `steps`.
        parts: Its standardised score by structure.
        why: One phrase for a person.
        is_superseded: Whether a newer step says otherwise, of a question about now.
        alike: The steps of its run for which it stands, itself among them, which say the same but
            for numbers.
        is_spared: Whether another stands for it.
    """

    key: int
    score: float
    structure: str
    parts: dict[str, float]
    why: str
    is_superseded: bool = False
    alike: tuple[int, ...] = ()
    is_spared: bool = False


def speaker_in(question: str) -> str | None:
    """Return the kind of step a question asks about, `user` or `agent`, if it says so.

    >>> speaker_in("What did the user say about seats?")
    'user'
    """
    if _USER_SAYS.search(question):
        return "user"
    return "agent" if _AGENT_SAYS.search(question) else None


def best_keys(scored: Scored, n: int) -> list[int]:
    """Return the keys of the n best steps, best first, ties by order; none without any hit.

    Steps without a hit of their own may follow: a budget that has room for them was granted, and
    an outline of the run around a hit is worth more than nothing.
    """
    if not scored.passages:
        return []
    order = np.lexsort((scored.keys, -scored.total))[:n]
    return [int(key) for key in scored.keys[order]]


def best_first(
    scored: Scored,
    facts: Mapping[int, StepFacts],
    *,
    named: Mapping[int, Named],
    speaker: str | None,
) -> list[int]:
    """Return the keys of steps that may be quoted: those the question names, the others by score.

    Args:
        scored: Scores of the steps.
        facts: What is known of each, by key.
        named: What the question names, by key.
        speaker: The kind of step it asks about.
    """
    places = _places(scored, facts)
    kept = {
        key: _score(scored, places.get(key), facts[key], speaker)
        for key in facts
        if key in named or not (speaker == "user" and facts[key].kind in _OUTSIDE)
    }
    last = len(named) + 1
    return sorted(
        kept, key=lambda key: (named[key].rank if key in named else last, -kept[key], key)
    )


def candidates_of(
    keys: Sequence[int],
    scored: Scored,
    facts: Mapping[int, StepFacts],
    *,
    named: Mapping[int, Named],
    speaker: str | None,
) -> list[Candidate]:
    """Return steps as candidates, in the order of their keys.

    Args:
        keys: The steps, as `best_first` orders them.
        scored: Scores of the steps.
        facts: What is known of each, by key.
        named: What the question names, by key.
        speaker: The kind of step it asks about.
    """
    places = _places(scored, keys)
    return [
        _candidate(key, scored, places.get(key), facts[key], named.get(key), speaker)
        for key in keys
    ]


def _candidate(
    key: int,
    scored: Scored,
    place: int | None,
    facts: StepFacts,
    named: Named | None,
    speaker: str | None,
) -> Candidate:
    parts = {} if place is None else {k: float(v[place]) for k, v in scored.parts.items()}
    total = 0.0 if place is None else float(scored.total[place])
    structure = "steps" if named else max(parts, key=lambda name: parts[name], default="steps")
    why = named.why if named else _why(parts, scored.traits, total, scored.reasons.get(key))
    score = _score(scored, place, facts, speaker)
    return Candidate(key=key, score=score, structure=structure, parts=parts, why=why)


def _places(scored: Scored, keys: Collection[int]) -> dict[int, int]:
    """Return where steps stand among those scored, which ascend; one without a score has none."""
    wanted = np.fromiter(keys, dtype=np.int64, count=len(keys))
    at = np.minimum(np.searchsorted(scored.keys, wanted), max(len(scored.keys) - 1, 0))
    is_there = scored.keys[at] == wanted if len(scored.keys) else np.zeros(len(wanted), dtype=bool)
    return dict(zip(wanted[is_there].tolist(), at[is_there].tolist(), strict=True))


def _score(scored: Scored, place: int | None, facts: StepFacts, speaker: str | None) -> float:
    total = 0.0 if place is None else float(scored.total[place])
    score = total - _DEMOTED.get(facts.kind, 0.0) - (0.0 if facts.active else _ABANDONED)
    return score + (_SPEAKER if facts.kind == speaker else 0.0)


def _why(
    parts: Mapping[str, float], traits: Mapping[str, Traits], total: float, bound: str | None
) -> str:
    raised = sum(value for name, value in parts.items() if traits[name].orders)
    own = sum(parts.values()) - raised
    match = _match(parts, traits, is_beside=own < (total - raised) / 2)
    return f"{match}, {bound}" if bound else match


def _match(parts: Mapping[str, float], traits: Mapping[str, Traits], *, is_beside: bool) -> str:
    if is_beside:
        return "beside a step that matches"
    strong = [name for name, value in parts.items() if not traits[name].orders and value >= 1]
    stated = [name for name in strong if not traits[name].matches]
    if len(strong) > 1 and not stated:
        return "its words and its meaning match"
    first = next(iter(stated or strong), None)
    return "a weak match" if first is None else traits[first].why or f"{first} found it"
