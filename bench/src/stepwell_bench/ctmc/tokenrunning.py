"""Run the experiments on tokens from the command line: measure, save, print and draw."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from stepwell.encode.registry import default_encoder
from stepwell_bench.ctmc.alfshow import show_alfworld
from stepwell_bench.ctmc.alfworld import AlfPlan, run_alfworld
from stepwell_bench.ctmc.longmemeval import run_longmemeval
from stepwell_bench.ctmc.tokenplot import draw_tokens
from stepwell_bench.ctmc.tokens import run_tokens
from stepwell_bench.ctmc.tokenshow import show_tokens
from stepwell_bench.osu.plots import WITHOUT, can_draw
from stepwell_bench.results import check_folder, commit, save, save_rows
from stepwell_bench.terminal import counted, table_console

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell_bench.ctmc.longmemeval import Version
    from stepwell_bench.ctmc.tokens import TokenPlan

__all__ = ["alfworld", "tokens"]

_FILE_COLUMNS: Final = 170


def tokens(
    plan: TokenPlan, *, out: Path, vectors: bool, rows: bool, version: Version | None = None
) -> Path:
    """Compare the controller with flat packing, save, print and draw it; return the result file.

    Args:
        plan: What to run.
        out: Folder for the result file.
        vectors: Whether passages are encoded, where the local encoder is installed.
        rows: Whether every question's figures are written, too.
        version: Which official file of LongMemEval; None for a data set as it lies in its folder.

    Raises:
        NotFoundError: There is no such data.
        InvalidInputError: The data are of another kind, or nothing can be written to `out`.
    """
    check_folder(out)
    now = datetime.now(UTC)
    encoder = default_encoder()[0] if vectors else None
    with counted() as progress:
        if version is None:
            report, asked = run_tokens(plan, encoder=encoder, now=now, progress=progress)
        else:
            report, asked = run_longmemeval(
                plan, version=version, encoder=encoder, now=now, progress=progress
            )
    path = save(report, out, name=report.name, now=now, at=report.commit)
    if rows:
        save_rows(asked, path.with_suffix(".rows.jsonl"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show_tokens(report, console)
    if can_draw():
        draw_tokens(report, path.with_suffix(".png"))
        console.print(f"Drawn to {path.with_suffix('.png')}", soft_wrap=True, markup=False)
    else:
        console.print(WITHOUT, markup=False)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path


def alfworld(plan: AlfPlan, *, out: Path) -> Path:
    """Compare the prompts of two memories on ALFWorld, save and print; return the result file.

    Raises:
        NotFoundError: There is no such folder.
        InvalidInputError: It holds no episode, or nothing can be written to `out`.
        ModelUnavailableError: It holds official games, and what plays them is not installed.
    """
    check_folder(out)
    now, at = datetime.now(UTC), commit()
    with counted() as progress:
        report = run_alfworld(plan, now=now, at=at, progress=progress)
    path = save(report, out, name=report.name, now=now, at=at)
    console = table_console(file_columns=_FILE_COLUMNS)
    show_alfworld(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path
