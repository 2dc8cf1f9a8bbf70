"""What anyone would build first: rank whole steps, and pack them in that order.

They read the same text as Stepwell, with the same search tokens, the same encoder and the same
strict budget: every token of the payload counts, frame and headers included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import numpy as np

from stepwell.recall.markup import escaped
from stepwell.recall.show.compose import CLOSE, OPEN
from stepwell.text.search import FTS_TOKENIZE, match_expression, query_tokens, search_tokens
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.model import Step

__all__ = [
    "Lexical",
    "Packed",
    "Page",
    "clipped",
    "fused",
    "nearest",
    "pack",
    "pack_evenly",
    "page_of",
]

_RRF = 60
"""The constant of Cormack, Clarke and Büttcher (2009), which everyone uses."""

_LONGEST_TOKEN = 16
"""Characters; a prefix of so many per token holds the tokens asked for, but for runs of blanks."""


class Lexical:
    """BM25 over the whole steps of one episode, in an FTS5 table of its own."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._n_steps = len(steps)
        self._db = apsw.Connection(":memory:")
        self._db.execute(f"CREATE VIRTUAL TABLE steps USING fts5(tokens, {FTS_TOKENIZE})")
        with self._db:
            self._db.executemany(
                "INSERT INTO steps (rowid, tokens) VALUES (?, ?)",
                ((step.index, " ".join(search_tokens(_indexed(step)))) for step in steps),
            )

    def matching(self, question: str) -> list[int]:
        """Return the steps that hold any of the question's terms, best first."""
        expression = match_expression(query_tokens(question))
        if not expression:
            return []
        rows = self._db.execute(
            "SELECT rowid FROM steps WHERE steps MATCH ? ORDER BY rank, rowid", (expression,)
        )
        return [int(row) for (row,) in rows]

    def ranked(self, question: str) -> list[int]:
        """Return all steps: the matching ones best first, then the others in order."""
        found = self.matching(question)
        rest = set(range(self._n_steps)).difference(found)
        return found + sorted(rest)


def _indexed(step: Step) -> str:
    return "\n".join(f"{atom.label} {atom.text}" for atom in atoms_of(step))


def nearest(
    query: NDArray[np.float32], vectors: NDArray[np.float32], *, steps: NDArray[np.int64]
) -> list[int]:
    """Return steps by the cosine of their nearest passage.

    Args:
        query: The question's unit vector, shape (d,).
        vectors: Unit vectors of passages, shape (n, d).
        steps: The step of each passage, shape (n,).
    """
    if len(steps) == 0:
        return []
    best = np.full(int(steps.max()) + 1, -np.inf)
    np.maximum.at(best, steps, vectors @ query)
    order = np.argsort(-best, kind="stable")
    return [int(step) for step in order if np.isfinite(best[step])]


def fused(*rankings: Sequence[int], k: int = _RRF) -> list[int]:
    """Return steps by reciprocal rank fusion, Σ 1/(k + rank), ties by step.

    >>> fused([3, 1], [1, 2])
    [1, 3, 2]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, step in enumerate(ranking, start=1):
            scores[step] = scores.get(step, 0.0) + 1 / (k + rank)
    return sorted(scores, key=lambda step: (-scores[step], step))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A step as it is shown whole.

    Attributes:
        head: Its citation, and who speaks when that is not the agent.
        text: All of its atoms, one after the other.
    """

    head: str
    text: str

    def block(self, text: str) -> str:
        """Return what a payload holds when this much of the step is shown."""
        return f"[{self.head}] {escaped(text)}\n"


def page_of(step: Step) -> Page:
    """Return the page of a step."""
    head = f"s{step.index}" if step.actor == "agent" else f"s{step.index} {step.actor}"
    return Page(head=head, text="\n".join(atom.text for atom in atoms_of(step)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A payload of whole or clipped steps.

    Attributes:
        text: The payload.
        tokens: All of its tokens.
        shown: The text shown of each step.
    """

    text: str
    tokens: int
    shown: dict[int, str]


def pack(
    ranking: Sequence[int],
    pages: Sequence[Page],
    *,
    budget: int,
    counter: TokenCounter,
    clip: int | None = None,
) -> Packed:
    """Pack steps in rank order while they fit; the first that does not is cut to what remains.

    Args:
        ranking: Steps, best first.
        pages: The page of each step.
        budget: Tokens of the whole payload, at most.
        counter: Counts them.
        clip: Tokens of any one step, at most; None shows steps whole.
    """
    left = _room(budget, counter)
    shown = dict(_fitting(ranking, pages, left=left, counter=counter, clip=clip))
    return _packed(shown, pages, budget=budget, counter=counter)


def pack_evenly(
    steps: Sequence[int], pages: Sequence[Page], *, budget: int, counter: TokenCounter
) -> Packed:
    """Pack all of these steps: each gets an even part, and what a short one leaves the others get.

    Args:
        steps: What to pack, shown in this order.
        pages: The page of each step.
        budget: Tokens of the whole payload, at most.
        counter: Counts them.
    """
    left = _room(budget, counter)
    heads = {step: counter.count(pages[step].block("")) for step in steps}
    bodies: dict[int, str] = {}
    shortest = sorted(steps, key=lambda step: len(pages[step].text))
    for n_left, step in zip(range(len(shortest), 0, -1), shortest, strict=True):
        body = clipped(pages[step].text, left // n_left - heads[step], counter=counter)
        if body.strip():
            bodies[step] = body
            left -= counter.count(pages[step].block(body))
    shown = {step: bodies[step] for step in steps if step in bodies}
    return _packed(shown, pages, budget=budget, counter=counter)


def _room(budget: int, counter: TokenCounter) -> int:
    return budget - counter.count(f"{OPEN}\n") - counter.count(CLOSE)


def _packed(
    shown: dict[int, str], pages: Sequence[Page], *, budget: int, counter: TokenCounter
) -> Packed:
    payload = _payload(shown, pages)
    # Tokens can merge differently where two pieces meet: what is counted is the whole.
    while (tokens := counter.count(payload)) > budget and shown:
        shown.popitem()
        payload = _payload(shown, pages)
    return Packed(text=payload, tokens=tokens, shown=shown)


def _fitting(
    ranking: Sequence[int],
    pages: Sequence[Page],
    *,
    left: int,
    counter: TokenCounter,
    clip: int | None,
) -> Iterator[tuple[int, str]]:
    for step in ranking:
        page = pages[step]
        room = left - counter.count(page.block(""))
        limit = room if clip is None else min(clip, room)
        body = clipped(page.text, limit, counter=counter)
        if body.strip():
            yield step, body
            left -= counter.count(page.block(body))
        if room <= 0 or (limit == room and len(body) < len(page.text)):
            return


def clipped(text: str, limit: int, *, counter: TokenCounter) -> str:
    """Return the longest beginning of a text that has at most `limit` tokens, to a character."""
    if limit <= 0:
        return ""
    head = text[: limit * _LONGEST_TOKEN]
    if counter.count(head) <= limit:
        return head
    low, high = 0, len(head)
    while low < high:
        middle = (low + high + 1) // 2
        if counter.count(head[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return head[:low]


def _payload(shown: dict[int, str], pages: Sequence[Page]) -> str:
    blocks = "".join(pages[step].block(text) for step, text in shown.items())
    return f"{OPEN}\n{blocks}{CLOSE}"
