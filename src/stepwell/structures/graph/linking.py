"""Which names of a graph a question speaks of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stepwell.structures.graph.model import key_of
from stepwell.structures.graph.spelling import Spellings
from stepwell.text.search import query_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.structures.graph.view import GraphView

__all__ = ["exact_links", "links"]

_WORD = re.compile(r"[^\s,;:!?\"'`()\[\]{}<>“”‘’]+")  # noqa: RUF001  (quotation marks of texts)
_LONGEST: Final = 6
"""Words of a name that is looked for."""

_MOST_WORDS: Final = 60
"""Words of a question that are read."""

_MOST_FUZZY: Final = 12
"""Spans that are compared with every name; each takes some tenths of a millisecond."""

_ALIKE: Final = 0.85
"""Least likeness of a name that is meant."""

_SHORTEST: Final = 4
"""Characters below which a likeness of .85 means nothing."""

_SHARED: Final = 24
"""Names up to which a word that they share points at each of them."""


def exact_links(question: str, view: GraphView) -> dict[int, tuple[int, int]]:
    """Return the nodes a question names, each with the words that name it, first to last.

    The longest names count: in `cabinet 2` nobody means `cabinet`.
    """
    words = _words(question)
    found: dict[int, tuple[int, int]] = {}
    at = 0
    while at < len(words):
        step = 1
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            name = " ".join(words[at : at + size])
            node = view.nodes.get(key_of(name))
            if node is not None and _says_something(name):
                found.setdefault(node, (at, at + size))
                step = size
                break
        at += step
    return found


def links(question: str, view: GraphView) -> dict[int, float]:
    """Return the nodes a question speaks of, and how surely, from 0 to 1.

    Exact names count 1, names at least .85 alike their likeness, and names that share an
    otherwise unlinked word with the question one half, divided among them.
    """
    exact = exact_links(question, view)
    found = dict.fromkeys(exact, 1.0)
    words = _words(question)
    taken = {at for first, end in exact.values() for at in range(first, end)}
    names: Spellings | None = None
    for first, span in _spans(words, taken):
        names = names or Spellings(list(view.nodes))
        closest = names.closest(span, least=_ALIKE)
        if closest is not None:
            found.setdefault(*closest)
            taken.update(range(first, first + span.count(" ") + 1))
    rest = " ".join(word for at, word in enumerate(words) if at not in taken)
    for token in dict.fromkeys(query_tokens(rest)):
        holders = view.holders.get(token, ())
        if 0 < len(holders) <= _SHARED and len(token) > 1:
            for node in holders:
                found.setdefault(node, 0.5 / len(holders))
    return found


def _words(question: str) -> list[str]:
    words = (word.rstrip(".") for word in _WORD.findall(question[: 80 * _MOST_WORDS].casefold()))
    return [word for word in words if word][:_MOST_WORDS]


def _says_something(name: str) -> bool:
    """Tell names from words that any question has, and from bare numbers."""
    return not name.isdigit() and len(name) > 1 and name not in _COMMON


def _spans(words: list[str], taken: set[int]) -> Iterator[tuple[int, str]]:
    """Yield word pairs and words that might be misspelt names, longest first."""
    n_left = _MOST_FUZZY
    for size in (2, 1):
        for at in range(len(words) - size + 1):
            span = words[at : at + size]
            is_free = taken.isdisjoint(range(at, at + size))
            if n_left and is_free and all(map(_is_content, span)):
                n_left -= 1
                yield at, " ".join(span)


def _is_content(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in _COMMON


_COMMON: Final = frozenset(
    {
        *("a", "about", "action", "actions", "after", "agent", "all", "an", "and", "any", "are"),
        *("at", "be", "been", "before", "between", "by", "did", "do", "does", "during", "first"),
        *("for", "from", "had", "has", "have", "how", "if", "in", "is", "it", "its", "last"),
        *("many", "much", "not", "of", "on", "or", "performed", "please", "question", "that"),
        *("the", "their", "them", "then", "there", "these", "they", "this", "to", "turn", "was"),
        *("were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why"),
        *("will", "with", "would", "step", "steps", "user", "true", "false", "none", "null"),
    }
)
"""Words of questions about any run."""
