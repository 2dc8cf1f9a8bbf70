"""Draw tokens saved by type of question and budget, as CTMC's Figure 7 does by configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from stepwell_bench.ctmc.tokenstats import ALL, FLAT, OURS

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell_bench.ctmc.tokens import TokenReport
    from stepwell_bench.ctmc.tokenstats import Contrast

__all__ = ["draw_tokens"]

_WIDTH: Final = 0.8
"""Of all bars of a type together; types are 1 apart."""

_ROW_INCHES: Final = 7


def draw_tokens(report: TokenReport, path: Path) -> None:
    """Write a PNG: for each way of asking, tokens saved above and recall gained below.

    Bars are types of questions by flat's budget; whiskers are 95 % intervals by episode. A dashed
    line is the paper's saving.

    Args:
        report: What was found.
        path: The file.
    """
    # Imported here: it is optional, and slow to load. The figure is made without pyplot, which
    # would start a window system.
    from matplotlib.figure import Figure  # noqa: PLC0415

    modes = list(dict.fromkeys(one.mode for one in report.contrasts))
    figure: Any = Figure(figsize=(_ROW_INCHES * len(modes), 8), layout="constrained")
    rows = figure.subplots(2, len(modes), squeeze=False)
    for place, mode in enumerate(modes):
        _bars(report, mode, "tokens", rows[0][place])
        rows[0][place].axhline(
            100 * report.published, color="black", linestyle="dashed", label="paper, LongMemEval"
        )
        rows[0][place].set(title=f"{report.dataset}, {mode}", ylabel="tokens saved, %")
        _bars(report, mode, "recall", rows[1][place])
        rows[1][place].axhline(0, color="gray", linewidth=0.8)
        rows[1][place].set(ylabel="recall against flat, points")
    named = rows[0][0].get_legend_handles_labels()
    figure.legend(*named, loc="outside lower center", ncols=3, fontsize="small")
    figure.savefig(path, format="png")


def _bars(report: TokenReport, mode: str, measure: str, axes: Any) -> None:
    known = {
        (one.group, one.budget): one
        for one in report.contrasts
        if (one.mode, one.arm, one.against, one.measure) == (mode, OURS, FLAT, measure)
    }
    groups = [ALL, *sorted({group for group, _ in known} - {ALL})]
    width = _WIDTH / len(report.budgets)
    for number, budget in enumerate(report.budgets):
        places = [row - _WIDTH / 2 + (number + 0.5) * width for row in range(len(groups))]
        bars = [known.get((group, budget)) for group in groups]
        axes.bar(
            places,
            [_value(bar) for bar in bars],
            width,
            yerr=[[_below(bar) for bar in bars], [_above(bar) for bar in bars]],
            capsize=2,
            label=f"flat at {budget:,}",
        )
    axes.set_xticks(range(len(groups)), groups, rotation=20, ha="right")


def _value(one: Contrast | None) -> float:
    return float("nan") if one is None else 100 * one.value.mean


def _below(one: Contrast | None) -> float:
    return 0.0 if one is None else 100 * (one.value.mean - one.value.low)


def _above(one: Contrast | None) -> float:
    return 0.0 if one is None else 100 * (one.value.high - one.value.mean)
