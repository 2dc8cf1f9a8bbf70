"""The audit of sharing on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.serve.documents.reports import report_document
from stepwell.serve.render import print_json, print_table, print_text, say

if TYPE_CHECKING:
    from stepwell.audit.report import Group, InUnits, Report
    from stepwell.stats.bootstrap import Interval

__all__ = ["print_sharing", "say_skipped"]

_MOST_SKIPPED: Final = 5
"""Lines of a file of questions that are named one by one."""


def print_sharing(report: Report, *, as_json: bool) -> None:
    """Print the shares, the units, and the prediction for each format."""
    if as_json:
        print_json(report_document(report))
        return
    evidence = "questions" if report.is_asked else "sets"
    columns = ("runs", "steps", "with tools", "with names", evidence)
    rest = ("T+", "E+", "T+ or E+", "blindly", "bound")
    for title, groups in (("log", report.groups), ("tool", report.families)):
        if groups:
            print_table((title, *columns, *rest), [_share_row(group) for group in groups])
            print_text("")
    print_table(
        ("log", "tokens a run", "units a step", "left out", "with one each", "then left out"),
        [_unit_row(group) for group in report.groups],
    )
    print_text("")
    _print_predictions(report)


def _print_predictions(report: Report) -> None:
    if report.common:
        said = ", ".join(f"{name} ({n})" for name, n in report.common.items())
        print_text(f"In more than a quarter of the steps of so many runs: {said}")
        print_text("")
    for group in report.groups if report.is_asked else ():
        cells = {} if group.evidence is None else group.evidence.cells
        print_text(f"{group.name}: {', '.join(f'{n} {cell}' for cell, n in cells.items())}")
    for group, prediction in zip(report.groups, report.predictions, strict=True):
        print_text(f"{group.name}: {prediction}")


def say_skipped(report: Report) -> None:
    """Say on stderr which questions are not used, and why."""
    if report.n_single:
        say(f"{report.n_single} questions have one step, which nothing can bind; not counted.")
    for reason in report.skipped[:_MOST_SKIPPED]:
        say(f"skipped: {reason}")
    if len(report.skipped) > _MOST_SKIPPED:
        say(f"{len(report.skipped) - _MOST_SKIPPED} more lines skipped.")


def _share_row(group: Group) -> tuple[object, ...]:
    shares = group.evidence
    head = (group.name, group.n_runs, group.n_steps, _percent(group.with_tools))
    if shares is None:
        return (*head, _percent(group.with_entities), 0, *("-",) * 5)
    return (
        *head,
        _percent(group.with_entities),
        shares.n_sets,
        *map(_spread, (shares.tools, shares.entities, shares.any)),
        "-" if group.chance is None else _percent(group.chance),
        _spread(shares.uncommon),
    )


def _unit_row(group: Group) -> tuple[object, ...]:
    return (group.name, group.tokens, *_held(group.overlap), *_held(group.disjoint))


def _held(units: InUnits) -> tuple[str, str]:
    return f"{units.memberships:.2f}", _percent(units.evicted)


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _spread(share: Interval) -> str:
    if share.n_groups == 1:
        return _percent(share.mean)
    return f"{share.mean:.0%} ({share.low:.0%} to {share.high:.0%})"
