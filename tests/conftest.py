"""Fixtures that many tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A time is never a reason to fail: machines that run tests are busy.
settings.register_profile("stepwell", deadline=None)
settings.load_profile("stepwell")


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Return the folder of real samples beside the checkout, or skip: users do not have it."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "formats").is_dir():
        pytest.skip("the folder of real samples is not beside this checkout")
    return folder
