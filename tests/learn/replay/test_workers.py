from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.learn.replay.measure import Measured
from stepwell.learn.replay.stage import Workbench, open_stage
from stepwell.learn.replay.workers import Job, Worker
from stepwell.memory.memory import Memory
from stepwell.policy.base import STRUCTURES
from support.walks import ROOMS, add_walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stepwell.recall.evidence import Evidence
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Question


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    store = tmp_path_factory.mktemp("workers") / "memory.db"
    with Memory(store, encoder=None) as memory:
        questions = add_walk(memory, 0)
    return Workbench(store=store, questions=tuple(questions))


@pytest.fixture
def worker(bench: Workbench) -> Iterator[Worker]:
    stage = open_stage(bench)
    with closing(stage.db):
        yield Worker(stage)


def test_a_reading_is_what_a_recall_of_the_selection_is_worth(
    worker: Worker, bench: Workbench
) -> None:
    job = Job(case="walk-0#0", budget=600, selection="episodic")
    found = worker.read(job)
    assert (found.case, found.budget, found.selection) == ("walk-0#0", 600, "episodic")
    with Memory(bench.store, encoder=None) as memory:
        evidence = memory.recall(bench.questions[0].text, 600, policy=["episodic"])
    shown = {item.step for item in evidence.items}
    assert found.tokens == evidence.tokens
    assert found.quoted == float(2 in shown) == 1.0
    assert found.literal == 1.0
    assert (found.literals, found.violations) == (None, "")


def test_limits_of_structures_are_kept(worker: Worker) -> None:
    wide = worker.read(Job(case="walk-0#0", budget=600, selection="episodic"))
    narrow = worker.read(Job(case="walk-0#0", budget=600, selection="episodic:150"))
    assert narrow.selection == "episodic:150"
    assert narrow.tokens < wide.tokens


@pytest.mark.parametrize("budgets", [(300, 900), (900, 300), (300, 900, 300)])
def test_each_job_has_its_own_budget(worker: Worker, budgets: tuple[int, ...]) -> None:
    found = [
        worker.read(Job(case="walk-0#1", budget=one, selection="+".join(STRUCTURES[:2])))
        for one in budgets
    ]
    assert [one.budget for one in found] == list(budgets)
    assert all(one.tokens <= one.budget for one in found)
    by_budget: dict[int, object] = {}
    for one in found:
        assert by_budget.setdefault(one.budget, one) == one


def test_a_case_that_is_not_there_is_an_error(worker: Worker) -> None:
    with pytest.raises(KeyError, match="walk-9"):
        worker.read(Job(case="walk-9#0", budget=300, selection="episodic"))


def test_a_measure_of_one_s_own_is_asked_with_the_run_as_it_is_stored(bench: Workbench) -> None:
    asked: list[tuple[str, int]] = []

    def measure(
        question: Question, evidence: Evidence, trajectory: Callable[[], Trajectory]
    ) -> Measured:
        asked.append((question.id, len(trajectory().steps)))
        return Measured(
            tokens=evidence.tokens,
            evidence=0.25,
            quoted=0.5,
            literal=None,
            literals=0.75,
            violations=("over-budget", "unquoted", "unquoted"),
        )

    stage = open_stage(replace(bench, measure=measure))
    with closing(stage.db):
        found = Worker(stage).read(Job(case="walk-0#1", budget=300, selection="episodic"))
    assert asked == [("walk-0#1", len(ROOMS))]
    assert (found.evidence, found.quoted, found.literal, found.literals) == (0.25, 0.5, None, 0.75)
    assert found.violations == "over-budget unquoted unquoted"
