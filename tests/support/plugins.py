"""Distributions that bring entry points, as `pip install` would leave them on the path."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["install"]


def install(folder: Path, *, name: str, code: str, entry_points: str) -> None:
    """Write a distribution of one module into a folder that is on the path.

    Args:
        folder: The folder.
        name: Of the distribution; the module has it too, with underscores.
        code: The module.
        entry_points: As `entry_points.txt` holds them.
    """
    module = name.replace("-", "_")
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"{module}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")
