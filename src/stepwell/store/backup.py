"""Copy a database beside itself before its schema is changed."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from stepwell.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["back_up", "backup_path", "backups_of"]


def backup_path(path: Path, version: int) -> Path:
    """Return where a database is kept as it was under a schema version.

    >>> from pathlib import Path
    >>> backup_path(Path("memory.db"), 4).name
    'memory.db.v4.bak'
    """
    return path.with_name(f"{path.name}.v{version}.bak")


def backups_of(path: Path) -> list[Path]:
    """Return the backups that lie beside a database, by name."""
    beside = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    return [one for one in beside if one.name.startswith(f"{path.name}.v") and one.suffix == ".bak"]


def back_up(source: apsw.Connection, path: Path, *, version: int) -> Path:
    """Copy what a connection sees of a database, whole and at one moment, beside the file.

    An older backup of the same version is replaced once the new one is complete. It has the
    permissions of the file.

    Args:
        source: A connection that writes nothing, since SQLite copies no half-written database.
        path: The file.
        version: Its schema version.

    Raises:
        StoreError: The copy cannot be made; none is left behind.
    """
    kept = backup_path(path, version)
    unfinished = kept.with_name(f"{kept.name}.part")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)  # nobody else may read it even while it is written
        _copy(source, unfinished)
        shutil.copymode(path, unfinished)
        unfinished.replace(kept)
    except (OSError, apsw.Error) as error:
        unfinished.unlink(missing_ok=True)
        raise StoreError(
            f"{path} must be upgraded, and the backup before that, {kept}, cannot be made: "
            f"{error}.",
            hint="Make room in its folder, or make that writable, and open it again.",
        ) from error
    return kept


def _copy(source: apsw.Connection, path: Path) -> None:
    with closing(apsw.Connection(str(path))) as copy, copy.backup("main", source, "main") as pages:
        pages.step()
