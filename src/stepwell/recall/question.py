"""The question: what is asked, within which budget, and how it is to be answered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from stepwell.encode.base import encoded
from stepwell.recall.allocation import Allocation
from stepwell.structures.base import Query
from stepwell.text.asked import asked_in
from stepwell.text.dates import periods_in
from stepwell.text.question import without_places
from stepwell.text.search import query_tokens, search_tokens

if TYPE_CHECKING:
    from datetime import datetime

    from stepwell.encode.base import Encoder
    from stepwell.policy.base import Policy
    from stepwell.recall.allocation import Allocator
    from stepwell.recall.evidence import Format
    from stepwell.text.asked import Asked
    from stepwell.text.dates import Period
    from stepwell.text.tokens import TokenCounter

__all__ = ["MODES", "Mode", "Question", "prepare"]

Mode: TypeAlias = Literal["adaptive", "coverage", "flat", "paper", "plus"]

MODES: tuple[Mode, ...] = ("adaptive", "coverage", "flat", "paper", "plus")

_LOG_WORDS = frozenset(
    token
    for word in ("agent", "step", "turn", "action", "observation", "trajectory", "task")
    for token in search_tokens(word)
)
"""Words that name a log and its parts: questions about logs are full of them, and where they stand
in a log they tell one step from another no better than "the" does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked.

    Attributes:
        text: The question as asked.
        budget: Tokens of the whole payload, at most.
        form: `text` or `json`.
        before: Only what was known before this step index or moment.
        after: Only steps behind this index, or that began at this moment or later.
        key: The secret that the payload is marked with; None leaves it unmarked.
        now: What "yesterday" is told from; None where a question is asked at no time.
        counter: What counts tokens.
        policy: Chooses the structures that are read.
        mode: How units take part.
        allocation: How the budget is shared among ranked steps.
    """

    text: str
    budget: int
    form: Format
    before: int | datetime | None
    counter: TokenCounter
    policy: Policy
    mode: Mode = "adaptive"
    allocation: Allocator = Allocation()  # noqa: RUF009  (frozen)
    after: int | datetime | None = None
    now: datetime | None = None
    key: bytes | None = None

    @property
    def asked(self) -> Asked | None:
        """The step that it asks for, if it is an everyday question."""
        return asked_in(self.text)

    @property
    def times(self) -> tuple[Period, ...]:
        """The times that it names."""
        return () if self.now is None else periods_in(self.text, now=self.now)

    def query(self, encoder: Encoder | None) -> Query:
        """Return the question as structures take it: without the step numbers it names."""
        content = without_places(self.text)
        query = prepare(content or self.text, encoder=encoder)
        return replace(query, asked=self.text)


def prepare(question: str, *, encoder: Encoder | None) -> Query:
    """Return the question with its search tokens and, when an encoder runs, its vector."""
    tokens = query_tokens(question)
    vector = None if encoder is None else encoded([question], encoder=encoder)[0]
    return Query(
        text=question,
        terms=tuple(token for token in tokens if token not in _LOG_WORDS) or tuple(tokens),
        vector=vector,
    )
