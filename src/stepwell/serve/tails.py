"""The audit of tails on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.audit.tailplot import WITHOUT, can_draw, draw_tails
from stepwell.errors import InvalidInputError
from stepwell.serve.documents.reports import report_document
from stepwell.serve.render import print_json, print_table, print_text, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from stepwell.memory.usage import Item, UsageOptions, UsageReport
    from stepwell.stats.tails.audit import TailFit, Tails

__all__ = ["draw", "print_tails", "print_usage", "title_of"]

_SHOWN_RUNS: Final = 10

_PLURALS: Final[Mapping[Item, str]] = {
    "step": "steps",
    "trajectory": "trajectories",
    "entity": "entities",
}


def print_tails(tails: Tails, *, as_json: bool) -> None:
    """Print the audit of a file: the verdict and the figures."""
    if as_json:
        print_json(report_document(tails))
        return
    print_text(str(tails))
    print_text("")
    _print_figures(tails, items="items")


def print_usage(report: UsageReport, *, as_json: bool) -> None:
    """Print the audit of a memory: the verdict, the figures, and what to do."""
    if as_json:
        print_json(report_document(report))
        return
    items = _PLURALS[report.options.item]
    for line in _in_words(report):
        print_text(line)
    _print_cold(report)
    _print_hot(report)
    _print_unused(report)
    print_text("")
    print_text(f"The figures behind this. {report.tails}")
    _print_figures(report.tails, items=items)


def _in_words(report: UsageReport) -> Iterator[str]:
    """Yield what was found, for somebody who knows no statistics."""
    found, title = report.tails.concentration, title_of(report.options)
    yield (
        f"{report.n_recalls} recalls, {report.n_rewarded} of them rewarded; "
        f"{title}: {found.n_items} of {report.n_items}."
    )
    if found.n_items:
        yield f"A tenth of them took {found.top_share:.0%} of all accesses."
    if not (report.cold or any(one.crowds_out for one in report.hot)):
        yield (
            "There is nothing to do: no answer is known to be poor for what was shown or cut."
            if report.n_rewarded
            else "Whether answers were good is not known yet: say so with `stepwell feedback`."
        )


def title_of(options: UsageOptions) -> str:
    """Return what an audit of a memory counted, such as `steps quoted`."""
    return f"{_PLURALS[options.item]} {options.counted}"


def draw(tails: Tails, path: Path, *, title: str) -> None:
    """Draw the audit into a PNG, or say why there is none.

    Args:
        tails: What was found.
        path: The file.
        title: What was counted.

    Raises:
        InvalidInputError: The file cannot be written.
    """
    if not can_draw():
        say(WITHOUT)
        return
    if not tails.ccdf:
        say("There is no plot: nothing was accessed.")
        return
    try:
        draw_tails(tails, path.expanduser(), title=title)
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be written: {error.strerror}.", hint="Check the path of --plot."
        ) from error
    say(f"plot: {path}")


def _print_figures(tails: Tails, *, items: str) -> None:
    found = tails.concentration
    rows = [
        (f"{items} accessed", f"{found.n_items}"),
        (f"{items} never accessed", f"{tails.n_unused}"),
        ("accesses", f"{found.n_accesses}"),
        ("Gini", f"{found.gini:.3f}"),
        ("share of the top 10 %", f"{found.top_share:.1%}"),
        ("σ_top10 (of ln accesses)", f"{found.sigma_top:.3f}"),
        ("maximum / median", f"{found.max_over_median:.1f}"),
        ("skew", f"{found.skew:.2f}"),
    ]
    print_table(("figure", "value"), rows if tails.fit is None else [*rows, *_fit_rows(tails.fit)])


def _fit_rows(fit: TailFit) -> list[tuple[str, str]]:
    law, cut, normal = fit.power_law, fit.truncated.parameters, fit.log_normal.parameters
    good = "not drawn" if fit.p_gof is None else f"p = {fit.p_gof:.3f} ({fit.n_draws} draws)"
    compared = (
        ("log-normal", fit.against_log_normal),
        ("exponential", fit.against_exponential),
        ("pure power law", fit.against_power_law),
    )
    return [
        ("power law", f"α = {law.alpha:.3f} ± {law.error:.3f} from {law.x_min} accesses on"),
        ("items in the tail", f"{law.n_tail}"),
        ("goodness of fit", good),
        ("passes the screen", "yes" if fit.passes else "no"),
        ("truncated power law", f"α = {cut['alpha']:.3f}, λ = {cut['rate']:.2e}"),
        ("log-normal", f"μ = {normal['mu']:.3f}, σ = {normal['sigma']:.3f}"),
        *(
            (f"truncated against {name}", f"z = {one.z:+.2f}, p = {one.p:.3f}")
            for name, one in compared
        ),
    ]


def _print_cold(report: UsageReport) -> None:
    if not report.cold:
        return
    print_text("")
    print_text("Cold: cut from recalls whose answers were poor, and never shown. Look at them with")
    print_text("`stepwell show`; if they answer, grant such questions a larger budget.")
    print_table(
        ("step", "poor recalls", "best rank", "found by", "for"),
        [
            (one.id, one.n_recalls, one.best_rank, one.structure, ", ".join(one.recalls))
            for one in report.cold
        ],
    )


def _print_hot(report: UsageReport) -> None:
    if not report.hot:
        return
    print_text("")
    print_text(
        "Hot: quoted by a tenth of the recalls or more. Where answers with it are poorer than"
    )
    print_text(
        "without, it crowds out others: forget it if it is out of date, or ask more narrowly."
    )
    print_table(
        ("item", "recalls", "tokens", "reward with", "without", ""),
        [
            (
                one.id,
                f"{one.recalls:.0%}",
                f"{one.tokens:.1%}",
                _reward(one.reward),
                _reward(one.reward_without),
                "crowds out" if one.crowds_out else "",
            )
            for one in report.hot
        ],
    )


def _print_unused(report: UsageReport) -> None:
    if not report.unused:
        return
    whole = [one for one in report.unused if one.n_unused == one.n_steps]
    print_text("")
    n_unused = sum(one.n_unused for one in report.unused)
    print_text(
        f"Not asked about yet: {n_unused} steps were considered by none of these "
        f"{report.n_recalls} recalls; {len(whole)} trajectories as a whole. That tells what the"
    )
    print_text("questions were about, and not that it is of no use.")
    print_table(
        ("trajectory", "unused", "of", "steps"),
        [
            (one.trajectory, one.n_unused, one.n_steps, one.steps)
            for one in report.unused[:_SHOWN_RUNS]
        ],
    )


def _reward(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
