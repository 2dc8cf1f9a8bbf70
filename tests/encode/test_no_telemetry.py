"""Encoding leaves nothing at home and asks nobody: the runtime's own reporting is off."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stepwell.encode.minilm import missing_packages

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(bool(missing_packages()), reason="the packages of the extra minilm are missing")
def test_encoding_writes_nothing_into_the_home_folder(tmp_path: Path) -> None:
    code = "from stepwell.encode.minilm import MiniLM; print(MiniLM().encode(['hello']).shape)"
    home = [f"HOME={tmp_path}", f"XDG_CACHE_HOME={tmp_path / 'cache'}"]
    done = subprocess.run(
        ["env", *home, sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "(1, 384)"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
