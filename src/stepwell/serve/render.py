"""What reaches the terminal: data on stdout, talk on stderr, log text never as commands to it."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import typer

from stepwell.errors import InvalidInputError
from stepwell.text.clean import readable, visible

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

__all__ = [
    "Advance",
    "is_terminal",
    "print_json",
    "print_table",
    "print_text",
    "progress",
    "quoted",
    "say",
    "verbatim",
]

_NAME_CHARS = 60
"""Of a file name beside the bar: its end says more than its beginning."""

_CELL = 36
"""Columns of any cell but the last in its row: what a UUID takes."""

_GAP = 2
"""Columns between cells."""

_LEAST = 12
"""Columns the last cell gets on the narrowest terminal."""

# JSON escapes C0 controls itself; these would still reach a terminal as they are.
_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Advance(Protocol):
    """Tell a progress display what is in hand (empty for the same) and how many more are done."""

    def __call__(self, name: str = "", *, n: int = 1) -> None: ...  # noqa: D102  (the class says it)


def print_json(value: Any) -> None:
    """Print one JSON document, UTF-8 whatever the terminal's encoding."""
    _check_output()
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    typer.echo(_UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode())


def verbatim(text: str) -> None:
    """Print a text as it is; on a terminal, with hidden characters written out."""
    if is_terminal():
        typer.echo(visible(text))
    else:
        typer.echo(text.encode("utf-8", "replace"))


def print_text(text: str) -> None:
    """Print text that may hold anything a log holds."""
    _check_output()
    typer.echo(quoted(text))


def quoted(text: str) -> str:
    """Return text for a terminal: no escapes, hidden and reordering characters written out."""
    return visible(readable(text))


def say(text: str) -> None:
    """Tell the person at the terminal something that is no data."""
    typer.echo(quoted(text), err=True)


def is_terminal() -> bool:
    """Return whether a person reads what is printed."""
    _check_output()
    return sys.stdout.isatty()


def _check_output() -> None:
    """Fail where stdout is closed: typer would drop what is printed without a word.

    Raises:
        InvalidInputError: It is.
    """
    if sys.stdout is None:
        raise InvalidInputError(
            "There is no output to write to: stdout is closed.",
            hint="Leave it open, or send it to a file.",
        )


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, wrap: bool = False
) -> None:
    """Print rows: aligned on a terminal, else tab-separated lines under a header, for `cut`.

    Args:
        columns: Their names.
        rows: Their cells; the last column takes the width that is left.
        wrap: Whether the last column goes on in the next line instead of being cut.
    """
    cells = [[" ".join(quoted(str(cell)).split()) for cell in row] for row in rows]
    if not is_terminal():
        for line in (columns, *cells):
            typer.echo("\t".join(line))
        return
    # Loaded for a terminal only: it takes as long as a short command.
    from rich.cells import cell_len  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False, markup=False, emoji=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    left = console.width
    for place, name in enumerate(columns[:-1]):
        width = min(_CELL, max(cell_len(line[place]) for line in (columns, *cells)))
        table.add_column(name, width=width, no_wrap=True)
        left -= width + _GAP
    # Told its width: of several columns that may not wrap, rich would shrink the short ones away.
    table.add_column(
        columns[-1],
        max_width=max(left, _LEAST),
        overflow="fold" if wrap else "ellipsis",
        no_wrap=not wrap,
    )
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))  # Text: never read as markup
    console.print(table)


@contextmanager
def progress(what: str, *, total: int | None = None) -> Generator[Advance]:
    """Show progress on a terminal, nothing elsewhere.

    Args:
        what: What is being done.
        total: How many there are; None when nobody knows yet.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda name="", *, n=1: None  # noqa: ARG005  (of an Advance)
        return
    from rich import progress as bars  # noqa: PLC0415  (as above)
    from rich.console import Console  # noqa: PLC0415

    columns = (
        bars.SpinnerColumn(),
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(elapsed_when_finished=True),
    )
    bar = bars.Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)

    def advance(name: str = "", *, n: int = 1) -> None:
        bar.update(task, description=quoted(name)[-_NAME_CHARS:] or what, advance=n)

    with bar:
        yield advance
