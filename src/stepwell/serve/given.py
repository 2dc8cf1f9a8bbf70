"""What every command is given: the global options, and what they open.

Importing this module loads nothing that a command needs, as in `cli`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from stepwell.errors import InvalidInputError
from stepwell.serve.options import option
from stepwell.serve.render import say

if TYPE_CHECKING:
    from stepwell.config import Settings
    from stepwell.memory.memory import Memory

__all__ = [
    "EVERYWHERE",
    "Agent",
    "Database",
    "Encoder",
    "Given",
    "Run",
    "Session",
    "Trajectory",
    "User",
    "given",
    "group",
]

_IN_MEMORY: Final = ":memory:"

EVERYWHERE: Final = "Also here: the options of `stepwell --help`, such as --db and --session."
"""What the help of a command says at its end."""

Database = Annotated[
    Path | None, option("--db", "PATH", "The database file; else STEPWELL_DB, else yours.")
]
Encoder = Annotated[str, option("--encoder", "SPEC", "auto, none, or such as openai:MODEL.")]
Session = Annotated[str | None, option("--session", "ID", "Session to read or add to.")]
Trajectory = Annotated[
    str | None, option("--trajectory", "ID", "Trajectory to read; its beginning will do.")
]
User = Annotated[str | None, option("--user", "ID", "Owner of what is read or added.")]
Agent = Annotated[str | None, option("--agent", "ID", "Agent of what is read or added.")]
Run = Annotated[str | None, option("--run", "ID", "Run of what is read or added.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The global options as given.

    Attributes:
        db: The database file; None for the usual one.
        encoder: Spec of the encoder.
        scope: What is read or added, by the names that `Memory` uses.
    """

    db: Path | None
    encoder: str
    scope: dict[str, str]

    def settings(self) -> Settings:
        """Return the settings of this process."""
        from stepwell.config import settings  # noqa: PLC0415  (loads numpy)

        return settings(self.db, encoder=self.encoder)

    def memory(
        self, *, must_exist: bool = True, is_bound: bool = True, policy: str | None = None
    ) -> Memory:
        """Open the memory.

        Args:
            must_exist: Whether a missing database is an error, instead of a new one.
            is_bound: Whether the memory sees only what is in scope.
            policy: Name of the policy it reads by; None for the usual one.

        Raises:
            NotFoundError: There is no database and `must_exist`, or no such policy.
            PolicyError: The policy's file cannot be used.
            ModelUnavailableError: The encoder asked for by name cannot run here.
        """
        from stepwell.config import open_memory  # noqa: PLC0415  (loads numpy)

        settings = self.settings()
        if str(settings.db) == _IN_MEMORY:
            say(f"{_IN_MEMORY} is a database in memory: nothing of it is kept when this ends.")
        scope = None
        if is_bound:  # what is added may be new, and then has its whole id from the caller
            scope = self.known_scope() if must_exist else self.scope
        return open_memory(settings, scope=scope, must_exist=must_exist, policy=policy)

    def known_scope(self) -> dict[str, str]:
        """Return the scope with the whole id of the trajectory that --trajectory begins to name.

        Raises:
            NotFoundError: The memory has no such trajectory.
            InvalidInputError: It has several.
        """
        from stepwell.memory.looking import whole_id  # noqa: PLC0415  (loads numpy)

        db, handle = self.settings().db, self.scope.get("trajectory")
        if handle is None or db is None or not db.exists():
            return self.scope
        return {**self.scope, "trajectory": whole_id(db, self.scope, handle)}

    def check_unscoped(self, instead: str) -> None:
        """Make sure that no scope is given where a file is read.

        Args:
            instead: What to leave out to read the memory.

        Raises:
            InvalidInputError: A scope is given, which only a memory has.
        """
        if self.scope:
            raise InvalidInputError(
                "--session, --trajectory, --user, --agent and --run choose within the memory.",
                hint=f"Leave them out, or leave out {instead}.",
            )


def given(context: typer.Context) -> Given:
    """Return what a command was given besides its own options."""
    options: Given = context.obj
    return options


def group(about: str, **more: Any) -> typer.Typer:
    """Return a group of commands, set up as all of them are.

    Args:
        about: What its commands are for.
        more: What else it is made with, such as `epilog`.
    """
    return typer.Typer(
        help=about,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
        **more,
    )
