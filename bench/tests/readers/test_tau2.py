from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.formats.atif.writer import to_atif
from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.read import read_bytes, read_path
from stepwell.formats.registry import reader_for
from stepwell_bench.readers.tau2 import Tau2

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Trajectory

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "tau2" / "results.json"

ACTIONS = [
    {"action_id": "7_0", "requestor": "user", "name": "look", "arguments": {"at": "gold-sign"}},
    {"action_id": "7_1", "requestor": "assistant", "name": "reset", "arguments": {}},
]


def simulation(*messages: Any, **fields: Any) -> Any:
    return {
        "id": "sim-1",
        "task_id": "7",
        "trial": 2,
        "seed": 31,
        "start_time": "2026-03-01T09:00:00",
        "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0},
        "messages": [{"role": "assistant", "content": "Hello."}, *messages],
    } | fields


def results(*simulations: Any, **fields: Any) -> Any:
    task = {
        "id": "7",
        "user_scenario": {
            "instructions": {
                "domain": "telecom",
                "reason_for_call": "You are offline.",
                "known_info": None,
                "task_instructions": "Be brief.",
            }
        },
        "evaluation_criteria": {"actions": ACTIONS, "reward_basis": ["DB"]},
    }
    info = {
        "agent_info": {"implementation": "llm_agent", "llm": "model-a", "llm_args": {"n": 1}},
        "environment_info": {"domain_name": "telecom", "policy": "Be kind."},
        "num_trials": 4,
    }
    return {"info": info, "tasks": [task], "simulations": list(simulations)} | fields


def calls(role: str, *named: tuple[str, str], **fields: Any) -> Any:
    made = [
        {"id": own, "name": name, "arguments": {"n": 1}, "requestor": role} for own, name in named
    ]
    return {"role": role, "content": None, "tool_calls": made} | fields


def answer(own: str, content: str, **fields: Any) -> Any:
    return {"id": own, "role": "tool", "content": content, "error": False} | fields


def read(value: Any) -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes("results.json")
    source = decode(json.dumps(value).encode(), notes=notes)
    assert Tau2().sniff(source) > 0.9
    return [bundle.trajectory for bundle in Tau2().read(source, notes)], notes.notices


def test_a_simulation_is_a_trajectory_under_its_own_id_with_what_its_task_says() -> None:
    (run,), notices = read(results(simulation({"role": "user", "content": "Hi."})))
    assert notices == []
    assert run.trajectory_id == run.session_id == "sim-1"
    assert run.task == "You are offline.\n\nBe brief."
    assert run.outcome is not None
    assert (run.outcome.reward, run.outcome.success, run.outcome.exit_status) == (
        1.0,
        True,
        "user_stop",
    )
    assert run.extra["actions"] == ACTIONS
    assert run.extra["evaluation_criteria"] == {"reward_basis": ["DB"]}
    assert (run.extra["task_id"], run.extra["trial"], run.extra["seed"]) == ("7", 2, 31)
    assert run.extra["termination_reason"] == "user_stop"
    assert (run.extra["domain"], run.extra["run_info"]) == ("telecom", {"num_trials": 4})
    assert (run.agent.name, run.agent.model) == ("llm_agent", "model-a")
    assert run.agent.extra["policy"] == "Be kind."


def test_the_actions_that_solve_it_are_in_no_step_and_no_raw_record() -> None:
    (run,), _ = read(results(simulation()))
    assert "gold-sign" not in repr(run.steps)
    assert all(b"gold-sign" not in record.raw for record in run.raw_records)


def test_a_user_calls_tools_and_gets_their_results() -> None:
    (run,), notices = read(
        results(simulation(calls("user", ("u1", "look")), answer("u1", "red", requestor="user")))
    )
    assert notices == []
    step = run.steps[1]
    assert (step.kind, step.actor, step.status) == ("user", "user", "ok")
    (call,), (result,) = step.calls, step.results
    assert (call.name, call.actor, call.args) == ("look", "user", {"n": 1})
    assert (result.call_uid, result.text, result.is_error) == (call.uid, "red", False)


def test_calls_of_the_agent_name_no_other_caller() -> None:
    (run,), _ = read(results(simulation(calls("assistant", ("a1", "reset")), answer("a1", "ok"))))
    assert [call.actor for call in run.steps[1].calls] == [None]


def test_results_find_their_calls_by_id_and_errors_by_their_flag() -> None:
    (run,), _ = read(
        results(
            simulation(
                calls("assistant", ("a1", "reset"), ("a2", "get")),
                answer("a2", "Error: a word in a page", error=False),
                answer("a1", "no luck", error=True),
            )
        )
    )
    step = run.steps[1]
    assert [result.text for result in step.results] == ["no luck", "Error: a word in a page"]
    assert [result.is_error for result in step.results] == [True, False]
    assert {result.error_source for result in step.results} == {"error-flag"}
    assert step.status == "error"
    assert "id" not in step.results[0].extra


def test_results_that_came_together_are_taken_apart() -> None:
    together = {"role": "tool", "tool_messages": [answer("a1", "one"), answer("a2", "two")]}
    (run,), notices = read(
        results(simulation(calls("assistant", ("a1", "x"), ("a2", "y")), together))
    )
    assert notices == []
    assert [result.text for result in run.steps[1].results] == ["one", "two"]


def test_reasoning_is_taken_from_the_providers_message_and_the_rest_of_it_left() -> None:
    provider = {"message": {"content": "Hm.", "reasoning_content": "It is late."}}
    said = {"role": "assistant", "content": "Hm.", "raw_data": provider, "cost": 0.5, "usage": {}}
    (run,), _ = read(results(simulation(said)))
    assert run.steps[1].thought == "It is late."
    assert run.steps[1].metrics is not None
    assert run.steps[1].metrics.cost_usd == 0.5
    assert "raw_data" not in run.steps[1].extra


def test_each_step_points_at_its_own_bytes() -> None:
    runs, _ = read(results(simulation(), simulation({"role": "user", "content": "Hi."}, id="s2")))
    record = runs[1].raw_records[runs[1].steps[1].raw_refs[0]]
    assert record.position == "/simulations/1/messages/1"
    assert json.loads(record.raw)["content"] == "Hi."


def test_a_simulation_alone_is_read_and_its_unknown_task_noted() -> None:
    (run,), notices = read(simulation({"role": "user", "content": "Hi."}))
    assert len(run.steps) == 2
    assert run.task is None
    assert "actions" not in run.extra
    assert [note.code for note in notices] == ["unknown-task"]


def test_instructions_may_be_a_text_and_a_ticket_stands_in_for_them() -> None:
    told = {"id": "7", "user_scenario": {"instructions": "Do it."}, "evaluation_criteria": None}
    (run,), _ = read(results(simulation(), tasks=[told]))
    assert run.task == "Do it."
    assert "actions" not in run.extra
    (run,), _ = read(results(simulation(), tasks=[{"id": 7, "ticket": "No signal."}]))
    assert run.task == "No signal."


def test_what_is_odd_is_counted_and_the_rest_is_read() -> None:
    voice = simulation(id="v", messages=None, ticks=[{"tick_id": 0}])
    odd = simulation(answer("zz", "late"), {"role": None}, task_id="other", id="o", reward_info={})
    runs, notices = read(results(simulation(), None, simulation(), voice, odd))
    assert [(note.code, note.position) for note in notices] == [
        ("not-a-simulation", "results.json#/simulations/1"),
        ("repeated-run", "results.json#/simulations/2"),
        ("ticks-not-read", "results.json#/simulations/3/ticks"),
        ("orphan-result", "results.json#/simulations/4/messages/1"),
        ("not-a-message", "results.json#/simulations/4/messages/2"),
        ("unknown-task", "results.json#/simulations/4/task_id"),
    ]
    assert [run.trajectory_id for run in runs] == ["sim-1", "sim-1#2", "v", "o"]
    assert runs[3].outcome is not None
    assert runs[3].outcome.success is None
    assert "ticks" not in runs[2].extra


def test_a_simulation_without_an_id_is_named_by_task_and_trial() -> None:
    (run,), _ = read(results(simulation(id=None)))
    assert run.trajectory_id.endswith("#task-7/trial-2")


def test_a_torn_file_keeps_what_stands_before_the_tear() -> None:
    said = {"role": "user", "content": "Goodbye."}
    whole = json.dumps(results(simulation(), simulation(said, id="s2"))).encode()
    file = read_bytes(whole[: whole.rindex(b"Goodbye") + 3], uri="torn.json")
    runs = [bundle.trajectory for bundle in file.bundles]
    assert [run.trajectory_id for run in runs] == ["sim-1", "s2"]
    assert [run.steps[0].message for run in runs] == ["Hello.", "Hello."]
    assert [note.code for note in file.report.notices] == ["torn-document", "empty-message"]


@pytest.mark.parametrize(
    "value",
    [
        {"simulations": []},
        {"task_id": "1", "messages": [{"role": "user", "content": "hi"}]},
        {"messages": [{"role": "user", "content": "hi"}], "tasks": []},
        {"tasks": [], "info": {}},
        [1],
    ],
)
def test_other_values_are_not_claimed(value: Any) -> None:
    assert Tau2().sniff(decode(json.dumps(value).encode(), notes=Notes("x"))) == 0.0


def test_a_simulation_alone_is_no_chat_to_the_registry() -> None:
    source = decode(json.dumps(simulation()).encode(), notes=Notes("x.json"))
    chosen = reader_for(source, Notes(source.uri))
    assert chosen is not None
    assert chosen.name == Tau2().name


def test_a_stored_and_an_exported_run_keep_the_users_calls() -> None:
    with Memory(encoder=None) as memory:
        assert memory.ingest(SAMPLE).added == 1
        stored = memory.trajectory()
    assert [call.actor for call in stored.steps[3].calls] == ["user"]
    exported = json.dumps(to_atif(stored)).encode()
    (bundle,) = read_bytes(exported, uri="exported.json").bundles
    again = bundle.trajectory.steps
    assert [step.calls for step in again] == [step.calls for step in stored.steps]
    assert [step.results for step in again] == [step.results for step in stored.steps]
    assert bundle.trajectory.extra["actions"] == stored.extra["actions"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "id", "tool_calls", "requestor", "tool_messages", "tasks"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=5,
)


@given(
    field=st.sampled_from(["id", "trial", "reward_info", "termination_reason", "messages"]),
    value=JSON,
    messages=st.lists(JSON, max_size=3),
    beside=st.sampled_from(["info", "tasks"]),
    other=JSON,
)
def test_fields_of_any_kind_are_read_without_a_crash(
    field: str, value: Any, messages: Any, beside: str, other: Any
) -> None:
    whole = results(simulation(), simulation(*messages, **{field: value}), **{beside: other})
    runs, notices = read(whole)
    assert len(runs) + sum(note.code == "not-a-simulation" for note in notices) == 2
    for run in runs:
        assert [step.index for step in run.steps] == list(range(len(run.steps)))


def test_every_message_of_the_real_simulations_is_a_step_or_a_result(shared_dir: Path) -> None:
    for path in sorted((shared_dir / "data" / "tau2").glob("*.json")):
        value = json.loads(path.read_bytes())
        tasks = {task["id"]: task for task in value["tasks"]}
        (file,) = read_path(path)
        assert file.report.notices == ()
        for bundle, whole in zip(file.bundles, value["simulations"], strict=True):
            run = bundle.trajectory
            results_of = [result for step in run.steps for result in step.results]
            assert len(run.steps) + len(results_of) == len(whole["messages"])
            assert all(result.is_error is not None for result in results_of)
            criteria = tasks[whole["task_id"]]["evaluation_criteria"]
            assert run.extra["actions"] == criteria["actions"]
