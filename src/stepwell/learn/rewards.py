"""Rewards: how good the evidence was that was shown for a question, from 0 to 1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from stepwell.errors import InvalidInputError
from stepwell.text.question import without_places
from stepwell.text.search import query_tokens, search_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.trajectory.questions import Question

__all__ = [
    "CAP_TOKENS",
    "NOTHING",
    "EvidenceReward",
    "LiteralReward",
    "Read",
    "Reward",
]

CAP_TOKENS = 20_000
"""The most that MESA's five structures give together."""

_WORD = re.compile(r"\w+(?:[-./\\@]{1,3}\w+)*(?:['\u2019](?:s|t|d|m|re|ve|ll)\b)?")
# What a person would copy, not rephrase: a number, or an identifier by its signs or its humps.
_EXACT = re.compile(r"\d|[_/\\@]|\w\.\w|[a-z][A-Z]")
_WEIGHT, _WEIGHT_EXACT = 1.0, 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The evidence that was read for it.

    Attributes:
        text: All that is shown.
        steps: The steps it shows, 0-based.
        tokens: Tokens of the text.
    """

    text: str
    steps: frozenset[int]
    tokens: int


NOTHING = Read(text="", steps=frozenset(), tokens=0)
"""The arm without evidence: what a model answers from what it knows, or guesses."""


class Reward(Protocol):
    """Says how good evidence was. The three there are differ in what they need.

    `EvidenceReward` needs gold steps, `LiteralReward` a gold answer, `AnswerReward` of
    `stepwell.learn.reader` a gold answer and a language model.
    """

    @property
    def name(self) -> str:
        """Its name, such as `evidence`, with what it depends on."""
        ...

    def reward(self, question: Question, evidence: Read) -> float:
        """Return how good the evidence was, from 0 to 1.

        Raises:
            InvalidInputError: The question lacks the gold this reward compares with.
            ModelUnavailableError: A model is needed and gave nothing that can be used.
        """
        ...


@dataclass(frozen=True, slots=True)
class EvidenceReward:
    """The share of the gold steps that were shown: |shown ∩ gold| / |gold|.

    >>> from stepwell.trajectory.questions import Question
    >>> shown = Read(text="...", steps=frozenset({3, 4}), tokens=9)
    >>> EvidenceReward().reward(Question(text="?", answer="5433", steps=(4, 9)), shown)
    0.5
    """

    @property
    def name(self) -> str:
        """`evidence`."""
        return "evidence"

    def reward(self, question: Question, evidence: Read) -> float:
        """Return the share of the gold steps that the evidence shows.

        Raises:
            InvalidInputError: The question has no gold steps.
        """
        gold = frozenset(question.steps)
        if not gold:
            raise InvalidInputError(
                f"The question {question.text[:80]!r} has no gold steps.",
                hint="Leave it out, or reward it by its answer.",
            )
        return len(evidence.steps & gold) / len(gold)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralReward:
    """The share of the gold answer's words that the evidence holds, if it keeps to a cap.

    r = 1[tokens ≤ cap] · Σ_{t∈y∩E} w_t / Σ_{t∈y} w_t over the distinct words t of the answer y
    without stop words; w_t = 2 for numbers and identifiers, else 1. It needs no model, and stands
    in for one where none can be asked.

    Words are those of the search index, stems for words, so that "deployed" finds "deploys"; an
    identifier counts whole. Numbers of steps, as in "at step 4", are left out: any citation shows
    them. An answer of nothing else keeps them, and one of stop words alone keeps those.

    Attributes:
        cap: The most tokens that evidence may have.

    >>> from stepwell.trajectory.questions import Question
    >>> question = Question(text="?", answer="At step 4 it moved to port 5433.")
    >>> LiteralReward().reward(question, Read(text="port 5433", steps=frozenset(), tokens=3))
    0.75
    """

    cap: int = CAP_TOKENS

    @property
    def name(self) -> str:
        """`literal`, and the cap."""
        return f"literal@{self.cap}"

    def reward(self, question: Question, evidence: Read) -> float:
        """Return the weighted share of the answer's words that the evidence holds.

        Raises:
            InvalidInputError: The answer has no words.
        """
        weights = _weights(question.answer)
        if not weights:
            raise InvalidInputError(
                f"The answer to {question.text[:80]!r} has no words to look for.",
                hint="Leave the question out, or reward it by its gold steps.",
            )
        if evidence.tokens > self.cap:
            return 0.0
        held = weights.keys() & set(search_tokens(evidence.text))
        return sum(map(weights.__getitem__, sorted(held))) / sum(weights.values())


def _weights(answer: str) -> dict[str, float]:
    """Return the weight of each word to look for: of its content, else of all there is."""
    content = without_places(answer)
    # Stop words stay among the tokens of a text that has no other; a number beside them is one.
    for text, tokens in (
        (content, query_tokens(f"{content} 0")),
        (answer, query_tokens(f"{answer} 0")),
        (answer, search_tokens(answer)),
    ):
        weights = _weighed(text, frozenset(tokens))
        if weights:
            return weights
    return {}


def _weighed(text: str, kept: frozenset[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for word in _WORD.findall(text):
        weight = _WEIGHT_EXACT if _EXACT.search(word) else _WEIGHT
        for token in _tokens(word):
            if token in kept:
                weights[token] = max(weight, weights.get(token, 0.0))
    return weights


def _tokens(word: str) -> Iterator[str]:
    tokens = search_tokens(word)
    # The first token of a word is the whole of it, others are parts. In scripts without blanks a
    # "word" is a sentence: there each token counts.
    yield from tokens[:1] if word.isascii() else tokens
