"""Triples, and the names in them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from stepwell.text.clean import readable

__all__ = ["MAX_NAME", "PLACES", "WEAK", "Triple", "key_of", "name_of"]

MAX_NAME: Final = 160
"""Characters of a name; what is longer is cut, and stays verbatim."""

PLACES: Final = frozenset({"in", "on", "at", "inside", "under"})
"""Relations that say where something is: it is at one place at a time."""

WEAK: Final = frozenset({"names", "shows", "mentions", "mentions date"})
"""Relations that only say that two names stand together."""

_AROUND: Final = " \t\n.,;:!?\"'*|“”‘’«»"  # noqa: RUF001  (quotation marks of texts)
_ARTICLES: Final = ("the ", "a ", "an ", "some ", "The ", "A ", "An ", "Some ")


class Triple(NamedTuple):
    """Something a step says of two names; a tuple, since a run has thousands.

    Attributes:
        subject: The name it is about.
        relation: How they are related, a word or two.
        object: The other name, or a short value.
        is_verbatim: Whether `object` stands in an atom of the step as it is, and is long enough to
            be worth a quotation.
    """

    subject: str
    relation: str
    object: str
    is_verbatim: bool = False


@lru_cache(maxsize=1 << 13)
def name_of(text: str) -> str:
    """Return text as a name: without article, quotation marks and line ends, cut to 160.

    >>> name_of(' "the soap bar 1". ')
    'soap bar 1'
    """
    name = " ".join(readable(text[: 2 * MAX_NAME]).replace("`", "").split()).strip(_AROUND)
    if name.startswith(_ARTICLES):
        name = name.partition(" ")[2]
    return name[:MAX_NAME].strip(_AROUND)


def key_of(name: str) -> str:
    """Return what names of one thing have in common: folded case, the last two parts of a path.

    >>> key_of("/home/ada/App/Main.py") == key_of("app/main.py")
    True
    """
    folded = name.casefold()
    if "/" in folded and " " not in folded and "://" not in folded:
        return "/".join(folded.rstrip("/").split("/")[-2:]).lstrip("/") or folded
    return folded
