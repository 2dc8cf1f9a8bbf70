"""Evaluate policies on a memory's own recalls, from what was said of their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from stepwell.errors import InvalidInputError, PolicyError
from stepwell.learn.cases import Case, Evaluation
from stepwell.policy.base import Context

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stepwell.policy.base import Policy
    from stepwell.store.recalls import Recalled

__all__ = ["CLIP", "LEAST_EFFECTIVE", "Feedback", "effective_size", "read_feedback"]

CLIP: Final = 20.0
"""The largest weight: one lucky recall is not to speak for more than twenty."""

LEAST_EFFECTIVE: Final = 30.0
"""Fewer recalls than these leave a mean reward uncertain by .18 and more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Tells what policies are worth from logged recalls whose answers were rewarded.

    A recall counts for a policy that would have chosen what was read; as choices that are tried out
    are rare, it counts with weight w_i = min(1[π(q_i, c_i) = z_i] / p_i, clip), p_i being the
    logged choice's chance, and the mean is Σ w·r / Σ w: self-normalised inverse propensity scoring
    (Swaminathan and Joachims, 2015). Limits of tokens are not logged and play no part.

    Attributes:
        cases: A case for each recall.
        recalls: The recalls by the case's id.
        clip: The largest weight.
        least: Effective number of recalls, (Σ w)² / Σ w², below which nothing is said.
        n_unread: Rewarded recalls whose context cannot be read; they are left out.
    """

    cases: tuple[Case, ...]
    recalls: Mapping[str, Recalled]
    clip: float = CLIP
    least: float = LEAST_EFFECTIVE
    n_unread: int = 0

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        """Return what a policy is worth on some recalls.

        Raises:
            PolicyError: The policy fails on one of them; or too few of them tell anything of it.
        """
        chosen = [policy.select(case.question, case.context).structures for case in cases]
        logged = [self.recalls[case.id] for case in cases]
        weights = np.array(
            [
                min(1 / one.chance, self.clip) if set(names) == set(one.structures) else 0.0
                for names, one in zip(chosen, logged, strict=True)
            ]
        )
        if (n := effective_size(weights)) < self.least:
            matched = int(np.count_nonzero(weights))
            raise PolicyError(
                f"{matched} of {len(cases)} rewarded recalls read what this policy would read; "
                f"they count as {n:.0f}, and {self.least:.0f} are needed.",
                hint="Collect more feedback under a policy that tries things out "
                "(stepwell.policy.exploring.Exploring).",
            )
        return Evaluation(
            cases=cases,
            chosen=chosen,
            rewards=np.array([one.reward or 0.0 for one in logged], dtype=np.float64),
            tokens=np.array([one.tokens for one in logged], dtype=np.float64),
            weights=weights,
        )


def read_feedback(
    recalls: Iterable[Recalled], *, clip: float = CLIP, least: float = LEAST_EFFECTIVE
) -> Feedback:
    """Return the recalls whose answers were rewarded, to evaluate policies on.

    Recalls over the same trajectories are one episode, named by the first of these.

    Args:
        recalls: Logged recalls.
        clip: The largest weight.
        least: Effective number of recalls below which nothing is said of a policy.

    Raises:
        InvalidInputError: No recall was rewarded.
    """
    cases: list[Case] = []
    kept: dict[str, Recalled] = {}
    n_unread = 0
    for one in recalls:
        if one.reward is None:
            continue
        context = _context(one.context)
        if context is None or not 0 < one.chance <= 1:
            n_unread += 1
            continue
        episode = f"t{min(one.trajectories, default=0)}"
        cases.append(Case(id=one.id, episode=episode, question=one.question, context=context))
        kept[one.id] = one
    if not cases:
        raise InvalidInputError(
            "No recall has been rewarded yet.",
            hint="Say how good answers were: Memory.feedback(evidence.id, reward).",
        )
    return Feedback(cases=tuple(cases), recalls=kept, clip=clip, least=least, n_unread=n_unread)


def effective_size(
    weights: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]],
) -> float:
    """Return (Σ w)² / Σ w², the number of equal weights that tell as much (Kish, 1965).

    >>> effective_size([1.0, 1.0, 0.0])
    2.0
    """
    numbers = np.asarray(weights, dtype=np.float64)
    squares = float(np.square(numbers).sum())
    return float(numbers.sum()) ** 2 / squares if squares else 0.0


class _Seen(msgspec.Struct):
    """A context as it is logged."""

    available: tuple[str, ...]
    budget: int
    n_steps: int
    n_tokens: int
    domain: str
    kind: str
    task: str
    signals: dict[str, float]


def _context(raw: bytes) -> Context | None:
    try:
        seen = msgspec.json.decode(raw, type=_Seen)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return Context(**msgspec.structs.asdict(seen)) if seen.available else None
