"""The readers there are: Stepwell's own, and those that installed packages bring.

An installed reader is somebody else's code. One that cannot be loaded stops the import with an
error that names it, since the logs it was installed for would be passed over otherwise. One that
fails at a single file is noted, and costs nothing but its own answer about that file.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.formats.atif.reader import Atif
from stepwell.formats.base import Reader
from stepwell.formats.chat.reader import OpenAIChat
from stepwell.formats.claude_code.reader import ClaudeCode

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from stepwell.formats.base import Notes, Source

__all__ = ["GROUP", "OWN", "reader_for", "readers"]

GROUP = "stepwell.readers"
"""Entry point group: name = "package.module:ReaderClass", where the name is the reader's."""

OWN: tuple[Reader, ...] = (ClaudeCode(), Atif(), OpenAIChat())


@cache
def readers() -> tuple[Reader, ...]:
    """Return all readers in the order in which they are asked, looked for once per process.

    The readers that packages bring come first, by name: on a tie, a reader of one product's logs is
    surer than a reader of a general form.

    Raises:
        InvalidInputError: An installed reader cannot be used; the message names it.
    """
    points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    names = [reader.name for reader in OWN]
    for point in points:
        if point.name in names:
            raise InvalidInputError(
                f"An installed package brings a reader {point.name!r}, and there is one already.",
                hint=f"Uninstall it, or rename what stands behind {point.value}.",
            )
        names.append(point.name)
    return (*map(_loaded, points), *OWN)


def reader_for(source: Source, notes: Notes) -> Reader | None:
    """Return the reader that is surest of the source, or None when every reader gives 0.

    On a tie the first reader in the order of `readers` is taken.

    Args:
        source: The decoded file.
        notes: Takes the readers that fail at looking at the file; the others are still asked.
    """
    surest: Reader | None = None
    highest = 0.0
    for reader in readers():
        score = _sureness(reader, source, notes)
        if score > highest:
            surest, highest = reader, score
    return surest


def _sureness(reader: Reader, source: Source, notes: Notes) -> float:
    try:
        return float(reader.sniff(source))
    except Exception as error:  # noqa: BLE001 -- a reader is anyone's code, and the others can do without it
        message = f"The reader {reader.name!r} failed at recognising the file: {error!r}."
        notes.add(1, "reader-failed", message)
        return 0.0


def _loaded(point: EntryPoint) -> Reader:
    try:
        reader = point.load()()
    except Exception as error:
        raise InvalidInputError(
            f"The reader {point.name!r}, which an installed package brings, cannot be "
            f"loaded: {error!r}.",
            hint=f"Mend or uninstall what stands behind {point.value}.",
        ) from error
    if not isinstance(reader, Reader):
        raise InvalidInputError(
            f"What an installed package brings as the reader {point.name!r} is no reader.",
            hint=f"{point.value} must be a class with a name and the methods sniff and read.",
        )
    if reader.name != point.name:
        raise InvalidInputError(
            f"The reader {point.name!r}, which an installed package brings, calls itself "
            f"{reader.name!r}.",
            hint="The name of the entry point has to be the reader's.",
        )
    return reader
