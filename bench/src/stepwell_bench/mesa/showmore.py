"""Print what the self-made experiments found: exact temporal answers, and what things cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from stepwell_bench.mesa.showsweep import columns

if TYPE_CHECKING:
    from rich.console import Console

    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.mesa.answers import AnswersReport
    from stepwell_bench.mesa.cost import CostReport
    from stepwell_bench.mesa.temporal import Shares, TemporalReport

__all__ = ["show_answers", "show_cost", "show_temporal"]


def show_temporal(report: TemporalReport, console: Console) -> None:
    """Print what lines are worth, by what is asked and by how the world is told."""
    table = columns(
        "the temporal structure's own lines: exact (recall), said to be an answer, right of those",
        ("", "n", "recall", "95 % by world", "answered", "precision", "95 % by world"),
    )
    for name, value in sorted(report.by_kind.items()):
        table.add_row(f"asked: {escape(name)}", *_shares(value))
    table.add_section()
    for name, value in sorted(report.by_dialect.items()):
        table.add_row(f"told: {escape(name)}", *_shares(value))
    table.add_section()
    table.add_row("known dialects", *_shares(report.overall), style="bold")
    if report.first_contact is not None:
        table.add_row("first contact", *_shares(report.first_contact), style="bold")
    console.print(table)


def show_cost(report: CostReport, console: Console) -> None:
    """Print medians beside the bars they are to stay below."""
    console.print(f"[bold]{report.benchmark}[/bold]: seed {report.seed}; commit {report.commit}")
    table = columns("milliseconds", ("what", "text", "steps", "best", "median", "bar", ""))
    for one in report.timings:
        table.add_row(
            one.what,
            one.text,
            str(one.steps),
            f"{one.best:.3g}",
            f"{one.median:.3g}",
            "-" if one.bar is None else f"{one.bar:g}",
            "" if one.bar is None else "below" if one.holds else "[bold red]above[/bold red]",
        )
    console.print(table)


def show_answers(report: AnswersReport, console: Console) -> None:
    """Print what answers were worth under each policy, and without any evidence."""
    console.print(
        f"[bold]{report.benchmark}[/bold]: {report.dataset}, {report.n_questions} questions, "
        f"budget {report.budget}; {escape(report.model)}, graded by {report.grader}; "
        f"seed {report.seed}; commit {report.commit}"
    )
    table = columns(
        "worth of answers", ("evidence", "n", "mean", "95 % by run", "over none", "", "tokens")
    )
    for arm in report.arms:
        more, low, high = arm.over_none
        table.add_row(
            escape(arm.name),
            str(arm.n),
            f"{arm.reward:.3f}",
            f"[{arm.low:.3f}, {arm.high:.3f}]",
            f"{more:+.3f}",
            f"[{low:+.3f}, {high:+.3f}]",
            f"{arm.tokens:.0f}",
        )
    console.print(table)
    if report.n_failed:
        console.print(f"{report.n_failed} replies were no answers and are left out.")


def _shares(value: Shares) -> tuple[str, ...]:
    exact = ("-", "-") if value.precision is None else _share(value.precision)
    return (
        str(value.recall.n_values),
        *_share(value.recall),
        f"{value.coverage.mean:.3f}",
        *exact,
    )


def _share(value: Interval) -> tuple[str, str]:
    return f"{value.mean:.3f}", f"[{value.low:.3f}, {value.high:.3f}]"
