"""What every test of the store starts from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.store.database import Database


@pytest.fixture
def db() -> Iterator[Database]:
    """Open an empty database in memory."""
    connection = open_database(None)
    yield connection
    connection.close()
