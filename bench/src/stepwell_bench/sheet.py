"""Figures of a speed run, each beside its floor, with the ratio that carries over elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

from stepwell_bench.terminal import print_notices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

__all__ = ["PLAIN", "Sheet", "SpeedReport", "SpeedRow", "show_speed"]

PLAIN = "plain FTS5"
"""Name of the usual floor."""

_MILLISECONDS = 1e3


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRow:
    """One figure.

    Attributes:
        size: Steps in the store; 0 where that does not matter.
        what: What was measured.
        unit: `steps/s`, `passages/s`, `ms`, `MB` or `share`.
        value: The figure of whoever did it.
        by: Who did it: `stepwell` or a peer.
        floor: The figure of the floor, when there is one.
        floor_by: What the floor is; for a peer, Stepwell.
        ratio: How many times the floor's time or space it takes; above 1 is dearer.
    """

    size: int
    what: str
    unit: str
    value: float
    by: str = "stepwell"
    floor: float | None = None
    floor_by: str = ""
    ratio: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedReport:
    """What a run found; the result file holds exactly this.

    Attributes:
        machine: System, cores and versions, by name.
        notices: What limits the figures, and which peers could not run, and why.
    """

    schema: int
    benchmark: str
    created: str
    commit: str
    seed: int
    machine: dict[str, str]
    notices: tuple[str, ...]
    rows: tuple[SpeedRow, ...]


@dataclass(slots=True)
class Sheet:
    """Collects the rows of one size.

    Attributes:
        size: Steps in the store.
        by: Whose figures they are.
    """

    size: int
    by: str = "stepwell"
    rows: list[SpeedRow] = field(default_factory=list[SpeedRow])

    def rate(
        self,
        what: str,
        unit: str,
        *,
        n: int,
        seconds: float,
        floor: float | None = None,
        floor_by: str = PLAIN,
    ) -> None:
        """Note a rate; the floor is given as its seconds for as many."""
        ratio = None if floor is None else seconds / floor
        floor_rate = None if floor is None else n / floor
        self._add(what, unit, n / seconds, floor=floor_rate, floor_by=floor_by, ratio=ratio)

    def times(
        self, what: str, seconds: Sequence[float], *, floors: dict[str, Sequence[float]]
    ) -> None:
        """Note median and 99th percentile in milliseconds, against each floor."""
        for name, percent in (("p50", 50), ("p99", 99)):
            value = float(np.percentile(seconds, percent)) * _MILLISECONDS
            if not floors:
                self._add(f"{what}, {name}", "ms", value)
            for floor_by, others in floors.items():
                floor = float(np.percentile(others, percent)) * _MILLISECONDS
                self._add(
                    f"{what}, {name}",
                    "ms",
                    value,
                    floor=floor,
                    floor_by=floor_by,
                    ratio=value / floor,
                )

    def plain(self, what: str, unit: str, value: float, *, floor: float | None = None) -> None:
        """Note a figure that is no time."""
        ratio = None if floor is None else value / floor
        self._add(what, unit, value, floor=floor, floor_by=PLAIN, ratio=ratio)

    def _add(
        self,
        what: str,
        unit: str,
        value: float,
        *,
        floor: float | None = None,
        floor_by: str = "",
        ratio: float | None = None,
    ) -> None:
        self.rows.append(
            SpeedRow(
                size=self.size,
                what=what,
                unit=unit,
                value=value,
                by=self.by,
                floor=floor,
                floor_by="" if floor is None else floor_by,
                ratio=ratio,
            )
        )


def show_speed(report: SpeedReport, console: Console) -> None:
    """Print one table per size, and the notices."""
    machine = ", ".join(f"{name} {value}" for name, value in report.machine.items())
    console.print(f"[bold]speed[/bold]: {machine}; commit {report.commit or 'unknown'}")
    for size in dict.fromkeys(row.size for row in report.rows):
        table = Table(title=f"{size:,} steps" if size else "any size", title_justify="left")
        for name in ("what", "by", "figure", "floor", "times the floor"):
            table.add_column(name, justify="left" if name in {"what", "by"} else "right")
        for row in report.rows:
            if row.size == size:
                table.add_row(*_shown(row))
        console.print(table)
    print_notices(console, report.notices)


def _shown(row: SpeedRow) -> Iterator[str]:
    yield row.what
    yield row.by
    yield f"{_number(row.value)} {row.unit}"
    yield "" if row.floor is None else f"{_number(row.floor)} {row.unit} ({row.floor_by})"
    yield "" if row.ratio is None else f"{_number(row.ratio)}x"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004  (three digits)
