"""Print the report of an evidence run as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from stepwell_bench.results import OURS
from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.evidence import Report
    from stepwell_bench.results import Cell, Gap

__all__ = ["show_evidence"]

_TITLES = {
    "recall": "gold steps of which anything is shown",
    "support": "support: what only the gold answer says, weighted by rarity, shown",
    "grounded": "grounded support: the same, in text cited to a gold step or derived of one",
    "coverage": "coverage of gold steps, of each up to 120 tokens",
    "literals": "literals of the gold answer shown",
    "spread": "share of the run's steps of which anything is shown",
    "tokens": "tokens used",
    "cut in a word": "excerpts cut inside a word",
    "cut unmarked": "cuts within a line that nothing marks",
}
_ORDER = list(_TITLES)
_BY_GROUP = ("recall", "support", "grounded")


def show_evidence(report: Report, console: Console) -> None:
    """Print means with 95 % intervals, Stepwell's lead, and what was published."""
    console.print(
        f"[bold]{report.dataset}[/bold]: {report.n_questions} questions about "
        f"{report.n_episodes} episodes; encoder {report.encoder or 'none'}; tokens by "
        f"{report.tokenizer}, whole payload; seed {report.seed}; "
        f"commit {report.commit or 'unknown'}"
    )
    print_notices(console, report.notices)
    for measure, mode in sorted({(c.measure, c.mode) for c in report.cells}, key=_order):
        console.print(_overall(report, measure, mode))
    for mode in sorted({cell.mode for cell in report.cells}):
        for measure in _BY_GROUP:
            console.print(_groups(report, measure, mode))
    for mode in sorted({change.mode for change in report.changes}):
        console.print(_changes(report, mode))
    console.print(_violations(report))


def _order(pair: tuple[str, str]) -> tuple[str, int]:
    return pair[1], _ORDER.index(pair[0])


def _overall(report: Report, measure: str, mode: str) -> Table:
    cells = [c for c in report.cells if (c.measure, c.mode, c.group) == (measure, mode, "all")]
    leads = [g for g in report.gaps if (g.measure, g.mode, g.group) == (measure, mode, "all")]
    n = cells[0].value.n_values
    table = _table(f"{_TITLES[measure]}, questions {mode} (n={n})", report.budgets)
    by_budget = {(cell.method, cell.budget): cell for cell in cells}
    for method in dict.fromkeys(cell.method for cell in cells):
        style = "bold" if method == OURS else ""
        row = [by_budget[method, budget] for budget in report.budgets]
        table.add_row(method, *(_mean(cell.value) for cell in row), style=style)
    if leads:
        table.add_section()
        table.add_row("lead over the best baseline", *_leads(leads, report.budgets))
    if measure == "recall":
        _add_published(table, report, mode)
    return table


def _add_published(table: Table, report: Report, mode: str) -> None:
    known = [figure for figure in report.published if figure.mode == mode]
    if known:
        table.add_section()
    for figure in known:
        values = (figure.recall.get(budget) for budget in report.budgets)
        shown = ("–" if value is None else _short(value) for value in values)  # noqa: RUF001
        table.add_row(f"known: {figure.method}", *shown, style="dim")


def _groups(report: Report, measure: str, mode: str) -> Table:
    table = _table(f"{_TITLES[measure]} by group, questions {mode}", report.budgets)
    cells = [
        cell
        for cell in report.cells
        if (cell.measure, cell.mode, cell.method) == (measure, mode, OURS)
    ]
    for group in sorted({cell.group for cell in cells} - {"all"}):
        ours = {cell.budget: cell for cell in cells if cell.group == group}
        leads = [g for g in report.gaps if (g.measure, g.mode, g.group) == (measure, mode, group)]
        n = next(iter(ours.values())).value.n_values
        table.add_row(f"{group} (n={n})", *_cells(ours, report.budgets), style="bold")
        table.add_row("  lead over the best baseline", *_leads(leads, report.budgets))
    return table


def _cells(cells: dict[int, Cell], budgets: Sequence[int]) -> Iterator[str]:
    for budget in budgets:
        yield _mean(cells[budget].value)


def _leads(found: Sequence[Gap], budgets: Sequence[int]) -> Iterator[str]:
    by_budget = {gap.budget: gap for gap in found}
    for budget in budgets:
        gap = by_budget.get(budget)
        if gap is None:
            yield ""
            continue
        yield f"{_signed(gap.value, 3)}\n{gap.baseline}"


def _changes(report: Report, mode: str) -> Table:
    table = _table(f"now minus the earlier run, questions {mode}", report.budgets)
    found = {(c.measure, c.budget): c.value for c in report.changes if c.mode == mode}
    for measure in dict.fromkeys(measure for measure, _ in found):
        digits = 0 if measure == "tokens" else 3
        row = (found.get((measure, budget)) for budget in report.budgets)
        table.add_row(measure, *("" if value is None else _signed(value, digits) for value in row))
    return table


def _signed(value: Interval, digits: int) -> str:
    mean, low, high = (f"{number:+,.{digits}f}" for number in (value.mean, value.low, value.high))
    return f"{mean} [{low}, {high}]"


def _table(title: str, budgets: Sequence[int]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("method")
    for budget in budgets:
        table.add_column(f"{budget:,} tokens", justify="right")
    return table


def _violations(report: Report) -> str:
    if not report.violations:
        return "No payload was over its budget, and every quotation was found where it is cited."
    lines = [
        f"{method}: {', '.join(f'{rule} {count}' for rule, count in rules.items())}"
        for method, rules in report.violations.items()
    ]
    return "[bold red]Rules broken[/bold red]: " + "; ".join(lines)


def _mean(value: Interval) -> str:
    return f"{_short(value.mean)} [{_short(value.low)}, {_short(value.high)}]"


def _short(value: float) -> str:
    if value >= 10:  # noqa: PLR2004  (no share: tokens)
        return f"{value:,.0f}"
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.2f}"
