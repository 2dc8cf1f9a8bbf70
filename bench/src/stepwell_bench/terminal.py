"""What the benchmark commands show on a terminal: progress, and tables of a width that fits."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from rich.progress import TaskID

__all__ = ["counted", "named", "print_notices", "table_console"]


def table_console(*, file_columns: int) -> Console:
    """Return a console; a file has no width of its own, and 80 columns would break every row."""
    console = Console()
    return console if console.is_terminal else Console(width=file_columns)


def print_notices(console: Console, notices: Sequence[str]) -> None:
    """Print what limits a run, a line each."""
    for notice in notices:
        console.print(f"[bold]note[/bold]: {escape(notice)}")


@contextmanager
def counted() -> Generator[Callable[[str, int, int], None]]:
    """Show a bar for each thing counted: call with its name, how much is done, and of how much."""
    tasks: dict[str, TaskID] = {}
    with _bars() as bars:

        def told(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield told


@contextmanager
def named() -> Generator[Callable[[str], None]]:
    """Show what is being done now: call with its name."""
    with _bars() as bars:

        def told(what: str) -> None:
            for task in bars.task_ids:
                bars.remove_task(task)
            bars.add_task(what, total=None)

        yield told


def _bars() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, disable=not console.is_terminal, transient=True)
