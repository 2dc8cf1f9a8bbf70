"""Print the report of an OSU-Mem experiment as tables: ours beside the paper's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from stepwell_bench.osu.analysis import ALL, TESTED
from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.osu.analysis import Contrast, Mean
    from stepwell_bench.osu.cost import CostReport
    from stepwell_bench.osu.experiments import Report

__all__ = ["show", "show_cost"]

_NAMES = {"recall": "Recall", "hit2": "Hit@2", "near": "near", "far": "far"}
_DASH = "-"
_LEAST_P = 0.0001


def show(report: Report, console: Console) -> None:
    """Print what was asked, each method at the main budget and at all, differences and cells."""
    seeds = ", ".join(map(str, report.seeds))
    console.print(
        f"[bold]{report.name}[/bold]: encoder {report.encoder or 'none, made-up vectors'}; "
        f"seeds {seeds}; commit {report.commit or 'unknown'}"
    )
    for name, value in report.options.items():
        console.print(f"{name}: {value}", markup=False)
    print_notices(console, report.notices)
    console.print(_facts(report))
    console.print(_methods(report))
    for measure in TESTED:
        console.print(_budgets(report, measure))
    console.print(_differences(report))
    if any(one.cell != ALL for one in report.contrasts):
        for measure in TESTED:
            console.print(_cells(report, measure))


def show_cost(report: CostReport, console: Console) -> None:
    """Print what units cost, beside the paper's figures where it has them."""
    console.print(f"[bold]{report.benchmark}[/bold]: seed {report.seed}; commit {report.commit}")
    columns = ("what", "steps", "dimension", "best", "median", "paper")
    table = _table("CPU time and storage", columns)
    for one in report.timings:
        known = _DASH if one.published is None else f"{one.published:g} {one.unit}"
        figures = (f"{value:.3g} {one.unit}" for value in (one.best, one.median))
        table.add_row(one.what, str(one.steps), str(one.dimension), *figures, known)
    console.print(table)


def _facts(report: Report) -> Table:
    table = _table("the questions", ("", "ours", "paper"))
    for fact in report.facts:
        known = _DASH if fact.published is None else f"{fact.published:g}"
        table.add_row(fact.name, f"{fact.value:.4g}", known)
    return table


def _methods(report: Report) -> Table:
    n = next(iter(report.means)).value.n_values if report.means else 0
    title = f"methods at {report.primary} tokens (n={n}), 95 % intervals by episode"
    columns = ["method"]
    for name in (_NAMES[measure] for measure in TESTED):
        columns += [name, "paper"]
    table = _table(title, (*columns, "near", "far"))
    known = {
        (one.method, one.measure): f"{one.value:.3f}"
        for one in report.published_means
        if one.budget == report.primary
    }
    by_place = {
        (one.method, one.measure): one
        for one in report.means
        if (one.budget, one.cell) == (report.primary, ALL)
    }
    for method in dict.fromkeys(one.method for one in report.means):
        row = [method]
        for measure in TESTED:
            row += [_interval(by_place, method, measure), known.get((method, measure), _DASH)]
        row += [_plain(by_place, method, measure) for measure in ("near", "far")]
        table.add_row(*row)
    return table


def _budgets(report: Report, measure: str) -> Table:
    title = f"{_NAMES[measure]} by budget"
    table = _table(title, ("method", *(f"{budget:,}" for budget in report.budgets)))
    found = {
        (one.method, one.budget): f"{one.value.mean:.3f}"
        for one in report.means
        if (one.measure, one.cell) == (measure, ALL)
    }
    for method in dict.fromkeys(one.method for one in report.means):
        table.add_row(method, *(found.get((method, budget), _DASH) for budget in report.budgets))
    known = {
        (one.method, one.budget): f"{one.value:.3f}"
        for one in report.published_means
        if one.measure == measure
    }
    if known:
        table.add_section()
    for method in dict.fromkeys(method for method, _ in known):
        values = (known.get((method, budget), _DASH) for budget in report.budgets)
        table.add_row(f"paper: {method}", *values, style="dim")
    return table


def _differences(report: Report) -> Table:
    title = f"differences at {report.primary} tokens; p by question, then by episode"
    table = _table(title, ("", "Recall", "paper", "Hit@2", "paper"))
    chosen = {
        (one.a, one.b, one.measure): one
        for one in report.contrasts
        if (one.budget, one.cell) == (report.primary, ALL)
    }
    known = _published(report, ALL)
    for a, b in dict.fromkeys((one.a, one.b) for one in report.contrasts):
        row = [f"{a} - {b}"]
        for measure in TESTED:
            row += [
                _contrast(chosen[a, b, measure]),
                known.get((a, b, measure, report.primary), _DASH),
            ]
        table.add_row(*row)
    return table


def _cells(report: Report, measure: str) -> Table:
    title = f"{_NAMES[measure]} differences by cell; p by question, Holm over cells, by episode"
    table = _table(title, ("", *(f"{budget:,}" for budget in report.budgets)))
    found = {
        (one.a, one.b, one.cell, one.budget): one
        for one in report.contrasts
        if one.measure == measure
    }
    pairs = dict.fromkeys((one.a, one.b) for one in report.contrasts if one.cell != ALL)
    for a, b in pairs:
        cells = dict.fromkeys(cell for x, y, cell, _ in found if (x, y) == (a, b))
        for cell in cells:
            row = [found[a, b, cell, budget] for budget in report.budgets]
            name = f"{a} - {b}, {cell} (n={row[0].value.n_values})"
            table.add_row(name, *map(_contrast, row))
            known = _published(report, cell)
            texts = [known.get((a, b, measure, budget), _DASH) for budget in report.budgets]
            if set(texts) != {_DASH}:
                table.add_row("  paper", *texts, style="dim")
        table.add_row("  method x cell", *_interactions(report, a, b, measure))
        published = {
            one.budget: f"p={one.p:.4f}"
            for one in report.published_effects
            if (one.a, one.b, one.measure) == (a, b, measure)
        }
        if published:
            texts = [published.get(budget, _DASH) for budget in report.budgets]
            table.add_row("  paper", *texts, style="dim")
        table.add_section()
    return table


def _interactions(report: Report, a: str, b: str, measure: str) -> Iterator[str]:
    found = {
        one.budget: f"p={one.p:.4f}"
        for one in report.effects
        if (one.a, one.b, one.measure) == (a, b, measure)
    }
    for budget in report.budgets:
        yield found.get(budget, _DASH)


def _published(report: Report, cell: str) -> dict[tuple[str, str, str, int], str]:
    return {
        (one.a, one.b, one.measure, one.budget): f"{one.value:+.3f} {one.p}".strip()
        for one in report.published_gaps
        if one.cell == cell
    }


def _contrast(one: Contrast) -> str:
    value = one.value
    p = [one.p, *([] if one.p_holm is None else [one.p_holm]), one.p_episode]
    interval = f"{value.mean:+.3f} [{value.low:+.3f}, {value.high:+.3f}]"
    return f"{interval}\np={', '.join(map(_p, p))}"


def _p(value: float) -> str:
    """Return a p-value to four digits, as a bound below: many seeds combined go far below."""
    return f"{value:.4f}" if value >= _LEAST_P else f"<{_LEAST_P:.4f}"


def _interval(found: dict[tuple[str, str], Mean], method: str, measure: str) -> str:
    one = found.get((method, measure))
    return _DASH if one is None else _spread(one.value)


def _spread(value: Interval) -> str:
    return f"{value.mean:.3f} [{value.low:.3f}, {value.high:.3f}]"


def _plain(found: dict[tuple[str, str], Mean], method: str, measure: str) -> str:
    one = found.get((method, measure))
    return _DASH if one is None else f"{one.value.mean:.3f}"


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if place == 0 else "right")
    return table
