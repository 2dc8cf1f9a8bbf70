"""What a proposer is: from the state of a search to one policy to try next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from stepwell.learn.archive import Candidate, Role
    from stepwell.learn.failures import Cluster
    from stepwell.learn.ucb import Arm, Direction
    from stepwell.policy.kinds import Kind

__all__ = ["Proposal", "Proposer", "Task"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is asked of a proposer.

    Attributes:
        role: Why: to go on in a direction that was good, to try another, or to repair failures.
        direction: How to change policies; None to change them in any way.
        current: The best candidate so far, which is to be improved.
        cluster: The failures to repair; only for that role.
        candidates: What was evaluated so far, oldest first; of those proposed in this iteration,
            too. None of their policies is to be proposed again.
        arms: What is known of each direction.
        penalty: λ: what a token of evidence costs, in units of reward.
        rng: Where random choices come from; a task's own.
    """

    role: Role
    direction: Direction | None
    current: Candidate
    cluster: Cluster | None
    candidates: Sequence[Candidate]
    arms: Mapping[Direction, Arm]
    penalty: float
    rng: np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A policy to try.

    Attributes:
        policy: The policy; None where a proposer found nothing that is new and can be used.
        description: What was changed, or why there is none, for a person.
        direction: How it was changed, where that is not what the task asked for.
        tokens: Tokens of a language model it took.
    """

    policy: Kind | None
    description: str
    direction: Direction | None = None
    tokens: int = 0


class Proposer(Protocol):
    """Proposes policies. What it knows beside the task, it knows from training cases alone."""

    @property
    def name(self) -> str:
        """Its name and what it depends on; searches with different names are different runs."""
        ...

    def propose(self, task: Task) -> Proposal:
        """Return a policy to try.

        Raises:
            ModelUnavailableError: It needs a model, and that gave no reply.
        """
        ...
