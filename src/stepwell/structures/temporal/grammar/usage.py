"""Which words of a question were used to answer it, and which name something nobody looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.names import words_of
from stepwell.structures.temporal.grammar.words.asking import ASKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["unused_words"]


def unused_words(text: str, used: Collection[str]) -> tuple[str, ...]:
    """Return the words of a question that neither belong to the asking nor were used.

    A question that keeps such a word is about something that nobody has looked at: what was
    computed is then near the answer, and is not the answer.

    Args:
        text: The question, without the steps it names.
        used: Words that were found in the log, or that said what is wanted.

    >>> unused_words("How many times was pytest run by Ann?", {"pytest"})
    ('ann',)
    """
    words = dict.fromkeys(words_of(text))
    return tuple(word for word in words if word not in ASKING and word not in used)
