"""Prompts typed while the agent works: each is one step, however often the log repeats it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.claude_logs import agent, calls, gets, lines, read_claude, record, says, user

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step


def queue(operation: str, content: Any, second: int = 3) -> dict[str, Any]:
    at = f"2026-03-01T09:00:{second:02d}.000Z"
    made = {"type": "queue-operation", "operation": operation, "timestamp": at}
    return made | {"sessionId": "sess", "content": content}


def attached(number: int, parent: int, prompt: Any, **fields: Any) -> dict[str, Any]:
    held = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt"} | fields
    return record(number, parent, "attachment", None, attachment=held)


def steps_of(*records: Any) -> tuple[Step, ...]:
    runs, notices = read_claude(lines(*records))
    assert notices == []
    return runs[0].steps


def typed(*records: Any) -> list[str]:
    return [step.message for step in steps_of(*records) if step.kind == "user"]


START = (user(0, None, "Go."), agent(1, 0, calls("t1")))
RESULT = user(4, 1, [gets("t1", "done")])


@pytest.mark.parametrize(
    "left",
    [
        (),
        (queue("dequeue", None),),
        (queue("remove", "Wait!"),),
        (queue("popAll", "Wait!"),),
        (queue("remove", "Wait!"), attached(5, 4, "Wait!")),
        (attached(5, 4, "Wait!"), queue("remove", "Wait!")),
        (queue("dequeue", None), user(5, 4, " Wait!\n")),
        (user(5, 4, [{"type": "text", "text": "Wait!"}]),),
        (user(5, 4, "Wait!\n<system-reminder>x</system-reminder>"),),
    ],
)
def test_a_queued_prompt_is_one_step_whatever_becomes_of_it(left: tuple[Any, ...]) -> None:
    steps = steps_of(*START, queue("enqueue", "Wait!"), RESULT, *left)
    assert [step.message for step in steps if step.kind == "user"] == ["Go.", "Wait!"]
    assert [step.uid for step in steps] == ["u0", "u1", "r2"]
    assert all(step.active for step in steps)
    assert steps[1].results[0].text == "done"


def test_the_answer_to_a_queued_prompt_follows_its_step() -> None:
    records = (*START, queue("enqueue", "Wait!"), RESULT, user(5, 4, "Wait!"))
    steps = steps_of(*records, agent(6, 5, says("I do.")))
    assert [(step.uid, step.parent_uid) for step in steps] == [
        ("u0", None), ("u1", "u0"), ("r2", "u1"), ("u6", "r2"),
    ]  # fmt: skip
    assert steps[2].raw_refs == (2, 4)
    assert steps[2].t_start is not None
    assert steps[2].t_start.second == 3


@pytest.mark.parametrize("operation", ["remove", "popAll", "dequeue"])
def test_what_leaves_a_queue_that_was_filled_before_the_log_begins_is_a_step(
    operation: str,
) -> None:
    assert typed(*START, queue(operation, "Wait!"), RESULT) == ["Go.", "Wait!"]


def test_a_delivered_prompt_alone_is_a_step_and_so_are_its_blocks() -> None:
    blocks = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    assert typed(*START, attached(2, 1, "Wait!"), attached(3, 2, blocks)) == [
        "Go.", "Wait!", "one\ntwo",
    ]  # fmt: skip


def test_what_the_harness_queues_is_no_word_of_the_user() -> None:
    told = "<task-notification>done</task-notification>"
    steps = steps_of(*START, queue("enqueue", told), attached(4, 1, told, commandMode="task"))
    assert [step.kind for step in steps] == ["user", "agent", "context"]


def test_prompts_delivered_together_stay_steps_of_their_own() -> None:
    queued = (queue("enqueue", "one"), queue("enqueue", "two"))
    assert typed(*START, *queued, user(5, 1, "one\ntwo")) == ["Go.", "one", "two"]


def test_a_record_that_says_more_than_was_queued_says_it_once() -> None:
    assert typed(*START, queue("enqueue", "one"), user(5, 1, "one\nand two")) == [
        "Go.", "one\nand two",
    ]  # fmt: skip


def test_a_word_of_a_line_is_no_repeated_prompt() -> None:
    assert typed(*START, queue("enqueue", "no"), user(5, 1, "no way")) == ["Go.", "no", "no way"]


def test_a_prompt_that_was_typed_twice_is_two_steps() -> None:
    again = (queue("enqueue", "more"), queue("enqueue", "more"))
    assert typed(*START, *again, user(5, 1, "more"), user(6, 5, "more")) == ["Go.", "more", "more"]
    assert typed(user(0, None, "more"), queue("enqueue", "more")) == ["more", "more"]


def test_a_log_that_grows_keeps_the_steps_it_had() -> None:
    records = (*START, queue("enqueue", "Wait!"), RESULT, attached(5, 4, "Wait!"))
    whole = [step.uid for step in steps_of(*records, agent(6, 5, says("Yes.")))]
    for n in range(1, len(records) + 1):
        known = [step.uid for step in steps_of(*records[:n])]
        assert whole[: len(known)] == known


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["enqueue", "remove", "popAll", "dequeue", "user", "attachment"]),
            st.text("ab", max_size=2) | st.just("a\nb"),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_is_typed_is_said_by_a_step_or_noted(events: list[tuple[str, str]]) -> None:
    records: list[Any] = []
    for at, (kind, text) in enumerate(events):
        above = at - 1 if at else None
        if kind == "user":
            records.append(user(at, above, text))
        elif kind == "attachment":
            records.append(attached(at, at - 1, text))
        else:
            records.append(queue(kind, text))
    runs, notices = read_claude(lines(*records))
    steps = runs[0].steps
    said = "\n".join(step.message for step in steps)
    assert all(line in said for _, text in events for line in text.split("\n"))
    n_empty = sum(kind in {"user", "attachment"} and not text for kind, text in events)
    assert [notice.message.split()[0] for notice in notices] == [str(n_empty)] * bool(n_empty)
    refs = sorted(ref for step in steps for ref in step.raw_refs)
    assert len(refs) == len(set(refs))
    assert len(refs) == sum(bool(text) for _, text in events)
