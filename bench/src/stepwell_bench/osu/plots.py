"""Draw a report: recall against budget, and the lead over flat by cell and budget."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from stepwell_bench.osu.analysis import ALL
from stepwell_bench.osu.methods import OSU
from stepwell_bench.osu.world import Cell

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell_bench.osu.experiments import Report

__all__ = ["WITHOUT", "can_draw", "draw"]

WITHOUT = (
    "There is no plot: matplotlib is not installed. Install it with: pip install 'stepwell[plots]'"
)
"""What to say where nothing can be drawn."""

_DRAWN = (
    "adaptive",
    OSU,
    f"{OSU} disjoint",
    "coverage",
    "coverage disjoint",
    "flat",
    "mmr",
    "tree",
    "disjoint hierarchy",
    "replay",
)
"""Methods drawn where they answered; all are in the tables, and ten colours can be told apart."""

_COLOURS = {ALL: "black", Cell.BOTH: "C2", Cell.TOOL: "C0", Cell.ENTITY: "C1", Cell.NEITHER: "C3"}
_LINES = ("solid", "dashed", "dotted")


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(report: Report, path: Path) -> None:
    """Write a PNG with recall by budget on the left, and gaps by cell on the right.

    Args:
        report: What was found.
        path: The file.
    """
    # Imported here: it is optional, and slow to load. The figure is made without pyplot, which
    # would start a window system.
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure: Any = Figure(figsize=(12, 5), layout="constrained")
    left, right = figure.subplots(1, 2)
    _recall(report, left)
    _gaps(report, right)
    figure.savefig(path, format="png")


def _recall(report: Report, axes: Any) -> None:
    answered = dict.fromkeys(one.method for one in report.means)
    known = [method for method in _DRAWN if method in answered]
    for method in known or answered:
        points = {
            one.budget: one.value
            for one in report.means
            if (one.method, one.measure, one.cell) == (method, "recall", ALL)
        }
        budgets = sorted(points)
        axes.plot(budgets, [points[budget].mean for budget in budgets], marker="o", label=method)
    axes.set(xscale="log", xlabel="budget (tokens)", ylabel="Recall", title=report.name)
    axes.set_xticks(list(report.budgets), [str(budget) for budget in report.budgets])
    axes.minorticks_off()
    axes.legend(fontsize="small")


def _gaps(report: Report, axes: Any) -> None:
    pairs = dict.fromkeys((one.a, one.b, one.cell) for one in report.contrasts if one.b == "flat")
    styles = dict(zip(dict.fromkeys(a for a, _, _ in pairs), _LINES, strict=False))
    for number, (a, b, cell) in enumerate(pairs):
        points = {
            one.budget: one.value
            for one in report.contrasts
            if (one.a, one.b, one.cell, one.measure) == (a, b, cell, "hit2")
        }
        budgets = sorted(points)
        middles = [points[budget].mean for budget in budgets]
        spread = [
            [points[budget].mean - points[budget].low for budget in budgets],
            [points[budget].high - points[budget].mean for budget in budgets],
        ]
        # Shifted a little, so that the intervals of one budget stand beside each other.
        places = [budget * 1.02 ** (number - len(pairs) / 2) for budget in budgets]
        look = {"color": _COLOURS[cell], "linestyle": styles[a], "marker": "o", "capsize": 2}
        axes.errorbar(places, middles, yerr=spread, label=f"{a}, {cell}", **look)
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set(xscale="log", xlabel="budget (tokens)", ylabel="Hit@2 minus flat", title="by cell")
    axes.set_xticks(list(report.budgets), [str(budget) for budget in report.budgets])
    axes.minorticks_off()
    if pairs:
        axes.legend(fontsize="small")
