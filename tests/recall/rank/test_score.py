"""Scores are standardised, added up over structures, and lent to the steps around."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.score import PassageScores, score_steps, standardised
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.structures.base import Ranking
from stepwell.structures.episodic import Episodic
from stepwell.structures.graph.index import Graph
from stepwell.structures.vector import Vector

if TYPE_CHECKING:
    from stepwell.recall.rank.score import Scored


TRAITS = {"episodic": Episodic.traits, "vector": Vector.traits, "graph": Graph.traits}


def ranking(structure: str, steps: list[int], scores: list[float], coverage: float) -> Ranking:
    return Ranking(
        structure=structure,
        traits=TRAITS[structure],
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


def found(
    rows: list[int], scores: list[float], *, structure: str = "graph", coverage: float = 1.0
) -> Ranking:
    """Return a ranking, by default of a structure whose hits are the very steps that are meant."""
    return Ranking(
        structure=structure,
        traits=TRAITS[structure],
        rowids=np.array(rows, dtype=np.int64),
        scores=np.array(scores, dtype=np.float64),
        coverage=coverage,
    )


def scored(*rankings: Ranking, n: int, n_steps: int | None = None) -> Scored:
    keys = np.arange(n, dtype=np.int64)
    return score_steps(rankings, keys=keys, n_steps=n if n_steps is None else n_steps)


def test_standardised_values_have_mean_nought_and_deviation_one() -> None:
    assert standardised(np.array([1.0, 3.0, 5.0]), n_steps=3) == pytest.approx(
        [-np.sqrt(1.5), 0.0, np.sqrt(1.5)]
    )
    assert standardised(np.empty(0), n_steps=5).tolist() == []
    assert standardised(np.array([4.0]), n_steps=1).tolist() == [0.0]


def test_steps_that_were_not_scored_count_as_the_least() -> None:
    assert standardised(np.array([0.0, 2.0]), n_steps=4) == pytest.approx(
        standardised(np.array([0.0, 0.0, 0.0, 2.0]), n_steps=4)[2:]
    )
    assert standardised(np.array([0.0, 2.0]), n_steps=1).tolist() == [-1.0, 1.0]


@given(st.floats(-1e9, 1e9), st.integers(1, 50))
def test_equal_values_stand_out_by_nothing(value: float, n: int) -> None:
    assert standardised(np.full(n, value), n_steps=n).tolist() == [0.0] * n


def test_without_a_hit_every_step_scores_nothing() -> None:
    nothing = scored(found([], []), n=3)
    assert nothing.total.tolist() == [0.0, 0.0, 0.0]
    assert nothing.parts == {}
    assert not nothing.passages
    assert score_steps([], keys=np.empty(0, dtype=np.int64), n_steps=0).total.tolist() == []


def test_what_was_said_and_what_came_back_add_up() -> None:
    rows = [0, 1, MAX_PLACES, 2 * MAX_PLACES + 5, 2 * MAX_PLACES + 6]
    part = scored(found(rows, [2.0, 3.0, 4.0, 5.0, 1.0]), n=4).parts["graph"]
    assert part == pytest.approx(standardised(np.array([5.0, 4.0, 5.0, 0.0]), n_steps=4))


def test_the_order_of_hits_makes_no_difference() -> None:
    rows = [2 * MAX_PLACES + 6, 0, 2 * MAX_PLACES + 5, MAX_PLACES, 1]
    part = scored(found(rows, [1.0, 2.0, 5.0, 4.0, 3.0]), n=4).parts["graph"]
    assert part == pytest.approx(standardised(np.array([5.0, 4.0, 5.0, 0.0]), n_steps=4))


def test_scores_without_a_zero_count_from_the_least_one() -> None:
    rows = [0, 1, MAX_PLACES, 2 * MAX_PLACES]
    part = scored(replace(found(rows, [-3.0, -2.0, -4.0, 1.0]), is_sparse=False), n=4).parts[
        "graph"
    ]
    assert part == pytest.approx(standardised(np.array([3.0, 0.0, 5.0, 0.0]), n_steps=4))


def test_scores_below_nought_are_none_for_words() -> None:
    part = scored(found([0, MAX_PLACES], [-3.0, 2.0]), n=3).parts["graph"]
    assert part == pytest.approx(standardised(np.array([0.0, 2.0, 0.0]), n_steps=3))


def test_hits_of_steps_that_are_not_in_scope_are_passed_over() -> None:
    keys = np.array([1, 3], dtype=np.int64)
    rows = [0, MAX_PLACES, 2 * MAX_PLACES, 3 * MAX_PLACES, 9 * MAX_PLACES]
    part = score_steps([found(rows, [9.0, 1.0, 9.0, 4.0, 9.0])], keys=keys, n_steps=2)
    assert part.parts["graph"].tolist() == [-1.0, 1.0]


def test_hits_of_words_stand_out_by_more_than_their_sum() -> None:
    words = found([0, MAX_PLACES], [4.0, 1.0], structure="episodic")
    part = scored(words, n=3).parts["episodic"]
    assert part == pytest.approx(standardised(np.array([8.0, 1.0, 0.0]), n_steps=3))


@pytest.mark.parametrize("structure", ["episodic", "vector"])
def test_a_match_lends_to_two_steps_on_each_side(structure: str) -> None:
    one = scored(found([4 * MAX_PLACES], [1.0], structure=structure), n=9)
    z = one.parts[structure]
    high, low = float(z[4]), float(z[0])
    assert one.total[4] == pytest.approx(high + 2 * (0.35 + 0.35**2) * low)
    assert one.total[3:6:2] == pytest.approx(low + 0.35 * (high + low) + 2 * 0.35**2 * low)
    assert one.total[2:7:4] == pytest.approx(low + 2 * 0.35 * low + 0.35**2 * (high + low))
    assert one.total[0] == pytest.approx(low + 0.35 * low + 0.35**2 * low)
    assert one.total[1] == pytest.approx(low + 2 * 0.35 * low + 0.35**2 * low)


def test_what_finds_the_step_itself_lends_nothing() -> None:
    one = scored(found([4 * MAX_PLACES], [1.0]), n=9)
    assert one.total.tolist() == one.parts["graph"].tolist()


def test_structures_add_up() -> None:
    words = found([0], [1.0], structure="episodic")
    facts = found([2 * MAX_PLACES], [1.0])
    both = scored(words, facts, n=3)
    alone = scored(words, n=3).total + scored(facts, n=3).total
    assert both.total == pytest.approx(alone)
    assert list(both.parts) == ["episodic", "graph"]


def test_a_share_that_is_indexed_speaks_of_what_it_found_and_weighs_its_share() -> None:
    half = found([0, MAX_PLACES], [3.0, 1.0], coverage=0.5)
    part = scored(half, n=8).parts["graph"]
    assert part[:2] == pytest.approx(0.5 * standardised(np.array([3.0, 1.0]), n_steps=4))
    assert part[2:].tolist() == [0.0] * 6
    little = found([0, MAX_PLACES], [3.0, 1.0], coverage=0.1)
    assert scored(little, n=8).parts["graph"][:2] == pytest.approx([0.1, -0.1])


def test_places_tell_the_trajectory_of_a_step() -> None:
    keys = np.array([rowid(1, 3), rowid(7, 0)], dtype=np.int64) // MAX_PLACES
    one = score_steps([], keys=keys, n_steps=2)
    assert one.number_of(np.array([1, 0, 1])).tolist() == [7, 1, 7]


def test_scores_of_passages_add_up_over_structures() -> None:
    words = replace(found([3, 9], [5.0, 3.0]), mean=1.0, deviation=2.0)
    near = found([9, 12], [0.5, 0.1], structure="vector")
    near = replace(near, mean=0.3, deviation=0.1, is_sparse=False)
    passages = scored(words, near, n=1).passages
    assert passages.rows.tolist() == [3, 9, 12]
    assert passages.least == pytest.approx(-0.5 - 2.0)
    assert passages.values == pytest.approx([2.0 - 2.0, 1.0 + 2.0, -0.5 - 2.0])
    assert passages.of([12, 4, 3, 99, 0]) == pytest.approx([-2.5, -2.5, 0.0, -2.5, -2.5])
    assert passages.of([]) == []


def test_without_a_hit_every_passage_scores_the_least() -> None:
    nothing = scored(n=1).passages
    assert nothing.of([1, 2]) == [0.0, 0.0]
    assert nothing.best_of([0, 5], 3) == {0: [], 5: []}


def test_the_best_hits_of_a_step_come_best_first_and_of_equal_ones_the_earlier() -> None:
    first = 2 * MAX_PLACES
    rows = [first - 1, first, first + 1, first + 2, first + MAX_PLACES]
    passages = PassageScores(
        rows=np.array(rows, dtype=np.int64), values=np.array([9.0, 1.0, 3.0, 3.0, 9.0]), least=0.0
    )
    assert passages.best_of([2], 9) == {2: [first + 1, first + 2, first]}
    assert passages.best_of([3, 2, 4], 2) == {
        3: [first + MAX_PLACES],
        2: [first + 1, first + 2],
        4: [],
    }
