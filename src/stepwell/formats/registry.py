"""The readers there are: Stepwell's own, and those that installed packages bring.

An installed reader is somebody else's code. One that cannot be loaded is left out, and every file
says so, since the logs it was installed for may be passed over or read by another. One that fails
at a single file is noted, and costs nothing but its own answer about that file.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.formats.atif.reader import Atif
from stepwell.formats.base import Reader
from stepwell.formats.chat.reader import OpenAIChat
from stepwell.formats.claude_code.reader import ClaudeCode
from stepwell.formats.guarded import GuardedReader
from stepwell.plugins import Brought, brought

if TYPE_CHECKING:
    from stepwell.formats.base import Notes, Source

__all__ = ["GROUP", "OWN", "installed", "reader_for", "readers"]

GROUP = "stepwell.readers"
"""Entry point group: name = "package.module:ReaderClass", where the name is the reader's."""

_WANTED = "Its entry point must name a class with a name and the methods sniff and read."

OWN: tuple[Reader, ...] = (ClaudeCode(), Atif(), OpenAIChat())


@cache
def installed() -> Brought[Reader]:
    """Return the readers that packages bring, looked for once per process."""
    return brought(GROUP, kind="reader", check=_made, taken=tuple(one.name for one in OWN))


def readers() -> tuple[Reader, ...]:
    """Return all readers in the order in which they are asked.

    The readers that packages bring come first, by name: on a tie, a reader of one product's logs is
    surer than a reader of a general form.
    """
    return (*installed().usable.values(), *OWN)


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
        told = str(error) if isinstance(error, InvalidInputError) else repr(error)
        notes.add(1, "reader-failed", f"At recognising the file: {told}")
        return 0.0


def _made(name: str, found: object) -> Reader:
    what = f"The reader {name!r}, which an installed package brings,"
    if not callable(found):
        raise InvalidInputError(f"{what} is no class.", hint=_WANTED)
    reader: object = found()
    if not isinstance(reader, Reader):
        raise InvalidInputError(f"{what} is no reader.", hint=_WANTED)
    if reader.name != name:
        raise InvalidInputError(
            f"{what} calls itself {reader.name!r}.",
            hint="The name of the entry point has to be the reader's.",
        )
    return GuardedReader(reader)
