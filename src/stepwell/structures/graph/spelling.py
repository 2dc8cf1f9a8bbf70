"""Which of many names a misspelt word means.

Two texts are as alike as the share of their characters that the longest common subsequence takes:
`2 · common / (m + n)`. Most names are ruled out by counts of their characters alone, in arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Spellings", "likeness"]

_BITS: Final = 4
"""Characters are counted by these last bits; those that share a bucket only let more pass."""


class Spellings:
    """Names, for words that may mean one of them; made once for all words of a question.

    >>> Spellings(["harbour", "lighthouse"]).closest("lighthuose", least=0.85)
    (1, 0.9)
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._lengths = np.array([len(name) for name in names], dtype=np.int64)
        # A row per bucket: sums over rows are several times faster than along them.
        self._counts = np.ascontiguousarray(_counts("".join(names), self._lengths).T)

    def closest(self, word: str, *, least: float) -> tuple[int, float] | None:
        """Return the place of the name that is most like a word, and how alike they are.

        Of names equally alike it is the first; None if all are less alike than `least`.
        """
        (counts,) = _counts(word, np.array([len(word)]))
        shared = np.minimum(self._counts, counts[:, np.newaxis]).sum(axis=0, dtype=np.int32)
        # One character is left to rounding; the likeness of what passes is exact.
        passing = np.flatnonzero(2 * shared + 1 >= least * (self._lengths + len(word)))
        best: tuple[int, float] | None = None
        for place in passing.tolist():
            alike = likeness(word, self._names[place])
            if alike >= least and (best is None or alike > best[1]):
                best = place, alike
        return best


def likeness(first: str, second: str) -> float:
    """Return how alike two texts are, from 0 to 1.

    The longest common subsequence is found a row at a time, all columns of it in one whole number
    (Hyyrö, 2004, "Bit-parallel LCS-length computation revisited").

    >>> likeness("ab", "abcd")
    0.6666666666666667
    """
    n_chars = len(first) + len(second)
    if n_chars == 0:
        return 1.0
    places: dict[str, int] = {}
    for at, char in enumerate(first):
        places[char] = places.get(char, 0) | 1 << at
    everywhere = (1 << len(first)) - 1
    open_ = everywhere
    for char in second:
        matched = open_ & places.get(char, 0)
        open_ = (open_ + matched | open_ - matched) & everywhere
    n_common = len(first) - open_.bit_count()
    return 1.0 - (n_chars - 2 * n_common) / n_chars


def _counts(text: str, lengths: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return how many characters of each bucket the parts of a text have, shape (n, buckets).

    Args:
        text: The parts, one after another.
        lengths: Characters of each part, shape (n,).
    """
    n_buckets = 1 << _BITS
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    cells = np.repeat(np.arange(len(lengths)) << _BITS, lengths) + (codes & (n_buckets - 1))
    counts = np.bincount(cells, minlength=len(lengths) << _BITS)
    return counts.reshape(-1, n_buckets).astype(np.int32)
