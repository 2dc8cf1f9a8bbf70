"""Where a policy fails: clusters of cases, and which direction may repair them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stepwell.policy.conditions import Condition
from stepwell.policy.cues import CUES, cues_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.learn.cases import Case, Evaluation
    from stepwell.learn.ucb import Direction

__all__ = ["DIRECTION_OF_CUE", "FAILED_BELOW", "Cluster", "failure_clusters", "leading_cue"]

FAILED_BELOW: Final = 0.5
"""A reward below this is a failure: less than half of what was asked for."""

_LENGTHS: Final = frozenset({"long", "short"})

DIRECTION_OF_CUE: Final[dict[str, Direction]] = {
    # What is demanded is said: a place, an order, a number, the very words.
    **dict.fromkeys(
        ("count", "before", "after", "between", "first", "last", "quote", "when", "steps"),
        "demand",
    ),
    # One structure holds it or does not.
    **dict.fromkeys(
        ("state", "inventory", "where", "who", "which", "names", "code", "error", "numeric"),
        "utility",
    ),
    # Several views have to come together.
    **dict.fromkeys(
        (
            "history",
            "actions",
            "list",
            "repeat",
            "why",
            "how",
            "purpose",
            "outcome",
            "compare",
            "counterfactual",
        ),
        "composition",
    ),
    # Anything may be needed.
    **dict.fromkeys(("throughout", "pattern", "yes_no", "long", "short", ""), "robustness"),
}
"""The direction that changes what such questions lack; '' for questions without a cue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Failed cases that are alike.

    Attributes:
        domain: Their domain; may be empty.
        kind: Their question's type; may be empty.
        cue: Their leading cue; empty where they show none.
        members: Their places among the cases evaluated.
    """

    domain: str
    kind: str
    cue: str
    members: tuple[int, ...]

    @property
    def direction(self) -> Direction:
        """The direction that may repair it."""
        return DIRECTION_OF_CUE[self.cue]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What holds for its cases, as conditions of a rule."""
        found: list[Condition] = []
        if self.domain.strip():
            found.append(Condition(subject="domain", name=" ".join(self.domain.split())))
        if self.kind.strip():
            found.append(Condition(subject="kind", name=" ".join(self.kind.split())))
        if self.cue:
            found.append(Condition(subject="asks", name=self.cue))
        return tuple(found)

    def __str__(self) -> str:
        """Say what the cases have in common, and how many they are."""
        return f"{', '.join(map(str, self.conditions)) or 'anything'} ({len(self.members)})"


def failure_clusters(evaluation: Evaluation, *, below: float = FAILED_BELOW) -> list[Cluster]:
    """Return the clusters of failed cases by domain, kind and leading cue, the largest first.

    Args:
        evaluation: Of the policy whose failures are sought. Cases of weight 0, of which nothing is
            known, are no failures.
        below: Rewards that count as failures.
    """
    failed = [
        number
        for number, reward in enumerate(evaluation.rewards)
        if reward < below and evaluation.weights[number] > 0
    ]
    shown = cue_counts(evaluation.cases)
    groups: dict[tuple[str, str, str], list[int]] = {}
    for number in failed:
        case = evaluation.cases[number]
        key = (case.context.domain, case.context.kind, leading_cue(case.question, shown))
        groups.setdefault(key, []).append(number)
    clusters = [
        Cluster(domain=domain, kind=kind, cue=cue, members=tuple(members))
        for (domain, kind, cue), members in groups.items()
    ]
    return sorted(clusters, key=lambda one: (-len(one.members), one.domain, one.kind, one.cue))


def cue_counts(cases: Sequence[Case]) -> Counter[str]:
    """Return how many cases show each cue."""
    return Counter(cue for case in cases for cue in cues_of(case.question))


def leading_cue(question: str, shown: Counter[str]) -> str:
    """Return the cue that says most about a question: the rarest one; empty if it shows none.

    Args:
        question: The question.
        shown: How often each cue is shown by the questions it stands among.

    >>> leading_cue("How many times was it run?", Counter(count=3, how=9))
    'count'
    """
    return min(_told(cues_of(question)), key=lambda cue: shown[cue], default="")


def _told(cues: Iterable[str]) -> list[str]:
    order = list(CUES)
    return sorted(set(cues) - _LENGTHS, key=order.index)
