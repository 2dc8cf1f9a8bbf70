"""Turn what was learned into a policy file, where it is better than what is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.errors import PolicyError
from stepwell.policy.files import PolicyFile, digest
from stepwell.policy.registry import install

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from stepwell.learn.held_out import Comparison
    from stepwell.policy.kinds import Kind

__all__ = ["install_better", "policy_file", "told"]


def policy_file(
    policy: Kind, *, name: str, parent: PolicyFile, origin: Mapping[str, str | int | float]
) -> PolicyFile:
    """Return a learned policy as a file's content.

    Args:
        policy: The policy.
        name: Its name.
        parent: The policy in use when it was learned; of the same name, this is its next version.
        origin: How it was learned: data, reward, objective, seed, commit.
    """
    return PolicyFile(
        name=name,
        policy=policy,
        version=parent.version + 1 if parent.name == name else 1,
        description="Learned from rewards.",
        origin={
            **origin,
            "made": "learned",
            "parent": f"{parent.name}.v{parent.version}",
            "parent_digest": digest(parent),
        },
    )


def install_better(file: PolicyFile, against: Comparison, folder: Path) -> Path:
    """Install a learned policy, if it beats the current one on held-out cases.

    Args:
        file: The policy.
        against: It against the current one.
        folder: Of policies.

    Returns:
        The file that holds it.

    Raises:
        PolicyError: It does not beat the current one; or the folder cannot be written.
    """
    if not against.beats:
        raise PolicyError(
            f"{file.name} is not installed: {told(against)}.",
            hint="Learn from more questions, or for longer; what is in use stays.",
        )
    return install(file, folder)


def told(against: Comparison) -> str:
    """Say how a policy compares with another one."""
    found = against.objective_difference
    verdict = "better than" if against.beats else "not shown to be better than"
    return (
        f"it is {verdict} {against.name}: {found.mean:+.4f} of J - λC on {found.n_values} held-out "
        f"questions of {found.n_groups} episodes, 95 % interval {found.low:+.4f} to "
        f"{found.high:+.4f}, p = {against.p:.3g}"
    )
