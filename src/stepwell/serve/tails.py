"""The audit of tails at the command line: read, count, and print what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.audit.counts import read_counts
from stepwell.audit.tailplot import WITHOUT, can_draw, draw_tails
from stepwell.errors import InvalidInputError
from stepwell.memory.usage import UsageOptions
from stepwell.serve.render import print_json, print_table, print_text, progress, say
from stepwell.stats.tails.audit import audit_counts

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.memory.memory import Memory
    from stepwell.memory.usage import UsageReport
    from stepwell.serve.options import Accesses, Items
    from stepwell.stats.tails.audit import TailFit, Tails

__all__ = ["Asked", "print_tails", "print_usage", "tails_in_file", "tails_in_memory"]

_SHOWN_RUNS: Final = 10

_PLURALS: Final = {"step": "steps", "trajectory": "trajectories", "entity": "entities"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What `stepwell audit tails` was asked.

    Attributes:
        item: What is counted.
        accesses: Which accesses count.
        last: Only the last so many recalls.
        n_draws: Draws of the bootstrap.
        seed: Of them.
        plot: File to draw into.
        as_json: Whether to print JSON.
    """

    item: Items
    accesses: Accesses
    last: int | None
    n_draws: int
    seed: int
    plot: Path | None
    as_json: bool


def tails_in_file(path: Path, asked: Asked, *, scope: dict[str, str]) -> Tails:
    """Audit a file of counts or accesses; no memory is needed.

    Raises:
        InvalidInputError: It cannot be read, or holds no counts; or a scope was given.
    """
    if scope:
        raise InvalidInputError(
            "--session, --trajectory, --user, --agent and --run choose within the memory.",
            hint="Leave them out, or leave out --counts.",
        )
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read: {error.strerror}.", hint="Check the path of --counts."
        ) from error
    counts = read_counts(data)
    with progress("drawing", total=asked.n_draws) as advance:
        return audit_counts(
            counts,
            rng=np.random.default_rng(asked.seed),
            n_draws=asked.n_draws,
            progress=advance,
        )


def tails_in_memory(memory: Memory, asked: Asked) -> UsageReport:
    """Audit the usage of what is in a memory's scope.

    Raises:
        NotFoundError: Too few recalls are logged.
    """
    options = UsageOptions(
        item=asked.item,
        counted=asked.accesses,
        last=asked.last,
        n_draws=asked.n_draws,
        seed=asked.seed,
    )
    with progress("drawing", total=asked.n_draws) as advance:
        return memory.audit(options=options, progress=advance)


def print_tails(tails: Tails, asked: Asked) -> None:
    """Print the audit of a file: the verdict and the figures."""
    _draw(tails, asked, title="accesses")
    if asked.as_json:
        print_json(tails)
        return
    print_text(str(tails))
    print_text("")
    _print_figures(tails, items="items")


def print_usage(report: UsageReport, asked: Asked) -> None:
    """Print the audit of a memory: the verdict, the figures, and what to do."""
    items = _PLURALS[report.options.item]
    _draw(report.tails, asked, title=f"{items} {report.options.counted}")
    if asked.as_json:
        print_json(report)
        return
    print_text(
        f"{report.n_recalls} recalls, {report.n_rewarded} of them rewarded; {items} "
        f"{report.options.counted}: {report.tails.concentration.n_items} of {report.n_items}."
    )
    print_text(str(report.tails))
    print_text("")
    _print_figures(report.tails, items=items)
    _print_cold(report)
    _print_hot(report)
    _print_unused(report)


def _draw(tails: Tails, asked: Asked, *, title: str) -> None:
    if asked.plot is None:
        return
    if not can_draw():
        say(WITHOUT)
        return
    if not tails.ccdf:
        say("There is no plot: nothing was accessed.")
        return
    try:
        draw_tails(tails, asked.plot.expanduser(), title=title)
    except OSError as error:
        raise InvalidInputError(
            f"{asked.plot} cannot be written: {error.strerror}.", hint="Check the path of --plot."
        ) from error
    say(f"plot: {asked.plot}")


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
        f"Dead weight: {n_unused} steps were considered by none of these {report.n_recalls} "
        f"recalls; {len(whole)} trajectories as a whole."
    )
    print_text("`stepwell forget --trajectory ID` deletes what is no longer needed.")
    print_table(
        ("trajectory", "unused", "of", "steps"),
        [
            (one.trajectory, one.n_unused, one.n_steps, one.steps)
            for one in report.unused[:_SHOWN_RUNS]
        ],
    )


def _reward(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
