"""While vectors are filled in, the steps that have them already get no advantage."""

from __future__ import annotations

import numpy as np

from stepwell.recall.rank.score import score_steps
from stepwell.store.rowids import MAX_PLACES
from stepwell.structures.base import Ranking


def ranking(structure: str, steps: list[int], scores: list[float], coverage: float) -> Ranking:
    return Ranking(
        structure=structure,
        rowids=np.asarray(steps, dtype=np.int64) * MAX_PLACES,
        scores=np.asarray(scores, dtype=np.float64),
        mean=float(np.mean(scores)),
        deviation=float(np.std(scores)) or 1.0,
        coverage=coverage,
    )


def test_a_few_vectors_do_not_beat_the_words() -> None:
    words = ranking("episodic", [70], [9.0], 1.0)
    vectors = ranking("vector", [0, 1, 2, 3, 4], [0.5, 0.1, 0.3, 0.4, 0.2], 0.05)
    keys = np.arange(100, dtype=np.int64)
    scored = score_steps([words, vectors], keys=keys, n_steps=100)
    assert int(scored.total.argmax()) == 70
    assert float(np.abs(scored.parts["vector"]).max()) < 0.1
    assert not scored.parts["vector"][5:].any()


def test_a_complete_index_is_weighed_as_before() -> None:
    vectors = ranking("vector", [0, 1, 2, 3], [0.5, 0.1, 0.3, 0.4], 1.0)
    scored = score_steps([vectors], keys=np.arange(4, dtype=np.int64), n_steps=4)
    assert abs(float(scored.parts["vector"].mean())) < 1e-9
    assert abs(float(scored.parts["vector"].std()) - 1) < 1e-9
