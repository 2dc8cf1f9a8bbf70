from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from stepwell.formats.chat.turns import answer_of_turn, is_turn, step_of_turn
from stepwell.trajectory.model import Call, Step

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


def step_of(**turn: Any) -> Step:
    return step_of_turn(turn, index=2, raw_refs=(5,))[0]


@pytest.mark.parametrize("name", ["action", "tool", "thought", "message", "observation", "result",
                                  "output", "error"])  # fmt: skip
def test_any_of_these_fields_makes_a_turn(name: str) -> None:
    assert is_turn({name: ""})
    assert not is_turn({name: None})


def test_other_fields_make_none() -> None:
    assert not is_turn({})
    assert not is_turn({"args": {}, "turn_idx": 1, "timestamp": "x"})


def test_a_turn_is_a_call_with_its_result() -> None:
    step = step_of(thought="hm\r\n", action="ls", observation="a.py", turn_idx=9, model="toy",
                   timestamp="2026-03-01T09:00:00Z", reward=0.5)  # fmt: skip
    assert (step.index, step.uid, step.kind, step.actor) == (2, "s2", "agent", "agent")
    assert step.thought == "hm\n"
    assert step.calls == (Call(uid="s2.c1", name="action", args={"_value": "ls"}, args_raw="ls"),)
    (result,) = step.results
    assert (result.call_uid, result.text, result.extra) == ("s2.c1", "a.py", {})
    assert (step.status, step.model, step.raw_refs) == ("ok", "toy", (5,))
    assert step.native_ids == {"turn_idx": "9"}
    assert (step.t_start, step.t_source) == (NINE, "timestamp")
    assert step.extra == {"reward": 0.5}


@pytest.mark.parametrize(
    ("turn", "name", "args"),
    [
        ({"tool": "sh", "args": {"cmd": "ls"}}, "sh", {"cmd": "ls"}),
        ({"tool": "sh", "arguments": '{"cmd": "ls"}'}, "sh", {"cmd": "ls"}),
        ({"tool": "sh"}, "sh", {}),
        ({"tool": "sh", "action": {"cmd": "ls"}}, "sh", {"cmd": "ls"}),
        ({"tool": "sh", "action": '{"cmd": "ls"}'}, "sh", {"cmd": "ls"}),
        ({"action": "ls", "args": {"path": "."}}, "ls", {"path": "."}),
        ({"action": {"name": "ls", "args": {"p": 1}}}, "ls", {"p": 1}),
        ({"action": {"tool": "ls", "arguments": {"p": 1}}}, "ls", {"p": 1}),
        ({"action": {"function": "ls", "input": {"p": 1}}}, "ls", {"p": 1}),
        ({"action": {"type": "click", "x": 3}}, "click", {"type": "click", "x": 3}),
        ({"action": {"x": 3}}, "action", {"x": 3}),
        ({"action": {"name": "ls"}, "args": {"p": 2}}, "ls", {"p": 2}),
        ({"action": ["a", 1]}, "action", {"_value": '["a", 1]'}),
    ],
)
def test_an_action_has_many_shapes(turn: dict[str, Any], name: str, args: Any) -> None:
    (call,) = step_of(**turn).calls
    assert (call.name, call.args) == (name, args)


def test_a_turn_without_action_calls_nothing() -> None:
    step = step_of(thought="only thinking")
    assert (step.calls, step.results, step.status) == ((), (), "ok")
    assert step_of(message="said", observation="seen").results[0].call_uid is None


@pytest.mark.parametrize(
    ("turn", "text", "is_error"),
    [
        ({"observation": "a", "result": "b"}, "a", None),
        ({"result": "b", "output": "c"}, "b", None),
        ({"output": "c"}, "c", None),
        ({"error": "boom"}, "boom", True),
        ({"observation": "a", "error": "boom"}, "a\nboom", True),
        ({"observation": "", "error": "boom"}, "boom", True),
        ({"observation": ["a", "b"], "error": "boom"}, "a\nb\nboom", True),
        ({"observation": "a", "error": True}, "a", True),
        ({"observation": "a", "error": False}, "a", False),
        ({"observation": "a", "exit_code": 2}, "a", None),
    ],
)
def test_what_came_back_has_many_shapes(
    turn: dict[str, Any],
    text: str,
    is_error: bool | None,  # noqa: FBT001
) -> None:
    (result,) = step_of(action="x", **turn).results
    assert result.text == text
    assert result.is_error is is_error


def test_an_action_that_got_nothing_was_interrupted() -> None:
    assert step_of(action="ls").status == "interrupted"
    assert step_of(action="ls", error="boom").status == "error"


def test_a_turn_that_only_observes_is_an_answer() -> None:
    found = answer_of_turn({"observation": "a.py", "time": "2026-03-01T09:00:00Z", "odd": 1})
    assert found is not None
    assert (found.result.text, found.result.call_uid) == ("a.py", None)
    assert (found.call_id, found.name, found.time) == (None, None, NINE)
    assert found.result.extra == {"odd": 1}


@pytest.mark.parametrize("name", ["action", "tool", "thought", "message"])
def test_a_turn_that_does_anything_is_none(name: str) -> None:
    assert answer_of_turn({name: "x", "observation": "a.py"}) is None
    assert answer_of_turn({name: None, "observation": "a.py"}) is not None


def test_media_of_all_parts_come_with_the_step() -> None:
    picture = "data:image/png;base64,AAAA"
    _, blobs = step_of_turn(
        {"action": picture, "observation": picture, "message": picture}, index=0
    )
    assert [blob.data for blob in blobs] == [b"\0\0\0"] * 3
