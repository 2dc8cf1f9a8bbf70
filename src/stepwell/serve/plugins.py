"""Commands that other distributions bring."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from stepwell.errors import NotFoundError

if TYPE_CHECKING:
    import typer

__all__ = ["GROUP", "command"]

GROUP = "stepwell.commands"
"""Entry point group: name = "package.module:app", a Typer application."""


def command(name: str, *, package: str) -> typer.Typer:
    """Return the application that an installed distribution brings under a name.

    Args:
        name: The first word of the command.
        package: The distribution that brings it.

    Raises:
        NotFoundError: That distribution is not installed.
    """
    found = tuple(entry_points(group=GROUP, name=name))
    if not found:
        raise NotFoundError(
            f"`stepwell {name}` is not installed: it comes with the package {package}.",
            hint=f"pip install {package}, or `pip install -e bench` in a clone of Stepwell.",
        )
    application: typer.Typer = found[0].load()
    return application
