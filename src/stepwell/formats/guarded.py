"""A reader of an installed package, which may hang at a file as well as fail at it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from stepwell.plugins import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Bundle, Notes, Reader, Source

__all__ = ["GuardedReader"]

SNIFF_SECONDS: Final = 10.0
READ_SECONDS: Final = 120.0
"""What a look at a file may take, and the reading of one trajectory, which may be of gigabytes."""


class GuardedReader:
    """A reader that raises where it would hang."""

    def __init__(self, inner: Reader) -> None:
        """Guard a reader."""
        self.name = inner.name
        self._inner = inner
        self._guard = Guard(what=f"The reader {self.name!r}", hint="Mend or uninstall it.")

    def sniff(self, source: Source) -> float:
        """Return how sure it is of a file.

        Raises:
            InvalidInputError: It fails, or takes too long.
        """
        return self._guard.call(partial(self._inner.sniff, source), seconds=SNIFF_SECONDS)

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield what it reads.

        Raises:
            InvalidInputError: It fails, or takes too long over the next trajectory.
        """
        rest = self._guard.call(lambda: iter(self._inner.read(source, notes)), seconds=READ_SECONDS)
        following = partial(next, rest, None)
        while (found := self._guard.call(following, seconds=READ_SECONDS)) is not None:
            yield found
