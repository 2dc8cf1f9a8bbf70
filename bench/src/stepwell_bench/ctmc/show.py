"""Print the findings of an experiment as a table: ours beside the paper's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from rich.console import Console

    from stepwell_bench.ctmc.figures import Figure, Report

__all__ = ["show"]

_DASH = "-"
_COLUMNS = 6
"""Figures side by side; more are set below."""


def show(report: Report, console: Console) -> None:
    """Print what was run, every figure with its interval, the paper's, and what the whole shows."""
    seeds = ", ".join(map(str, report.seeds))
    console.print(
        f"[bold]{report.name}[/bold]: {escape(report.title)}; seeds {seeds}; "
        f"commit {report.commit or 'unknown'}"
    )
    found = report.findings
    for name, value in found.options.items():
        console.print(f"{name}: {value}", markup=False)
    print_notices(console, found.notices)
    columns = list(dict.fromkeys(one.column for one in found.figures))
    for start in range(0, len(columns), _COLUMNS):
        console.print(_table(report, columns[start : start + _COLUMNS]))
    judged = [one.reproduced for one in found.figures if one.reproduced is not None]
    if judged:
        console.print(f"{sum(judged)} of {len(judged)} of the paper's figures reproduced.")
    for claim in found.claims:
        state = "[green]holds[/green]" if claim.holds else "[red]does not hold[/red]"
        console.print(f"{state}: {escape(claim.text)}")


def _table(report: Report, columns: list[str]) -> Table:
    title = f"mean [95 % interval over {len(report.seeds)} seeds], below it the paper's"
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="right")
    placed = {(one.row, one.column): one for one in report.findings.figures}
    for row in dict.fromkeys(one.row for one in report.findings.figures):
        cells = [placed.get((row, column)) for column in columns]
        if any(cells):
            table.add_row(row, *map(_cell, cells))
    return table


def _cell(one: Figure | None) -> str:
    if one is None:
        return _DASH
    value = one.value
    ours = _plain(value.mean)
    if value.n_values > 1:
        ours += f" [{_plain(value.low)}, {_plain(value.high)}]"
    if one.published is None:
        return ours
    judged = {True: "reproduced", False: "not reproduced", None: ""}[one.reproduced]
    return f"{ours}\n[dim]{_plain(one.published)} {judged}[/dim]"


def _plain(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"  # noqa: PLR2004  (digits shown)
