"""ATIF steps as steps of the model; each violation of the format is noted where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.formats.atif.steps import atif_step, merged, split_extra, unknown_fields
from stepwell.formats.atif.writer import BLOCK
from stepwell.trajectory.model import Metrics, Step

CALL = {"tool_call_id": "a", "function_name": "ls", "arguments": {"path": "."}}


def read(**options: Any) -> tuple[Step, list[tuple[str, str]]]:
    notes: list[tuple[str, str]] = []
    given = {
        name: options.pop(name) for name in ("index", "is_exact", "is_last") if name in options
    }
    raw = {"step_id": 1, "source": "agent", "message": "hi"} | options
    raw = {name: value for name, value in raw.items() if value != "absent"}
    step, _ = atif_step(
        raw, index=given.pop("index", 0), note=lambda at, code, _: notes.append((at, code)), **given
    )
    return step, notes


@pytest.mark.parametrize(
    ("source", "kind", "actor", "is_legal"),
    [
        ("user", "user", "user", True),
        ("agent", "agent", "agent", True),
        ("system", "system", "harness", True),
        ("human", "user", "user", False),
        ("assistant", "agent", "agent", False),
        ("developer", "system", "harness", False),
        ("tool", "tool_env", "env", False),
        ("environment", "tool_env", "env", False),
        ("critic", "context", "harness", False),
        (None, "context", "harness", False),
    ],
)
def test_a_source_says_who_speaks(source: Any, kind: str, actor: str, *, is_legal: bool) -> None:
    step, notes = read(source=source)
    assert (step.kind, step.actor) == (kind, actor)
    assert notes == ([] if is_legal else [("/source", "illegal-source")])


@pytest.mark.parametrize(
    ("step_id", "index", "ids"),
    [
        (1, 0, None),
        (5, 4, None),
        (5, 0, {"step_id": "5"}),
        ("x", 0, {"step_id": "x"}),
        (0, 0, {"step_id": "0"}),
        ("absent", 0, {}),
    ],
)
def test_a_step_is_numbered_by_its_place(step_id: Any, index: int, ids: Any) -> None:
    step, notes = read(step_id=step_id, index=index)
    assert (step.index, step.uid, step.native_ids) == (index, f"s{index}", ids or {})
    assert notes == ([] if ids is None else [("/step_id", "step-renumbered")])


def test_fields_have_their_places() -> None:
    step, notes = read(
        timestamp="2026-03-01T09:00:00Z",
        model_name="toy",
        reasoning_content="hm\r\n",
        is_copied_context=True,
        metrics={"prompt_tokens": 5, "cost_usd": 0.5, "logprobs": [1], "extra": {"kept": 2}},
        reasoning_effort="high",
        llm_call_count=2,
        extra={"mine": 1},
    )
    assert notes == []
    assert (step.message, step.thought, step.model) == ("hi", "hm\n", "toy")
    assert (step.t_source, step.is_copied_context) == ("timestamp", True)
    assert step.metrics == Metrics(prompt_tokens=5, cost_usd=0.5)
    assert step.extra == {
        "mine": 1,
        "reasoning_effort": "high",
        "llm_call_count": 2,
        "metrics": {"logprobs": [1], "kept": 2},
    }


def test_a_time_that_is_none_is_noted() -> None:
    step, notes = read(timestamp="yesterday")
    assert (step.t_start, step.t_source) == (None, None)
    assert notes == [("/timestamp", "bad-time")]
    assert read()[1] == []


def test_a_field_that_atif_does_not_have_is_kept_and_noted() -> None:
    step, notes = read(colour="red", shape=None)
    assert step.extra == {"colour": "red"}
    assert notes == [("/colour", "unknown-field")]


def test_calls_and_results_are_tied_by_the_ids_of_the_source() -> None:
    step, notes = read(
        tool_calls=[CALL, CALL | {"tool_call_id": "b", "extra": {"x": 1}}],
        observation={
            "results": [
                {"source_call_id": "b", "content": "two"},
                {"source_call_id": "a", "content": "one"},
                {"content": "loose"},
            ]
        },
    )
    assert notes == []
    assert [(call.uid, call.native_id, call.name) for call in step.calls] == [
        ("s0.c1", "a", "ls"),
        ("s0.c2", "b", "ls"),
    ]
    assert [(result.call_uid, result.text) for result in step.results] == [
        ("s0.c2", "two"),
        ("s0.c1", "one"),
        (None, "loose"),
    ]
    assert step.extra == {"tool_call_extra": [None, {"x": 1}]}
    assert step.status == "ok"


def test_of_calls_with_one_id_the_first_is_answered() -> None:
    step, _ = read(
        tool_calls=[CALL, CALL], observation={"results": [{"source_call_id": "a", "content": "x"}]}
    )
    assert step.results[0].call_uid == "s0.c1"


@pytest.mark.parametrize(("is_last", "status"), [(True, "interrupted"), (False, "missing")])
def test_calls_without_results_depend_on_what_follows(status: str, *, is_last: bool) -> None:
    assert read(tool_calls=[CALL], is_last=is_last)[0].status == status


def test_what_is_no_call_or_result_is_left_out_and_noted() -> None:
    step, notes = read(
        tool_calls=[7, CALL | {"arguments": "ls", "colour": 1}],
        observation={"results": [7, {"source_call_id": "z", "content": "x", "shape": 2}]},
    )
    assert [call.uid for call in step.calls] == ["s0.c2"]
    assert notes == [
        ("/tool_calls/0", "not-a-call"),
        ("/tool_calls/1/colour", "unknown-field"),
        ("/tool_calls/1/arguments", "bad-arguments"),
        ("/observation/results/0", "not-a-result"),
        ("/observation/results/1/shape", "unknown-field"),
        ("/observation/results/1/source_call_id", "dangling-call"),
    ]
    assert step.results[0].call_uid is None
    assert step.results[0].extra == {"shape": 2, "source_call_id": "z"}


@pytest.mark.parametrize(
    ("refs", "child", "extra", "n_notes"),
    [
        ([{"trajectory_id": "t"}], "t", {}, 0),
        ([{"session_id": "s", "trajectory_path": "f"}], "s", "refs", 0),
        ([{"trajectory_id": "t"}, {"trajectory_id": "u"}], "t", "refs", 0),
        ([{"session_id": "s"}], "s", "refs", 1),
        ([{}, {}], None, "refs", 2),
        ([], None, {}, 0),
    ],
)
def test_a_result_may_refer_to_subagents(refs: Any, child: Any, extra: Any, n_notes: int) -> None:
    step, notes = read(observation={"results": [{"subagent_trajectory_ref": refs}]})
    (result,) = step.results
    assert result.child_trajectory_id == child
    assert result.extra == ({"subagent_trajectory_ref": refs} if extra == "refs" else extra)
    assert [code for _, code in notes] == ["vague-subagent"] * n_notes


def test_what_stepwell_wrote_is_read_without_guessing() -> None:
    step, notes = read(
        is_exact=True,
        tool_calls=[CALL],
        observation={"results": [{"source_call_id": "a", "content": "Error: exit code: 1"}]},
        extra={BLOCK: {"uid": "u9", "status": "missing", "index": 7}, "mine": 1},
    )
    assert notes == []
    assert (step.uid, step.status, step.index) == ("u9", "missing", 0)
    assert step.calls[0].uid == "a"
    assert step.results[0].call_uid == "a"
    assert (step.results[0].is_error, step.results[0].exit_code) == (None, None)
    assert step.extra == {"mine": 1}


def test_the_block_of_another_program_is_left_alone() -> None:
    step, _ = read(extra={BLOCK: {"uid": "u9"}})
    assert step.uid == "s0"
    assert step.extra == {BLOCK: {"uid": "u9"}}


def test_a_block_that_does_not_fit_is_noted_and_left_out() -> None:
    notes: list[tuple[str, str]] = []
    step = Step(index=0, uid="s0", kind="user", actor="user")
    same = merged(step, {"uid": ["no"]}, lambda at, code, _: notes.append((at, code)), "/steps/0")
    assert same is step
    assert notes == [(f"/steps/0/extra/{BLOCK}", "bad-block")]
    fit = merged(step, {"uid": "u1", "unheard": 1, "raw_refs": [1]}, lambda *_: None)
    assert (fit.uid, fit.raw_refs) == ("u1", ())


def test_an_extra_that_is_no_object_is_kept_and_noted() -> None:
    notes: list[tuple[str, str]] = []

    def note(pointer: str, code: str, message: str) -> None:
        assert message
        notes.append((pointer, code))

    assert split_extra({"extra": [1]}, note, "/a", is_exact=True) == ({"extra": [1]}, {})
    assert split_extra({}, note, is_exact=True) == ({}, {})
    assert unknown_fields({"a": 1, "b": 2, "c": None}, frozenset({"a"}), note, "/x") == {"b": 2}
    assert notes == [("/a/extra", "bad-extra"), ("/x/b", "unknown-field")]
