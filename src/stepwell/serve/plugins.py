"""Commands that other distributions bring."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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
        InvalidInputError: What it brings cannot be used.
    """
    found = sorted(entry_points(group=GROUP, name=name), key=lambda point: point.value)
    if not found:
        raise NotFoundError(
            f"`stepwell {name}` is not installed: it comes with the package {package}.",
            hint=f"pip install {package}, or `pip install -e bench` in a clone of Stepwell.",
        )
    if len(found) > 1:
        raise InvalidInputError(
            f"Several installed packages bring `stepwell {name}`.",
            hint=f"Uninstall all but one of {', '.join(point.value for point in found)}.",
        )
    return _loaded(found[0])


def _loaded(point: EntryPoint) -> typer.Typer:
    import typer  # noqa: PLC0415  (serve alone imports it, when a command runs)

    try:
        application = point.load()
    except Exception as error:
        raise InvalidInputError(
            f"`stepwell {point.name}` cannot be loaded: {error!r}.",
            hint=f"Mend, reinstall or uninstall what stands behind {point.value}.",
        ) from error
    if not isinstance(application, typer.Typer):
        raise InvalidInputError(
            f"What an installed package brings as `stepwell {point.name}` is no command.",
            hint=f"{point.value} must be a typer.Typer.",
        )
    return application
