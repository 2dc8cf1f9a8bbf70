"""Databases that tests of the store fill, and a look into every table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.database import transaction
from stepwell.store.runs import NOWHERE
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.episodic import Episodic
from support.trajectories import NOW

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from stepwell.store.database import Database
    from stepwell.store.runs import Origin
    from stepwell.store.write import Written
    from stepwell.trajectory.model import Blob, Trajectory


def stored(
    db: Database,
    what: Trajectory,
    *,
    scope: Scope | None = None,
    origin: Origin = NOWHERE,
    blobs: Sequence[Blob] = (),
) -> Written:
    """Store a trajectory and index its words, in one transaction."""
    with transaction(db):
        written = put_trajectory(
            db, what, scope=scope or Scope(), now=NOW, origin=origin, blobs=blobs
        )
        Episodic(db).append(written.rowids, written.passages)
    return written


def table_names(db: Database) -> list[str]:
    """Return the names of every table, those behind the full-text index included."""
    found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [str(name) for (name,) in found]


def table_rows(db: Database, table: str) -> list[tuple[Any, ...]]:
    """Return every row of a table."""
    return db.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608  (names of the schema)


def contents(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, by table."""
    return {table: table_rows(db, table) for table in table_names(db)}


def number_at(db: Database, query: str, *parameters: str | int | bytes) -> int:
    """Return the single number a query finds."""
    ((number,),) = db.execute(query, parameters)
    return int(number)
