"""Files that options name: read and written whole, with an error that names the option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_file", "write_file"]


def read_file(path: Path, *, option: str) -> bytes:
    """Return what a file holds.

    Args:
        path: The file.
        option: The option that names it.

    Raises:
        InvalidInputError: It cannot be read.
    """
    try:
        return path.expanduser().read_bytes()
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read: {error.strerror}.", hint=f"Check the path of {option}."
        ) from error


def write_file(path: Path, data: bytes) -> None:
    """Write a file, and make the folder it lies in.

    Raises:
        InvalidInputError: It cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be written: {error.strerror}.", hint="Choose another path."
        ) from error
