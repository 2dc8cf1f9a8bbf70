"""Print what the prompts of both memories cost on ALFWorld."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from rich.console import Console

    from stepwell_bench.ctmc.alfworld import AlfReport

__all__ = ["show_alfworld"]


def show_alfworld(report: AlfReport, console: Console) -> None:
    """Print tokens per step by type of tasks, what is saved, and the claims."""
    console.print(
        f"[bold]{report.name}[/bold]: {report.n_steps} steps of {report.n_episodes} episodes; "
        f"tokens by {report.tokenizer}, whole prompt; seed {report.seed}; "
        f"commit {report.commit or 'unknown'}"
    )
    print_notices(console, report.notices)
    low, high = report.published
    table = Table(
        title=f"tokens of a step; saved by CTMC, 95 % by episode (paper: {low:.2%} to {high:.2%})",
        title_justify="left",
    )
    for column in ("forms", "tasks", "steps, episodes", "graph memory", "CTMC"):
        table.add_column(column, justify="left" if column in {"forms", "tasks"} else "right")
    for column in ("saved", "p", "memory alone: graph, CTMC"):
        table.add_column(column, justify="right")
    for one in report.savings:
        saving = one.saving
        table.add_row(
            one.pair,
            one.task,
            f"{saving.n_values}, {saving.n_groups}",
            f"{one.graph:.1f}",
            f"{one.ctmc:.1f}",
            f"{saving.mean:.2%} [{saving.low:.2%}, {saving.high:.2%}]",
            f"{one.p_episode:.4f}",
            f"{one.graph_memory:.1f}, {one.ctmc_memory:.1f}",
        )
    console.print(table)
    for claim in report.claims:
        state = "[green]holds[/green]" if claim.holds else "[red]does not hold[/red]"
        console.print(f"{state}: {escape(claim.text)}")
