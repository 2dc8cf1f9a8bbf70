"""A package with one entry point, installed into a folder on the path."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def install_package(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, group: str, name: str, value: str
) -> None:
    """Make an entry point that `importlib.metadata` finds, as an installed package brings it."""
    info = folder / f"brings_{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: brings-{name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(str(folder))
