"""Scores are standardised, added up over structures, and lent to the steps around."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.score import score_steps, standardised
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.structures.base import Ranking
from stepwell.structures.episodic import Episodic
from stepwell.structures.vector import Vector


def ranking(structure: str, steps: list[int], scores: list[float], coverage: float) -> Ranking:
    return Ranking(
        structure=structure,
        traits={"episodic": Episodic.traits, "vector": Vector.traits}[structure],
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


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30))
def test_standardising_is_invariant_to_scale_and_place(values: list[float]) -> None:
    x = np.asarray(values)
    z = standardised(x, n_steps=len(x))
    assert np.allclose(standardised(3 * x + 7, n_steps=len(x)), z, atol=1e-5) or x.std() < 1e-6


def test_a_step_lends_to_its_neighbours_but_never_across_trajectories() -> None:
    rows = np.array([rowid(1, 5), rowid(2, 0)])
    ranking = Ranking(
        structure="episodic", traits=Episodic.traits, rowids=rows, scores=np.array([9.0, 9.0])
    )
    keys = np.array(
        [rowid(1, step) // MAX_PLACES for step in range(8)]
        + [rowid(2, step) // MAX_PLACES for step in range(3)]
    )
    scored = score_steps([ranking], keys=keys, n_steps=len(keys))
    total = scored.total
    assert total[5] > max(total[4], total[6]) > max(total[3], total[7]) > total[0]
    assert total[8] > total[9] > total[10]
    assert total[7] < total[9]  # step 7 of the first is two away from its hit, not beside the other
