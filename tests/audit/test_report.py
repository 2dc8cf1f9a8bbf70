"""The report: groups by format and by tool, intervals over runs, questions instead of estimates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.audit.model import SharingOptions
from stepwell.audit.predict import Verdict
from stepwell.audit.report import Report, audit_sharing
from stepwell.trajectory.model import Call, Step
from stepwell.trajectory.questions import read_questions
from support.trajectories import trajectory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell.trajectory.model import Trajectory

TIGHT = SharingOptions(budget=20)


def run(name: str, *, n: int = 40, is_bound: bool, log: str = "shop") -> Trajectory:
    """Return a run that works through orders, or one whose steps have nothing in common."""
    steps = [
        Step(
            index=at,
            uid=f"u{at}",
            kind="agent",
            actor="agent",
            calls=(Call(uid=f"c{at}", name=f"tool_{at % 20}", args=_args(at, is_bound=is_bound)),),
        )
        for at in range(n)
    ]
    return replace(trajectory(steps, name=name), source_format=log)


def _args(at: int, *, is_bound: bool) -> dict[str, Any]:
    return {"order": f"order {at // 4}"} if is_bound else {"note": f"note {'abcdefgh'[at % 8]}{at}"}


def audit(trajectories: Iterable[Trajectory], **rest: Any) -> Report:
    return audit_sharing(trajectories, rng=np.random.default_rng(0), options=TIGHT, **rest)


def test_bound_and_unbound_runs_are_told_apart() -> None:
    bound = audit(run(f"r{n}", is_bound=True) for n in range(4))
    loose = audit(run(f"r{n}", is_bound=False) for n in range(4))
    assert bound.predictions[0].verdict == Verdict.LIKELY
    assert loose.predictions[0].verdict == Verdict.UNLIKELY


def test_each_format_is_a_group_and_all_of_them_another() -> None:
    runs = [run("a", is_bound=True), run("b", is_bound=False, log="notes")]
    report = audit(runs)
    assert [group.name for group in report.groups] == ["notes", "shop", "all"]
    assert [group.n_runs for group in report.groups] == [1, 1, 2]
    assert len(report.predictions) == 3


def test_runs_of_one_name_are_two_runs() -> None:
    report = audit([run("same", is_bound=True), run("same", is_bound=True)])
    assert report.groups[0].evidence is not None
    assert report.groups[0].evidence.any.n_groups == 2


def test_the_interval_draws_runs_and_not_sets() -> None:
    mixed = audit([run("a", is_bound=True), run("b", is_bound=False)])
    shares = mixed.groups[0].evidence
    assert shares is not None
    assert (shares.uncommon.low, shares.uncommon.high) == pytest.approx((0.0, 1.0), abs=0.1)


def test_families_hold_the_steps_that_call_them() -> None:
    report = audit([run("a", is_bound=True)])
    assert len(report.families) == 12
    assert {group.n_steps for group in report.families} == {2}


def test_questions_replace_the_estimate_and_are_counted_exactly() -> None:
    asked = read_questions(
        b'{"question": "x", "trajectory": "a", "steps": [0, 1]}\n'
        b'{"question": "y", "trajectory": "a", "steps": [0, 20]}\n'
        b'{"question": "z", "trajectory": "a", "steps": [0, 4000]}\n'
        b'{"question": "w", "trajectory": "nobody", "steps": [0, 1]}\n'
        b'{"question": "v", "steps": [0, 5]}\n'
    )
    report = audit([run("a", is_bound=True), run("b", is_bound=True)], questions=asked)
    shares = report.groups[0].evidence
    assert report.is_asked
    assert shares is not None
    assert shares.cells == {"T+E-": 1, "T-E+": 1}
    assert [reason.partition(":")[0] for reason in report.skipped] == ["line 3", "line 4", "line 5"]
    assert report.predictions[0].verdict == Verdict.FEW


def test_a_question_about_the_only_run_need_not_name_it() -> None:
    report = audit([run("a", is_bound=True)], questions=read_questions(b'{"steps": [0, 1]}'))
    assert report.skipped == ()
    assert report.groups[0].evidence is not None
    assert report.groups[0].evidence.n_sets == 1


def test_a_question_about_steps_the_only_run_lacks_says_so() -> None:
    found = read_questions(b'{"steps": [1, 999]}')
    report = audit([run("a", is_bound=True)], questions=found)
    assert report.skipped == ("line 1: no run of that name has all of its steps",)


def test_nothing_to_read_is_too_few() -> None:
    report = audit([])
    assert [prediction.verdict for prediction in report.predictions] == [Verdict.FEW]
    assert report.groups[0].n_runs == 0


def test_a_run_without_steps_counts_as_a_run_of_nothing() -> None:
    report = audit([trajectory([]), run("a", is_bound=True)])
    assert report.groups[-1].n_steps == 40


def test_the_same_seed_gives_the_same_report() -> None:
    assert audit([run("a", is_bound=True)]) == audit([run("a", is_bound=True)])
