"""Print the report of an absence run as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from stepwell_bench.absence import ANSWERABLE
from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from rich.console import Console

    from stepwell_bench.absence import AbsenceReport

__all__ = ["show_absence"]


def show_absence(report: AbsenceReport, console: Console) -> None:
    """Print what was told and what was spent, by kind of question, and the curve of floors."""
    console.print(
        f"[bold]absence, {report.dataset}[/bold]: {report.n_episodes} episodes; encoder "
        f"{report.encoder or 'none'}; {report.budget:,} tokens by {report.tokenizer}; "
        f"seed {report.seed}; commit {report.commit or 'unknown'}"
    )
    print_notices(console, report.notices)
    console.print(_groups(report))
    if report.curve:
        console.print(_curve(report))
    else:
        console.print("No floor: recalls state no support.")


def _groups(report: AbsenceReport) -> Table:
    table = Table(title="questions told that nothing supports them", title_justify="left")
    table.add_column("questions")
    for name in ("n", "told so", "refused", "tokens", "most tokens"):
        table.add_column(name, justify="right")
    for group in report.groups:
        share, refused, spent = group.told, group.refused, group.tokens
        table.add_row(
            group.name,
            f"{share.n_values:,}",
            f"{share.mean:.1%} [{share.low:.1%}, {share.high:.1%}]",
            f"{refused.mean:.1%}",
            f"{spent.mean:,.0f} [{spent.low:,.0f}, {spent.high:,.0f}]",
            f"{group.most_tokens:,}",
        )
    return table


def _curve(report: AbsenceReport) -> Table:
    names = [group.name for group in report.groups if group.name != ANSWERABLE]
    table = Table(title='floors: false "something" by false "nothing"', title_justify="left")
    for name in ("support below", 'false "nothing"', *names):
        table.add_column(name, justify="right")
    for point in report.curve:
        let_through = (point.false_something.get(name, 0.0) for name in names)
        table.add_row(
            f"{point.threshold:.3f}",
            f"{point.false_nothing:.1%}",
            *(f"{share:.1%}" for share in let_through),
        )
    return table
