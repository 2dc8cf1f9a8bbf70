"""Tombstones: hashes of what was forgotten, so that the next reading does not bring it back.

Each is hashed with its owner, so one owner's never hides another's. None can be read back.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from stepwell.store.contents import load_contents
from stepwell.store.runs import claimed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from stepwell.store.contents import Owner
    from stepwell.trajectory.contents import Content
    from stepwell.trajectory.model import Trajectory

__all__ = ["bury", "is_buried", "unbury"]


def bury(db: apsw.Connection, number: int, *, name: str, owner: Owner) -> None:
    """Leave the tombstones of a run that is about to be forgotten."""
    contents = load_contents(db, number).contents
    marks = _marks(contents, claimed(name), owner)
    if contents:
        marks.append(_mark(owner, "end", contents[-1].prefix))
    db.executemany("INSERT OR IGNORE INTO tombstones VALUES (?)", ((mark,) for mark in marks))


def unbury(
    db: apsw.Connection, trajectory: Trajectory, contents: Sequence[Content], *, owner: Owner
) -> None:
    """Remove the tombstones of a run that is to come back."""
    marks = _marks(contents, claimed(trajectory.trajectory_id), owner)
    marks += [_mark(owner, "end", one.prefix) for one in contents]
    db.executemany("DELETE FROM tombstones WHERE mark = ?", ((mark,) for mark in marks))


def is_buried(
    db: apsw.Connection,
    trajectory: Trajectory,
    contents: Sequence[Content],
    *,
    owner: Owner,
    names: bool,
) -> bool:
    """Return whether a reading is of a run that was forgotten.

    It is where a run of its id was, and they share a step of the agent or all that was read; where
    its parent was; or, if its id is made of a path (`names`), where one holds the other.
    """
    if db.execute("SELECT 1 FROM tombstones LIMIT 1").fetchone() is None:
        return False
    parent, name = trajectory.parent_trajectory_id, claimed(trajectory.trajectory_id)
    is_orphan = parent is not None and not _is_stored(db, parent, owner)
    if is_orphan and _holds(db, _mark(owner, "run", claimed(parent or "").encode())):
        return True
    if _holds(db, _mark(owner, "run", name.encode())):
        hits = [_holds(db, _mark(owner, f"said in {name}", one.said)) for one in contents]
        kinds = {one.kind for one, is_hit in zip(contents, hits, strict=True) if is_hit}
        if "agent" in kinds or (hits and all(hits)):
            return True
    return names and _is_moved(db, contents, owner)


def _is_moved(db: apsw.Connection, contents: Sequence[Content], owner: Owner) -> bool:
    """Return whether a reading goes on from all of a forgotten run, or is its beginning."""
    has_agent = False
    for at, one in enumerate(contents, start=1):
        has_agent = has_agent or one.kind == "agent"
        is_last = at == len(contents)
        if (has_agent or is_last) and one.prefix and _holds(db, _mark(owner, "end", one.prefix)):
            return True
    return has_agent and _holds(db, _mark(owner, "prefix", contents[-1].prefix))


def _marks(contents: Iterable[Content], name: str, owner: Owner) -> list[bytes]:
    marks = [_mark(owner, "run", name.encode())]
    for one in contents:
        marks += (_mark(owner, f"said in {name}", one.said), _mark(owner, "prefix", one.prefix))
    return marks


def _mark(owner: Owner, what: str, value: bytes) -> bytes:
    digest = blake2b(digest_size=16)
    for part in (*owner, what):
        data = part.encode()
        digest.update(len(data).to_bytes(8) + data)
    digest.update(value)
    return digest.digest()


def _holds(db: apsw.Connection, mark: bytes) -> bool:
    return db.execute("SELECT 1 FROM tombstones WHERE mark = ?", (mark,)).fetchone() is not None


def _is_stored(db: apsw.Connection, name: str, owner: Owner) -> bool:
    found = db.execute(
        "SELECT 1 FROM trajectories WHERE user_id = ? AND agent_id = ? AND run_id = ? "
        "AND trajectory_id = ?",
        (*owner, name),
    ).fetchone()
    return found is not None
