"""Draw a sweep: the best subset of each group of questions, and reward against tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from stepwell_bench.mesa.sweep import Group, SweepFindings

__all__ = ["draw_curves", "draw_sweep"]

_LABELLED = 10
"""Subsets named in the frontier; more names would cover each other."""


def draw_sweep(found: Sequence[SweepFindings], path: Path) -> None:
    """Write a PNG: a row for each finding, winners on the left, the frontier on the right.

    Args:
        found: What was found.
        path: The file.
    """
    figure: Any = _figure(width=14, height=5 * len(found))
    for row, findings in zip(figure.subplots(len(found), 2, squeeze=False), found, strict=True):
        _winners(findings, row[0])
        _frontier(findings, row[1])
    figure.savefig(path, format="png")


def draw_curves(curves: Mapping[str, Sequence[float]], path: Path, *, title: str) -> None:
    """Write a PNG of the best objective after each round, a line for each search."""
    figure: Any = _figure(width=8, height=5)
    axes = figure.subplots()
    for name, curve in curves.items():
        axes.plot(range(len(curve)), curve, marker="o", label=name)
    axes.set(xlabel="round", ylabel="best objective on validation questions", title=title)
    axes.legend(fontsize="small")
    figure.savefig(path, format="png")


def _figure(*, width: float, height: float) -> Any:
    # Imported here: it is optional, and slow to load. The figure is made without pyplot, which
    # would start a window system.
    from matplotlib.figure import Figure  # noqa: PLC0415

    return Figure(figsize=(width, height), layout="constrained")


def _winners(findings: SweepFindings, axes: Any) -> None:
    groups = {(group.domain, group.kind): group for group in findings.groups}
    domains = list(dict.fromkeys(domain for domain, _ in groups))
    kinds = list(dict.fromkeys(kind for _, kind in groups))
    sizes = [[_size(groups.get((domain, kind))) for kind in kinds] for domain in domains]
    most = max(subset.count("+") + 1 for subset in findings.subsets)
    image = axes.imshow(sizes, cmap="viridis", vmin=1, vmax=most, aspect="auto", alpha=0.6)
    for (domain, kind), group in groups.items():
        place = (kinds.index(kind), domains.index(domain))
        said = group.best.replace("+", "\n") + f"\n{group.reward:.3f}"
        axes.text(*place, said, ha="center", va="center", fontsize="xx-small")
    axes.set_xticks(range(len(kinds)), kinds)
    axes.set_yticks(range(len(domains)), domains)
    axes.set_title(f"best subset: {_title(findings)}", fontsize="medium")
    axes.figure.colorbar(image, ax=axes, label="structures", ticks=range(1, most + 1))


def _size(group: Group | None) -> float:
    return float("nan") if group is None else group.size


def _frontier(findings: SweepFindings, axes: Any) -> None:
    front = [one for one in findings.frontier if one.is_on_front]
    axes.scatter(
        [one.tokens for one in findings.frontier],
        [one.reward for one in findings.frontier],
        c=[one.subset.count("+") + 1 for one in findings.frontier],
        cmap="viridis",
    )
    axes.plot([one.tokens for one in front], [one.reward for one in front], color="black")
    for one in front[-_LABELLED:]:
        axes.annotate(one.subset, (one.tokens, one.reward), fontsize="xx-small", ha="right")
    axes.set(xlabel="evidence tokens", ylabel=findings.reward)
    axes.set_title(f"every subset: {_title(findings)}", fontsize="medium")


def _title(findings: SweepFindings) -> str:
    return f"{findings.reward}, {findings.mode}, {findings.budget:,} tokens"
