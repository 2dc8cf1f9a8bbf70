from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.config import Settings
from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.learn.grounds import Replay, about_runs, ground_of_feedback, ground_of_questions
from stepwell.learn.run import Plan
from stepwell.memory.memory import Memory
from stepwell.policy.kinds import All, Fixed
from stepwell.policy.registry import find
from stepwell.store.scope import Scope
from stepwell.trajectory.questions import Question
from support.walks import ROOMS, add_walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stepwell.store.read import Entry


@pytest.fixture(scope="module")
def runs() -> Sequence[Entry]:
    with Memory(None, encoder=None) as memory:
        for number in range(2):
            add_walk(memory, number)
        return memory.sessions()


def question(**fields: Any) -> Question:
    return Question(**{"text": "?", "steps": (1,), "trajectory": "walk-0", **fields})


def test_questions_keep_their_ids_or_get_those_of_their_lines(runs: Sequence[Entry]) -> None:
    asked = [question(id="a"), question(line=7), question(), question(id="b", trajectory="walk-1")]
    kept, left_out = about_runs(asked, runs)
    assert [one.id for one in kept] == ["a", "line 7", "line 3", "b"]
    assert [one.trajectory for one in kept] == ["walk-0"] * 3 + ["walk-1"]
    assert left_out == ()


def test_why_a_question_is_left_out_is_said(runs: Sequence[Entry]) -> None:
    n = len(ROOMS)
    asked = [
        question(id="kept", steps=(0, n - 1)),
        question(id="no run", trajectory=None),
        question(id="far", trajectory="walk-9"),
        question(id="long", steps=(0, n)),
        question(id="kept"),
    ]
    kept, left_out = about_runs(asked, runs)
    assert [one.id for one in kept] == ["kept"]
    assert left_out == (
        "no run: it names no trajectory, and there are 2",
        "far: walk-9 is not in this memory",
        f"long: walk-0 has {n} steps",
        "kept: another question has this id",
    )


def test_where_there_is_one_run_it_is_the_one_that_is_meant(runs: Sequence[Entry]) -> None:
    (one,), left_out = about_runs([question(trajectory=None, id="a")], runs[:1])
    assert (one.trajectory, left_out) == ("walk-0", ())


def test_without_any_question_the_first_reason_is_the_error(runs: Sequence[Entry]) -> None:
    asked = [question(trajectory="there", line=4), question(trajectory="elsewhere")]
    with pytest.raises(InvalidInputError) as raised:
        about_runs(asked, runs)
    said = (
        "None of 2 questions is about a run of this memory (line 4: there is not in this memory)."
    )
    assert str(raised.value).startswith(said)
    assert "`stepwell add` the logs first" in raised.value.hint
    with pytest.raises(InvalidInputError, match=r"None of 0 questions .* memory\. "):
        about_runs([], runs)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Question, ...]]:
    store = tmp_path_factory.mktemp("grounds") / "memory.db"
    with Memory(store, encoder=None) as memory:
        questions = [one for number in range(2) for one in add_walk(memory, number)]
    return store, tuple(replace(one, kind="where", domain="rooms") for one in questions)


def opened(filled: tuple[Path, tuple[Question, ...]], tmp_path: Path, **options: Any) -> Any:
    store, questions = filled
    replay = Replay(
        **{"questions": questions, "scope": Scope(), "name": "q.jsonl", "budget": 600, **options}
    )
    chosen = Settings(db=store, encoder="none", policies=tmp_path / "policies")
    return ground_of_questions(Plan(name="mine", state=tmp_path / "state"), replay, chosen)


def test_questions_are_a_ground_without_their_types(
    filled: tuple[Path, tuple[Question, ...]], tmp_path: Path
) -> None:
    with opened(filled, tmp_path) as ground:
        assert [case.id for case in ground.cases] == [one.id for one in filled[1]]
        assert {case.context.kind for case in ground.cases} == {""}
        assert {case.context.domain for case in ground.cases} == {"rooms"}
        assert {case.context.budget for case in ground.cases} == {600}
        assert (ground.start, ground.with_controls, ground.reach) == (All(), True, 3)
        about = dict(ground.about)
        assert (about["data"], about["reward"], about["budget"]) == ("q.jsonl", "evidence", 600)
        found = ground.evaluator.evaluate(Fixed(structures=("episodic",)), ground.cases)
        assert found.rewards[0] == 1.0
    assert (tmp_path / "state" / "readings.sqlite").exists()


def test_the_code_changes_with_the_questions_and_not_with_their_lines(
    filled: tuple[Path, tuple[Question, ...]], tmp_path: Path
) -> None:
    def code(questions: Sequence[Question]) -> object:
        with opened(filled, tmp_path, questions=tuple(questions)) as ground:
            return ground.about["code"]

    first = code(filled[1])
    assert code([replace(one, line=n + 9) for n, one in enumerate(filled[1])]) == first
    assert code(filled[1][:-1]) != first
    assert code([replace(filled[1][0], answer="another"), *filled[1][1:]]) != first


def test_the_code_changes_with_the_runs(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    with Memory(store, encoder=None) as memory:
        questions = tuple(add_walk(memory, 0))
    codes = []
    for number in range(2):
        with opened((store, questions), tmp_path) as ground:
            codes.append(ground.about["code"])
        with Memory(store, encoder=None) as memory:
            memory.add({"role": "user", "content": f"More {number}."}, trajectory="walk-0")
    assert codes[0] != codes[1]


def test_a_memory_in_no_file_cannot_be_learned_on(
    filled: tuple[Path, tuple[Question, ...]], tmp_path: Path
) -> None:
    replay = Replay(questions=filled[1], scope=Scope(), name="q")
    plan = Plan(name="mine", state=tmp_path)
    with (
        pytest.raises(InvalidInputError, match="in no file") as raised,
        ground_of_questions(plan, replay, Settings(db=None)),
    ):
        pass
    assert raised.value.hint == "Give --db FILE."


def test_answers_need_a_model_that_is_named(
    filled: tuple[Path, tuple[Question, ...]], tmp_path: Path
) -> None:
    with pytest.raises(ModelUnavailableError), opened(filled, tmp_path, reward="answer"):
        pass
    assert not (tmp_path / "state").exists()


def test_feedback_is_a_ground_that_starts_from_the_policy_in_use(tmp_path: Path) -> None:
    chosen = Settings(db=None, encoder="none", policies=tmp_path)
    plan = Plan(name="mine", state=tmp_path / "state")
    said: list[str] = []
    with Memory(tmp_path / "memory.db", encoder=None) as memory:
        for number in range(2):
            memory.add({"role": "user", "content": f"Set retries to {number}."}, trajectory="t")
            evidence = memory.recall("What is the value of retries?", 400)
            memory.feedback(evidence.id, float(number))
        ground = ground_of_feedback(plan, memory, chosen, say=said.append)
    assert ground.start == find("default").policy
    assert (len(ground.cases), ground.with_controls, ground.reach) == (2, False, 2)
    assert (ground.about["data"], ground.about["recalls"]) == ("feedback", 2)
    assert said == []
    names = ground.cases[0].context.available
    everything = Fixed(structures=names)
    assert isinstance(ground.guide.evaluate(everything, ground.cases).weights, np.ndarray)


def test_a_memory_without_rewards_is_no_ground(tmp_path: Path) -> None:
    plan = Plan(name="mine", state=tmp_path)
    chosen = Settings(db=None, encoder="none", policies=tmp_path)
    with (
        Memory(tmp_path / "memory.db", encoder=None) as memory,
        pytest.raises(InvalidInputError, match="No recall has been rewarded"),
    ):
        ground_of_feedback(plan, memory, chosen)
