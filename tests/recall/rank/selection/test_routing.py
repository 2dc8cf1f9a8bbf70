"""A question is routed to the units that match it best, and to no more than its share of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepwell.recall.rank.selection.base import Problem
from stepwell.recall.rank.selection.routing import (
    MIN_ROUTED,
    Routing,
    owners,
    route,
    unit_scores,
)
from stepwell.structures.units.model import PRIORITY, View
from support.problems import made, units_of

TWENTY = units_of([[0, 1]] * 20, n_steps=3, vectors=None)


def problem(scores: list[float], members: list[list[int]]) -> Problem:
    return Problem(
        scores=np.array(scores),
        costs=np.ones(len(scores), dtype=np.int64),
        units=units_of(members, n_steps=len(scores), vectors=None),
    )


def test_without_vectors_a_unit_scores_the_mean_of_its_steps() -> None:
    found = unit_scores(problem([1.0, 2.0, 6.0], [[0, 1], [2], [0, 1, 2]]))
    assert found.tolist() == [1.5, 6.0, 3.0]
    assert unit_scores(problem([1.0, 2.0], [])).tolist() == []


def test_with_vectors_a_unit_scores_the_cosine_of_its_centroid() -> None:
    vectors = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    units = units_of([[0], [1], [0, 1]], n_steps=2, vectors=vectors)
    one = replace(problem([0.0, 0.0], []), units=units, query=vectors[0])
    assert unit_scores(one) == pytest.approx([1.0, 0.0, 2**-0.5])
    # Without the question's vector, the steps' own scores tell.
    assert unit_scores(replace(one, query=None)).tolist() == [0.0, 0.0, 0.0]


def test_each_member_knows_its_unit() -> None:
    units = units_of([[0, 2], [1], [0, 1, 2]], n_steps=3, vectors=None)
    assert owners(units).tolist() == [0, 0, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("share", "n"), [(0.0, MIN_ROUTED), (0.2, 4), (0.201, 5), (0.25, 5), (0.26, 6), (1.0, 20)]
)
def test_a_share_of_the_units_is_routed_to_rounded_up(share: float, n: int) -> None:
    assert len(route(TWENTY, np.arange(20.0), routing=Routing(share=share))) == n


def test_the_best_units_come_first_and_of_equal_ones_the_earlier() -> None:
    scores = np.array([1.0, 3.0, 3.0, 0.0, 5.0] + [-1.0] * 15)
    assert route(TWENTY, scores, routing=Routing(share=0.25)).tolist() == [4, 1, 2, 0, 3]


def test_only_units_of_the_given_views_are_routed_to_and_counted() -> None:
    routing = Routing(share=1.0, views=PRIORITY[1:2])
    assert sorted(route(TWENTY, np.arange(20.0), routing=routing).tolist()) == [1, 5, 9, 13, 17]
    some = route(TWENTY, np.arange(20.0), routing=replace(routing, share=0.1))
    assert some.tolist() == [17, 13, 9, 5]


def test_only_allowed_units_are_routed_to_but_all_are_counted() -> None:
    routing = Routing(share=0.3, allowed=frozenset({3, 7, 8, 2, 11, 12, 40}))
    assert route(TWENTY, np.arange(20.0), routing=routing).tolist() == [12, 11, 8, 7, 3, 2]
    none = replace(routing, allowed=frozenset())
    assert route(TWENTY, np.arange(20.0), routing=none).tolist() == []


def test_views_restrict_what_is_routed_to() -> None:
    made_up = made(4, n=12, n_units=8)
    routing = Routing(share=1.0, views=(View.TOOL,))
    found = route(made_up.units, unit_scores(made_up), routing=routing)
    assert sorted(found.tolist()) == [1, 5]
    assert all(PRIORITY[made_up.units.views[unit]] == View.TOOL for unit in found)


def test_few_units_are_all_routed_to() -> None:
    made_up = made(5, n=12, n_units=MIN_ROUTED)
    found = route(made_up.units, unit_scores(made_up), routing=Routing(share=0.01))
    assert len(found) == MIN_ROUTED


def test_unit_scores_without_vectors_are_mean_scores() -> None:
    made_up = made(7, n=10, n_units=4, encoded=False)
    expected = [made_up.scores[made_up.units.of(unit)].mean() for unit in range(4)]
    assert unit_scores(made_up).tolist() == pytest.approx(expected)
