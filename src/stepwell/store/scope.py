"""Scope: whose memory a row belongs to, and whose a query may see.

Names are data: they are only ever bound as parameters and compared for equality, so `_`, `%`, `*`
or a quote in a tenant's name is a character like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from stepwell.errors import ScopeError

__all__ = ["Scope"]

_COLUMNS = {
    "user_id": "user_id",
    "agent_id": "agent_id",
    "run_id": "run_id",
    "session": "session_id",
    "trajectory": "trajectory_id",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a memory or a single call is limited to; None leaves a field open.

    Attributes:
        user_id: Owner of the memory.
        agent_id: The agent it belongs to.
        run_id: The run it belongs to.
        session: Session id; a session's subagents share it.
        trajectory: Id of one trajectory.
    """

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    session: str | None = None
    trajectory: str | None = None

    @property
    def owner(self) -> tuple[str, str, str]:
        """User, agent and run that what is added belongs to; empty for none."""
        return self.user_id or "", self.agent_id or "", self.run_id or ""

    def narrowed(self, other: Scope | None) -> Scope:
        """Return this scope with the open fields taken from `other`.

        Raises:
            ScopeError: `other` names another value for a field that is already bound: a memory
                bound to one user never reads another's.
        """
        if other is None:
            return self
        values: dict[str, str | None] = {}
        for field in fields(self):
            mine: str | None = getattr(self, field.name)
            theirs: str | None = getattr(other, field.name)
            if mine is not None and theirs is not None and mine != theirs:
                raise ScopeError(
                    f"This memory is bound to {field.name}={mine!r}, not {theirs!r}.",
                    hint="Open a Memory with the other scope, or leave the field out.",
                )
            values[field.name] = theirs if mine is None else mine
        return Scope(**values)

    def condition(self) -> tuple[str, tuple[str, ...]]:
        """Return a SQL condition on the trajectories table and its parameters.

        >>> Scope(user_id="a%_b").condition()
        ('user_id = ?', ('a%_b',))
        """
        bound = [(_COLUMNS[field.name], getattr(self, field.name)) for field in fields(self)]
        named = [(column, value) for column, value in bound if value is not None]
        if not named:
            return "1", ()
        return " AND ".join(f"{column} = ?" for column, _ in named), tuple(v for _, v in named)
