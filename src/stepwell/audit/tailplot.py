"""Draw an audit of tails: how counts fall off, with the laws fitted, and how uneven they are."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stepwell.stats.tails.tailmodels import survival

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.stats.tails.audit import Tails

__all__ = ["WITHOUT", "can_draw", "draw_tails"]

WITHOUT: Final = (
    "There is no plot: matplotlib is not installed. Install it with: pip install 'stepwell[plots]'"
)
"""What to say where nothing can be drawn."""

_POINTS: Final = 60


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw_tails(tails: Tails, path: Path, *, title: str = "") -> None:
    """Write a PNG: on the left P(X ≥ x) with both fits, on the right the concentration curve.

    Args:
        tails: What was found.
        path: The file.
        title: What was counted.
    """
    # Imported here: it is optional, and slow to load. The figure is made without pyplot, which
    # would start a window system.
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure: Any = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    _ccdf(tails, left)
    _concentration(tails, right)
    if title:
        figure.suptitle(title)
    figure.savefig(path, format="png")


def _ccdf(tails: Tails, axes: Any) -> None:
    values = [value for value, _ in tails.ccdf]
    shares = dict(tails.ccdf)
    axes.plot(values, list(shares.values()), marker="o", markersize=3, linestyle="none")
    axes.set(xlabel="accesses x", ylabel="P(X ≥ x)", title=str(tails.verdict))
    if values:
        axes.set(xscale="log", yscale="log")
    if tails.fit is None:
        return
    x_min = tails.fit.power_law.x_min
    places = np.unique(np.geomspace(x_min, values[-1], _POINTS).round())
    for law, style in ((tails.fit.truncated, "solid"), (tails.fit.log_normal, "dashed")):
        # The laws are of the tail only, and begin where it does.
        heights = survival(law, places, x_min=x_min) * shares[x_min]
        axes.plot(places, heights, linestyle=style, label=law.name)
    axes.set_ylim(min(shares.values()) / 3, 2)
    axes.axvline(x_min, color="gray", linewidth=0.8, linestyle="dotted")
    axes.legend(fontsize="small")


def _concentration(tails: Tails, axes: Any) -> None:
    values, above = (np.array(column) for column in zip(*tails.ccdf, strict=True))
    sizes = above - np.append(above[1:], 0.0)
    items = np.append(0.0, np.cumsum(sizes[::-1]))
    accesses = np.append(0.0, np.cumsum((sizes * values)[::-1]))
    axes.plot(items, accesses / accesses[-1])
    axes.plot([0, 1], [0, 1], color="gray", linewidth=0.8, linestyle="dotted")
    axes.set(
        xlabel="share of the items, the most accessed first",
        ylabel="share of the accesses",
        title=f"Gini {tails.concentration.gini:.2f}",
    )
