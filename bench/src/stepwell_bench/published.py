"""Figures known before Stepwell was built, to stand beside its own."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Figure", "figures"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Evidence recall of one method at several budgets.

    Attributes:
        method: What was measured.
        source: By whom, on what.
        mode: How the questions were put.
        recall: Recall by budget in tokens.
    """

    method: str
    source: str
    mode: str
    recall: dict[int, float]


_SOURCE = "prototype, 98 episodes, 1,003 questions, BM25 and int8 MiniLM"
_BUDGETS = (500, 1000, 2000, 4000)
_AMA = {
    "bm25, 400 a step": (0.132, 0.226, 0.352, 0.543),
    "cosine, 400 a step": (0.183, 0.289, 0.418, 0.582),
    "rrf, 400 a step": (0.181, 0.277, 0.413, 0.577),
    "bm25, 100 a step": (0.275, 0.424, 0.607, 0.771),
    "cosine, 100 a step": (0.319, 0.470, 0.630, 0.760),
    "rrf, 100 a step": (0.326, 0.465, 0.637, 0.778),
    "z-sum and neighbours, 100 a step": (0.345, 0.498, 0.647, 0.774),
}


def figures(dataset: str) -> tuple[Figure, ...]:
    """Return what is known of a data set, for questions without step numbers."""
    if dataset != "ama-bench":
        return ()
    return tuple(
        Figure(
            method=method,
            source=_SOURCE,
            mode="stripped",
            recall=dict(zip(_BUDGETS, values, strict=True)),
        )
        for method, values in _AMA.items()
    )
