"""Print what a sweep found: groups, the paper's two findings, the frontier, what each adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.table import Table

from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from stepwell_bench.mesa.claims import Claim
    from stepwell_bench.mesa.paper import Published
    from stepwell_bench.mesa.sweep import Split, SweepFindings
    from stepwell_bench.mesa.sweeping import Found, SweepReport

__all__ = ["columns", "show_sweep", "violations_line"]

_SHOWN: Final = 12
"""Subsets of the frontier that are printed; all are in the result file."""

_DASH: Final = "-"


def show_sweep(report: SweepReport, console: Console) -> None:
    """Print each reward, way of asking and budget in turn, and last whether rules were broken."""
    console.print(
        f"[bold]{report.dataset}[/bold]: {report.n_episodes} episodes; "
        f"{', '.join(report.structures)}; seed {report.seed}; commit {report.commit or 'unknown'}"
    )
    print_notices(console, report.notices)
    for found in report.found:
        _show(found, report, console)
    console.print(escape(report.note))
    console.print(violations_line(report.violations, n=report.n_readings))


def violations_line(violations: dict[str, int], *, n: int) -> str:
    """Return one line that says which rules were broken in how many of n readings."""
    if not violations:
        return (
            f"In {n:,} readings no payload was over its budget, and every quotation was found "
            "where it is cited."
        )
    counts = ", ".join(f"{rule} {count}" for rule, count in violations.items())
    return f"[bold red]Rules broken in {n:,} readings[/bold red]: {escape(counts)}"


def columns(title: str, names: Sequence[str]) -> Table:
    """Return an empty table; the first column is of words, the others of numbers."""
    table = Table(title=title, title_justify="left")
    for place, name in enumerate(names):
        table.add_column(name, justify="left" if place == 0 else "right")
    return table


def _show(found: Found, report: SweepReport, console: Console) -> None:
    findings = found.findings
    console.rule(
        f"{findings.reward}, questions {findings.mode}, {findings.budget:,} tokens "
        f"(n={findings.n})",
        align="left",
    )
    console.print(_groups(findings))
    for claim in found.claims:
        console.print("\n".join(_claim(claim)))
    console.print("\n".join(_fixed(findings.splits)))
    console.print(_frontier(findings))
    console.print(_marginal(findings.marginal))
    console.print(_beside(findings, report.published))


def _groups(findings: SweepFindings) -> Table:
    names = ("domain", "type", "n", "best subset", "reward", "tokens", "best single", "reward")
    table = columns("groups of questions", (*names, "all: reward", "tokens"))
    for group in findings.groups:
        if group.domain == "all":
            table.add_section()
        table.add_row(
            escape(group.domain),
            escape(group.kind),
            str(group.n),
            group.best,
            f"{group.reward:.3f}",
            f"{group.tokens:,.0f}",
            group.single,
            f"{group.single_reward:.3f}",
            f"{group.all_reward:.3f}",
            f"{group.all_tokens:,.0f}",
        )
    return table


def _claim(claim: Claim) -> Iterator[str]:
    yield f"[bold]{claim.what}[/bold]: {claim.verdict}; {claim.because}."
    for split in claim.splits:
        yield f"  out of sample, {split.what}: {_interval(split)}"


def _fixed(splits: Sequence[Split]) -> Iterator[str]:
    yield "One subset for all questions:"
    for split in splits:
        if split.what.startswith("best fixed"):
            yield f"  out of sample, {split.what}: {_interval(split)}"


def _interval(split: Split) -> str:
    return f"{split.mean:+.3f} [{split.low:+.3f}, {split.high:+.3f}]"


def _frontier(findings: SweepFindings) -> Table:
    title = f"the best of {len(findings.subsets)} subsets; * no cheaper one is as good"
    table = columns(title, ("subset", "reward", "95 %", "tokens", ""))
    for one in sorted(findings.frontier, key=lambda one: -one.reward)[:_SHOWN]:
        table.add_row(
            one.subset,
            f"{one.reward:.3f}",
            f"[{one.low:.3f}, {one.high:.3f}]",
            f"{one.tokens:,.0f}",
            "*" if one.is_on_front else "",
        )
    return table


def _marginal(marginal: dict[str, float]) -> Table:
    table = columns("what a structure adds, mean over the subsets without it", ("", "reward"))
    for name, value in sorted(marginal.items(), key=lambda pair: -pair[1]):
        table.add_row(escape(name), f"{value:+.3f}")
    return table


def _beside(findings: SweepFindings, published: Sequence[Published]) -> Table:
    group = findings.groups[-1]
    known = {one.policy: one for one in published}
    costs = {one.subset: one.tokens for one in findings.frontier}
    names = ("", "ours: reward", "tokens", "paper: score", "tokens")
    table = columns("beside the paper", names)
    ours = (
        ("best fixed", "", group.reward, group.tokens),
        ("all", "all", group.all_reward, group.all_tokens),
        ("best single", "route-to-one", group.single_reward, costs[group.single]),
    )
    for name, theirs, reward, tokens in ours:
        figure = known.get(theirs)
        table.add_row(
            f"{name} (paper: {theirs})" if figure and theirs != name else name,
            f"{reward:.3f}",
            f"{tokens:,.0f}",
            _DASH if figure is None else f"{figure.score:.1f}",
            _DASH if figure is None or figure.tokens is None else f"{figure.tokens:,}",
        )
    return table
