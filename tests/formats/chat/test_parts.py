"""Messages that keep what they say in parts, as Vercel, Gemini, Bedrock and OTel write them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.chat.anthropic_messages import chat_messages
from stepwell.formats.read import read_bytes


def steps_of(*messages: Any) -> list[tuple[str, str, list[Any], list[str]]]:
    (bundle,) = read_bytes(json.dumps(messages).encode(), uri="chat.json").bundles
    return [
        (step.kind, step.message, [(c.name, c.args) for c in step.calls],
         [result.text for result in step.results])
        for step in bundle.trajectory.steps
    ]  # fmt: skip


CALLED = [("read", {"path": "a"})]
VERCEL = {"toolCallId": "c1", "input": {"path": "a"}, "output": "42", "state": "output-available"}
INVOCATION = {"toolCallId": "c1", "toolName": "read", "args": {"path": "a"}, "result": "42"}


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool-read"} | VERCEL,
        {"type": "dynamic-tool", "toolName": "read"} | VERCEL,
        {"type": "tool-invocation", "toolInvocation": INVOCATION},
    ],
)
def test_a_vercel_part_is_a_call_with_its_result(part: dict[str, Any]) -> None:
    said = {"type": "text", "text": "It is 42."}
    message = {"role": "assistant", "parts": [{"type": "step-start"}, part, said]}
    assert steps_of(message) == [("agent", "It is 42.", CALLED, ["42"])]


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ({"functionCall": {"name": "read", "args": {"path": "a"}}},
         {"functionResponse": {"name": "read", "response": {"output": "42"}}}),
        ({"type": "tool_call", "id": "c1", "name": "read", "arguments": {"path": "a"}},
         {"type": "tool_call_response", "id": "c1", "response": "42"}),
        ({"toolUse": {"toolUseId": "c1", "name": "read", "input": {"path": "a"}}},
         {"toolResult": {"toolUseId": "c1", "content": [{"text": "42"}], "status": "success"}}),
        ({"type": "tool-call", "toolCallId": "c1", "toolName": "read", "input": {"path": "a"}},
         {"type": "tool-result", "toolCallId": "c1", "output": {"type": "text", "value": "42"}}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["parts", "content"])
def test_calls_and_results_of_each_dialect_are_joined(call: Any, answer: Any, field: str) -> None:
    messages = (
        {"role": "user", field: [{"text": "What is in a?"}]},
        {"role": "Model", field: [{"text": "I look."}, call]},
        {"role": "user", field: [answer]},
    )
    assert steps_of(*messages) == [
        ("user", "What is in a?", [], []),
        ("agent", "I look.", CALLED, ["42"]),
    ]


def test_each_inference_of_a_message_is_a_step() -> None:
    start = {"type": "step-start"}
    part = {"type": "tool-read"} | VERCEL
    message = {"role": "assistant", "parts": [start, part, start, {"type": "text", "text": "42."}]}
    assert steps_of(message) == [("agent", "", CALLED, ["42"]), ("agent", "42.", [], [])]


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool-read", "toolCallId": "c1", "errorText": "no file", "input": {}},
        {"type": "tool-result", "output": {"type": "error-text", "value": "no file"}},
        {"functionResponse": {"name": "read", "response": {"error": "no file"}}},
        {"toolResult": {"toolUseId": "c1", "content": [{"text": "no file"}], "status": "error"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no file"}},
    ],
)
def test_a_result_that_says_so_failed(part: dict[str, Any]) -> None:
    data = json.dumps([{"role": "assistant", "parts": [part]}]).encode()
    (step,) = read_bytes(data, uri="x.json").bundles[0].trajectory.steps
    assert (step.results[0].text, step.results[0].is_error) == ("no file", True)


def test_code_that_ran_is_the_argument_of_its_call() -> None:
    code = {"executableCode": {"language": "PYTHON", "code": "print(42)"}}
    ran = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42"}}
    assert steps_of({"role": "model", "parts": [code, ran]}) == [
        ("agent", "", [("code", {"language": "PYTHON", "code": "print(42)"})], ["42"])
    ]


def test_thoughts_and_files_among_parts_are_told_apart() -> None:
    parts = [
        {"text": "I wonder.", "thought": True},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        {"type": "file", "mediaType": "image/png", "url": "https://a.test/x.png"},
        {"type": "text", "content": "said"},
    ]
    data = json.dumps([{"role": "model", "parts": parts}]).encode()
    (step,) = read_bytes(data, uri="x.json").bundles[0].trajectory.steps
    assert step.thought == "I wonder."
    assert step.message == (
        "[image image/png 3 B sha256:709e80c88487]\n[image https://a.test/x.png]\nsaid"
    )


def test_a_content_that_repeats_its_parts_is_said_once_and_another_is_kept() -> None:
    parts = [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}]
    said = [{"role": "user", "content": content, "parts": parts} for content in ("one two", "six")]
    assert [step[1] for step in steps_of(*said)] == ["one \ntwo", "six\none \ntwo"]


def test_a_message_with_a_bare_text_is_read() -> None:
    assert steps_of({"role": "user", "text": "hi"}) == [("user", "hi", [], [])]


@pytest.mark.parametrize("role", ["USER", "User", " user "])
def test_a_role_is_read_in_any_case(role: str) -> None:
    assert steps_of({"role": role, "content": "hi"}) == [("user", "hi", [], [])]
    (answer,) = chat_messages({"role": "TOOL", "content": "42"})
    assert answer["role"] == "tool"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["type", "text", "value", "output"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_names = st.sampled_from(
    ["type", "text", "functionCall", "functionResponse", "toolInvocation", "output", "errorText"]
)
_kinds = st.sampled_from(["text", "tool-x", "tool-invocation", "dynamic-tool", "new", "tool-call"])


@given(
    st.lists(
        st.dictionaries(_names, _json, max_size=4)
        | st.builds(
            lambda part, kind: part | {"type": kind}, st.dictionaries(_names, _json), _kinds
        ),
        max_size=4,
    ),
    st.text("xyz", min_size=1, max_size=5),
)
def test_no_typed_text_among_strange_parts_vanishes(parts: list[Any], typed: str) -> None:
    message = {"role": "user", "parts": [*parts, {"type": "text", "text": f"<{typed}>"}]}
    said = [text for _, text, _, _ in steps_of(message)]
    assert any(f"<{typed}>" in text for text in said)
