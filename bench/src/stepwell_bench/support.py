"""Support: how much a payload holds of what only the gold answer says.

    support = Σ idf(t) over the answer's terms t that are shown / Σ idf(t) over all of them
    idf(t) = ln(1 + (N - n_t + ½) / (n_t + ½))    N steps in the run, n_t of them hold t

Terms are words (stemmed), numbers, identifiers, and quoted strings of several words. Left out are
those that the question says already, and those that no step holds: no quotation could show them.
The weight is that of BM25 (Robertson and Zaragoza, 2009, §3.4), made positive: a word of every step
says next to nothing, one of a single step says what the answer turns on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.text.search import query_tokens, search_tokens
from stepwell_bench.gold import holds, marks, without_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Reading", "Term", "read", "share_held", "terms", "weights"]

Term: TypeAlias = tuple[Literal["word", "number", "exact"], str]
"""How it is looked for, and what."""

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LIST_NUMBER = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text, prepared for looking up terms: itself on one line, its search tokens, its numbers."""

    text: str
    tokens: frozenset[str]
    numbers: frozenset[str]

    def holds(self, term: Term) -> bool:
        """Return whether the text holds a term."""
        kind, wanted = term
        if kind == "word":
            return wanted in self.tokens
        return wanted in self.numbers if kind == "number" else holds(self.text, wanted)


def read(text: str) -> Reading:
    """Prepare a text.

    >>> read("It took 1,200 ms").holds(("number", "1200"))
    True
    """
    line = " ".join(_THOUSANDS.sub("", text).lower().split())
    return Reading(text=line, tokens=frozenset(search_tokens(text)), numbers=marks(line).numbers)


def terms(text: str) -> frozenset[Term]:
    """Return what a text says, step references and the numbers of lists left out.

    >>> sorted(terms("1. At step 4: `git push`, db_pool."))
    [('exact', 'db_pool'), ('exact', 'git push'), ('word', 'git'), ('word', 'push')]
    """
    plain = _THOUSANDS.sub("", without_steps(_LIST_NUMBER.sub("", text)))
    found = marks(plain)
    words = (word for word in query_tokens(found.rest) if not any(map(str.isdigit, word)))
    # A quotation of one word is that word.
    exact = found.identifiers | {one for one in found.quoted if len(one.split()) > 1}
    said: set[Term] = {("word", word) for word in words}
    said |= {("number", number) for number in found.numbers}
    said |= {("exact", " ".join(one.split())) for one in exact}
    return frozenset(said)


def weights(answer: str, question: str, *, steps: Sequence[Reading]) -> dict[Term, float]:
    """Return the weight of each term that an answer adds to its question and a step holds.

    Args:
        answer: The gold answer.
        question: The question as asked.
        steps: All steps of the run.
    """
    asked = read(question)
    found: dict[Term, float] = {}
    for term in terms(answer):
        n = 0 if asked.holds(term) else sum(step.holds(term) for step in steps)
        if n:
            found[term] = log(1 + (len(steps) - n + 0.5) / (n + 0.5))
    return found


def share_held(weighed: Mapping[Term, float], text: str) -> float | None:
    """Return the share of the weight that a text holds; None when there is none to hold.

    >>> share_held({("word", "lisbon"): 3.0, ("number", "14"): 1.0}, "A flight to Lisbon")
    0.75
    """
    if not weighed:
        return None
    held = read(text)
    return sum(w for term, w in weighed.items() if held.holds(term)) / sum(weighed.values())
