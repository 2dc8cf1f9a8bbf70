"""The one error tree of Stepwell: every message says what went wrong and what to do next."""

from __future__ import annotations

__all__ = [
    "BudgetTooSmallError",
    "InvalidInputError",
    "ModelUnavailableError",
    "NotFoundError",
    "PolicyError",
    "ScopeError",
    "StepwellError",
    "StoreError",
    "UnknownFormatError",
]


class StepwellError(Exception):
    """Base of every error Stepwell raises on purpose.

    Attributes:
        kind: A stable kebab-case name for scripts and `--json` output.
        hint: The next thing to do, as one sentence or command; may be empty.
    """

    kind = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        """Return the message followed by what to do next."""
        message = super().__str__()
        return f"{message} {self.hint}" if self.hint else message


class InvalidInputError(StepwellError):
    """An argument, a record or a file that cannot be used as given."""

    kind = "invalid-input"


class UnknownFormatError(StepwellError):
    """A log whose format no reader recognises."""

    kind = "unknown-format"


class NotFoundError(StepwellError):
    """An id, a trajectory or a file that does not exist in this scope."""

    kind = "not-found"


class ScopeError(StepwellError):
    """A call that would leave the scope its memory is bound to."""

    kind = "scope"


class BudgetTooSmallError(StepwellError):
    """A token budget that cannot even hold an empty payload."""

    kind = "budget-too-small"


class ModelUnavailableError(StepwellError):
    """An encoder or language model that is asked for but cannot run here or be reached."""

    kind = "model-unavailable"


class PolicyError(StepwellError):
    """A policy that cannot be read, fails, or selects nothing that can be read."""

    kind = "policy"


class StoreError(StepwellError):
    """A database that is locked, damaged, or written by a newer Stepwell.

    Attributes:
        reason: Why, as far as a program may act on it: `busy` and `full` pass by themselves or with
            room on the disk, `damaged` needs `stepwell doctor --repair`; empty for anything else.
    """

    kind = "store"

    def __init__(self, message: str, *, hint: str = "", reason: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason
