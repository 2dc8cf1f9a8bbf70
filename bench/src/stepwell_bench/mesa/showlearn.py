"""Print what was learned: policies on test questions, differences, curves and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape

from stepwell_bench.mesa.showsweep import columns, violations_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.table import Table

    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.mesa.learnreport import Learned, LearnReport, Searched
    from stepwell_bench.mesa.paper import Published
    from stepwell_bench.mesa.standings import Difference, Standing

__all__ = ["show_learn"]

_DASH: Final = "-"


def show_learn(report: LearnReport, console: Console) -> None:
    """Print each budget and reward in turn, and last whether rules were broken."""
    settings = report.settings
    hidden = [
        name
        for name, is_seen in (("type", settings.with_kind), ("domain", settings.with_domain))
        if not is_seen
    ]
    console.print(
        f"[bold]{report.dataset}[/bold]: {report.n_cases} questions, in both ways of asking, about "
        f"{report.n_episodes} episodes; {', '.join(report.structures)}; not seen by policies: "
        f"{' and '.join(hidden) or 'nothing'}; proposer {report.proposer}; "
        f"commit {report.commit or 'unknown'}"
    )
    for found in report.found:
        _show(found, report, console)
    console.print(escape(report.note))
    console.print(violations_line(report.violations, n=report.n_readings))


def _show(found: Learned, report: LearnReport, console: Console) -> None:
    console.rule(f"{found.reward}, {found.budget:,} tokens", align="left")
    console.print(_standings(found.standings, report.published))
    console.print("\n".join(_orders(found.standings, report.published)))
    console.print(_differences(found.differences))
    console.print(_searches(found.searches))
    best = max(found.searches, key=lambda one: one.objective)
    console.print(
        f"[bold]Rules of {best.name}, seed {best.seed}[/bold], "
        "the highest objective on validation questions:"
    )
    for line in best.rules:
        console.print(f"  {line}", markup=False)


def _standings(standings: Sequence[Standing], published: Sequence[Published]) -> Table:
    n = len(standings[0].rewards)
    names = ("policy", "reward", "by seed", "tokens", "of all", "J - λC", "paper: score", "tokens")
    table = columns(f"test questions, mean over {n} seeds", names)
    known = {one.policy: one for one in published}
    for one in standings:
        figure = known.get(one.policy)
        table.add_row(
            one.policy,
            f"{one.reward:.3f}",
            " ".join(f"{reward:.3f}" for reward in one.rewards),
            f"{one.tokens:,.0f}",
            f"{one.of_all:.0%}",
            f"{one.objective:.4f}",
            _DASH if figure is None else f"{figure.score:.1f}",
            _DASH if figure is None or figure.tokens is None else f"{figure.tokens:,}",
        )
    return table


def _orders(standings: Sequence[Standing], published: Sequence[Published]) -> Iterator[str]:
    """Yield the order of the paper's policies there and here, and the tokens that were saved."""
    ours = {one.policy: one for one in standings}
    common = [one for one in published if one.policy in ours]
    if len(common) > 1:
        theirs = sorted(common, key=lambda one: -one.score)
        yield f"The paper's order: {' > '.join(one.policy for one in theirs)}."
        here = sorted(common, key=lambda one: -ours[one.policy].reward)
        yield f"Here by reward: {' > '.join(one.policy for one in here)}."
    tokens = {one.policy: one.tokens for one in published if one.tokens is not None}
    if {"learned", "all"} <= tokens.keys() & ours.keys():
        share = tokens["learned"] / tokens["all"]
        yield (
            f"The paper's learned policy takes {share:.0%} of the tokens of reading everything; "
            f"here {ours['learned'].of_all:.0%}."
        )


def _differences(differences: Sequence[Difference]) -> Table:
    title = "differences by episode, pooled over seeds; 95 % intervals, p by sign flips"
    table = columns(title, ("", "reward", "p", "tokens", "J - λC", "p"))
    for one in differences:
        table.add_row(
            f"{one.a} - {one.b}",
            _interval(one.reward, "+.3f"),
            f"{one.p_reward:.4f}",
            _interval(one.tokens, "+,.0f"),
            _interval(one.objective, "+.4f"),
            f"{one.p_objective:.4f}",
        )
    return table


def _searches(searches: Sequence[Searched]) -> Table:
    names = (
        "search",
        "seed",
        "train",
        "validation",
        "test",
        "evaluated",
        "best objective by round",
    )
    table = columns("searches; questions of each part", names)
    for one in searches:
        table.add_row(
            one.name,
            str(one.seed),
            str(one.n_train),
            str(one.n_validation),
            str(one.n_test),
            str(one.n_evaluated),
            " ".join(f"{value:.4f}" for value in one.curve) + f"\n{escape(one.stopped)}",
        )
    return table


def _interval(value: Interval, form: str) -> str:
    return f"{value.mean:{form}} [{value.low:{form}}, {value.high:{form}}]"
