"""Propose policies by asking a language model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stepwell.chat.base import Message
from stepwell.errors import PolicyError
from stepwell.learn.archive import key_of
from stepwell.learn.proposers.base import Proposal
from stepwell.learn.proposers.briefing import briefing
from stepwell.policy.files import loads
from stepwell.policy.kinds import Program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.chat.base import Chat
    from stepwell.learn.cases import Case
    from stepwell.learn.proposers.base import Task
    from stepwell.policy.kinds import Kind

__all__ = ["ModelProposer", "policy_in"]

_TRIES: Final = 3
_MOST_TOKENS: Final = 4_096
_CHECKED: Final = 200
"""Training cases that a proposed policy is tried on before it is evaluated."""

_BLOCK: Final = re.compile(r"^```[ \t]*(\w*)[^\n`]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_THOUGHT: Final = "</think>"
_NAMED: Final = re.compile(r"^name\s*=", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProposer:
    """Asks a language model, which is told what was tried, what failed, and how to go on.

    A reply that is no usable policy is answered with what is wrong, twice at most.

    Attributes:
        model: The model.
        cases: Training cases: what there is to read, and what a policy is tried on.
    """

    model: Chat
    cases: Sequence[Case]

    @property
    def name(self) -> str:
        """`model`, and its id."""
        return f"model/{self.model.model_id}"

    def propose(self, task: Task) -> Proposal:
        """Return what the model proposes.

        Raises:
            ModelUnavailableError: It gave no reply.
        """
        messages = list(briefing(task, self.cases))
        tried = {key_of(one.policy) for one in task.candidates if one.policy is not None}
        wrong, tokens = "", 0
        for _ in range(_TRIES):
            reply = self.model.complete(messages, max_tokens=_MOST_TOKENS)
            tokens += reply.prompt_tokens + reply.completion_tokens
            try:
                policy = policy_in(reply.text)
                self._check(policy, tried)
            except PolicyError as error:
                wrong = str(error)
                messages += [
                    Message(role="assistant", content=reply.text),
                    Message(role="user", content=f"This cannot be used: {wrong} Try again."),
                ]
                continue
            said = f"{task.direction or 'free'} change by {self.model.model_id}"
            return Proposal(policy=policy, description=said, tokens=tokens)
        return Proposal(policy=None, description=wrong, tokens=tokens)

    def _check(self, policy: Kind, tried: set[str]) -> None:
        """Try a policy on training cases.

        Raises:
            PolicyError: It was tried before, or fails on one of them.
        """
        if key_of(policy) in tried:
            raise PolicyError("This policy was tried already.", hint="Change something.")
        for case in self.cases[:: max(1, len(self.cases) // _CHECKED)]:
            policy.select(case.question, case.context)


def policy_in(reply: str) -> Kind:
    r"""Return the policy in a reply: its one code block, in TOML or Starlark.

    Raises:
        PolicyError: There is no block or several, or it is no policy.

    >>> policy_in('So:\n```toml\nkind = "fixed"\nstructures = ["vector"]\n```')
    Fixed(structures=('vector',))
    """
    blocks = _BLOCK.findall(reply.rpartition(_THOUGHT)[2].replace("\r\n", "\n"))
    if len(blocks) != 1:
        raise PolicyError(
            f"There are {len(blocks)} code blocks in the reply.", hint="Answer with exactly one."
        )
    language, text = blocks[0]
    if language.lower() == "toml":
        named = text if _NAMED.search(text) else f'name = "proposed"\n{text}'
        return loads(named, where="the reply").policy
    return Program(source=text)
