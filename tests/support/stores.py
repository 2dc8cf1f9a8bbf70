"""Databases that tests of the store fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.database import transaction
from stepwell.store.scope import Scope
from stepwell.store.write import NOWHERE, put_trajectory
from stepwell.structures.episodic import Episodic
from support.trajectories import NOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.store.database import Database
    from stepwell.store.write import Origin, Written
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
