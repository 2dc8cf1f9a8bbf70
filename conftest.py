"""What all tests share; the documentation's examples run as tests, each page in an empty folder."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

# A time is never a reason to fail: machines that run tests are busy.
settings.register_profile("stepwell", deadline=None)
settings.load_profile("stepwell")


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Return the folder of real samples beside the checkout, or skip: users do not have it."""
    folder = Path(__file__).resolve().parents[1] / "shared"
    if not (folder / "formats").is_dir():
        pytest.skip("the folder of real samples is not beside this checkout")
    return folder


def _enter(namespace: dict[str, Any]) -> None:
    namespace["_left"] = Path.cwd()
    namespace["_folder"] = TemporaryDirectory()
    os.chdir(namespace["_folder"].name)


def _leave(namespace: dict[str, Any]) -> None:
    os.chdir(namespace["_left"])
    namespace["_folder"].cleanup()


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser()],
    patterns=["README.md", "docs/**/*.md"],
    setup=_enter,
    teardown=_leave,
).pytest()
