"""Run the experiments from the command line: read, save, print and draw."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from stepwell.bench.mesa import plots
from stepwell.bench.mesa.showsweep import show_sweep
from stepwell.bench.mesa.sweeping import run_sweep
from stepwell.bench.osu.plots import WITHOUT, can_draw
from stepwell.bench.results import check_folder, commit, save, save_rows
from stepwell.bench.terminal import counted, table_console

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.console import Console

    from stepwell.bench.mesa.sweeping import Place, SweepSettings

__all__ = ["sweep"]

_FILE_COLUMNS: Final = 180
"""Width of tables that go to a file: narrower breaks rows."""


def sweep(place: Place, settings: SweepSettings, *, rows: bool = False) -> Path:
    """Read every subset of structures for every question, and return the result file.

    Args:
        place: Where the data are.
        settings: What is swept.
        rows: Whether every reading is written as well.

    Raises:
        StepwellError: There is no data, or no encoder.
    """
    check_folder(place.out)
    now, at = datetime.now(UTC), commit()
    created = now.isoformat(timespec="seconds")
    with counted() as progress:
        report, readings = run_sweep(place, settings, created=created, commit=at, progress=progress)
    path = save(report, place.out, name=f"{report.benchmark}-{report.dataset}", now=now, at=at)
    if rows:
        save_rows(readings, path.with_suffix(".rows.jsonl"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show_sweep(report, console)
    found = [one.findings for one in report.found]
    _draw(lambda picture: plots.draw_sweep(found, picture), path, console)
    return path


def _draw(draw: Callable[[Path], None], path: Path, console: Console) -> None:
    """Draw beside a result file where that can be done, and say where everything is."""
    if can_draw():
        picture = path.with_suffix(".png")
        draw(picture)
        console.print(f"Drawn in {picture}", soft_wrap=True, markup=False)
    else:
        console.print(WITHOUT, markup=False)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
