from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.learn.replay.ledger import Ledger, Reading
from stepwell.learn.replay.readings import Readings, _portions
from stepwell.learn.replay.stage import Workbench, derive_views, open_stage
from stepwell.learn.replay.workers import Job, Worker
from stepwell.memory.memory import Memory
from stepwell.policy.kinds import Fixed
from support.walks import add_walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from stepwell.learn.cases import Case

POLICY = Fixed(structures=("episodic",))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    store = tmp_path_factory.mktemp("readings") / "memory.db"
    with Memory(store, encoder=None) as memory:
        questions = [one for number in range(2) for one in add_walk(memory, number)]
    derive_views(store)
    return Workbench(store=store, questions=tuple(questions))


@pytest.fixture(scope="module")
def cases(bench: Workbench) -> Sequence[Case]:
    stage = open_stage(bench)
    with closing(stage.db):
        return [case for case, _ in stage.cases(budget=600)]


@pytest.fixture
def readings(bench: Workbench, tmp_path: Path) -> Iterator[Readings]:
    ledger = Ledger(path=tmp_path / "readings.sqlite", code="one")
    with closing(Readings(bench=bench, ledger=ledger, workers=1)) as found:
        yield found


def known(case: Case, selection: str = "episodic", **more: object) -> Reading:
    given: dict[str, object] = {"evidence": 0.5, "quoted": 0.5, "literal": None, "literals": None}
    return Reading(
        case=case.id,
        budget=case.context.budget,
        selection=selection,
        tokens=40,
        **{**given, **more},  # type: ignore[arg-type]
    )


def test_workers_read_what_is_missing_and_the_ledger_keeps_it(
    readings: Readings, bench: Workbench, cases: Sequence[Case]
) -> None:
    told: list[tuple[str, int, int]] = []
    readings.progress = lambda *what: told.append(what)
    first = readings.evaluate(POLICY, cases)
    assert readings.n_read == len(cases) == 4
    assert told == [("readings", 4, 4)]
    stage = open_stage(bench)
    with closing(stage.db):
        worker = Worker(stage)
        expected = [worker.read(Job(case=c.id, budget=600, selection="episodic")) for c in cases]
    assert first.rewards.tolist() == [one.evidence for one in expected]
    assert first.tokens.tolist() == [one.tokens for one in expected]
    assert first.weights.tolist() == [1.0] * 4
    assert first.chosen == [("episodic",)] * 4
    again = readings.evaluate(POLICY, cases[::-1])
    assert again.rewards.tolist() == first.rewards.tolist()[::-1]
    assert readings.n_read == 4


def test_what_is_known_needs_no_worker(readings: Readings, cases: Sequence[Case]) -> None:
    readings.ledger.keep([known(case, evidence=n / 4) for n, case in enumerate(cases)])
    found = readings.evaluate(POLICY, cases)
    assert found.rewards.tolist() == [0.0, 0.25, 0.5, 0.75]
    assert (readings.n_read, readings._pool) == (0, None)


def test_a_reward_that_is_not_known_weighs_nothing(
    readings: Readings, cases: Sequence[Case]
) -> None:
    worth = (None, 0.0, 0.5, 1.0)
    readings.ledger.keep(
        [known(case, literal=value) for case, value in zip(cases, worth, strict=True)]
    )
    readings.reward = "literal"
    found = readings.evaluate(POLICY, cases)
    assert found.rewards.tolist() == [0.0, 0.0, 0.5, 1.0]
    assert found.weights.tolist() == [0.0, 1.0, 1.0, 1.0]
    assert found.reward == 0.5


def test_structures_are_named_in_the_order_of_their_sections(
    readings: Readings, cases: Sequence[Case]
) -> None:
    readings.ledger.keep([known(cases[0], "temporal+graph")])
    found = readings.evaluate(Fixed(structures=("graph", "temporal")), cases[:1])
    assert found.chosen == [("temporal", "graph")]


def test_readings_come_in_the_order_they_are_wanted_repeats_included(
    readings: Readings, cases: Sequence[Case]
) -> None:
    readings.ledger.keep([known(case) for case in cases])
    wanted = [cases[2], cases[0], cases[2]]
    selection = POLICY.select("", cases[0].context)
    found = readings.read([(case, selection) for case in wanted])
    assert [one.case for one in found] == [case.id for case in wanted]
    assert readings.read([]) == []


def test_another_budget_is_another_reading(readings: Readings, cases: Sequence[Case]) -> None:
    case = cases[0]
    wider = replace(case, context=replace(case.context, budget=800))
    readings.ledger.keep([known(case, evidence=0.25), known(wider, evidence=0.75)])
    found = readings.evaluate(POLICY, [wider, case])
    assert found.rewards.tolist() == [0.75, 0.25]


def jobs_of(sizes: list[int]) -> list[Job]:
    return [
        Job(case=f"q{number:03}", budget=400, selection=f"s{one}")
        for one in range(max(sizes, default=0))
        for number, size in enumerate(sizes)
        if one < size
    ]


@given(st.lists(st.integers(1, 90), max_size=12))
def test_portions_hold_every_job_once_and_a_question_is_never_parted(sizes: list[int]) -> None:
    jobs = jobs_of(sizes)
    portions = _portions(jobs)
    assert sorted((job.case, job.selection) for part in portions for job in part) == sorted(
        (job.case, job.selection) for job in jobs
    )
    homes = [{job.case for job in part} for part in portions]
    assert sum(map(len, homes)) == len(sizes)
    assert all(portions)
    for part in portions:  # full only by its last question
        last = [job for job in part if job.case == part[-1].case]
        assert len(part) - len(last) < 64


@pytest.mark.parametrize(("sizes", "parts"), [([], []), ([64, 1], [64, 1]), ([63, 1, 1], [64, 1])])
def test_a_portion_is_full_at_sixty_four(sizes: list[int], parts: list[int]) -> None:
    assert [len(part) for part in _portions(jobs_of(sizes))] == parts
