"""Coarse to fine: units first, then steps of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.coarse import Coarse
from stepwell.recall.rank.selection.routing import Routing, route, unit_scores
from support.problems import made, problems

if TYPE_CHECKING:
    from stepwell.recall.rank.selection.base import Problem

budgets = st.integers(0, 260)


@given(problems, budgets)
def test_only_steps_of_routed_units_are_taken_in_paper_mode(problem: Problem, budget: int) -> None:
    selector = Coarse(mode="paper")
    routed = route(problem.units, unit_scores(problem), routing=selector.routing)
    inside = {step for unit in routed.tolist() for step in problem.units.of(unit).tolist()}
    assert set(selector.select(problem, budget)) <= inside


@given(problems, budgets)
def test_plus_mode_begins_as_paper_mode(problem: Problem, budget: int) -> None:
    paper = Coarse(mode="paper").select(problem, budget)
    assert Coarse(mode="plus").select(problem, budget)[: len(paper)] == paper


def test_an_oracle_routes_only_to_the_units_it_is_given() -> None:
    problem = made(3, n=12, n_units=8)
    selector = Coarse(mode="paper", routing=Routing(share=0.1, allowed=frozenset({5})))
    assert set(selector.select(problem, 1000)) == set(problem.units.of(5).tolist())


def test_novelty_is_off_below_its_budget() -> None:
    problem = made(6, n=14, n_units=8)
    always, never = Coarse(novelty=5.0, novelty_from=0), Coarse(novelty=5.0, novelty_from=101)
    plain = Coarse(novelty=0.0)
    assert never.select(problem, 100) == plain.select(problem, 100)
    assert always.select(problem, 100) != plain.select(problem, 100)
