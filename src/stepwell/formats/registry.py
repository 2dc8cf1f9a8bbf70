"""The readers there are: Stepwell's own, and those that installed packages bring."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.formats.atif.reader import Atif
from stepwell.formats.chat.reader import OpenAIChat
from stepwell.formats.claude_code.reader import ClaudeCode

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from stepwell.formats.base import Reader, Source

__all__ = ["GROUP", "OWN", "reader_for", "readers"]

GROUP = "stepwell.readers"
"""Entry point group: name = "package.module:ReaderClass", where the name is the reader's."""

OWN: tuple[Reader, ...] = (ClaudeCode(), Atif(), OpenAIChat())


@cache
def readers() -> tuple[Reader, ...]:
    """Return all readers in the order in which they are asked, looked for once per process.

    What packages bring comes first, by name: on a tie a reader of one product's logs is surer than
    ours of a general form.

    Raises:
        InvalidInputError: A package brings one that cannot be used.
    """
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return (*map(_loaded, points), *OWN)


def reader_for(source: Source) -> Reader | None:
    """Return the reader that is surest of the source, the first of them on a tie; None if none."""
    asked = readers()
    scores = [(reader.sniff(source), -place) for place, reader in enumerate(asked)]
    score, place = max(scores)
    return asked[-place] if score > 0 else None


def _loaded(point: EntryPoint) -> Reader:
    try:
        reader: Reader = point.load()()
    except Exception as error:
        raise InvalidInputError(
            f"The reader {point.name!r}, which an installed package brings, cannot be "
            f"loaded: {error}.",
            hint=f"Mend or uninstall what stands behind {point.value}.",
        ) from error
    if reader.name != point.name or reader.name in {own.name for own in OWN}:
        raise InvalidInputError(
            f"The reader {point.name!r}, which an installed package brings, calls itself "
            f"{reader.name!r}.",
            hint="The entry point needs the reader's own name, and another than Stepwell's have.",
        )
    return reader
