"""Binding: the formula of its docstring, finite for any scores, and bounded in what units add."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.binding import (
    PRIOR,
    Prior,
    bind,
    bindings_of,
    chance_of_top,
    is_open,
)
from support.problems import units_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.model import Units

seeds = st.integers(0, 2**32 - 1)


def drawn(seed: int, *, n: int, n_units: int) -> tuple[NDArray[np.float64], Units]:
    """Return scores without one that stands out, and units with coherence."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, n + 1, size=n_units) if n else np.zeros(0, dtype=int)
    members = [sorted(rng.choice(n, size=size, replace=False).tolist()) for size in sizes]
    units = units_of(members, n_steps=n, vectors=None)
    return rng.uniform(-3, 3, size=n), replace(units, coherence=rng.uniform(size=len(sizes)))


def slow(scores: list[float], units: Units, prior: Prior) -> list[float]:
    """Return the log odds by the docstring of `bind`, sum by sum and product by product."""
    n, groups = len(scores), [units.of(u).tolist() for u in range(len(units))]
    rank = min(prior.rank, n)
    delta = max(0.5, sorted(scores, reverse=True)[rank - 1])
    alone = min(0.5, prior.alone / n)
    binds = prior.binds * (1 - NormalDist().cdf(max(0.0, *scores)) ** n)
    shares = [min(prior.most, prior.bound / len(group)) for group in groups]
    weighed = [prior.views[v] / len(g) for v, g in zip(units.views.tolist(), groups, strict=True)]
    chances = [binds * one / sum(weighed) for one in weighed]
    coherence = [0.0] * len(groups) if units.coherence is None else units.coherence.tolist()
    means = [0.0] * n
    for part in prior.strengths:
        level = max(0.5, delta * part)
        ratios = [math.exp(level * z - level**2 / 2) for z in scores]

        def factor(u: int, *, without: int | None, ratios: list[float] = ratios) -> float:
            weight = 1 / (1 + (len(groups[u]) - 1) * coherence[u])
            product = 1.0
            for j in groups[u]:
                if j != without:
                    own = 1 - shares[u] + shares[u] * ratios[j]
                    product *= (own / (1 - alone + alone * ratios[j])) ** weight
            return chances[u] * product

        for i in range(n):
            missed = 1 - alone
            for u, group in enumerate(groups):
                if i in group:
                    others = sum(factor(v, without=None) for v in range(len(groups)) if v != u)
                    this = factor(u, without=i)
                    missed *= 1 - this / (this + 1 - binds + others) * shares[u]
            means[i] += (1 - missed) / missed * ratios[i] / len(prior.strengths)
    return [math.log(mean) for mean in means]


@given(seeds, st.integers(1, 9), st.integers(1, 6))
def test_the_odds_are_those_of_the_formula(seed: int, n: int, n_units: int) -> None:
    scores, units = drawn(seed, n=n, n_units=n_units)
    bound = bind(scores, bindings_of(units))
    assert bound.odds.tolist() == pytest.approx(slow(scores.tolist(), units, PRIOR), abs=1e-9)


@given(seeds, st.integers(1, 9))
def test_the_formula_holds_for_other_priors(seed: int, n: int) -> None:
    scores, units = drawn(seed, n=n, n_units=4)
    prior = Prior(
        binds=0.3, views=(0.2, 3.0, 1.0, 1.0), bound=1.5, most=0.6, alone=2, rank=1, strengths=(2,)
    )
    bound = bind(scores, bindings_of(units, prior), prior)
    assert bound.odds.tolist() == pytest.approx(slow(scores.tolist(), units, prior), abs=1e-9)


def test_a_unit_that_holds_nearly_all_the_mass_is_near_certain() -> None:
    scores = np.asarray([*[3.0] * 12, 2.0, 2.0, *[-1.0] * 30])
    units = units_of([list(range(12)), [12, 13], [0, 20]], n_steps=44, vectors=None)
    bound = bind(scores, bindings_of(units))
    assert bound.odds.tolist() == pytest.approx(slow(scores.tolist(), units, PRIOR), abs=1e-9)
    assert bound.unit[:12].tolist() == [0] * 12


extreme = st.lists(
    st.sampled_from([-1e6, -40.0, -1.0, 0.0, 1e-300, 0.5, 3.0, 4.5, 40.0, 1e6]), max_size=8
)


@given(extreme, st.data())
def test_odds_are_finite_and_gains_are_gains(scores: list[float], data: st.DataObject) -> None:
    n = len(scores)
    member_lists = (
        st.lists(st.lists(st.integers(0, n - 1), min_size=1, unique=True).map(sorted), max_size=4)
        if n
        else st.just([])
    )
    members = [*data.draw(member_lists), *([list(range(n))] if n else [])]
    for some in (members, []):
        bound = bind(
            np.asarray(scores, dtype=np.float64),
            bindings_of(units_of(some, n_steps=n, vectors=None)),
        )
        assert np.isfinite(bound.odds).all()
        assert (bound.gain >= 0).all()
        assert ((bound.unit == -1) == (bound.gain == 0)).all()
        assert bound.odds.shape == bound.gain.shape == bound.unit.shape == (n,)
        assert all(step in some[unit] for step, unit in enumerate(bound.unit) if unit >= 0)
        assert math.isfinite(bound.strength)
        assert 0 <= bound.binds <= PRIOR.binds


@given(seeds, st.integers(1, 14), st.integers(1, 7), st.data())
def test_the_order_of_units_does_not_matter(
    seed: int, n: int, n_units: int, data: st.DataObject
) -> None:
    scores, units = drawn(seed, n=n, n_units=n_units)
    order = data.draw(st.permutations(range(n_units)))
    moved = replace(
        units_of([units.of(u).tolist() for u in order], n_steps=n, vectors=None),
        views=units.views[order],
        coherence=None if units.coherence is None else units.coherence[order],
    )
    one, other = bind(scores, bindings_of(units)), bind(scores, bindings_of(moved))
    assert one.odds.tolist() == pytest.approx(other.odds.tolist(), abs=1e-9)
    assert one.gain.tolist() == pytest.approx(other.gain.tolist(), abs=1e-9)


@given(seeds, st.integers(1, 12))
def test_only_units_that_hold_a_step_add_to_it(seed: int, n: int) -> None:
    scores, units = drawn(seed, n=n, n_units=2)
    held = set(units.members.tolist())
    bound = bind(scores, bindings_of(units))
    assert {i for i in range(n) if bound.unit[i] >= 0} <= held
    flat = bind(scores, bindings_of(units_of([], n_steps=n, vectors=None)))
    assert (bound.gain == np.maximum(bound.odds - flat.odds, 0))[sorted(held)].all()


def test_a_view_without_a_chance_is_as_if_it_was_not_there() -> None:
    scores, units = drawn(1, n=12, n_units=8)
    without = Prior(views=(1.0, 0.5, 2.0, 0.0))
    kept = [u for u in range(8) if units.views[u] != 3]
    fewer = replace(
        units_of([units.of(u).tolist() for u in kept], n_steps=12, vectors=None),
        views=units.views[kept],
        coherence=None if units.coherence is None else units.coherence[kept],
    )
    one = bind(scores, bindings_of(units, without), without)
    other = bind(scores, bindings_of(fewer, without), without)
    assert one.odds.tolist() == pytest.approx(other.odds.tolist(), abs=1e-12)
    none = Prior(views=(0.0, 0.0, 0.0, 0.0))
    assert not bind(scores, bindings_of(units, none), none).gain.any()


@given(st.floats(-3, 4.5), st.integers(2, 60), st.floats(0, 1))
def test_one_member_lifts_another_no_further_than_its_share_allows(
    z: float, n: int, rho: float
) -> None:
    scores = np.zeros(n)
    scores[0] = z
    units = replace(
        units_of([[0, 1]], n_steps=n, vectors=None), coherence=np.asarray([rho], dtype=np.float64)
    )
    bound = bind(scores, bindings_of(units))
    share, alone = min(PRIOR.most, PRIOR.bound / 2), min(0.5, PRIOR.alone / n)
    evidence = bound.binds * share / alone
    chance = evidence / (evidence + 1 - bound.binds)
    most = 1 - (1 - alone) * (1 - chance * share)
    # The likelihood ratio of a score of 0 is below 1.
    assert bound.odds[1] <= math.log(most / (1 - most)) + 1e-9


def test_coherent_members_count_for_fewer() -> None:
    scores = np.asarray([1.5, 1.5, 1.5, 0.0, *[-0.5] * 30])
    units = units_of([[0, 1, 2, 3]], n_steps=34, vectors=None)
    gains = [
        bind(scores, bindings_of(replace(units, coherence=np.asarray([rho])))).gain[3]
        for rho in (0.0, 0.3, 1.0)
    ]
    assert gains[0] > gains[1] > gains[2] > 0


def test_where_one_step_stands_out_units_change_nothing() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=300)
    scores[7] = 9.0
    units = units_of([[7, 8, 9], [1, 2], list(range(300))], n_steps=300, vectors=None)
    bound = bind(scores, bindings_of(units))
    assert not is_open(bound.binds)
    assert not bound.gain.any()
    assert (bound.unit == -1).all()
    none = bind(scores, bindings_of(units_of([], n_steps=300, vectors=None)))
    assert (bound.odds == none.odds).all()


def test_a_better_unit_names_itself_and_the_first_of_equal_ones() -> None:
    scores = np.asarray([0.5, 2.0, 2.0, -1.0, -1.0, *[0.0] * 40])
    units = units_of([[0, 3, 4], [0, 1, 2], [0, 1, 2]], n_steps=45, vectors=None)
    units = replace(units, views=np.zeros(3, dtype=np.int8))
    assert bind(scores, bindings_of(units)).unit[:4].tolist() == [1, 1, 1, 0]


@given(st.integers(1, 200), st.floats(-5, 8))
def test_the_chance_of_the_best_score_is_that_of_n_normals(n: int, best: float) -> None:
    found = chance_of_top(np.full(n, best))
    assert found == pytest.approx(1 - NormalDist().cdf(max(best, 0.0)) ** n, abs=1e-12)
    assert 0 <= found <= 1
    assert chance_of_top(np.empty(0)) == 1.0
