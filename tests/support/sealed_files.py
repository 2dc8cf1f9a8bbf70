"""Files that cannot be written, also when the tests run as root, whom no permission stops."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["sealed"]

_NOBODY = 65_534
_READ, _ENTER, _ALL = 0o444, 0o555, 0o777


@contextmanager
def sealed(path: Path, *, with_folder: bool) -> Generator[None]:
    """Take away the right to write a file, and if asked to its folder, within the block."""
    is_root = os.geteuid() == 0
    # pytest closes the folders above a test's own to other users.
    closed = [f for f in path.parents[1:] if is_root and not f.stat().st_mode & stat.S_IXOTH]
    modes = {each: each.stat().st_mode for each in (*closed, path.parent, path)}
    try:
        for folder in closed:
            folder.chmod(modes[folder] | _ENTER)
        path.chmod(_READ)
        path.parent.chmod(_ENTER if with_folder else _ALL)
        if is_root:
            os.seteuid(_NOBODY)
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for each, mode in modes.items():
            each.chmod(mode)
