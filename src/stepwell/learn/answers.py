"""Compare answers by their words: exact match and token F1, as SQuAD and LoCoMo define them."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import Stemmer

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["exact_match", "locomo_f1", "token_f1"]

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_ARTICLES_AND = re.compile(r"\b(?:a|an|the|and)\b")
_ASCII_PUNCTUATION = frozenset(string.punctuation)
_STEMMING = Lock()  # a stemmer is no thread's to share

# Scripts written without blanks, read character by character as Chinese versions of SQuAD do.
_UNSPACED = re.compile(
    "([\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff])"
)


def exact_match(answer: str, gold: str) -> float:
    """Return 1 if two answers are the same words in the same order, else 0.

    SQuAD's normalisation: lower case; punctuation, articles and surplus blanks left out (Rajpurkar
    et al., 2016). Beyond it, for the scripts of the world: NFKC, and any Unicode punctuation.

    >>> exact_match("The port, 5433!", "port 5433"), exact_match("5433", "port 5433")
    (1.0, 0.0)
    """
    return float(_words(answer) == _words(gold))


def token_f1(answer: str, gold: str) -> float:
    """Return the harmonic mean of precision and recall of words, repeats counted.

    F1 = 2PR/(P+R), P = |answer ∩ gold| / |answer|, R = |answer ∩ gold| / |gold|, over multisets of
    words under the normalisation of `exact_match` (SQuAD). Where one has no words, 1 if neither
    has, else 0.

    >>> token_f1("It is port 5433", "port 5433")  # P = 2/4, R = 2/2
    0.6666666666666666
    >>> token_f1("", "port 5433"), token_f1("the", "a")
    (0.0, 1.0)
    """
    return _f1(_words(answer), _words(gold))


def locomo_f1(answer: str, gold: str) -> float:
    """Return token F1 as LoCoMo counts it: "and" is left out too, and words are stemmed.

    The formula of `token_f1`; stems by Porter's original algorithm, where LoCoMo's own code takes
    a variant of it (Maharana et al., 2024). Without words, as `token_f1`.

    >>> locomo_f1("painting and pottery", "She painted pottery.")  # P = 2/2, R = 2/3
    0.8
    """
    return _f1(_stems(answer), _stems(gold))


def _words(text: str, *, dropped: re.Pattern[str] = _ARTICLES) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).lower()
    bare = "".join(char for char in folded if not _is_punctuation(char))
    return _UNSPACED.sub(r" \1 ", dropped.sub(" ", bare)).split()


def _is_punctuation(char: str) -> bool:
    return char in _ASCII_PUNCTUATION or (
        not char.isascii() and unicodedata.category(char).startswith("P")
    )


def _stems(text: str) -> list[str]:
    words = _words(text, dropped=_ARTICLES_AND)
    with _STEMMING:
        return [_stemmer().stemWord(word) if word.isascii() else word for word in words]


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("porter")


def _f1(answer: Sequence[str], gold: Sequence[str]) -> float:
    if not answer or not gold:
        return float(not answer and not gold)
    n_common = (Counter(answer) & Counter(gold)).total()
    # 2PR/(P+R) with P = c/|a| and R = c/|g| is 2c/(|a|+|g|).
    return 2 * n_common / (len(answer) + len(gold))
