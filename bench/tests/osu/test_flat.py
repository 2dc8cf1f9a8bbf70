"""Flat selection takes the best steps that fit; MMR takes off what repeats them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepwell.errors import InvalidInputError
from stepwell.recall.rank.selection.base import Problem
from stepwell_bench.osu.flat import Flat, Mmr
from support.problems import units_of

VECTORS = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
PROBLEM = Problem(
    scores=np.array([0.9, 0.8, 0.5]),
    costs=np.array([5, 4, 3]),
    units=units_of([], n_steps=3, vectors=None),
    vectors=VECTORS,
    query=VECTORS[0],
)


@pytest.mark.parametrize(
    ("budget", "taken"),
    [(12, [0, 1, 2]), (11, [0, 1]), (9, [0, 1]), (8, [0, 2]), (4, [1]), (3, [2]), (2, [])],
)
def test_flat_takes_the_best_steps_that_still_fit(budget: int, taken: list[int]) -> None:
    assert Flat().select(PROBLEM, budget) == taken


def test_of_equal_steps_flat_takes_the_earlier() -> None:
    equal = replace(PROBLEM, scores=np.array([0.5, 0.9, 0.5]), costs=np.ones(3, dtype=np.int64))
    assert Flat().select(equal, 2) == [1, 0]


def test_mmr_takes_what_differs_before_what_repeats() -> None:
    assert Mmr().select(PROBLEM, 12) == [0, 2, 1]
    assert Mmr(trade_off=1.0).select(PROBLEM, 12) == Flat().select(PROBLEM, 12)
    # Of a step that repeats the first, .7 · .8 - .3 · 1 = .26 is left: less than .7 · .38 = .266.
    near = replace(PROBLEM, scores=np.array([0.9, 0.8, 0.38]))
    assert Mmr().select(near, 12) == [0, 2, 1]
    below = replace(PROBLEM, scores=np.array([0.9, 0.8, 0.36]))
    assert Mmr().select(below, 12) == [0, 1, 2]


def test_mmr_says_that_it_needs_vectors() -> None:
    with pytest.raises(InvalidInputError, match="needs the vectors of the steps") as failure:
        Mmr().select(replace(PROBLEM, vectors=None), 12)
    assert failure.value.hint == "Use an encoder, or the selector `flat`."
    assert (Flat().name, Mmr().name, Mmr().trade_off) == ("flat", "mmr", 0.7)
