"""Results of a Claude Code log, put to their calls by id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support.claude_logs import agent, calls, gets, lines, read_claude, user

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Result, Step


def steps_of(*records: Any) -> tuple[Step, ...]:
    return read_claude(lines(user(0, None, "hi"), *records))[0][0].steps[1:]


def result_of(
    content: Any = "done", *, name: str = "Bash", details: Any = None, **fields: Any
) -> Result:
    answer = user(2, 1, [gets("t1", content, **fields)], toolUseResult=details)
    (step,) = steps_of(agent(1, 0, calls("t1", name)), answer)
    return step.results[0]


def test_a_result_joins_its_call_and_ends_the_step() -> None:
    (step,) = steps_of(agent(1, 0, calls("t1"), calls("t2")), user(5, 1, [gets("t2", "two")]),
                       user(4, 5, [gets("t1", "one")]))  # fmt: skip
    assert [(result.call_uid, result.text) for result in step.results] == [
        ("t1", "one"),
        ("t2", "two"),
    ]
    assert step.t_start is not None
    assert step.t_end is not None
    assert (step.t_end - step.t_start).total_seconds() == 4
    assert (step.status, step.raw_refs) == ("ok", (1, 2, 3))


def test_of_calls_with_one_id_the_first_that_waits_is_answered() -> None:
    first, second = steps_of(
        agent(1, 0, calls("t1")),
        user(2, 1, [gets("t1", "one")]),
        agent(3, 2, calls("t1")),
        user(4, 3, [gets("t1", "two")]),
        user(5, 4, [gets("t1", "three")]),
    )
    assert [result.text for result in first.results] == ["one"]
    assert [result.text for result in second.results] == ["three"]


def test_a_result_without_a_call_is_a_step_and_noted() -> None:
    records = lines(user(0, None, "hi"), user(1, 0, [gets("gone", "x"), says_text("and")]))
    runs, notices = read_claude(records)
    notice: Notice = notices[0]
    assert (notice.code, notice.position) == ("orphan-result", "log.jsonl:2")
    assert "'gone'" in notice.message or "gone" in notice.message
    kinds = [(step.kind, step.uid, step.native_ids) for step in runs[0].steps]
    assert kinds == [
        ("user", "u0", {}),
        ("user", "u1", {}),
        ("tool_env", "u1.r", {"tool_call_id": "gone"}),
    ]


def says_text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def test_what_stands_beside_the_content_is_kept_if_it_is_short() -> None:
    details = {"exitCode": 3, "stdout": "x" * 500, "empty": "", "kind": "bash"}
    result = result_of("boom", details=details)
    assert result.exit_code == 3
    assert result.extra == {"toolUseResult": {"exitCode": 3, "kind": "bash"}}
    assert result_of(details={"exit_code": 4}).exit_code == 4
    assert result_of("exit code: 5").exit_code == 5
    assert result_of(details="text").extra == {}


@pytest.mark.parametrize(("n_bytes", "is_kept"), [(400, True), (401, False)])
def test_details_are_short_up_to_four_hundred_bytes(n_bytes: int, *, is_kept: bool) -> None:
    result = result_of(details={"note": "x" * (n_bytes - 2)})
    assert bool(result.extra) is is_kept


def test_details_belong_to_the_first_result_of_a_record() -> None:
    answers = user(2, 1, [gets("t1", "a"), gets("t2", "b")], toolUseResult={"truncated": True})
    (step,) = steps_of(agent(1, 0, calls("t1"), calls("t2")), answers)
    assert [result.truncated for result in step.results] == [True, False]


@pytest.mark.parametrize(("name", "is_error"), [("Bash", True), ("Read", None), ("Grep", None)])
def test_the_text_of_a_tool_that_quotes_files_is_no_sign_of_failure(
    name: str,
    is_error: bool | None,  # noqa: FBT001
) -> None:
    text = "Traceback (most recent call last):\nValueError: x"
    assert result_of(text, name=name).is_error is is_error
    assert result_of(text, name=name, is_error=True).is_error is True


def test_a_subagent_is_known_by_the_agent_in_the_details() -> None:
    assert result_of(details={"agentId": "a1"}, name="Task").child_trajectory_id == "sess/a1"
    assert result_of(name="Task").child_trajectory_id is None


SAVED = (
    "<persisted-output>\nOutput too large (58KB). Full output saved to: {}\n\n"
    "Preview (first 2KB):\nrow 0"
)
TOO_LONG = (
    "Error: result (999,999 characters) exceeds maximum. Output has been saved to {}.\nFormat: JSON"
)


@pytest.mark.parametrize("told", [SAVED, TOO_LONG])
@pytest.mark.parametrize("path", ["/a b/s/tool-results/t1.txt", "C:\\s\\tool-results\\t1.txt"])
@pytest.mark.parametrize("is_block", [False, True])
def test_an_output_kept_in_a_file_is_the_result(told: str, path: str, *, is_block: bool) -> None:
    text = told.format(path)
    content = [says_text(text)] if is_block else text
    records = lines(
        user(0, None, "hi"), agent(1, 0, calls("t1")), user(2, 1, [gets("t1", content)])
    )
    runs, notices = read_claude(records, sidecar={"outputs": {"t1.txt": "row 0\nrow 9"}})
    assert runs[0].steps[1].results[0].text == "row 0\nrow 9"
    assert runs[0].steps[1].results[0].is_error is None
    assert notices == []


def test_an_output_that_is_not_beside_the_log_is_noted() -> None:
    text = SAVED.format("/s/tool-results/t2.txt")
    records = lines(user(0, None, "hi"), agent(1, 0, calls("t1")), user(2, 1, [gets("t1", text)]))
    runs, notices = read_claude(records, sidecar={"outputs": {"t1.txt": "row 9"}})
    assert "row 0" in runs[0].steps[1].results[0].text
    assert [(notice.code, notice.position) for notice in notices] == [
        ("missing-output", "log.jsonl:3")
    ]


def test_a_result_that_only_names_such_a_file_is_left_as_it_is() -> None:
    text = "total 1\nsaved to: /s/tool-results/t1.txt"
    records = lines(user(0, None, "hi"), agent(1, 0, calls("t1")), user(2, 1, [gets("t1", text)]))
    runs, _ = read_claude(records, sidecar={"outputs": {"t1.txt": "row 9"}})
    assert runs[0].steps[1].results[0].text == text
