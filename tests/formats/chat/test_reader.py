from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.base import Notes
from stepwell.formats.chat.reader import OpenAIChat
from stepwell.formats.files.decode import decode
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.formats.base import Bundle
    from stepwell.trajectory.model import Notice, Trajectory


def read_bytes(data: bytes, uri: str = "chat.json") -> tuple[list[Bundle], list[Notice]]:
    notes = Notes(uri)
    bundles = list(OpenAIChat().read(decode(data, notes=notes), notes))
    return bundles, notes.notices


def read(value: Any) -> Trajectory:
    bundles, _ = read_bytes(json.dumps(value).encode())
    (bundle,) = bundles
    return bundle.trajectory


def call(name: str, arguments: Any, call_id: Any = "c1") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def asks(*calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)} | fields


def answers(content: Any, call_id: Any = "c1", **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content} | fields


def kinds(run: Trajectory) -> list[str]:
    return [step.kind for step in run.steps]


def test_messages_become_steps_and_results_join_their_calls() -> None:
    run = read(
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is in a.txt?"},
            asks(call("read", '{"path": "a.txt"}'), reasoning_content="I must look."),
            answers("42"),
            {"role": "assistant", "content": "It says 42."},
        ]
    )
    assert kinds(run) == ["system", "user", "agent", "agent"]
    step = run.steps[2]
    assert step.thought == "I must look."
    assert step.calls[0].args == {"path": "a.txt"}
    assert step.calls[0].native_id == "c1"
    assert step.results[0].call_uid == step.calls[0].uid
    assert step.results[0].text == "42"
    assert step.status == "ok"
    assert [atom.part for atom in atoms_of(step)] == ["t", "c1", "o1"]


HI = {"role": "user", "content": "hi"}
YO = {"role": "assistant", "content": "yo"}
RESPONSE = {"choices": [{"message": YO}]}


@pytest.mark.parametrize(
    "values",
    [
        [[HI, YO]],
        [{"messages": [HI, YO]}],
        [HI, YO],
        [{"messages": [HI], "response": RESPONSE}],
        [{"messages": [HI]} | RESPONSE],
        [{"request": {"messages": [HI]}, "response": RESPONSE}],
        [[{"messages": [HI, YO]}]],
    ],
)
def test_every_wrapping_gives_the_same_steps(values: list[Any]) -> None:
    data = b"\n".join(json.dumps(value).encode() for value in values)
    source = decode(data, notes=Notes("chat.json"))
    assert OpenAIChat().sniff(source) == pytest.approx(0.6)
    (bundle,), notices = read_bytes(data)
    run = bundle.trajectory
    assert [step.message for step in run.steps] == ["hi", "yo"]
    assert notices == []
    for step in run.steps:
        (ref,) = step.raw_refs
        assert step.message.encode() in run.raw_records[ref].raw


def test_a_raw_record_names_its_line_or_pointer() -> None:
    (bundle,), _ = read_bytes(b'{"messages": [{"role": "user", "content": "hi"}]}')
    assert [record.position for record in bundle.trajectory.raw_records] == ["/messages/0"]
    (bundle,), _ = read_bytes(b'{"role": "user"}\n{"role": "assistant"}\n')
    assert [record.position for record in bundle.trajectory.raw_records] == ["line:1", "line:2"]


def test_lines_and_documents_are_one_trajectory_each() -> None:
    line = json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode()
    bundles, _ = read_bytes(line + b"\n" + line + b"\n", "logs/calls.jsonl")
    first, second = (bundle.trajectory.trajectory_id for bundle in bundles)
    assert first.startswith("calls-")
    assert second == f"{first}#1"
    bundles, _ = read_bytes(line + b"\n", "other/calls.jsonl")
    assert bundles[0].trajectory.trajectory_id != first


def test_a_document_names_its_trajectory_and_session() -> None:
    assert read({"id": "run-1", "messages": []}).trajectory_id == "run-1"
    run = read({"session_id": "s", "metadata": {"trace_id": "t"}, "messages": []})
    assert (run.trajectory_id, run.session_id) == ("s", "s")
    pair = [{"id": "x", "messages": [{"role": "user", "content": str(n)}]} for n in range(2)]
    bundles, _ = read_bytes(json.dumps(pair).encode())
    assert [bundle.trajectory.trajectory_id for bundle in bundles] == ["x", "x#1"]


def test_a_logged_response_brings_its_usage_model_cost_and_time() -> None:
    run = read(
        {
            "messages": [{"role": "user", "content": "hi"}],
            "tools": [{"type": "function", "function": {"name": "look"}}],
            "response": {
                "id": "chatcmpl-1",
                "created": 1767607201,
                "model": "m-1",
                "choices": [{"finish_reason": "stop", "message": {"content": "yo"}}],
                "usage": {
                    "prompt_tokens": 9,
                    "completion_tokens": 3,
                    "prompt_tokens_details": {"cached_tokens": 4},
                    "completion_tokens_details": {"reasoning_tokens": 2},
                },
            },
            "cost": 0.5,
            "latency_sec": 2.0,
        }
    )
    step = run.steps[1]
    assert step.kind == "agent"
    assert step.metrics is not None
    assert (step.metrics.prompt_tokens, step.metrics.completion_tokens) == (9, 3)
    assert (step.metrics.cached_tokens, step.metrics.reasoning_tokens) == (4, 2)
    assert step.metrics.cost_usd == pytest.approx(0.5)
    assert step.model == "m-1"
    assert step.t_start is not None
    assert step.t_start.isoformat() == "2026-01-05T10:00:01+00:00"
    assert step.native_ids == {"message_id": "chatcmpl-1"}
    assert run.agent.tool_definitions[0]["function"] == {"name": "look"}
    assert run.extra["latency_sec"] == pytest.approx(2.0)


def test_a_response_that_is_among_the_messages_is_not_repeated() -> None:
    yo = {"role": "assistant", "content": "yo"}
    log = {"messages": [{"role": "user", "content": "hi"}, yo], "choices": [{"message": yo}]}
    assert len(read(log).steps) == 2


def test_one_id_for_every_call_pairs_each_result_with_the_call_before_it() -> None:
    messages = []
    for number in range(4):
        messages += [
            asks(call("sh", f'{{"n": {number}}}', "call_0")),
            answers(f"r{number}", "call_0"),
        ]
    run = read(messages)
    assert [step.results[0].text for step in run.steps] == ["r0", "r1", "r2", "r3"]
    assert len({step.calls[0].uid for step in run.steps}) == 4
    assert all(len(step.results) == 1 for step in run.steps)


def test_results_without_ids_pair_by_name_and_by_order() -> None:
    run = read(
        [
            asks(call("search", "{}", ""), call("search", "{}", None), call("fetch", "{}", None)),
            answers("page", None, name="fetch"),
            answers("hits x", ""),
            answers("hits y", None),
        ]
    )
    (step,) = run.steps
    assert [result.text for result in step.results] == ["hits x", "hits y", "page"]
    assert [result.call_uid for result in step.results] == [each.uid for each in step.calls]


def test_parallel_results_in_any_order_stand_in_the_order_of_the_calls() -> None:
    run = read(
        [
            asks(call("a", "{}", "1"), call("b", "{}", "2")),
            answers("second", "2"),
            answers("first", "1"),
        ]
    )
    assert [result.text for result in run.steps[0].results] == ["first", "second"]


def test_a_second_result_of_a_call_is_kept_beside_the_first() -> None:
    run = read([asks(call("a", "{}")), answers("part one"), answers("part two")])
    assert [result.text for result in run.steps[0].results] == ["part one", "part two"]


def test_a_result_of_an_unknown_call_is_a_step_of_the_environment() -> None:
    value = [asks(call("a", "{}", "1")), answers("late", "gone"), {"role": "user", "content": "?"}]
    bundles, notices = read_bytes(json.dumps(value).encode())
    run = bundles[0].trajectory
    assert kinds(run) == ["agent", "tool_env", "user"]
    step = run.steps[1]
    assert step.results[0].call_uid is None
    assert step.results[0].text == "late"
    assert step.native_ids == {"tool_call_id": "gone"}
    assert run.steps[0].results == ()
    assert [(note.code, note.position) for note in notices] == [("orphan-result", "chat.json#/1")]


def test_calls_without_results_are_interrupted_at_the_end_and_missing_before() -> None:
    run = read([asks(call("a", "{}")), {"role": "user", "content": "go on"}, asks(call("b", "{}"))])
    assert [step.status for step in run.steps] == ["missing", "ok", "interrupted"]


def test_legacy_function_calls_pair_by_name() -> None:
    run = read(
        [
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": "{}"},
            },
            {"role": "function", "name": "f", "content": "done"},
        ]
    )
    (step,) = run.steps
    assert step.calls[0].name == "f"
    assert step.results[0].text == "done"


@pytest.mark.parametrize(
    ("arguments", "args", "is_valid"),
    [
        ('{"a": 1}', {"a": 1}, True),
        ("null", {}, True),
        (None, {}, True),
        ("[1, 2]", {"_value": [1, 2]}, True),
        ('"ls -la"', {"_value": "ls -la"}, True),
        ("42", {"_value": 42}, True),
        ({"already": "there"}, {"already": "there"}, True),
        ("", None, False),
        ('{"path": "notes.md", "text": "cut he', None, False),
        ("{'pattern': 'x', 'ci': True}", None, False),
        ('{"cmd": "echo "hi""}', None, False),
    ],
)
def test_arguments_are_read_as_far_as_they_can_be(
    arguments: Any, args: Any, *, is_valid: bool
) -> None:
    step = read([asks(call("f", arguments))]).steps[0]
    (found,) = step.calls
    assert found.args == args
    assert found.args_valid is is_valid
    assert found.args_raw == (arguments if isinstance(arguments, str) else "")


def test_bad_arguments_stay_searchable_and_are_noted() -> None:
    bundles, notices = read_bytes(json.dumps([asks(call("w", '{"path": "notes.md"'))]).encode())
    (atom,) = atoms_of(bundles[0].trajectory.steps[0])
    assert "notes.md" in atom.text
    assert [note.code for note in notices] == ["bad-arguments"]


def test_empty_turns_keep_their_position_and_hold_nothing() -> None:
    run = read(
        [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": ""},
            {"role": "assistant", "content": []},
            {"role": "assistant"},
            {"role": "assistant", "content": [{"type": "text", "text": ""}]},
            {"role": "assistant", "content": "Hello!"},
        ]
    )
    assert [step.message for step in run.steps] == ["hi", "", "", "", "", "Hello!"]
    assert [atoms_of(step) for step in run.steps[1:5]] == [(), (), (), ()]


def test_equal_turns_are_all_kept() -> None:
    messages = [{"role": "user", "content": "continue"}, {"role": "assistant", "content": "Done."}]
    assert len(read(messages * 3).steps) == 6


def test_all_text_of_all_part_types_is_found() -> None:
    run = read(
        [
            {
                "role": "user",
                "content": [
                    "bare",
                    {"type": "text", "text": "plain"},
                    {"type": "input_text", "text": "response"},
                    {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}},
                    {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
                    {"type": "file", "file": {"file_id": "file-1"}},
                    {"type": "new_part", "payload": 1},
                    None,
                ],
            },
            {"role": "assistant", "content": {"type": "text", "text": "from an object"}},
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "cannot"}]},
            {"role": "assistant", "content": None, "refusal": "will not"},
            answers({"rows": 3}, "q"),
        ]
    )
    lines = run.steps[0].message.split("\n")
    assert lines[:3] == ["bare", "plain", "response"]
    assert "https://example.test/a.png" in lines[3]
    assert "audio/wav" in lines[4]
    assert "file-1" in lines[5]
    assert lines[6:] == ["[part:new_part]"]
    assert run.steps[0].parts[6].data == {"type": "new_part", "payload": 1}
    assert [step.message for step in run.steps[1:4]] == ["from an object", "cannot", "will not"]
    assert run.steps[4].results[0].text == '{"rows": 3}'


def test_reasoning_in_the_content_is_thought_and_not_message() -> None:
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}]
    (step,) = read([{"role": "assistant", "content": content}]).steps
    assert (step.thought, step.message) == ("hm", "yes")


def test_text_the_harness_put_in_is_no_word_of_the_user() -> None:
    run = read(
        [
            {"role": "user", "content": "<system-reminder>\nMonday.\n</system-reminder>"},
            {"role": "user", "content": "<command-name>/clear</command-name>"},
            {"role": "user", "content": "I prefer aisle seats."},
        ]
    )
    assert kinds(run) == ["context", "context", "user"]


def test_escapes_and_controls_are_cleaned_and_the_original_is_kept() -> None:
    raw = "\x1b[31mFAIL\x1b[0m a.py\r\n0%\r99%\rdone \x00"
    run = read([asks(call("sh", "{}")), answers(raw)])
    (result,) = run.steps[0].results
    assert result.text == "FAIL a.py\ndone \u2400"
    assert result.parts[0].text == raw


def test_a_value_that_is_no_message_is_skipped_alone() -> None:
    value = {"messages": [{"role": "user", "content": "hi"}, 3, {"content": "who?"}, None]}
    bundles, notices = read_bytes(json.dumps(value).encode())
    assert len(bundles[0].trajectory.steps) == 1
    assert [(note.code, note.effect) for note in notices] == [("not-a-message", "skipped")] * 3


def test_other_formats_are_left_to_their_readers() -> None:
    blocks = {"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}
    for value, expected in (
        (blocks, 0.3),
        ({"steps": []}, 0.0),
        ({"messages": []}, 0.2),
        ([{"role": "user", "body": "hi"}], 0.0),
        ([{"role": "user", "body": "hi"}, {"role": "user", "text": "hi"}], 0.6),
        ([], 0.0),
    ):
        source = decode(json.dumps(value).encode(), notes=Notes("x"))
        assert OpenAIChat().sniff(source) == pytest.approx(expected)


def test_no_tool_s_name_and_no_text_tells_that_a_memory_recalled() -> None:
    run = read(
        [
            {"role": "user", "content": '<evidence source="stepwell">x</evidence>'},
            asks(call("mcp__stepwell__recall", "{}")),
            answers("[s3] The port is 8443."),
        ]
    )
    assert kinds(run) == ["user", "agent"]
    assert not any(step.is_copied_context for step in run.steps)
    assert run.steps[1].results[0].extra == {}


def test_words_of_the_user_beside_words_of_the_harness_are_told_apart() -> None:
    said = "Fix it.\n<system-reminder>Be brief.</system-reminder>"
    (step,) = read([{"role": "user", "content": said}]).steps
    assert (step.kind, step.message) == ("user", "Fix it.")
    assert step.parts[0].text == said


def test_media_in_messages_and_arguments_are_set_aside() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    value = [
        {"role": "user", "content": [{"type": "text", "text": "look"}, image]},
        asks(call("show", '{"src": "data:image/gif;base64,R0lGODlh"}')),
        answers([image]),
    ]
    (bundle,), _ = read_bytes(json.dumps(value).encode())
    user, agent = bundle.trajectory.steps
    assert {blob.media_type for blob in bundle.blobs} == {"image/png", "image/gif"}
    assert user.message.startswith("look\n[image image/png 8 B sha256:")
    assert agent.results[0].parts[0].media is not None
    assert agent.calls[0].args is not None
    assert agent.calls[0].args["src"].startswith("[image image/gif 6 B")
    assert "base64" not in repr(bundle.trajectory.steps)


def test_anthropic_blocks_are_calls_and_results_of_chat_messages() -> None:
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "1", "is_error": True}
    orphan = {"type": "tool_result", "tool_use_id": "gone", "content": "late"}
    run = read(
        {
            "system": "Be brief.",
            "messages": [
                {"role": "assistant", "content": [use]},
                {"role": "user", "content": [result, orphan, {"type": "text", "text": "hm"}]},
            ],
        }
    )
    assert kinds(run) == ["system", "agent", "tool_env", "user"]
    assert run.steps[1].calls[0].args == {"x": 1}
    assert run.steps[1].results[0].is_error is True
    assert [run.raw_records[step.raw_refs[-1]].position for step in run.steps] == [
        "/system",
        "/messages/1",
        "/messages/1",
        "/messages/1",
    ]


def test_a_message_one_level_down_is_found() -> None:
    (step,) = read(
        [{"role": "user", "message": {"content": [{"type": "text", "text": "hi"}]}}]
    ).steps
    assert (step.kind, step.message) == ("user", "hi")


TEXT = st.text(max_size=20)
IDS = st.sampled_from(["a", "b", "", None])
MESSAGE = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "system", "odd"]), "content": TEXT}),
    st.builds(asks, st.builds(call, TEXT, TEXT, IDS), st.builds(call, TEXT, TEXT, IDS)),
    st.builds(answers, TEXT, IDS),
)


@given(st.lists(MESSAGE, max_size=12))
def test_no_message_is_lost_and_every_result_has_its_own_call(messages: list[Any]) -> None:
    steps = read({"messages": messages}).steps
    results = [result for step in steps for result in step.results]
    answered = sum(message["role"] == "tool" for message in messages)
    assert len(results) == answered
    assert len(steps) == len(messages) - sum(r.call_uid is not None for r in results)
    assert [step.index for step in steps] == list(range(len(steps)))
    assert sorted(ref for step in steps for ref in step.raw_refs) == list(range(len(messages)))
    for step in steps:
        own = {each.uid for each in step.calls} | {None}
        assert {result.call_uid for result in step.results} <= own


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "text", "tool_calls", "id", "function"])
            | st.sampled_from(
                ["name", "arguments", "image_url", "url", "data", "usage", "timestamp"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.lists(ODD | ODD.map(lambda value: {"role": "user", "content": value}), max_size=5))
def test_no_shape_of_a_message_raises(messages: list[Any]) -> None:
    bundles, _ = read_bytes(json.dumps({"messages": messages}).encode())
    assert len(bundles) == 1


def read_file(path: Path) -> list[Bundle]:
    bundles, notices = read_bytes(path.read_bytes(), path.name)
    assert {note.effect for note in notices} <= {"warning", "repaired"}
    return bundles


def test_real_logs_read_whole(shared_dir: Path) -> None:
    paths = sorted((shared_dir / "formats" / "samples" / "openai-chat").glob("*.json"))
    for path in paths:
        (bundle,) = read_file(path)
        steps = bundle.trajectory.steps
        assert len(steps) > 1
        assert all(step.status == "ok" for step in steps[:-1])
        assert all(step.raw_refs for step in steps)
    assert len(paths) == 6


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("07-empty-assistant-turns", "user agent agent agent agent"),
        ("12-nul-and-control-bytes", "user agent"),
        ("15-observation-crlf-and-cr", "user tool_env"),
        ("32-genuine-repeats", "user agent user agent user agent"),
        ("43-call-id-reused-across-turns", "user agent agent agent agent"),
        ("45-missing-call-ids", "agent"),
        ("46-arguments-bad-json", "agent"),
        ("47-arguments-not-object", "agent"),
        ("48-null-content", "user agent agent agent"),
        ("49-content-part-zoo", "user agent agent tool_env tool_env"),
        ("51-error-flag-zoo", " ".join(["tool_env"] * 7)),
        ("65-injected-context-as-user", "context context context context user"),
        ("70-nan-infinity", "user agent"),
        ("71-deep-nesting", "tool_env"),
        ("80-ansi-and-progress", "tool_env"),
        ("81-secrets", "agent"),
        ("82-prompt-injection", "user tool_env agent user"),
        ("83-memory-feedback-loop", "user user agent agent"),
        ("90-cjk-mixed", "user agent"),
        ("91-rtl-bidi-zero-width", "user user tool_env tool_env"),
    ],
)
def test_nasty_logs_read_whole(shared_dir: Path, name: str, shape: str) -> None:
    (bundle,) = read_file(shared_dir / "formats" / "nasty" / f"{name}.json")
    assert kinds(bundle.trajectory) == shape.split()


def test_failure_is_heard_in_every_way_it_is_signalled(shared_dir: Path) -> None:
    (bundle,) = read_file(shared_dir / "formats" / "nasty" / "51-error-flag-zoo.json")
    heard = [step.results[0].is_error for step in bundle.trajectory.steps]
    assert heard == [True, True, False, True, False, True, True]


def test_documents_back_to_back_are_two_trajectories(shared_dir: Path) -> None:
    bundles = read_file(shared_dir / "formats" / "nasty" / "68-concatenated-pretty-json.json")
    assert [bundle.trajectory.steps[0].message for bundle in bundles] == ["one", "two"]
