"""Chat messages as steps: one message at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from stepwell.formats.chat.steps import (
    Answer,
    answer_of_message,
    call_answered,
    join_result,
    later,
    metrics_of,
    orphan_step,
    result_of,
    settled,
    status_of,
    step_of_message,
    time_in,
)
from stepwell.trajectory.model import Call, Metrics, Result, Step

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


def step_of(message: dict[str, Any], *, index: int = 3) -> Step:
    return step_of_message(message, index=index, raw_refs=(7,))[0]


def asking(*ids: str, index: int = 0, done: tuple[str, ...] = ()) -> Step:
    calls = tuple(
        Call(uid=f"s{index}.c{n}", name=f"tool{n}", args={}, native_id=native)
        for n, native in enumerate(ids, start=1)
    )
    results = tuple(Result(call_uid=uid, text="done") for uid in done)
    return Step(
        index=index, uid=f"s{index}", kind="agent", actor="agent", calls=calls, results=results
    )


def answer(text: str = "42", **fields: Any) -> Answer:
    return Answer(result=Result(call_uid=None, text=text), **fields)


@pytest.mark.parametrize(
    ("role", "kind", "actor"),
    [
        ("user", "user", "user"),
        ("human", "user", "user"),
        ("assistant", "agent", "agent"),
        ("model", "agent", "agent"),
        ("ai", "agent", "agent"),
        ("system", "system", "harness"),
        ("developer", "system", "harness"),
        ("critic", "context", "harness"),
    ],
)
def test_a_role_says_who_speaks(role: str, kind: str, actor: str) -> None:
    step = step_of({"role": role, "content": "hello"})
    assert (step.kind, step.actor, step.message) == (kind, actor, "hello")
    assert (step.index, step.uid, step.raw_refs, step.status) == (3, "s3", (7,), "ok")


@pytest.mark.parametrize(
    ("role", "actor"), [("user", "ana"), ("assistant", "agent:ana"), ("system", "harness")]
)
def test_a_name_tells_speakers_of_one_role_apart(role: str, actor: str) -> None:
    assert step_of({"role": role, "content": "x", "name": "ana"}).actor == actor


def test_calls_have_uids_of_their_own_beside_their_ids() -> None:
    step = step_of(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "a", "function": {"name": "ls", "arguments": '{"path": "."}'}},
                {"call_id": "b", "custom": {"name": "sh", "input": "pwd"}},
                {"id": "c", "name": "flat", "arguments": {"x": 1}},
                7,
            ],
        }
    )
    assert [(call.uid, call.name, call.native_id) for call in step.calls] == [
        ("s3.c1", "ls", "a"),
        ("s3.c2", "sh", "b"),
        ("s3.c3", "flat", "c"),
        ("s3.c4", "unknown", None),
    ]
    assert [call.args for call in step.calls] == [{"path": "."}, None, {"x": 1}, {}]
    assert step.status == "interrupted"


def test_the_old_function_call_counts_only_without_tool_calls() -> None:
    legacy = {"role": "assistant", "function_call": {"name": "ls", "arguments": "{}"}}
    assert [call.name for call in step_of(legacy).calls] == ["ls"]
    both = legacy | {"tool_calls": [{"id": "a", "function": {"name": "cat", "arguments": "{}"}}]}
    assert [call.name for call in step_of(both).calls] == ["cat"]


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "thinking", "thought"])
def test_reasoning_beside_the_content_is_the_thought(name: str) -> None:
    step = step_of({"role": "assistant", "content": "x", name: "a\r\nb"})
    assert step.thought == "a\nb"
    assert step.extra == {}


def test_reasoning_in_the_content_goes_before_reasoning_beside_it() -> None:
    content = [{"type": "thinking", "thinking": "inner"}, {"type": "redacted_thinking"}]
    step = step_of({"role": "assistant", "content": content, "reasoning": "outer"})
    assert step.thought == "inner"
    assert step.thought_redacted


def test_what_has_no_place_is_kept_beside() -> None:
    step = step_of(
        {
            "role": "assistant",
            "id": "m1",
            "model": "toy",
            "content": "x",
            "timestamp": "2026-03-01T09:00:00Z",
            "usage": {"prompt_tokens": 5},
            "cost": 0.25,
            "annotations": [1],
            "audio": None,
        }
    )
    assert step.native_ids == {"message_id": "m1"}
    assert step.model == "toy"
    assert (step.t_start, step.t_source) == (NINE, "timestamp")
    assert step.metrics == Metrics(prompt_tokens=5, cost_usd=0.25)
    assert step.extra == {"annotations": [1]}


def test_what_the_harness_put_beside_the_users_words_stays_in_the_parts() -> None:
    text = "Fix it.\n<system-reminder>Be brief.</system-reminder>"
    step = step_of({"role": "user", "content": text})
    assert (step.kind, step.message) == ("user", "Fix it.")
    assert [part.text for part in step.parts] == [text]


def test_a_message_of_the_harness_alone_is_context() -> None:
    text = "<system-reminder>Be brief.</system-reminder>"
    step = step_of({"role": "user", "content": text})
    assert (step.kind, step.actor, step.message) == ("context", "harness", text)
    assert not step.is_copied_context


def test_media_of_content_and_of_arguments_come_with_the_step() -> None:
    picture = "data:image/png;base64,AAAA"
    _, blobs = step_of_message(
        {
            "role": "assistant",
            "content": f"see {picture}",
            "tool_calls": [{"function": {"name": "f", "arguments": {"x": picture}}}],
        },
        index=0,
    )
    assert [blob.data for blob in blobs] == [b"\0\0\0", b"\0\0\0"]


@pytest.mark.parametrize("role", ["tool", "function"])
def test_a_tool_message_is_an_answer(role: str) -> None:
    found = answer_of_message(
        {
            "role": role,
            "tool_call_id": "a",
            "name": "ls",
            "content": "file\r\n",
            "is_error": True,
            "timestamp": "2026-03-01T09:00:00Z",
        }
    )
    assert found is not None
    assert (found.call_id, found.name, found.time) == ("a", "ls", NINE)
    assert found.result.text == "file\n"
    assert (found.result.is_error, found.result.error_source) == (True, "is_error-flag")
    assert found.result.extra == {"is_error": True}
    assert found.result.call_uid is None


@pytest.mark.parametrize("role", ["user", "assistant", None])
def test_other_messages_are_no_answers(role: Any) -> None:
    assert answer_of_message({"role": role, "content": "x"}) is None


@pytest.mark.parametrize("name", ["tool_call_id", "call_id", "id"])
def test_the_call_may_be_named_in_three_ways(name: str) -> None:
    found = answer_of_message({"role": "tool", name: 5, "content": ""})
    assert found is not None
    assert found.call_id == "5"


def test_a_result_keeps_the_exit_code_and_unknown_fields() -> None:
    result, blobs = result_of({"a": 1, "b": None, "c": 2}, "exit code: 3", known=frozenset({"a"}))
    assert (result.is_error, result.exit_code, result.error_source) == (True, 3, "exit-code")
    assert result.extra == {"c": 2}
    assert blobs == ()


def test_an_answer_goes_to_the_nearest_call_of_its_id() -> None:
    steps = [asking("a", index=0), asking("a", index=1), asking("b", index=2)]
    assert call_answered(steps, answer(call_id="a")) == (1, "s1.c1")


def test_a_call_that_waits_goes_before_one_that_is_answered() -> None:
    steps = [asking("a", index=0), asking("a", index=1, done=("s1.c1",))]
    assert call_answered(steps, answer(call_id="a")) == (0, "s0.c1")
    steps[0] = asking("a", index=0, done=("s0.c1",))
    assert call_answered(steps, answer(call_id="a")) == (1, "s1.c1")


def test_an_id_of_no_call_belongs_nowhere() -> None:
    assert call_answered([asking("a")], answer(call_id="x", name="tool1")) is None
    assert call_answered([], answer(call_id="a")) is None
    assert call_answered([], answer()) is None


def test_without_an_id_the_nearest_waiting_step_is_answered_by_name_or_in_order() -> None:
    steps = [asking("a", "b", index=0), asking("c", index=1, done=("s1.c1",))]
    assert call_answered(steps, answer()) == (0, "s0.c1")
    assert call_answered(steps, answer(name="tool2")) == (0, "s0.c2")
    assert call_answered(steps, answer(name="other")) == (0, "s0.c1")
    steps[0] = replace(steps[0], results=(Result(call_uid="s0.c1", text=""),))
    assert call_answered(steps, answer(name="tool1")) == (0, "s0.c2")
    steps[0] = asking("a", index=0, done=("s0.c1",))
    assert call_answered(steps, answer()) is None


@pytest.mark.parametrize("call_id", [None, "a"])
def test_calls_are_looked_for_in_the_last_five_hundred_steps(call_id: str | None) -> None:
    speaking = [Step(index=n, uid=f"s{n}", kind="user", actor="user") for n in range(1, 501)]
    near, far = [asking("a"), *speaking[:499]], [asking("a"), *speaking]
    assert call_answered(near, answer(call_id=call_id)) == (0, "s0.c1")
    assert call_answered(far, answer(call_id=call_id)) is None


def test_results_stand_in_the_order_of_their_calls() -> None:
    step = asking("a", "b")
    step = join_result(step, "s0.c2", answer("second", time=NINE), raw_refs=(5,))
    assert (step.status, step.t_end, step.raw_refs) == ("interrupted", NINE, (5,))
    step = join_result(step, "s0.c1", answer("first"), raw_refs=(6,))
    assert [result.text for result in step.results] == ["first", "second"]
    assert (step.status, step.t_end, step.raw_refs) == ("ok", NINE, (5, 6))


def test_an_error_makes_the_step_one() -> None:
    failed = Answer(result=Result(call_uid=None, text="no", is_error=True))
    assert join_result(asking("a"), "s0.c1", failed).status == "error"


def test_an_answer_without_a_call_is_a_step_of_the_environment() -> None:
    failed = Result(call_uid=None, text="no", is_error=True)
    step = orphan_step(
        Answer(result=failed, call_id="a", name="ls", time=NINE), index=4, raw_refs=(2,)
    )
    assert (step.index, step.uid, step.kind, step.actor) == (4, "s4", "tool_env", "env")
    assert step.native_ids == {"tool_call_id": "a", "tool_name": "ls"}
    assert (step.results, step.status, step.t_start, step.raw_refs) == (
        (failed,),
        "error",
        NINE,
        (2,),
    )
    assert orphan_step(answer(), index=0).native_ids == {}


@pytest.mark.parametrize(
    ("results", "last", "status"),
    [
        ((), True, "interrupted"),
        ((), False, "missing"),
        ((Result(call_uid="s0.c1", text="", is_error=True),), False, "error"),
        ((Result(call_uid="s0.c1", text="", is_error=None),), False, "ok"),
        ((Result(call_uid="other", text="", is_error=True),), False, "missing"),
    ],
)
def test_calls_without_results_come_before_errors(
    results: tuple[Result, ...], status: str, *, last: bool
) -> None:
    assert status_of(asking("a").calls, results, is_last=last) == status


def test_only_the_last_step_can_be_interrupted() -> None:
    cut = [replace(asking("a", index=n), status="interrupted") for n in range(3)]
    assert [step.status for step in settled(cut)] == ["missing", "missing", "interrupted"]
    failed = [replace(step, status="error") for step in cut]
    assert [step.status for step in settled(failed)] == ["error", "error", "error"]
    assert settled([]) == ()


def test_the_first_field_that_is_a_time_counts() -> None:
    value = {"a": "never", "b": "2026-03-01T09:00:00Z", "c": "2026-03-01T10:00:00Z"}
    assert time_in(value, ("x", "a", "b", "c")) == (NINE, "b")
    assert time_in(value, ("a",)) == (None, None)


def test_token_counts_are_read_under_all_their_names() -> None:
    openai = {
        "prompt_tokens": 10,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    whole = Metrics(
        prompt_tokens=10, completion_tokens=4, cached_tokens=6, reasoning_tokens=2, cost_usd=0.5
    )
    assert metrics_of(openai, cost_usd=0.5) == whole
    atif = {
        "input_tokens": 10,
        "output_tokens": 4,
        "cached_tokens": 6,
        "cost_usd": 0.5,
        "extra": {"reasoning_tokens": 2},
    }
    assert metrics_of(atif, cost_usd=9.0) == whole
    assert metrics_of({"prompt_tokens": "many"}) is None
    assert metrics_of(None) is None


def test_a_clock_set_back_ends_no_step_before_it_began() -> None:
    start, late = datetime(2026, 1, 5, 10, tzinfo=UTC), datetime(2026, 1, 5, 11, tzinfo=UTC)
    step = Step(index=0, uid="s0", kind="agent", actor="agent", t_start=start)
    assert later(step, late) == late
    assert later(step, start - timedelta(hours=1)) == start
    assert later(replace(step, t_end=late), start) == late
    assert later(step, None) is None


def test_a_time_that_cannot_be_read_is_kept_as_it_stands() -> None:
    message = {"role": "user", "content": "hi", "timestamp": "late", "ts": None}
    assert step_of_message(message, index=0)[0].extra == {"timestamp": "late"}
    assert step_of_message(message | {"ts": 1767607201}, index=0)[0].extra == {}
