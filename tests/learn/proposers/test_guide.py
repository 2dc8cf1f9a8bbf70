from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.learn.cases import Evaluation
from stepwell.learn.proposers.guide import SUBJECTS, Guide, reading_at, reading_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.conditions import Condition, parse_condition
from stepwell.policy.kinds import Fixed, Rule, Rules
from support.worlds import COST, PENALTY, World, cases_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.learn.cases import Case
    from stepwell.policy.base import Policy

TRAIN = cases_of(30, seed=1)
COUNTS = parse_condition("asks count")


@dataclass(slots=True)
class Logged:
    """An evaluator that knows of each case what weights say, and notes what it was asked."""

    rewards: list[float]
    weights: list[float]
    asked: list[Policy] = field(default_factory=list["Policy"])

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        self.asked.append(policy)
        return Evaluation(
            cases=cases,
            chosen=[("graph",)] * len(cases),
            rewards=np.array(self.rewards),
            tokens=np.full(len(cases), 100.0),
            weights=np.array(self.weights),
        )


def guide_of(cases: Sequence[Case] = TRAIN, **options: object) -> Guide:
    given = {"evaluator": World(), "cases": cases, "penalty": PENALTY, **options}
    return Guide(**given)  # type: ignore[arg-type]


def seen(cases: Sequence[Case], **context: Sequence[object]) -> list[Case]:
    """Return cases with other contexts, one value of each field a case."""
    return [
        replace(
            case,
            context=replace(case.context, **{name: all_[n] for name, all_ in context.items()}),  # type: ignore[arg-type]
        )
        for n, case in enumerate(cases)
    ]


def said(guide: Guide) -> list[str]:
    return [str(one) for one in guide.conditions()]


def test_a_reading_is_one_key_whatever_the_order_of_its_limits() -> None:
    one = reading_of(["b", "a"], [("b", 2), ("a", 1)])
    assert one == (("b", "a"), (("a", 1), ("b", 2)))
    assert reading_of(("b", "a")) == (("b", "a"), ())


def test_a_rule_reads_what_it_says_and_the_number_of_rules_is_the_default() -> None:
    rule = Rule(when=(COUNTS,), read=("graph",), tokens={"graph": 60})
    rules = Rules(rules=(rule,), default=("units",))
    assert reading_at(rules, 0) == (("graph",), (("graph", 60),))
    assert reading_at(rules, 1) == (("units",), ())


def test_worth_is_reward_less_what_tokens_cost_and_is_measured_once() -> None:
    cases, logged = TRAIN[:2], Logged(rewards=[1.0, 0.25], weights=[1.0, 1.0])
    guide = guide_of(cases, evaluator=logged, penalty=0.001)
    reading = reading_of(("graph",))
    assert guide.worth(reading) == pytest.approx([0.9, 0.15])
    assert guide.rewards(reading) == pytest.approx([1.0, 0.25])
    assert logged.asked == [Fixed(structures=("graph",))]


def test_a_reading_with_limits_is_measured_with_them() -> None:
    logged = Logged(rewards=[1.0], weights=[1.0])
    guide = guide_of(TRAIN[:1], evaluator=logged)
    guide.worth(reading_of(("graph",), [("graph", 70)]))
    (policy,) = logged.asked
    chosen = policy.select(TRAIN[0].question, TRAIN[0].context)
    assert (chosen.structures, chosen.tokens) == (("graph",), {"graph": 70})


def test_what_is_not_known_is_the_mean_smoothed_towards_nothing() -> None:
    logged = Logged(rewards=[1.0, 0.5, 0.9], weights=[2.0, 1.0, 0.0])
    guide = guide_of(TRAIN[:3], evaluator=logged, penalty=0.0)
    # û = (2 + 0.5) / (3 + 5) = 0.3125; a weight of 1 is what was seen, else û + w (u - û).
    expected = [0.3125 + 2 * 0.6875, 0.5, 0.3125]
    assert guide.rewards(reading_of(("graph",))) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n_cases", "n_episodes", "expected"),
    [(6, 2, True), (5, 2, False), (6, 1, False), (7, 3, True)],
)
def test_six_cases_of_two_episodes_are_support(
    n_cases: int,
    n_episodes: int,
    expected: bool,  # noqa: FBT001
) -> None:
    cases = [replace(case, episode=f"e{n % n_episodes}") for n, case in enumerate(TRAIN[:10])]
    mask = np.arange(10) < n_cases
    assert guide_of(cases).is_supported(mask) is expected


def test_conditions_hold_together() -> None:
    guide = guide_of()
    web = parse_condition("domain is web")
    both = guide.holds([COUNTS, web])
    assert np.array_equal(both, guide.holds([COUNTS]) & guide.holds([web]))
    assert 0 < both.sum() < guide.holds([web]).sum()
    assert guide.holds([]).all()


def test_a_condition_that_parts_cases_as_another_does_is_not_named_twice() -> None:
    kinds = [case.context.domain for case in TRAIN]
    conditions = said(guide_of(seen(TRAIN, kind=kinds)))
    assert "domain is web" in conditions
    assert "kind is web" not in conditions


def test_only_the_subjects_that_may_be_looked_at_are() -> None:
    guide = guide_of(subjects=frozenset({"asks"}))
    assert {one.subject for one in guide.conditions()} == {"asks"}
    assert guide_of(subjects=frozenset()).conditions() == ()
    assert "task" not in SUBJECTS


def test_a_number_is_cut_at_quartiles_of_three_digits_within_its_range() -> None:
    n = 40
    cases = seen(cases_of(5, seed=3), n_steps=list(range(1000, 1000 + n)), n_tokens=[7] * n)
    conditions = [one for one in guide_of(cases).conditions() if one.subject == "steps"]
    assert [(one.comparison, one.value) for one in conditions] == [
        (">=", 1010.0),
        (">=", 1020.0),
        (">=", 1030.0),
    ]
    assert not [one for one in guide_of(cases).conditions() if one.subject == "tokens"]


def test_a_signal_is_cut_at_one_and_cases_without_it_do_not_count_to_its_quartiles() -> None:
    signals = [{"t.slots": float(n % 2 * 3)} if n < 30 else {} for n in range(40)]
    conditions = said(guide_of(seen(cases_of(5, seed=3), signals=signals)))
    assert [one for one in conditions if "t.slots" in one] == ["signal t.slots >= 1"]


def test_numbers_that_are_none_are_left_out() -> None:
    signals = [{"s": float("nan") if n % 2 else float("inf")} for n in range(40)]
    conditions = guide_of(seen(cases_of(5, seed=3), signals=signals)).conditions()
    assert not [one for one in conditions if one.subject == "signal"]


def test_names_are_one_line_and_blank_ones_are_none() -> None:
    domains = ["  video \n games " if n % 2 else " " for n in range(40)]
    conditions = said(guide_of(seen(cases_of(5, seed=3), domain=domains)))
    named = [one for one in conditions if one.startswith("domain")]
    assert named == ["domain is video games"]


def test_the_first_rule_that_holds_and_can_read_applies() -> None:
    rules = Rules(
        rules=(
            Rule(when=(COUNTS,), read=("nothing there",)),
            Rule(when=(COUNTS,), read=("graph",)),
            Rule(when=(), read=("units",)),
        ),
        default=("vector",),
    )
    guide = guide_of()
    counts = guide.holds([COUNTS])
    regions = guide.regions(rules)
    assert set(regions[counts]) == {1}
    assert set(regions[~counts]) == {2}


def test_rules_are_worth_what_each_reads_for_its_cases() -> None:
    guide = guide_of()
    rules = Rules(rules=(Rule(when=(COUNTS,), read=("graph",)),), default=("units",))
    counts = guide.holds([COUNTS])
    worth = guide.worth_of(rules)
    assert np.array_equal(worth[counts], guide.worth(reading_of(("graph",)))[counts])
    assert np.array_equal(worth[~counts], guide.worth(reading_of(("units",)))[~counts])


def test_what_can_be_read_are_small_subsets_everything_and_what_is_in_use() -> None:
    used = reading_of(("graph", "units", "vector"), [("graph", 9)])
    found = guide_of(reach=1).readings([used, reading_of(("graph",))])
    assert found == [
        *(reading_of((name,)) for name in STRUCTURES),
        reading_of(STRUCTURES),
        used,
    ]
    assert len(guide_of().readings(())) == 6 + 15 + 1


def test_structures_that_no_case_has_are_not_considered() -> None:
    guide = guide_of(seen(TRAIN, available=[("vector", "graph")] * len(TRAIN)))
    assert guide.structures == ("vector", "graph")
    has = Condition(subject="has", name="vector")
    assert has not in guide.conditions()  # it holds for all, so it parts nothing
    assert guide.readings(())[-1] == reading_of(("vector", "graph"))


def test_the_tokens_of_a_world_are_what_its_structures_cost() -> None:
    guide = guide_of(penalty=1.0)
    reading = reading_of(("graph",))
    assert (guide.rewards(reading) - guide.worth(reading)) == pytest.approx(COST["graph"])
