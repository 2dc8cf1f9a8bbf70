"""Messages and model responses of Claude Code as steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from stepwell.trajectory.model import Metrics
from support.claude_logs import agent, calls, lines, read_claude, record, says, user

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Step


def steps_of(*records: Any) -> tuple[Step, ...]:
    return read_claude(lines(*records))[0][0].steps


def notices_of(*records: Any) -> list[Notice]:
    return read_claude(lines(*records))[1]


def thinks(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": text}


def test_records_of_one_message_are_one_step() -> None:
    (_, step) = steps_of(
        user(0, None, "hi"),
        agent(1, 0, thinks("hm"), name="m", requestId="r1"),
        agent(2, 1, says("doing"), name="m"),
        agent(3, 2, calls("t1", command="ls"), name="m"),
    )
    assert (step.thought, step.message) == ("hm", "doing")
    assert [(call.uid, call.name, call.args) for call in step.calls] == [
        ("t1", "Bash", {"command": "ls"})
    ]
    assert step.native_ids == {"message_id": "m", "request_id": "r1"}
    assert (step.model, step.actor, step.kind, step.uid) == ("model-y", "agent", "agent", "u1")
    assert step.metrics == Metrics(prompt_tokens=100, completion_tokens=5, cached_tokens=10)
    assert step.t_start is not None
    assert step.t_end is not None
    assert (step.t_end - step.t_start).total_seconds() == 2
    assert step.raw_refs == (1, 2, 3)
    assert step.parts == ()


def test_responses_without_a_message_id_are_apart() -> None:
    nameless = [agent(n, n - 1, says(f"n{n}")) for n in (1, 2)]
    for each in nameless:
        del each["message"]["id"]
    assert [step.message for step in steps_of(user(0, None, "hi"), *nameless)] == ["hi", "n1", "n2"]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (says("Hel"), says("Hello"), "Hello"),
        (says("Hello"), says("Other"), "Hello\nOther"),
        (says("Hello"), says("Hello"), "Hello"),
        (says("Hello"), says("Hel"), "Hello\nHel"),
    ],
)
def test_a_text_that_grew_replaces_its_beginning(first: Any, second: Any, said: str) -> None:
    steps = steps_of(
        user(0, None, "hi"), agent(1, 0, first, name="m"), agent(2, 1, second, name="m")
    )
    assert steps[1].message == said


def test_a_call_written_again_is_one_call() -> None:
    steps = steps_of(
        user(0, None, "hi"),
        agent(1, 0, calls("t1", command="l"), name="m"),
        agent(2, 1, calls("t1", command="ls"), calls("t2"), name="m"),
    )
    assert [(call.uid, call.args) for call in steps[1].calls] == [
        ("t1", {"command": "ls"}),
        ("t2", {}),
    ]


def test_a_call_id_used_twice_gets_a_uid_of_its_own() -> None:
    steps = steps_of(user(0, None, "hi"), agent(1, 0, calls("t1")), agent(2, 1, calls("t1")))
    assert [call.uid for step in steps for call in step.calls] == ["t1", "u2.c1"]
    assert [call.native_id for step in steps for call in step.calls] == ["t1", "t1"]


def test_an_error_of_the_api_is_no_word_of_the_agent() -> None:
    steps = steps_of(
        user(0, None, "hi"), agent(1, 0, says("API Error: 529"), isApiErrorMessage=True)
    )
    assert (steps[1].kind, steps[1].actor) == ("meta", "harness")


def test_a_block_of_unknown_type_is_kept_and_noted() -> None:
    records = (user(0, None, "hi"), agent(1, 0, says("a"), {"type": "hologram"}))
    (notice,) = notices_of(*records)
    assert (notice.code, notice.effect, notice.position) == (
        "unknown-block",
        "warning",
        "log.jsonl:2",
    )
    assert "'hologram'" in notice.message
    assert "[part:hologram]" in steps_of(*records)[1].message


@pytest.mark.parametrize(
    ("fields", "content", "kind", "actor", "message"),
    [
        ({}, "hi", "user", "user", "hi"),
        ({"isCompactSummary": True}, "all so far", "summary", "harness", "all so far"),
        ({"isMeta": True}, "a hint", "meta", "harness", "a hint"),
        ({}, "<system-reminder>x</system-reminder>", "context", "harness",
         "<system-reminder>x</system-reminder>"),
        ({}, [{"type": "text", "text": "hi"}], "user", "user", "hi"),
    ],
)  # fmt: skip
def test_a_record_of_the_user_may_be_the_harness(
    fields: dict[str, Any], content: Any, kind: str, actor: str, message: str
) -> None:
    (step,) = steps_of(user(0, None, content, **fields))
    assert (step.kind, step.actor, step.message) == (kind, actor, message)


def test_what_the_harness_put_beside_the_users_words_is_context() -> None:
    (step,) = steps_of(user(0, None, "Fix it.\n<system-reminder>Be brief.</system-reminder>"))
    assert step.message == "Fix it."
    assert step.extra == {"context": "<system-reminder>Be brief.</system-reminder>"}


def test_only_local_commands_of_the_system_are_steps() -> None:
    steps = steps_of(
        user(0, None, "hi"),
        record(1, 0, "system", None, subtype="local_command", content="ran /cost"),
        record(2, 1, "system", None, subtype="informational", content="be aware"),
    )
    assert [(step.kind, step.message) for step in steps] == [
        ("user", "hi"),
        ("context", "ran /cost"),
    ]


def test_empty_messages_are_no_steps() -> None:
    assert [step.message for step in steps_of(user(0, None, ""), user(1, 0, "hi"))] == ["hi"]
