"""The reference of the command line, written from its own help.

`python -m support.cli_reference` writes docs/reference/cli.md anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from stepwell.serve.cli import app

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"
WIDTH = "92"

INTRODUCTION = """\
# The command line

Data goes to stdout, everything else to stderr; `--json` makes the data one JSON document. Exit
codes: 0; 1 for an error (`error[kind]: message` and what to do next, on stderr); 2 for wrong usage.
Progress is shown only on a terminal. When stdout is no terminal, tables are tab-separated lines
under a header.

The database is `--db PATH`, else the environment variable `STEPWELL_DB`, else `stepwell.db` in your
data folder. The options of `stepwell` itself may stand before or after the command.

This page is written from the commands' own help: `python -m support.cli_reference`.
"""


def commands() -> dict[tuple[str, ...], str]:
    """Return the help text of every command by its words, the program's own first."""
    pages: dict[tuple[str, ...], str] = {(): page()}
    for name in typer.main.get_command(app).commands:  # type: ignore[attr-defined]  # a group
        pages[name,] = page(name)
        pages |= {(name, *words): page(name, *words) for words in subcommands(name)}
    return pages


def subcommands(name: str) -> list[tuple[str, ...]]:
    """Return the commands below one, such as those of `stepwell bench`, group by group."""
    command: Any = typer.main.get_command(app)
    command = command.commands[name]
    if name == "bench":  # it is loaded when it runs
        from stepwell_bench.commands import app as bench  # noqa: PLC0415  (as the program does)

        command = typer.main.get_command(bench)
    return below(command)


def below(command: Any) -> list[tuple[str, ...]]:
    """Return the words of every command below a group."""
    found: list[tuple[str, ...]] = []
    for name, inner in getattr(command, "commands", {}).items():
        found += [(name,), *((name, *words) for words in below(inner))]
    return found


def page(*words: str) -> str:
    """Return the help of one command at a fixed width."""
    environment = {"COLUMNS": WIDTH, "TERM": "dumb", "NO_COLOR": "1"}
    done = CliRunner().invoke(app, [*words, "--help"], env=environment, prog_name="stepwell")
    assert done.exit_code == 0, done.output
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def reference() -> str:
    """Return the whole page."""
    sections = [INTRODUCTION]
    for words, text in commands().items():
        sections.append(f"## {' '.join(('stepwell', *words))}\n\n```text\n{text}\n```\n")
    return "\n".join(sections)


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
