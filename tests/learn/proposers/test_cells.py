from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.learn.cases import Evaluation
from stepwell.learn.proposers.cells import best_choices, lower_gain, smoothed_means
from stepwell.learn.proposers.guide import Guide, reading_of
from stepwell.policy.conditions import parse_condition
from support.worlds import cases_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.learn.cases import Case
    from stepwell.policy.base import Policy

N = 12
COUNTS, WHY = parse_condition("asks count"), parse_condition("asks why")
GRAPH, UNITS = reading_of(("graph",)), reading_of(("units",))
BOTH = [GRAPH, UNITS]


@dataclass(frozen=True, slots=True)
class Given:
    """Rewards given for each reading: of counting questions, and of the others."""

    of: dict[str, tuple[float, float]]

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        (name,) = policy.select(cases[0].question, cases[0].context).structures
        counting, other = self.of[name]
        rewards = [counting if "many" in case.question else other for case in cases]
        return Evaluation(
            cases=cases,
            chosen=[(name,)] * len(cases),
            rewards=np.array(rewards),
            tokens=np.zeros(len(cases)),
            weights=np.ones(len(cases)),
        )


def guide_of(**of: tuple[float, float]) -> Guide:
    """Return a guide of twelve cases: three episodes of four, every other question counts."""
    cases = [
        replace(case, episode=f"e{n // 4}", question="How many times?" if n % 2 else "Why?")
        for n, case in enumerate(cases_of(2)[:N])
    ]
    return Guide(evaluator=Given(of), cases=cases, penalty=0.0)


GUIDE = guide_of(graph=(0.9, 0.1), units=(0.4, 0.5))
EVERYWHERE = np.ones(N, dtype=np.bool_)


def test_a_gain_is_what_a_cell_adds_less_a_standard_error_by_episode() -> None:
    current = np.zeros(N)
    (best, *rest) = best_choices(
        GUIDE, [(COUNTS,), (WHY,)], BOTH, within=EVERYWHERE, current=current, most=9
    )
    # Six counting questions, two an episode: 6 * 0.9 less the root of 3 * 1.8².
    expected = (5.4 - np.sqrt(3 * 1.8**2)) / N
    assert (best.when, best.reading) == ((COUNTS,), GRAPH)
    assert best.gain == pytest.approx(expected)
    assert len(rest) == 3
    gains = [best.gain, *(one.gain for one in rest)]
    assert gains == sorted(gains, reverse=True)


def test_only_so_many_choices_are_returned() -> None:
    found = best_choices(
        GUIDE, [(COUNTS,), (WHY,)], BOTH, within=EVERYWHERE, current=np.zeros(N), most=2
    )
    assert [(one.when, one.reading) for one in found] == [((COUNTS,), GRAPH), ((WHY,), UNITS)]


def test_only_cases_within_are_decided_anew() -> None:
    counts = GUIDE.holds([COUNTS])
    found = best_choices(GUIDE, [()], [GRAPH], within=counts, current=np.full(N, 0.9), most=9)
    assert [one.gain for one in found] == pytest.approx([0.0])


def test_a_cell_without_support_is_left_out() -> None:
    few = np.arange(N) < 5
    assert best_choices(GUIDE, [()], BOTH, within=few, current=np.zeros(N), most=9) == []
    assert best_choices(GUIDE, [], BOTH, within=EVERYWHERE, current=np.zeros(N), most=9) == []
    assert best_choices(GUIDE, [()], [], within=EVERYWHERE, current=np.zeros(N), most=9) == []


def test_the_first_of_equal_choices_comes_first() -> None:
    guide = guide_of(graph=(0.5, 0.5), units=(0.5, 0.5))
    found = best_choices(
        guide, [(), (COUNTS,)], BOTH, within=EVERYWHERE, current=np.zeros(N), most=2
    )
    assert [(one.when, one.reading) for one in found] == [((), GRAPH), ((), UNITS)]


def test_a_lower_gain_is_a_mean_over_all_cases() -> None:
    added = np.zeros(N)
    added[:4] = 0.3  # one episode alone
    assert lower_gain(GUIDE, added) == pytest.approx(0.0)
    added[4:8] = 0.3
    assert lower_gain(GUIDE, added) == pytest.approx((2.4 - np.sqrt(2 * 1.2**2)) / N)


def test_a_mean_is_smoothed_by_five_cases_of_what_it_lies_in() -> None:
    counts = GUIDE.holds([COUNTS])
    found = smoothed_means(GUIDE, BOTH, cell=counts, around=EVERYWHERE)
    # graph: 0.9 in the cell and 0.5 around it; units: 0.4 and 0.45.
    assert found == pytest.approx([(6 * 0.9 + 5 * 0.5) / 11, (6 * 0.4 + 5 * 0.45) / 11])


def test_the_mean_of_an_empty_cell_is_that_around_it() -> None:
    nothing = np.zeros(N, dtype=np.bool_)
    found = smoothed_means(GUIDE, BOTH, cell=nothing, around=EVERYWHERE)
    assert found == pytest.approx([0.5, 0.45])
