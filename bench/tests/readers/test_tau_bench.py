from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.formats.base import Notes
from stepwell.formats.chat.reader import OpenAIChat
from stepwell.formats.files.decode import decode
from stepwell.formats.read import read_path
from stepwell.formats.registry import reader_for
from stepwell_bench.readers.tau_bench import TauBench, graded

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Trajectory

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "tau-bench" / "runs.json"


def run(*messages: Any, **fields: Any) -> Any:
    task = {
        "user_id": "ana_1",
        "instruction": "You are Ana. Cancel order 7.",
        "actions": [{"name": "cancel", "kwargs": {"order": "gold-7"}}],
        "outputs": [],
    }
    return {
        "task_id": 3,
        "reward": 1.0,
        "info": {"task": task, "source": "user", "user_cost": 0.1},
        "traj": [{"role": "user", "content": "Cancel it."}, *messages],
        "trial": 0,
    } | fields


def called(name: str, arguments: Any, *, call_id: str = "c1") -> Any:
    function = {"name": name, "arguments": arguments}
    call = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answered(content: str, *, call_id: str = "c1") -> Any:
    return {"role": "tool", "tool_call_id": call_id, "name": "cancel", "content": content}


def read(value: Any, *, uri: str = "gpt.json") -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes(uri)
    source = decode(json.dumps(value).encode(), notes=notes)
    assert TauBench().sniff(source) > 0.9
    return [bundle.trajectory for bundle in TauBench().read(source, notes)], notes.notices


def test_a_run_is_a_trajectory_with_its_task_its_outcome_and_the_actions_that_solve_it() -> None:
    (trajectory,), notices = read([run(called("cancel", '{"order": 7}'), answered("done"))])
    assert notices == []
    assert trajectory.task == "You are Ana. Cancel order 7."
    assert trajectory.outcome == graded(1.0, exit_status=None)
    assert trajectory.extra["actions"] == [{"name": "cancel", "kwargs": {"order": "gold-7"}}]
    assert (trajectory.extra["task_id"], trajectory.extra["trial"]) == (3, 0)
    assert (trajectory.extra["user_id"], trajectory.extra["source"]) == ("ana_1", "user")
    user, agent = trajectory.steps
    assert (user.kind, user.message) == ("user", "Cancel it.")
    (call,), (result,) = agent.calls, agent.results
    assert (call.name, call.args) == ("cancel", {"order": 7})
    assert (result.call_uid, result.text) == (call.uid, "done")


def test_the_actions_that_solve_it_are_in_no_step_and_no_raw_record() -> None:
    (trajectory,), _ = read([run()])
    assert "gold-7" not in repr(trajectory.steps)
    assert all(b"gold-7" not in record.raw for record in trajectory.raw_records)


def test_trials_of_a_task_have_ids_of_their_own_that_stay_the_same() -> None:
    runs = [run(trial=0), run(trial=1), run(task_id=4, trial=0)]
    first, _ = read(runs)
    again, _ = read(list(reversed(runs)))
    names = [each.trajectory_id for each in first]
    assert [name.partition("#")[2] for name in names] == [
        "task-3/trial-0",
        "task-3/trial-1",
        "task-4/trial-0",
    ]
    assert sorted(names) == sorted(each.trajectory_id for each in again)


def test_the_same_tasks_of_another_model_are_other_trajectories() -> None:
    (first,), _ = read([run()], uri="a/results.json")
    (other,), _ = read([run()], uri="b/results.json")
    assert first.trajectory_id != other.trajectory_id


def test_a_trial_that_stands_twice_is_kept_twice_and_noted() -> None:
    trajectories, notices = read([run(), run(called("cancel", "{}"))])
    assert len({each.trajectory_id for each in trajectories}) == 2
    assert [(note.code, note.position) for note in notices] == [("repeated-run", "gpt.json#/1")]


def test_results_of_calls_whose_ids_are_used_again_go_to_the_nearest_call() -> None:
    messages = [
        called("cancel", {"order": 1}, call_id="0"),
        answered("one", call_id="0"),
        called("cancel", {"order": 2}, call_id="0"),
        answered("two", call_id="0"),
    ]
    (trajectory,), notices = read(run(*messages))
    assert notices == []
    assert [step.results[0].text for step in trajectory.steps[1:]] == ["one", "two"]
    assert [step.calls[0].args for step in trajectory.steps[1:]] == [{"order": 1}, {"order": 2}]


def test_an_error_of_a_tool_is_an_error() -> None:
    (trajectory,), _ = read([run(called("cancel", "{}"), answered("Error: no such order"))])
    assert trajectory.steps[1].status == "error"
    assert trajectory.steps[1].results[0].is_error is True


def test_lines_and_single_runs_are_read_as_lists_are() -> None:
    notes = Notes("runs.jsonl")
    lines = "\n".join(json.dumps(run(trial=trial)) for trial in range(3))
    source = decode(lines.encode(), notes=notes)
    assert len(list(TauBench().read(source, notes))) == 3
    assert len(read(run())[0]) == 1


def test_each_step_points_at_its_own_bytes() -> None:
    trajectories, _ = read([run(), run(called("cancel", "{}"), trial=1)])
    record = trajectories[1].raw_records[trajectories[1].steps[1].raw_refs[0]]
    assert record.position == "/1/traj/1"
    assert json.loads(record.raw) == called("cancel", "{}")


def test_a_run_that_broke_off_is_kept_with_its_error() -> None:
    broken = run(traj=[], reward=0.0, info={"error": "RateLimitError", "traceback": "…"})
    (trajectory,), notices = read([broken])
    assert trajectory.steps == ()
    assert trajectory.outcome == graded(0.0, exit_status="error")
    assert trajectory.extra["error"] == "RateLimitError"
    assert "actions" not in trajectory.extra
    assert [note.code for note in notices] == ["failed-run"]


def test_actions_are_found_in_the_reward_when_the_task_does_not_hold_them() -> None:
    info = {"task": {"instruction": "x"}, "reward_info": {"actions": [{"name": "a"}]}}
    (trajectory,), notices = read([run(info=info)])
    assert trajectory.extra["actions"] == [{"name": "a"}]
    assert notices == []


def test_what_is_odd_is_counted_and_the_rest_is_read() -> None:
    odd = run({"content": "who?"}, 7, answered("late", call_id="c9"), called("cancel", "{oh"))
    trajectories, notices = read([odd, {"task_id": 1}, None, run(trial=1, info=None)])
    assert [note.code for note in notices] == [
        "not-a-message",
        "not-a-message",
        "orphan-result",
        "bad-arguments",
        "not-a-run",
        "not-a-run",
        "no-actions",
    ]
    assert [len(each.steps) for each in trajectories] == [3, 1]
    assert [note.code for note in trajectories[1].warnings] == ["no-actions"]


@pytest.mark.parametrize(
    ("reward", "success"),
    [(1.0, True), (1, True), (1 - 1e-9, True), (0.999, False), (0.0, False), (None, None)],
)
def test_only_a_full_reward_is_success(reward: Any, success: Any) -> None:
    assert graded(reward, exit_status="x").success is success


@pytest.mark.parametrize(
    "value",
    [
        {"traj": []},
        {"task_id": 1, "traj": [{"action": "x"}], "reward": 0},
        {"task_id": 1, "messages": [{"role": "user", "content": "hi"}]},
        {"task_id": 1, "traj": [{"role": "user"}]},
        [],
        3,
    ],
)
def test_other_values_are_not_claimed(value: Any) -> None:
    source = decode(json.dumps([value]).encode(), notes=Notes("x.json"))
    assert TauBench().sniff(source) == 0.0


def test_runs_are_no_chat_to_the_reader_of_chats() -> None:
    source = decode(SAMPLE.read_bytes(), notes=Notes("x.json"))
    assert OpenAIChat().sniff(source) == 0.0
    chosen = reader_for(source, Notes(source.uri))
    assert chosen is not None
    assert chosen.name == TauBench().name


def test_a_memory_holds_every_trial_once_whatever_the_path(tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(SAMPLE.read_bytes())
    with Memory(encoder=None) as memory:
        assert memory.ingest(SAMPLE).added == 2
        assert memory.ingest(SAMPLE).unchanged == 2
        assert memory.ingest(copy).unchanged == 2
        names = [entry.trajectory_id for entry in memory.sessions()]
        trajectory = memory.trajectory(names[0])
    assert trajectory.extra["actions"][0]["kwargs"] == {"loan_id": "L7", "weeks": 3}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "task", "actions", "tool_calls", "reward"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=5,
)


@given(
    field=st.sampled_from(["task_id", "reward", "info", "trial"]),
    value=JSON,
    messages=st.lists(JSON, max_size=3),
)
def test_fields_of_any_kind_are_read_without_a_crash(field: str, value: Any, messages: Any) -> None:
    (trajectory,), _ = read([run(*messages, **{field: value})])
    assert [step.index for step in trajectory.steps] == list(range(len(trajectory.steps)))


def test_every_message_of_the_real_runs_is_a_step_or_a_result(shared_dir: Path) -> None:
    for path in sorted((shared_dir / "data" / "tau-bench").glob("*.json")):
        value = json.loads(path.read_bytes())
        (file,) = read_path(path)
        assert file.report.notices == ()
        assert len({bundle.trajectory.trajectory_id for bundle in file.bundles}) == len(value)
        for bundle, whole in zip(file.bundles, value, strict=True):
            steps = bundle.trajectory.steps
            assert len(steps) + sum(len(step.results) for step in steps) == len(whole["traj"])
            assert bundle.trajectory.extra["actions"] == whole["info"]["task"]["actions"]
