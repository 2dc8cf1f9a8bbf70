"""What MESA published, to stand beside what is measured here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["NOTE", "PUBLISHED", "Published", "published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure of the paper.

    Attributes:
        policy: Which policy, as it is called here.
        score: Accuracy on AMA-Bench in percent, or F1 on LoCoMo.
        tokens: Mean evidence tokens; None where it is not told.
    """

    policy: str
    score: float
    tokens: int | None


NOTE: Final = (
    "The paper's scores are answers judged by a language model; here the reward is evidence shown. "
    "Only the orderings and the saving of tokens compare."
)
"""What to say wherever the two stand side by side."""

PUBLISHED: Final = {
    "ama-bench": (
        Published(policy="learned", score=65.1, tokens=11_000),
        Published(policy="all", score=63.7, tokens=18_700),
        Published(policy="domain table", score=64.4, tokens=None),
        Published(policy="route-to-one", score=57.0, tokens=None),
    ),
    "locomo": (Published(policy="learned", score=49.0, tokens=None),),
}
"""By data set."""


def published(dataset: str, policy: str) -> Published | None:
    """Return the paper's figure of a policy, if it has one.

    >>> published("ama-bench", "all").tokens
    18700
    """
    known = PUBLISHED.get(dataset, ())
    return next((figure for figure in known if figure.policy == policy), None)
