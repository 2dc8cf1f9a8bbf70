from __future__ import annotations

import numpy as np
import pytest

from stepwell.learn.proposers.composition import (
    Forecast,
    composition_variants,
    forecast,
    greedy,
)
from stepwell.learn.proposers.guide import Guide, reading_of
from stepwell.learn.tables import subsets_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import Rule, Rules
from support.worlds import PENALTY, World, cases_of

TRAIN = cases_of(30, seed=1)
GUIDE = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY)
WHY, WEB = parse_condition("asks why"), parse_condition("domain is web")

EXPECTED = Forecast(
    structures=("a", "b", "c"),
    rewards=np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]),
    costs=np.array([0.1, 0.05, 0.02]),
    synergy=np.array([[0.0, 0.2, -0.1], [0.2, 0.0, 0.0], [-0.1, 0.0, 0.0]]),
)


@pytest.mark.parametrize(
    ("subset", "worth"),
    [
        (("a",), 0.75 - 0.1),
        (("c",), -0.02),
        # Independent chances 0.75 and 1, the synergy of the pair, and the cost of both.
        (("a", "b"), 0.875 + 0.2 - 0.15),
        # Three pairs, each structure being in two of them.
        (("a", "b", "c"), 0.875 + (0.2 - 0.1 + 0.0) / 2 - 0.17),
    ],
)
def test_a_subset_is_expected_to_be_worth_its_chances_its_pairs_and_its_cost(
    subset: tuple[str, ...], worth: float
) -> None:
    assert EXPECTED.worth(subset) == pytest.approx(worth)
    assert EXPECTED.worth(subset[::-1]) == pytest.approx(worth)


def test_forecasts_of_singles_and_pairs_are_what_was_measured() -> None:
    mask = GUIDE.holds([WHY])
    expected = forecast(GUIDE, mask)
    for subset in subsets_of(STRUCTURES, largest=2):
        measured = GUIDE.worth(reading_of(subset))[mask].mean()
        assert expected.worth(subset) == pytest.approx(measured, abs=1e-9)


def test_a_forecast_is_of_the_cases_asked_for_and_symmetric() -> None:
    mask = GUIDE.holds([WHY, WEB])
    found = forecast(GUIDE, mask)
    assert found.rewards.shape == (int(mask.sum()), len(STRUCTURES))
    assert np.array_equal(found.synergy, found.synergy.T)
    assert not np.diag(found.synergy).any()
    place = {name: number for number, name in enumerate(found.structures)}
    assert found.synergy[place["units"], place["vector"]] == found.synergy.max()


@pytest.mark.parametrize(("largest", "n"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_greedy_subsets_grow_one_by_one(largest: int, n: int) -> None:
    found = greedy(EXPECTED, largest=largest)
    assert found == [("a",), ("a", "b"), ("a", "b", "c")][:n]


def test_greedy_construction_stops_at_four_and_takes_the_first_of_equals() -> None:
    k = 6
    same = Forecast(
        structures=tuple("abcdef"),
        rewards=np.zeros((1, k)),
        costs=np.zeros(k),
        synergy=np.zeros((k, k)),
    )
    assert greedy(same) == [("a",), ("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d")]


def test_greedy_construction_grows_to_what_is_needed() -> None:
    mask = GUIDE.holds([WHY, WEB])
    one, two, three, four = greedy(forecast(GUIDE, mask))
    assert set(two) == {"units", "vector"}
    assert set(one) < set(two) < set(three) < set(four)


def test_to_repair_a_rule_is_put_first_for_what_failed() -> None:
    rules = Rules(rules=(Rule(when=(), read=("graph",)),), default=("graph",))
    found = list(composition_variants(rules, GUIDE, (WEB, WHY), np.random.default_rng(0)))
    assert len(found) == 4
    for one in found:
        assert one.rules.rules[0].when == (WEB, WHY)
        assert one.rules.rules[1:] == rules.rules
        assert one.description.startswith("first of all, domain is web and asks why: ")
    assert set(found[0].rules.rules[0].read) == {"units", "vector"}


def test_where_nothing_fails_as_described_the_rules_are_changed_as_ever() -> None:
    rules = Rules(rules=(), default=("graph",))
    never = parse_condition("domain is nowhere")
    found = list(composition_variants(rules, GUIDE, (never,), np.random.default_rng(0)))
    assert [one.rules.rules for one in found] == [()] * len(found)


def test_a_rule_gets_the_subsets_forecast_to_be_best_and_never_its_own() -> None:
    rules = Rules(
        rules=(Rule(when=(WEB, WHY), read=("units", "vector"), tokens={"units": 300}),),
        default=("graph",),
    )
    seen: set[int] = set()
    for seed in range(12):
        found = list(composition_variants(rules, GUIDE, (), np.random.default_rng(seed)))
        assert len(found) == 4
        for one in found:
            changed = 0 if one.rules.rules != rules.rules else 1
            seen.add(changed)
            assert one.description.startswith(f"rule {changed + 1}, ")
            if changed == 0:
                (rule,) = one.rules.rules
                assert (rule.when, one.rules.default) == ((WEB, WHY), ("graph",))
                assert set(rule.read) != {"units", "vector"}
                assert dict(rule.tokens) == ({"units": 300} if "units" in rule.read else {})
            else:
                assert one.rules.default != ("graph",)
    assert 1 in seen  # most cases are of the default, which is drawn in proportion
