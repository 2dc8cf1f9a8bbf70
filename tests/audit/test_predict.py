"""The predictive rule: bound evidence and a tight budget, and silence where nothing can be told."""

from __future__ import annotations

import pytest

from stepwell.audit.predict import Verdict, predict
from stepwell.stats.bootstrap import Interval


def share(mean: float, *, spread: float = 0.05, n: int = 400, runs: int = 9) -> Interval:
    return Interval(mean=mean, low=mean - spread, high=mean + spread, n_values=n, n_groups=runs)


@pytest.mark.parametrize(
    ("mean", "verdict"), [(0.9, Verdict.LIKELY), (0.1, Verdict.UNLIKELY), (0.55, Verdict.CLOSE)]
)
def test_an_estimate_decides_when_it_is_clear_of_a_half(mean: float, verdict: Verdict) -> None:
    found = predict(share(mean), any_name=mean, tokens=10_000, budget=800, n_steps=500)
    assert found.verdict == verdict
    assert str(found).startswith(f"overlap: {verdict}. ")


def test_questions_decide_as_soon_as_their_interval_does() -> None:
    bound = share(0.6, spread=0.05)
    assert predict(bound, any_name=0.6, tokens=9_999, budget=800).verdict == Verdict.LIKELY
    wide = share(0.6, spread=0.2)
    assert predict(wide, any_name=0.6, tokens=9_999, budget=800).verdict == Verdict.CLOSE


def test_a_budget_of_a_fourth_is_the_limit() -> None:
    bound = share(0.9)
    assert predict(bound, any_name=0.9, tokens=3_200, budget=800).verdict == Verdict.LIKELY
    found = predict(bound, any_name=0.9, tokens=3_199, budget=800)
    assert found.verdict == Verdict.UNLIKELY
    assert "more than a fourth" in found.reason


def test_few_steps_and_few_questions_decide_nothing() -> None:
    bound = share(0.9, n=19)
    assert predict(bound, any_name=0.9, tokens=9_999, budget=8).verdict == Verdict.FEW
    few = predict(share(0.9), any_name=0.9, tokens=9_999, budget=8, n_steps=29)
    assert few.verdict == Verdict.FEW
    assert predict(None, any_name=None, tokens=0, budget=8).verdict == Verdict.FEW


def test_it_says_when_only_common_names_bind() -> None:
    found = predict(share(0.1), any_name=0.95, tokens=9_999, budget=8, n_steps=500)
    assert found.verdict == Verdict.UNLIKELY
    assert "With common names it is 95%" in found.reason


def test_one_run_has_no_interval() -> None:
    found = predict(share(0.9, runs=1), any_name=0.9, tokens=9_999, budget=8, n_steps=500)
    assert "of one run" in found.reason
