"""Token counts: how much of a model's context a text takes."""

from __future__ import annotations

from functools import cache, lru_cache
from math import log
from typing import Protocol

from toktok._toktok import Tokenizer

from stepwell.errors import InvalidInputError

__all__ = ["Estimate", "O200k", "TokenCounter", "counter", "rarity"]


_COMMON, _RAREST = 1_500, 200_000
"""Numbers in the vocabulary: the last function words of English, and about its end."""


class TokenCounter(Protocol):
    """Count the tokens of a text; safe to share between threads."""

    @property
    def name(self) -> str:
        """What `counter` takes; kept beside every budget, so that budgets stay comparable."""
        ...

    def count(self, text: str) -> int:
        """Return the number of tokens, 0 for the empty text; any text is accepted."""
        ...


class O200k:
    """Exact counts of `o200k_base`, the vocabulary of GPT-4o and later; works offline.

    Text that looks like a special token is counted as the ordinary text it is.

    >>> O200k().count("hello world")
    2
    """

    name = "o200k"

    def count(self, text: str) -> int:
        """Return the number of tokens; a lone surrogate counts as U+FFFD, as models receive it."""
        try:
            return _o200k_count(text)
        except UnicodeEncodeError:
            return _o200k_count(
                text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            )


class Estimate:
    """A fourth of the characters, rounded up: no vocabulary, about 15 % too high for English.

    >>> Estimate().count("hello world")
    3
    """

    name = "estimate"

    def count(self, text: str) -> int:
        """Return the estimated number of tokens."""
        return -(-len(text) // 4)


def counter(name: str) -> TokenCounter:
    """Return the counter of this name.

    Raises:
        InvalidInputError: There is none; the message lists the names.
    """
    counters: dict[str, TokenCounter] = {O200k.name: O200k(), Estimate.name: Estimate()}
    if name not in counters:
        raise InvalidInputError(
            f"There is no token counter named {name!r}.", hint=f"Use one of: {', '.join(counters)}."
        )
    return counters[name]


@lru_cache(maxsize=1 << 12)
def rarity(word: str) -> float:
    """Return how rare a word is in any text, from 0 to 1, whatever a memory holds.

    A vocabulary of byte pairs is numbered in the order in which its pairs were merged, the most
    frequent first (Sennrich, Haddow and Birch, 2016), so the number r of a word that is one token
    stands for its rank: (ln r - ln 1500) / (ln 200000 - ln 1500), within 0 and 1. Function words
    are below; a word of several tokens is rare.

    >>> rarity("the"), rarity("walrus"), 0.3 < rarity("hidden") < 0.7
    (0.0, 1.0, True)
    """
    plain = word.encode("utf-8", "replace").decode()
    spellings = {f"{blank}{spelled}" for blank in ("", " ") for spelled in (plain, plain.lower())}
    tokens = [_o200k().encode(spelling) for spelling in sorted(spellings)]
    ranks = [found[0] for found in tokens if len(found) == 1]
    rank = max(min(ranks, default=_RAREST), _COMMON)
    return min(log(rank / _COMMON) / log(_RAREST / _COMMON), 1.0)


def _o200k_count(text: str) -> int:
    return _o200k().count(text)


@cache
def _o200k() -> Tokenizer:
    # The public batch call takes 18 µs a text, the tokenizer behind it .4 µs, and packing counts
    # hundreds of short excerpts. Pinned below the next minor version for that reason.
    return Tokenizer("o200k_base", "")
