from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.formats.live import live_change, live_result, live_step
from stepwell.trajectory.model import Result, Step

NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)


def step_of(value: object, index: int = 0) -> Step:
    return live_step(value, index=index, now=NOW)


def fold(*values: object) -> list[Step]:
    steps: dict[int, Step] = {}
    for value in values:
        change = live_change(value, steps=tuple(steps.values()), index=len(steps), now=NOW)
        steps |= {step.index: step for step in change.steps}
    return [steps[index] for index in range(len(steps))]


def asks(name: str, call_id: str | None) -> dict[str, Any]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def test_a_string_is_what_the_agent_said() -> None:
    step = step_of("Done \x1b[1mnow\x1b[0m", 4)
    assert (step.index, step.kind, step.message) == (4, "agent", "Done now")
    assert (step.t_start, step.t_source) == (NOW, "added")


def test_a_step_keeps_what_it_says_and_gets_its_index_and_readable_text() -> None:
    made = Step(
        index=99,
        uid="mine",
        kind="user",
        actor="Ana",
        message="a\r\nb",
        results=(Result(call_uid=None, text="\x1b[31mred\x1b[0m"),),
        t_start=datetime(2025, 1, 1, tzinfo=UTC),
    )
    step = step_of(made, 2)
    assert (step.index, step.uid, step.actor, step.message) == (2, "mine", "Ana", "a\nb")
    assert step.parts[0].text == "a\r\nb"
    assert step.results[0].text == "red"
    assert step.t_start == made.t_start


def test_an_openai_message_reads_as_in_a_file() -> None:
    step = step_of({"role": "user", "content": [{"type": "text", "text": "hi"}]})
    assert (step.kind, step.message) == ("user", "hi")
    step = step_of({"role": "assistant", "content": "x", "timestamp": "2026-01-01T00:00:00Z"})
    assert step.t_start == datetime(2026, 1, 1, tzinfo=UTC)
    assert step.t_source == "timestamp"


def test_openai_results_join_the_step_of_their_call() -> None:
    steps = fold(
        asks("a", "1"),
        asks("b", "2"),
        {"role": "tool", "tool_call_id": "1", "content": "Error: no"},
        {"role": "tool", "tool_call_id": "2", "content": "fine"},
    )
    assert [step.results[0].text for step in steps] == ["Error: no", "fine"]
    assert [step.status for step in steps] == ["error", "ok"]
    assert steps[0].t_end == NOW


def test_anthropic_blocks_are_calls_results_thoughts_and_words() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "grep", "input": {"pattern": "x"}}
    thinking = {"type": "thinking", "thinking": "Look first.", "signature": "s"}
    hidden = {"type": "redacted_thinking", "data": "AAAA"}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "hit", "is_error": False}
    steps = fold(
        {"role": "assistant", "content": [thinking, hidden, {"type": "text", "text": "ok"}, call]},
        {"role": "user", "content": [result, {"type": "text", "text": "And now?"}]},
    )
    agent, user = steps
    assert (agent.thought, agent.thought_redacted, agent.message) == ("Look first.", True, "ok")
    assert agent.calls[0].args == {"pattern": "x"}
    assert agent.results[0].text == "hit"
    assert agent.results[0].is_error is False
    assert (user.kind, user.message) == ("user", "And now?")
    assert "AAAA" not in repr(agent.parts)


def test_a_message_of_results_alone_adds_no_step() -> None:
    result = {"type": "tool_result", "tool_use_id": "1", "content": "hit"}
    steps = fold(asks("a", "1"), {"role": "user", "content": [result]})
    assert len(steps) == 1
    assert steps[0].results[0].text == "hit"


def test_tools_of_the_server_answer_within_the_message_that_calls_them() -> None:
    content = [
        {"type": "server_tool_use", "id": "w", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "w", "content": "found"},
    ]
    (step,) = fold({"role": "assistant", "content": content})
    assert step.results[0].call_uid == step.calls[0].uid
    assert step.status == "ok"


def test_a_result_of_an_unknown_call_is_a_step_of_the_environment() -> None:
    steps = fold("hello", {"role": "tool", "tool_call_id": "gone", "content": "late"})
    assert [step.kind for step in steps] == ["agent", "tool_env"]
    assert steps[1].results[0].call_uid is None


def test_an_atif_step_is_read_as_such() -> None:
    step = step_of(
        {
            "step_id": 7,
            "source": "agent",
            "message": "go",
            "reasoning_content": "hm",
            "tool_calls": [{"tool_call_id": "k", "function_name": "sh", "arguments": {"c": "ls"}}],
            "observation": {"results": [{"source_call_id": "k", "content": "a.txt"}]},
        }
    )
    assert (step.kind, step.message, step.thought) == ("agent", "go", "hm")
    assert step.results[0].call_uid == step.calls[0].uid
    assert step.native_ids == {"step_id": "7"}


def test_a_turn_of_action_and_observation_is_one_step() -> None:
    step = step_of({"action": "go north", "observation": "a wall", "turn_idx": 3})
    assert step.calls[0].args == {"_value": "go north"}
    assert (step.calls[0].name, step.results[0].text) == ("action", "a wall")
    assert step.status == "ok"


@pytest.mark.parametrize(
    ("turn", "name", "args"),
    [
        ({"tool": "sh", "args": {"cmd": "ls"}}, "sh", {"cmd": "ls"}),
        ({"tool": "sh", "args": '{"cmd": "ls"}'}, "sh", {"cmd": "ls"}),
        ({"action": "sh", "args": {"cmd": "ls"}}, "sh", {"cmd": "ls"}),
        ({"action": {"name": "sh", "arguments": {"cmd": "ls"}}}, "sh", {"cmd": "ls"}),
        ({"action": {"tool": "sh", "input": None}}, "sh", {"tool": "sh", "input": None}),
        ({"action": ["up", "down"]}, "action", {"_value": '["up", "down"]'}),
        ({"tool": "noop"}, "noop", {}),
    ],
)
def test_flat_turns_name_their_tool_in_many_ways(turn: Any, name: str, args: Any) -> None:
    (call,) = step_of(turn | {"thought": "so"}).calls
    assert (call.name, call.args) == (name, args)


def test_an_error_of_a_turn_is_a_flag_or_a_text() -> None:
    flagged = step_of({"action": "x", "observation": "odd", "error": True})
    assert (flagged.results[0].text, flagged.results[0].is_error) == ("odd", True)
    told = step_of({"action": "x", "observation": "odd", "error": "disk full"})
    assert (told.results[0].text, told.results[0].is_error) == ("odd\ndisk full", True)
    alone = step_of({"action": "x", "error": "disk full"})
    assert (alone.results[0].text, alone.status) == ("disk full", "error")


def test_an_observation_alone_answers_the_call_that_waits() -> None:
    steps = fold({"thought": "look", "action": "open door"}, {"observation": "It is locked."})
    (step,) = steps
    assert (step.thought, step.results[0].text) == ("look", "It is locked.")
    assert fold({"observation": "?"})[0].kind == "tool_env"


def test_media_are_placeholders_and_their_bytes_come_beside() -> None:
    url = {"url": "data:image/png;base64,iVBORw0KGgo="}
    value = {"role": "user", "content": [{"type": "image_url", "image_url": url}]}
    change = live_change(value, steps=(), index=0, now=NOW)
    assert change.steps[0].message.startswith("[image image/png 8 B")
    assert [blob.media_type for blob in change.blobs] == ["image/png"]


def test_values_json_cannot_say_become_ones_it_can() -> None:
    step = step_of({"tool": "f", "args": {"when": NOW, "x": float("nan"), "s": "\ud83d cut"}})
    assert step.calls[0].args == {"when": str(NOW), "x": None, "s": "\ufffd cut"}
    assert step_of("\ud83d cut").message == "\ufffd cut"


class Dumped:
    """Stands for the message objects of client libraries."""

    def model_dump(self) -> dict[str, Any]:
        return {"role": "assistant", "content": "hi"}


def test_messages_of_client_libraries_are_dumped() -> None:
    assert step_of(Dumped()).message == "hi"


LOOP: dict[str, Any] = {"role": "user"}
LOOP["content"] = LOOP


@pytest.mark.parametrize("value", [None, 3, b"x", [], ["hi"], {}, {"content": "x"}, LOOP, {"a": 1}])
def test_other_shapes_are_refused_saying_what_is_accepted(value: object) -> None:
    with pytest.raises(InvalidInputError, match="Pass a Step, a string"):
        step_of(value)
    with pytest.raises(InvalidInputError):
        live_result(value)


def test_live_result_recognises_answers_only() -> None:
    (answer,) = live_result({"role": "tool", "tool_call_id": "1", "content": "x"})
    assert (answer.call_id, answer.result.text) == ("1", "x")
    assert live_result("hi") == ()
    assert live_result({"role": "user", "content": "hi"}) == ()
    assert live_result({"action": "x", "observation": "y"}) == ()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "tool_use", "tool_result", "id", "name", "input"])
            | st.sampled_from(["content", "source", "data", "results", "tool_use_id"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["role", "content", "tool_calls", "source", "message", "action", "observation", "thought"]
) | st.sampled_from(["tool", "args", "error", "step_id", "tool_call_id", "extra"])


@given(st.lists(st.dictionaries(FIELDS, VALUES, max_size=5), max_size=5))
def test_any_object_is_a_step_or_refused(values: list[dict[str, Any]]) -> None:
    steps: dict[int, Step] = {}
    for value in values:
        try:
            change = live_change(value, steps=tuple(steps.values()), index=len(steps), now=NOW)
        except InvalidInputError:
            continue
        assert change.steps
        steps |= {step.index: step for step in change.steps}
    assert sorted(steps) == list(range(len(steps)))
