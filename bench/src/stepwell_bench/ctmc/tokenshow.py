"""Print what packing cost and showed: means of every arm, the pairs, and the claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.table import Table

from stepwell_bench.ctmc.tokenstats import ALL, CONTROLS, FLAT, MEASURES, OURS, WHOLE
from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.ctmc.tokens import TokenReport
    from stepwell_bench.ctmc.tokenstats import Contrast

__all__ = ["show_tokens"]

_TITLES: Final = {
    "tokens": "tokens of a payload",
    "recall": "gold steps shown",
    "literals": "literals of the gold answer shown",
    "words": "words of the gold answer shown, those of the question left out",
    "match": "whole gold answer shown",
}
_DASH: Final = "-"


def show_tokens(report: TokenReport, console: Console) -> None:
    """Print the report."""
    console.print(
        f"[bold]{report.name}[/bold]: {report.n_questions} questions about {report.n_episodes} "
        f"episodes of {report.dataset}; encoder {report.encoder or 'none'}; tokens by "
        f"{report.tokenizer}, whole payload; seed {report.seed}; "
        f"commit {report.commit or 'unknown'}"
    )
    console.print(
        f"{OURS}, {', '.join(CONTROLS)}: {report.share:.0%} of flat's budget; "
        f"{WHOLE}: all of it. The paper's saving: {report.published:.2%}."
    )
    print_notices(console, report.notices)
    for mode in dict.fromkeys(one.mode for one in report.means):
        for measure in MEASURES:
            console.print(_arms(report, mode, measure))
        console.print(_pairs(report, mode))
        console.print(_types(report, mode))
        for measure in ("recall", "words"):
            console.print(_controls(report, mode, measure))
    for claim in report.claims:
        state = "[green]holds[/green]" if claim.holds else "[red]does not hold[/red]"
        console.print(f"{state}: {escape(claim.text)}")
    console.print(_violations(report))


def _arms(report: TokenReport, mode: str, measure: str) -> Table:
    known = {
        (one.arm, one.budget): one.value
        for one in report.means
        if (one.mode, one.group, one.measure) == (mode, ALL, measure)
    }
    n = next((value.n_values for value in known.values()), 0)
    table = _table(f"{_TITLES[measure]}, questions {mode} (n={n})", "arm", report.budgets)
    for arm in dict.fromkeys(arm for arm, _ in known):
        cells = [known.get((arm, budget)) for budget in report.budgets]
        style = "bold" if arm == OURS else ""
        table.add_row(arm, *(_DASH if cell is None else _mean(cell) for cell in cells), style=style)
    return table


def _pairs(report: TokenReport, mode: str) -> Table:
    """Return the controller against flat, over all questions."""
    title = f"{OURS} against {FLAT}, questions {mode}; by episode, by question, p of each"
    table = _table(title, "", report.budgets)
    known = _placed(one for one in report.contrasts if (one.mode, one.group) == (mode, ALL))
    for measure in MEASURES:
        cells = [known.get((OURS, FLAT, measure, budget)) for budget in report.budgets]
        if any(cells):
            table.add_row(
                "tokens saved" if measure == "tokens" else measure,
                *(_DASH if cell is None else _pair(cell) for cell in cells),
            )
    return table


def _types(report: TokenReport, mode: str) -> Table:
    """Return tokens saved and recall of the controller against flat, by type of questions."""
    title = f"{OURS} against {FLAT} by type, questions {mode}: tokens saved; recall by episode"
    table = _table(title, "type", report.budgets)
    ours = [one for one in report.contrasts if (one.mode, one.against) == (mode, FLAT)]
    for group in sorted({one.group for one in ours} - {ALL}):
        known = _placed(one for one in ours if one.group == group)
        cells = [
            (known[OURS, FLAT, "tokens", budget], known[OURS, FLAT, "recall", budget])
            for budget in report.budgets
        ]
        table.add_row(
            f"{group} (n={cells[0][0].value.n_values})",
            *(f"{saved.value.mean:.1%}\n{_difference(recall.value)}" for saved, recall in cells),
        )
    return table


def _controls(report: TokenReport, mode: str, measure: str) -> Table:
    """Return what the order and steepness of shares are worth at the same budget."""
    table = _table(f"{measure} of {OURS} less that of its controls, {mode}", "less", report.budgets)
    known = _placed(one for one in report.contrasts if (one.mode, one.group) == (mode, ALL))
    for arm, against in ((OURS, control) for control in CONTROLS):
        cells = [known.get((arm, against, measure, budget)) for budget in report.budgets]
        table.add_row(against, *(_DASH if cell is None else _pair(cell) for cell in cells))
    cells = [known.get((WHOLE, FLAT, measure, budget)) for budget in report.budgets]
    table.add_section()
    table.add_row(
        f"{WHOLE}, less {FLAT}", *(_DASH if cell is None else _pair(cell) for cell in cells)
    )
    return table


def _placed(found: Iterable[Contrast]) -> dict[tuple[str, str, str, int], Contrast]:
    return {(one.arm, one.against, one.measure, one.budget): one for one in found}


def _table(title: str, first: str, budgets: Sequence[int]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first)
    for budget in budgets:
        table.add_column(f"{budget:,}", justify="right")
    return table


def _pair(one: Contrast) -> str:
    show = _share if one.measure == "tokens" else _difference
    by_question = show(one.by_question).partition(" ")[2]
    return (
        f"{show(one.value)}\n{by_question}\np {one.p_episode:.4f}, {one.p:.4f}, "
        f"n={one.value.n_groups}, {one.value.n_values}"
    )


def _share(value: Interval) -> str:
    return f"{value.mean:.1%} [{value.low:.1%}, {value.high:.1%}]"


def _difference(value: Interval) -> str:
    return f"{value.mean:+.3f} [{value.low:+.3f}, {value.high:+.3f}]"


def _mean(value: Interval) -> str:
    return f"{_plain(value.mean)} [{_plain(value.low)}, {_plain(value.high)}]"


def _plain(value: float) -> str:
    return f"{value:.3f}" if value <= 1 else f"{value:,.0f}"


def _violations(report: TokenReport) -> str:
    if not report.violations:
        return "No payload was over its budget, and every quotation was found where it is cited."
    lines = [
        f"{arm}: {', '.join(f'{rule} {count}' for rule, count in rules.items())}"
        for arm, rules in report.violations.items()
    ]
    return "[bold red]Rules broken[/bold red]: " + "; ".join(lines)
