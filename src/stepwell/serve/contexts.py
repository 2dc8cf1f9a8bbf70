"""What `stepwell policy try` lets a policy see: your memory, or what options say of one."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from stepwell.config import open_memory
from stepwell.errors import InvalidInputError
from stepwell.memory.preview import context_of
from stepwell.policy.base import Context
from stepwell.structures.registry import NAMES, found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stepwell.config import Settings

__all__ = ["Assumed", "assumed_context", "context_in_use"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What options say of a memory; what is empty was not said.

    Attributes:
        domain: What the runs are about.
        kind: The type of the question.
        steps: Steps in scope.
        tokens: Tokens they hold.
        signals: Such as `temporal.slots=2`.
        without: Structures that are not there.
    """

    domain: str = ""
    kind: str = ""
    steps: int = 0
    tokens: int = 0
    signals: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether an option says anything."""
        return any(getattr(self, field.name) for field in fields(self))


def context_in_use(
    settings: Settings, question: str, budget: int, *, scope: Mapping[str, str]
) -> Context | None:
    """Return what a policy would see of the memory there is; None where there is none.

    Args:
        settings: The settings of this process.
        question: What is asked.
        budget: Tokens of the whole payload.
        scope: What of the memory is seen.
    """
    if settings.db is None or not settings.db.exists():
        return None
    with open_memory(settings, scope=scope, log_recalls=False) as memory:
        return context_of(memory, question, budget)


def assumed_context(assumed: Assumed, budget: int) -> Context:
    """Return what a policy would see of a memory as options say it is.

    Raises:
        InvalidInputError: A signal is no NAME=NUMBER.

    >>> assumed_context(Assumed(signals=("temporal.slots=2",)), 800).signals
    {'temporal.slots': 2.0}
    """
    return Context(
        available=tuple(name for name in (*NAMES, *found().usable) if name not in assumed.without),
        budget=budget,
        n_steps=assumed.steps,
        n_tokens=assumed.tokens,
        domain=assumed.domain,
        kind=assumed.kind,
        signals=dict(map(_signal, assumed.signals)),
    )


def _signal(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name.strip() or not math.isfinite(value):
        raise InvalidInputError(
            f"--signal {text} is no name with a number.", hint="Such as temporal.slots=2."
        )
    return name.strip(), value
