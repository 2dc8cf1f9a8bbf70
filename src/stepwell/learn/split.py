"""Split cases into what is learned from, what chooses, and what is touched once at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.learn.cases import Case

__all__ = ["SHARES", "Split", "split_cases"]

SHARES: Final = (0.3, 0.2, 0.5)
"""Of the episodes: training, validation, test. Half is for the test, whose interval decides."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Three sets of cases that share no episode.

    Attributes:
        train: What proposals are guided by.
        validation: What candidates are compared on.
        test: What the chosen policy is judged on, once.
    """

    train: tuple[Case, ...]
    validation: tuple[Case, ...]
    test: tuple[Case, ...]


def split_cases(
    cases: Sequence[Case], *, seed: int, shares: tuple[float, float, float] = SHARES
) -> Split:
    """Split cases by episode, each domain in the same shares.

    Episodes are shuffled within their domain; then each of them, one domain after the other, goes
    to the set that is furthest behind its share of all episodes, of those sets that are behind
    their share of the domain. So a domain of few episodes gives what it has to the sets that wait
    longest. All questions of an episode, in all the ways they are asked, go together.

    Args:
        cases: The cases; their order within a set is kept.
        seed: Of the shuffling.
        shares: Of training, validation and test; they are divided by their sum.

    Raises:
        InvalidInputError: A share is negative, or a set that is to have a share would be empty.
    """
    total = math.fsum(shares)
    if min(shares) < 0 or not 0 < total < math.inf:
        raise InvalidInputError(f"{shares} are no shares.", hint="Give such as 0.3, 0.2 and 0.5.")
    goal = np.array(shares) / total
    rng = np.random.default_rng(seed)
    place: dict[str, int] = {}
    overall = np.zeros(len(goal))
    for episodes in _by_domain(cases):
        within = np.zeros(len(goal))
        for number in rng.permutation(len(episodes)):
            is_due = goal * (within.sum() + 1) - within > _ROUNDING
            behind = goal * (overall.sum() + 1) - overall
            chosen = int(np.argmax(np.where(is_due, behind.round(9), -np.inf)))
            place[episodes[number]] = chosen
            within[chosen] += 1
            overall[chosen] += 1
    parts = [tuple(case for case in cases if place[case.episode] == n) for n in range(len(goal))]
    if any(share and not part for share, part in zip(goal, parts, strict=True)):
        raise InvalidInputError(
            f"{len(place)} episodes are too few to split.", hint="Three are the least there can be."
        )
    return Split(train=parts[0], validation=parts[1], test=parts[2])


def _by_domain(cases: Iterable[Case]) -> list[list[str]]:
    """Return the episodes of each domain, sorted; an episode's domain is its first case's."""
    domain: dict[str, str] = {}
    for case in cases:
        domain.setdefault(case.episode, case.context.domain)
    groups: dict[str, list[str]] = {}
    for episode in sorted(domain):
        groups.setdefault(domain[episode], []).append(episode)
    return [groups[name] for name in sorted(groups)]
