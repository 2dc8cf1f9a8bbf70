"""The steps of a Claude Code conversation: their order, branches and status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support.claude_logs import agent, calls, gets, lines, read_claude, record, says, user

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step


def steps_of(*records: Any) -> tuple[Step, ...]:
    return read_claude(lines(*records))[0][0].steps


def test_steps_follow_the_step_above_them_over_records_that_are_none() -> None:
    steps = steps_of(
        user(0, None, "hi"),
        record(1, 0, "attachment", None),
        agent(2, 1, says("a")),
        record(3, 2, "progress", None),
        user(4, 3, "more"),
    )
    assert [(step.uid, step.parent_uid) for step in steps] == [
        ("u0", None),
        ("u2", "u0"),
        ("u4", "u2"),
    ]
    assert [step.index for step in steps] == [0, 1, 2]


def test_a_step_after_a_result_follows_the_step_that_called() -> None:
    steps = steps_of(
        user(0, None, "hi"), agent(1, 0, calls("t1")), user(2, 1, [gets("t1", "x")]),
        agent(3, 2, says("done")),
    )  # fmt: skip
    assert [(step.uid, step.parent_uid) for step in steps] == [
        ("u0", None),
        ("u1", "u0"),
        ("u3", "u1"),
    ]


def test_an_abandoned_branch_is_named_by_its_first_record() -> None:
    steps = steps_of(
        user(0, None, "hi"), agent(1, 0, says("a")), user(2, 1, "tried"), user(3, 1, "kept")
    )
    assert [(step.active, step.branch_id) for step in steps] == [
        (True, None),
        (True, None),
        (False, "u2"),
        (True, None),
    ]


@pytest.mark.parametrize(
    ("after", "status"),
    [
        ([], "interrupted"),
        ([user(2, 1, "next")], "missing"),
        ([user(2, 1, "[Request interrupted by user]")], "interrupted"),
        ([user(2, 1, [gets("t1", "x")])], "ok"),
        ([user(2, 1, [gets("t1", "x", is_error=True)])], "error"),
        ([user(2, 1, [gets("t1", "x")], toolUseResult={"interrupted": True})], "interrupted"),
        ([user(2, 1, [gets("t1", "x")], toolUseResult={"interrupted": "no"})], "ok"),
    ],
)
def test_how_a_step_ended(after: list[Any], status: str) -> None:
    steps = steps_of(user(0, None, "hi"), agent(1, 0, calls("t1")), *after)
    assert steps[1].status == status


def test_a_response_of_no_content_is_no_step() -> None:
    steps = steps_of(user(0, None, "hi"), agent(1, 0), agent(2, 1, {"type": "redacted_thinking"}))
    assert [(step.uid, step.thought_redacted) for step in steps] == [("u0", False), ("u2", True)]


def test_turns_that_make_no_step_are_counted() -> None:
    empty = (user(2, 1, ""), agent(3, 2), user(4, 3, None), record(5, 4, "attachment", None))
    records = lines(user(0, None, "hi"), agent(1, 0, says("ho")), *empty)
    runs, notices = read_claude(records)
    assert [step.message for step in runs[0].steps] == ["hi", "ho"]
    (notice,) = notices
    assert (notice.code, notice.position) == ("empty-message", "log.jsonl:3")
    assert notice.message.startswith("3 turns")


def test_a_record_of_a_user_without_a_message_around_it_is_a_step() -> None:
    bare = record(1, 0, "user", "typed")
    beside = {k: v for k, v in record(2, 1, "user", None).items() if k != "message"}
    steps = steps_of(user(0, None, "hi"), bare, beside | {"content": "beside"})
    assert [step.message for step in steps] == ["hi", "typed", "beside"]


def test_the_prompts_of_two_windows_on_one_session_are_both_live() -> None:
    steps = steps_of(
        user(0, None, "hi"), agent(1, 0, says("ho")),
        user(2, 1, "left"), user(3, 1, "right"), agent(4, 2, says("l")), agent(5, 3, says("r")),
    )  # fmt: skip
    assert [step.message for step in steps] == ["hi", "ho", "left", "right", "l", "r"]
    assert all(step.active and step.branch_id is None for step in steps)
    assert [step.parent_uid for step in steps[2:]] == ["u1", "u1", "u2", "u3"]


def test_order_and_live_path_come_from_the_parents_when_clocks_are_wrong() -> None:
    times = ["2026-03-01T09:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1772355600",
             "Sun, 01 Mar 2026 08:00:00 GMT"]  # fmt: skip
    records = [user(at, at - 1 if at else None, f"m{at}", timestamp=time)
               for at, time in enumerate(times)]  # fmt: skip
    rewound = user(9, 1, "kept", timestamp="2020-01-01T00:00:00Z")
    steps = steps_of(*records, rewound)
    assert [step.message for step in steps] == ["m0", "m1", "m2", "m3", "m4", "kept"]
    assert [step.active for step in steps] == [True, True, False, False, False, True]
    hours = [step.t_start.hour if step.t_start else None for step in steps]
    assert hours == [9, None, None, 9, 8, 0]
