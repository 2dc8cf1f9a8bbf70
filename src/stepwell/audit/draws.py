"""Plausible evidence: which steps a question could need together, when nobody has asked yet.

Questions ask about stretches of a run ("what failed before the fix?") and about recurring things
("which files were edited twice?"). So a set is drawn around a step in two ways: with the steps
nearest in time, and with the steps nearest in words.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.text.search import search_tokens
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from stepwell.audit.model import Origin
    from stepwell.trajectory.model import Step

__all__ = ["candidate_steps", "drawn_sets", "nearest_in_time", "nearest_in_words"]

_ATOM_CHARS: Final = 1_000
"""Of each atom: a passage, which is what a recall would quote of it."""

_STEP_CHARS: Final = 4_000
"""Of a step: its message, thought, call and result to that length."""


def candidate_steps(steps: Sequence[Step]) -> list[int]:
    """Return the steps that can be evidence: those that call, or all that speak if none calls.

    Abandoned branches, copied context and system prompts are none of them.
    """
    live = [
        step
        for step in steps
        if step.active and not step.is_copied_context and step.kind not in {"system", "meta"}
    ]
    calling = [step.index for step in live if step.calls]
    return calling or [step.index for step in live]


def drawn_sets(
    steps: Sequence[Step], *, size: int, most: int, rng: np.random.Generator
) -> Iterator[tuple[Origin, tuple[int, ...]]]:
    """Yield sets of steps, each with the step it is drawn around first.

    Around each of at most `most` candidates, drawn without replacement: the nearest ones in time,
    the nearest ones in words, and as many drawn blindly, to compare with.

    Args:
        steps: The run.
        size: Steps of a set; a run with fewer candidates gives none.
        most: Candidates that sets are drawn around.
        rng: Where they are drawn from.
    """
    places = candidate_steps(steps)
    if len(places) < size:
        return
    anchors = np.sort(rng.permutation(len(places))[:most])
    like = nearest_in_words([_text(steps[place]) for place in places], anchors, n=size - 1)
    for anchor, words in zip(anchors.tolist(), like, strict=True):
        time = nearest_in_time(anchor, len(places), n=size - 1)
        others = rng.choice(len(places) - 1, size=size - 1, replace=False)
        chance = (others + (others >= anchor)).tolist()
        drawn: tuple[tuple[Origin, list[int]], ...] = (
            ("time", time),
            ("words", words),
            ("chance", chance),
        )
        for origin, found in drawn:
            yield origin, tuple(places[place] for place in (anchor, *found))


def nearest_in_time(anchor: int, n_steps: int, *, n: int) -> list[int]:
    """Return the n steps nearest to one of n_steps, the nearest first, the later one on a tie.

    >>> nearest_in_time(0, 5, n=2), nearest_in_time(2, 5, n=3)
    ([1, 2], [3, 1, 4])
    """
    around = range(max(0, anchor - n), min(n_steps, anchor + n + 1))
    others = [step for step in around if step != anchor]
    return sorted(others, key=lambda step: (abs(step - anchor), -step))[:n]


def nearest_in_words(
    texts: Sequence[str], anchors: NDArray[np.int64], *, n: int
) -> list[list[int]]:
    """Return, for some texts, the n other texts most alike, the most alike first.

    Likeness is the cosine of vectors of (1 + ln tf)·ln(1 + (N - df + ½)/(df + ½)) over search
    tokens: log frequencies (Manning et al., 2008, §6.4) with BM25's rarity. The first on a tie.

    Args:
        texts: N texts, more than n.
        anchors: Places of the texts asked about, shape (a,).
        n: How many others.

    >>> texts = ["staging port 5433", "lunch", "the port of staging", "dinner"]
    >>> nearest_in_words(texts, np.array([0]), n=1)
    [[2]]
    """
    rows, codes, weights, width = _weighted(texts)
    found: list[list[int]] = []
    for anchor in anchors.tolist():
        asked = np.zeros(width)
        is_asked = rows == anchor
        asked[codes[is_asked]] = weights[is_asked]
        scores = np.bincount(rows, weights=weights * asked[codes], minlength=len(texts))
        scores[anchor] = -1.0
        found.append(np.argsort(-scores, kind="stable")[:n].tolist())
    return found


def _weighted(
    texts: Sequence[str],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]:
    """Return text, token and weight of every token of every text, and how many tokens there are."""
    vocabulary: dict[str, int] = {}
    counts = [Counter(search_tokens(text)) for text in texts]
    codes = np.array(
        [vocabulary.setdefault(token, len(vocabulary)) for count in counts for token in count],
        dtype=np.int64,
    )
    rows = np.repeat(np.arange(len(texts)), [len(count) for count in counts])
    times = np.array([n for count in counts for n in count.values()], dtype=np.float64)
    holding = np.bincount(codes, minlength=len(vocabulary))
    rarity = np.log1p((len(texts) - holding + 0.5) / (holding + 0.5))
    weights = (1 + np.log(times)) * rarity[codes]
    lengths = np.sqrt(np.bincount(rows, weights=weights**2, minlength=len(texts)))
    return rows, codes, weights / lengths[rows], len(vocabulary)


def _text(step: Step) -> str:
    return "\n".join(atom.text[:_ATOM_CHARS] for atom in atoms_of(step))[:_STEP_CHARS]
