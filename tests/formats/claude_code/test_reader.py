from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.trajectory.model import Metrics
from support.claude_logs import agent, calls, gets, lines, read_claude, record, says, user

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step, Trajectory

TALK = (
    user(1, None, "Fix the clock."),
    agent(2, 1, {"type": "thinking", "thinking": "zones", "signature": "s"}, name="m1"),
    agent(3, 2, says("I will look."), name="m1"),
    agent(4, 3, calls("t1", command="date"), name="m1"),
    agent(5, 4, calls("t2", "Read", file_path="clock.py"), name="m1"),
    user(6, 4, [gets("t1", "09:00")]),
    user(7, 5, [gets("t2", "ZONE = 'UTC'")]),
    agent(8, 7, says("It is UTC.")),
)


def only(data: bytes) -> Trajectory:
    (trajectory,), notices = read_claude(data)
    assert notices == []
    return trajectory


def told(steps: tuple[Step, ...]) -> list[tuple[str, str]]:
    return [(step.kind, step.message) for step in steps]


def test_a_response_in_several_records_is_one_step_and_its_tokens_count_once() -> None:
    trajectory = only(lines(*TALK))
    assert told(trajectory.steps) == [
        ("user", "Fix the clock."),
        ("agent", "I will look."),
        ("agent", "It is UTC."),
    ]
    step = trajectory.steps[1]
    assert step.thought == "zones"
    assert [call.args for call in step.calls] == [{"command": "date"}, {"file_path": "clock.py"}]
    assert [(r.call_uid, r.text) for r in step.results] == [("t1", "09:00"), ("t2", "ZONE = 'UTC'")]
    assert step.metrics == Metrics(prompt_tokens=100, completion_tokens=5, cached_tokens=10)
    assert step.raw_refs == (1, 2, 3, 4, 5, 6)
    assert step.status == "ok"
    assert (step.uid, step.parent_uid, trajectory.steps[2].parent_uid) == ("u2", "u1", "u2")
    assert step.t_start == datetime(2026, 3, 1, 9, 0, 2, tzinfo=UTC)
    assert step.t_end == datetime(2026, 3, 1, 9, 0, 7, tzinfo=UTC)
    assert step.native_ids == {"message_id": "m1"}
    assert (trajectory.trajectory_id, trajectory.agent.model) == ("sess", "model-y")


@given(st.permutations(range(len(TALK))))
def test_the_order_of_the_lines_changes_nothing_but_where_they_stand(order: list[int]) -> None:
    sorted_steps = only(lines(*TALK)).steps
    steps = only(lines(*(TALK[at] for at in order))).steps
    assert [(s.index, s.uid, s.message) for s in steps] == [
        (s.index, s.uid, s.message) for s in sorted_steps
    ]
    assert {r.text for r in steps[1].results} == {"09:00", "ZONE = 'UTC'"}


@pytest.mark.parametrize("length", range(1, len(TALK)))
def test_a_growing_file_keeps_the_steps_it_had(length: int) -> None:
    before = only(lines(*TALK[:length])).steps
    after = only(lines(*TALK)).steps
    assert [(s.index, s.uid) for s in before] == [(s.index, s.uid) for s in after[: len(before)]]


def test_a_record_written_again_replaces_the_first() -> None:
    grown = agent(2, 1, says("I will look closer."), name="m1")
    again = user(1, None, "Fix the clock, please.")
    steps = only(lines(user(1, None, "Fix it."), agent(2, 1, says("I will")), grown, again)).steps
    assert told(steps) == [("user", "Fix the clock, please."), ("agent", "I will look closer.")]


def test_a_text_that_grew_under_another_uuid_is_said_once() -> None:
    data = lines(agent(1, None, says("I wi"), name="m"), agent(2, 1, says("I will."), name="m"))
    assert told(only(data).steps) == [("agent", "I will.")]


def test_a_rewound_branch_stays_but_is_not_active() -> None:
    steps = only(
        lines(
            user(1, None, "Add caching"),
            agent(2, 1, says("Using Redis.")),
            user(3, 2, "ok go on"),
            agent(4, 3, says("Redis wired in.")),
            user(5, 2, "Use an LRU"),
            agent(6, 5, says("Using lru_cache.")),
        )
    ).steps
    assert [step.active for step in steps] == [True, True, False, False, True, True]
    assert [step.branch_id for step in steps] == [None, None, "u3", "u3", None, None]
    assert steps[4].parent_uid == "u2"


def test_a_chain_goes_on_through_missing_and_unknown_records() -> None:
    (trajectory,), notices = read_claude(
        lines(
            user(1, None, "hello"),
            {"type": "brand-new", "uuid": "u2", "parentUuid": "u1"},
            agent(3, 2, says("hi"), {"type": "future_block", "x": 1}),
            b'{"uuid": "u4", "parent',
            user(5, 4, "and now?"),
            b"42",
        )
    )
    assert [step.active for step in trajectory.steps] == [True, True, True]
    assert [(notice.code, notice.position) for notice in notices] == [
        ("broken-line", "log.jsonl:4"),
        ("not-an-object", "log.jsonl:6"),
        ("unknown-type", "log.jsonl:2"),
        ("unknown-block", "log.jsonl:3"),
    ]


def test_records_that_are_their_own_parents_are_still_read() -> None:
    steps = only(lines(user(1, 2, "a"), user(2, 1, "b"), user(3, 3, "c"))).steps
    assert {step.message for step in steps} == {"a", "b", "c"}


def test_a_compaction_continues_the_talk_and_its_summary_is_nobodys_word() -> None:
    trajectory = only(
        lines(
            user(1, None, "Use Postgres 15"),
            record(
                2,
                None,
                "system",
                None,
                subtype="compact_boundary",
                content="Conversation compacted",
                logicalParentUuid="u1",
                compactMetadata={"trigger": "auto"},
            ),
            user(3, 2, "Summary: a database was wanted.", isCompactSummary=True),
            user(4, 3, "Which one?"),
        )
    )
    assert [(s.kind, s.actor) for s in trajectory.steps] == [
        ("user", "user"),
        ("summary", "harness"),
        ("user", "user"),
    ]
    assert all(step.active for step in trajectory.steps)
    assert trajectory.extra["compactions"] == [{"uuid": "u2", "trigger": "auto"}]


def test_text_of_the_harness_is_not_the_users() -> None:
    steps = only(
        lines(
            user(1, None, "<system-reminder>Monday.</system-reminder>"),
            user(2, 1, "Caveat: the messages below were generated by local commands."),
            user(3, 2, "<command-name>/clear</command-name>"),
            user(4, 3, "Base directory: x", isMeta=True),
            user(5, 4, [says("Aisle seats."), says("<system-reminder>Brief.</system-reminder>")]),
            agent(6, 5, says("API Error: 529"), isApiErrorMessage=True),
        )
    ).steps
    assert [step.kind for step in steps] == [
        "context",
        "context",
        "context",
        "meta",
        "user",
        "meta",
    ]
    assert steps[4].message == "Aisle seats."
    assert steps[4].extra == {"context": "<system-reminder>Brief.</system-reminder>"}


def test_a_call_without_a_result_says_why() -> None:
    cut = [agent(1, None, calls("t1")), user(2, 1, "[Request interrupted by user]")]
    assert only(lines(*cut, user(3, 2, "wrong env"))).steps[0].status == "interrupted"
    assert only(lines(agent(1, None, calls("t1")))).steps[0].status == "interrupted"
    lost = [agent(1, None, calls("t1")), user(2, 1, "go on")]
    assert only(lines(*lost)).steps[0].status == "missing"
    stopped = user(2, 1, [gets("t1", "")], toolUseResult={"interrupted": True})
    assert only(lines(agent(1, None, calls("t1")), stopped)).steps[0].status == "interrupted"


def test_a_result_without_its_call_is_a_step_of_its_own() -> None:
    (trajectory,), notices = read_claude(lines(user(1, None, [gets("gone", "42")])))
    (step,) = trajectory.steps
    assert (step.kind, step.results[0].call_uid, step.results[0].text) == ("tool_env", None, "42")
    assert step.native_ids == {"tool_call_id": "gone"}
    assert [notice.code for notice in notices] == ["orphan-result"]


def test_a_reused_call_id_pairs_in_order() -> None:
    steps = only(
        lines(
            agent(1, None, calls("c", command="one")),
            user(2, 1, [gets("c", "1")]),
            agent(3, 2, calls("c", command="two")),
            user(4, 3, [gets("c", "2")]),
        )
    ).steps
    assert [step.results[0].text for step in steps] == ["1", "2"]
    assert steps[0].calls[0].uid != steps[1].calls[0].uid


def test_errors_are_believed_where_they_are_flagged_and_heard_where_a_shell_speaks() -> None:
    data = lines(
        agent(1, None, calls("t1"), calls("t2", "Read"), calls("t3"), calls("t4")),
        user(2, 1, [gets("t1", "Error: no such file")]),
        user(3, 2, [gets("t2", "Error: is what this file says")]),
        user(4, 3, [gets("t3", "ok", is_error=True)]),
        user(5, 4, [gets("t4", "Error: but fine", is_error=False)]),
    )
    (step,) = only(data).steps
    assert [r.is_error for r in step.results] == [True, None, True, False]
    assert [r.error_source for r in step.results] == [
        "text",
        None,
        "is_error-flag",
        "is_error-flag",
    ]
    assert step.status == "error"


def test_details_of_a_result_are_kept_when_small() -> None:
    details = {"stdout": "x" * 5000, "code": 7, "exitCode": 3, "truncated": True, "none": None}
    data = lines(agent(1, None, calls("t1")), user(2, 1, [gets("t1", "x")], toolUseResult=details))
    (result,) = only(data).steps[0].results
    assert result.extra == {"toolUseResult": {"code": 7, "exitCode": 3, "truncated": True}}
    assert (result.exit_code, result.truncated) == (3, True)


def test_an_image_is_a_placeholder_everywhere() -> None:
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "AAAA" * 50},
    }
    uri = "data:image/png;base64," + "BBBB" * 50
    data = lines(
        user(1, None, [image]),
        agent(2, 1, calls("t1", text=uri)),
        user(3, 2, [gets("t1", [says(f"see {uri} here"), image])]),
    )
    trajectory = only(data)
    encoded = json.dumps([str(step) for step in trajectory.steps])
    assert "AAAAAAAA" not in encoded
    assert "BBBBBBBB" not in encoded
    assert trajectory.steps[0].message.startswith("[image image/png 150 B sha256:")
    assert trajectory.steps[1].results[0].text.startswith("see [image image/png 150 B sha256:")


def test_a_subagent_file_is_a_child_of_its_session() -> None:
    main = lines(
        user(1, None, "Audit auth"),
        agent(2, 1, calls("T", "Agent", prompt="Find weak hashes")),
        user(3, 2, [gets("T", "MD5")], toolUseResult={"agentId": "a1", "status": "completed"}),
    )
    child = lines(
        user(1, None, "Find weak hashes", isSidechain=True, agentId="a1"),
        agent(2, 1, says("MD5 in legacy.py"), isSidechain=True, agentId="a1"),
    )
    parent = only(main)
    assert parent.steps[1].results[0].child_trajectory_id == "sess/a1"
    (run,), _ = read_claude(child, sidecar={"toolUseId": "T", "agentType": "Explore"})
    assert (run.trajectory_id, run.session_id) == ("sess/a1", "sess")
    assert (run.parent_trajectory_id, run.parent_call_uid) == ("sess", "T")
    assert [(step.index, step.actor) for step in run.steps] == [(0, "agent"), (1, "agent:a1")]
    assert run.agent.name == "Explore"


def test_a_sidecar_links_a_call_whose_result_names_no_agent() -> None:
    data = lines(agent(1, None, calls("T", "Task")), user(2, 1, [gets("T", "MD5")]))
    (parent,), _ = read_claude(data, sidecar={"subagents": {"T": "a1"}})
    assert parent.steps[0].results[0].child_trajectory_id == "sess/a1"


def test_side_chains_in_the_session_file_are_children_too() -> None:
    data = lines(
        agent(1, None, calls("T", "Task", prompt="Count files")),
        user(2, None, "Count files", isSidechain=True),
        agent(3, 2, says("7"), isSidechain=True),
        user(4, 1, [gets("T", "7 files")]),
    )
    (parent, child), _ = read_claude(data)
    assert parent.steps[0].results[0].child_trajectory_id == child.trajectory_id == "sess/side-u2"
    assert child.parent_call_uid == "T"
    assert told(child.steps) == [("user", "Count files"), ("agent", "7")]


def test_a_log_without_conversation_keeps_its_titles() -> None:
    data = lines(
        {"type": "summary", "summary": "Clock", "leafUuid": "u9"},
        {"type": "custom-title", "customTitle": "My clock", "sessionId": "sess"},
    )
    trajectory = only(data)
    assert (trajectory.trajectory_id, trajectory.steps) == ("sess", ())
    assert trajectory.extra == {
        "summaries": [{"summary": "Clock", "leafUuid": "u9"}],
        "custom_title": "My clock",
    }


def test_a_web_export_is_read_line_by_line() -> None:
    records = [
        {"type": "user", "message": {"role": "user", "content": "Add two numbers"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [calls("t1")]}},
        {"type": "user", "message": {"role": "user", "content": [gets("t1", "ok")]}},
    ]
    trajectory = only(json.dumps({"loglines": records}, indent=1).encode())
    assert told(trajectory.steps) == [("user", "Add two numbers"), ("agent", "")]
    assert trajectory.steps[1].results[0].text == "ok"
    assert [raw.position for raw in trajectory.raw_records] == [
        f"/loglines/{at}" for at in range(3)
    ]
    assert json.loads(trajectory.raw_records[0].raw) == records[0]


def test_a_resumed_session_is_named_by_its_file() -> None:
    data = lines(user(1, None, "a"), user(2, 1, "b", sessionId="next"))
    (trajectory,), _ = read_claude(data, uri="/logs/next.jsonl")
    assert trajectory.trajectory_id == "next"
