"""What is read of a step's texts: any text is accepted, and only so much of it is looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.reading import faults_in, head_and_tail, read_call, results_read
from stepwell.trajectory.model import Call, Result


def call(value: object, name: str = "action") -> Call:
    return Call(uid="c", name=name, args={"_value": value})


@pytest.mark.parametrize(
    ("written", "tool", "args"),
    [
        ('search({"query": "tide tables"})', "search", {"query": "tide tables"}),
        ('edit: {"path": "a.py"}', "edit", {"path": "a.py"}),
        ('edit {"path": "a.py"}', "edit", {"path": "a.py"}),
        ("run_shell: ls -la", "run_shell", {}),
        ("walk to the pier 2", "walk", {}),
        ('search({"query": ', "search", {}),
        ("search([1, 2])", "search", {}),
    ],
)
def test_a_call_written_as_text_is_told_apart(
    written: str, tool: str, args: dict[str, object]
) -> None:
    spoken = read_call(call(written))
    assert (spoken.tool, spoken.args) == (tool, args)


def test_a_call_with_arguments_keeps_its_name() -> None:
    spoken = read_call(Call(uid="c", name="grep", args={"pattern": "tide", "limit": 3}))
    assert (spoken.tool, spoken.args["limit"], spoken.said) == ("grep", 3, "tide")


@given(st.text(), st.text())
def test_any_call_is_read(name: str, written: str) -> None:
    assert len(read_call(call(written, name)).text) <= len(written) + 1
    read_call(Call(uid="c", name=name, args={name: written}))
    read_call(Call(uid="c", name=name, args=None, args_raw=written, args_valid=False))


def test_deep_and_huge_arguments_are_text() -> None:
    assert read_call(call("f: " + '{"a":' * 5_000)).args == {}
    assert read_call(call('f: {"a": "' + "x" * 1_000_000 + '"}')).args == {}


def test_head_and_tail_are_read_of_a_long_text() -> None:
    read = head_and_tail("head " + "x" * 1_000_000 + " tail")
    assert (read[:4], read[-4:]) == ("head", "tail")
    assert len(read) < 3_000


def test_what_this_memory_returned_is_not_read() -> None:
    result = Result(call_uid="c", text="new\nValueError: old", recalled=((4, 19),))
    assert results_read(result) == "new\n"


@pytest.mark.parametrize(
    ("text", "is_error", "found"),
    [
        ("x\nValueError: no such port\n", None, [("ValueError", "ValueError: no such port")]),
        ("json.decoder.JSONDecodeError: Expecting", None, None),
        ("error: pathspec unknown", None, [("", "error: pathspec unknown")]),
        ("12 passed, 0 failed", None, []),
        ("raise ValueError(x)\nexcept KeyError:", None, []),
        ("bash: foo: command not found", True, [("", "bash: foo: command not found")]),
        ("it went wrong", True, [("", "it went wrong")]),
        ("error: but it is fine", False, []),
    ],
)
def test_faults_are_what_reports_them(
    text: str, *, is_error: bool | None, found: list[tuple[str, str]] | None
) -> None:
    faults = [(fault.name, fault.line) for fault in faults_in(text, is_error=is_error)]
    assert faults == found if found is not None else faults[0][0] == "JSONDecodeError"


@given(text=st.text(), is_error=st.sampled_from([True, False, None]))
def test_faults_are_verbatim(text: str, *, is_error: bool | None) -> None:
    assert all(fault.line in text for fault in faults_in(text, is_error=is_error))
