from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError, NotFoundError, UnknownFormatError
from stepwell.formats.read import IngestReport, read_bytes, read_path
from stepwell.formats.redaction import redact_values
from support.claude_logs import agent, calls, gets, lines, says, user

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.formats.read import FileRead

CHAT = json.dumps({"messages": [{"role": "user", "content": "hello"}]}).encode()
SESSION = lines(
    user(1, None, "Audit auth"),
    agent(2, 1, calls("T", "Agent", prompt="Find hashes")),
    user(3, 2, [gets("T", "MD5")]),
)
CHILD = lines(user(1, None, "Find hashes", isSidechain=True), agent(2, 1, says("MD5")))
LOGIN = json.loads('{"cmd": "login", "password": "hunter22"}')
SECRET = "AKIA" + "Q7" * 8


def messages(read: FileRead) -> list[str]:
    return [step.message for bundle in read.bundles for step in bundle.trajectory.steps]


def test_the_report_counts_what_was_read_and_what_was_not() -> None:
    data = lines(user(1, None, "a"), b'{"torn', agent(2, 1, says("b \ud83d")), b"7")
    read = read_bytes(data, uri="log.jsonl")
    report = read.report
    assert (report.format, report.trajectories, report.steps) == ("claude-code", 1, 2)
    assert (report.skipped, report.repaired, report.warnings) == (2, 1, 0)
    assert [notice.code for notice in report.notices] == [
        "broken-line",
        "lone-surrogate",
        "not-an-object",
    ]
    assert messages(read) == ["a", "b \ufffd"]


def test_reports_add_up_and_read_as_sentences() -> None:
    files = [
        read_bytes(lines(user(1, None, "a"), b'{"torn'), uri="a.jsonl").report,
        read_bytes(CHAT, uri="b.json").report,
        read_bytes(b"", uri="c.json").report,
    ]
    report = IngestReport(files=tuple(files))
    assert (report.trajectories, report.steps) == (2, 2)
    assert (report.skipped, report.repaired, report.warnings, report.redacted) == (1, 0, 1, 0)
    text = str(report)
    assert text.startswith("2 trajectories, 2 steps, 1 skipped, 1 warnings, from 3 files")
    assert "a.jsonl:2: " in text
    assert str(files[0]) == "a.jsonl: claude-code, 1 trajectories, 1 steps, 1 skipped"


def test_many_notices_are_summed_up() -> None:
    data = lines(user(1, None, "a"), *[b"{bad"] * 8)
    assert "3 more notices." in str(IngestReport(files=(read_bytes(data, uri="a").report,)))


def test_nothing_is_no_error_and_something_unknown_is() -> None:
    assert read_bytes(b"\n", uri="a.jsonl").bundles == ()
    for unknown in (b'{"a": 1}', b"no json at all", b"\x89PNG\r\n\x1a\n\0\0"):
        with pytest.raises(UnknownFormatError, match=r"a\.jsonl .* claude-code"):
            read_bytes(unknown, uri="a.jsonl")


def test_strict_names_the_first_notice_and_counts_the_others() -> None:
    data = lines(user(1, None, "a"), b"{bad", b"7", b"8")
    with pytest.raises(InvalidInputError, match=r"log\.jsonl:2: .*\(2 more notices"):
        read_bytes(data, uri="log.jsonl", strict=True)
    assert read_bytes(CHAT, uri="a.json", strict=True).report.steps == 1


def test_credentials_are_gone_from_texts_arguments_and_raw_records() -> None:
    data = lines(
        user(1, None, f"use {SECRET}"),
        agent(2, 1, calls("t1", **LOGIN), says("ok")),
        user(3, 2, [gets("t1", f"key {SECRET} port 8080")], toolUseResult={"key": SECRET}),
    )
    read = read_bytes(data, uri="log.jsonl")
    (bundle,) = read.bundles
    trajectory = bundle.trajectory
    assert SECRET not in repr(trajectory)
    assert "hunter22" not in repr(trajectory)
    assert trajectory.steps[0].message == "use [redacted:aws-key]"
    assert trajectory.steps[1].calls[0].args == {"cmd": "login", "password": "[redacted:password]"}
    assert trajectory.steps[1].results[0].text == "key [redacted:aws-key] port 8080"
    assert read.report.redacted == 4
    raw = trajectory.raw_records[0]
    assert raw.redacted
    assert raw.sha256 == sha256(data.split(b"\n")[0]).hexdigest()
    assert json.loads(raw.raw)["message"]["content"] == "use [redacted:aws-key]"


def test_credentials_stay_when_asked() -> None:
    read = read_bytes(lines(user(1, None, f"use {SECRET}")), uri="a", redact=False)
    assert messages(read) == [f"use {SECRET}"]
    assert not read.bundles[0].trajectory.raw_records[0].redacted


def test_what_holds_no_credential_is_the_same_object() -> None:
    (bundle,) = read_bytes(SESSION, uri="a").bundles
    assert redact_values(bundle.trajectory) == (bundle.trajectory, 0)
    assert redact_values(bundle.trajectory)[0] is bundle.trajectory


def test_credentials_are_gone_from_the_names_of_members() -> None:
    other = SECRET.replace("7", "8")
    table = {SECRET: {"owner": other}, other: f"like {SECRET}", "port": 8080}
    redacted, n = redact_values({"keys": table})
    assert redacted == {
        "keys": {
            "[redacted:aws-key]": {"owner": "[redacted:aws-key]"},
            "[redacted:aws-key] 1": "like [redacted:aws-key]",
            "port": 8080,
        }
    }
    assert n == 4


def test_a_value_nested_beyond_measure_is_left_out() -> None:
    value: Any = SECRET
    for _ in range(400):
        value = [value]
    assert SECRET not in repr(redact_values({"deep": value})[0])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "sess" / "subagents").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "sess.jsonl").write_bytes(SESSION)
    (tmp_path / "sess" / "subagents" / "agent-a1.jsonl").write_bytes(CHILD)
    (tmp_path / "sess" / "subagents" / "agent-a1.meta.json").write_text('{"toolUseId": "T"}')
    (tmp_path / "chat").write_bytes(CHAT)
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "notes.txt").write_text("no log")
    (tmp_path / ".git" / "x.json").write_bytes(CHAT)
    return tmp_path


def test_a_folder_is_read_file_by_file_and_strangers_are_counted(project: Path) -> None:
    seen: list[str] = []
    reads = list(read_path(project, progress=seen.append))
    names = [read.report.uri.rpartition("/")[2] for read in reads]
    assert names == ["chat", "other.json", "agent-a1.jsonl", "sess.jsonl"]
    assert seen == [read.report.uri for read in reads]
    assert [read.report.format for read in reads] == [
        "openai-chat",
        None,
        "claude-code",
        "claude-code",
    ]
    assert reads[1].report.skipped == 1
    assert reads[1].report.notices[0].code == "unknown-format"


def test_subagents_in_files_of_their_own_are_linked_both_ways(project: Path) -> None:
    runs = {
        bundle.trajectory.trajectory_id: bundle.trajectory
        for read in read_path(project)
        for bundle in read.bundles
    }
    child, parent = runs["sess/a1"], runs["sess"]
    assert (child.parent_trajectory_id, child.parent_call_uid) == ("sess", "T")
    assert parent.steps[1].results[0].child_trajectory_id == "sess/a1"


def test_a_single_file_that_nobody_knows_is_an_error(project: Path) -> None:
    with pytest.raises(UnknownFormatError):
        list(read_path(project / "other.json"))
    with pytest.raises(NotFoundError):
        list(read_path(project / "missing.json"))


def test_a_format_is_found_by_content_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_bytes(SESSION)
    (read,) = read_path(tmp_path / "log.json")
    assert read.report.format == "claude-code"


@given(st.binary(max_size=200) | st.text(alphabet='{}[]",:a1 \n\\u').map(str.encode))
def test_any_bytes_are_read_or_refused_on_purpose(data: bytes) -> None:
    with suppress(UnknownFormatError):
        assert read_bytes(data, uri="any").report.uri == "any"


GARBAGE = st.binary(max_size=30).filter(lambda raw: b"\n" not in raw)


@given(st.lists(st.tuples(st.integers(1, 3), GARBAGE), max_size=4))
def test_garbage_between_records_loses_no_step(garbage: list[tuple[int, bytes]]) -> None:
    rows = SESSION.splitlines()
    for at, raw in garbage:
        rows.insert(at, raw)
    read = read_bytes(b"\n".join(rows) + b"\n", uri="log.jsonl")
    assert messages(read) == ["Audit auth", ""]
    assert read.bundles[0].trajectory.steps[1].results[0].text == "MD5"


def test_real_logs_are_read(shared_dir: Path) -> None:
    nasty = shared_dir / "formats" / "nasty"
    reports = {read.report.uri.rpartition("/")[2][:2]: read.report for read in read_path(nasty)}
    assert {reports[number].steps for number in ("05", "06", "08")} == {0}
    assert (reports["01"].steps, reports["01"].skipped) == (4, 1)
    assert (reports["02"].steps, reports["02"].skipped) == (5, 1)
    assert (reports["10"].steps, reports["10"].repaired) == (3, 1)
    assert (reports["11"].steps, reports["11"].repaired) == (3, 1)
    assert (reports["13"].steps, len(reports["13"].notices)) == (5, 0)
    assert (reports["62"].steps, reports["68"].trajectories) == (2, 2)
    assert reports["81"].redacted == 6
    samples = IngestReport(
        files=tuple(r.report for r in read_path(shared_dir / "formats" / "samples" / "claude-code"))
    )
    assert {file.format for file in samples.files} == {"claude-code"}


def test_a_file_whose_name_is_not_utf_8_is_read_like_the_others(tmp_path: Path) -> None:
    log = b'[{"role": "user", "content": "hello"}]'
    for name in (b"\xff\xfe.json", b"\xfe.json", b"plain.json"):
        (tmp_path / os.fsdecode(name)).write_bytes(log)
    (tmp_path / os.fsdecode(b"agent-\xff.jsonl")).write_bytes(b'{"not": "a log"}')
    seen: list[str] = []
    read = list(read_path(tmp_path, progress=seen.append))
    assert [len(file.bundles) for file in read] == [0, 1, 1, 1]
    uris = [file.report.uri.removeprefix(f"{tmp_path}/") for file in read]
    assert uris == ["agent-\\xff.jsonl", "plain.json", "\\xfe.json", "\\xff\\xfe.json"]
    assert [file.report.uri for file in read] == seen
    ids = {bundle.trajectory.trajectory_id for file in read for bundle in file.bundles}
    assert len(ids) == 3
    assert all(name.isprintable() for name in ids)


def test_an_output_of_a_session_is_no_log_of_its_own(tmp_path: Path) -> None:
    chat = b'{"messages": [{"role": "user", "content": "Refund everything."}]}'
    output = tmp_path / "s1" / "tool-results" / "mail.json"
    output.parent.mkdir(parents=True)
    output.write_bytes(chat)
    (tmp_path / "s1.jsonl").write_bytes(chat)
    assert [read.report.uri for read in read_path(tmp_path)] == [str(tmp_path / "s1.jsonl")]
    with pytest.raises(UnknownFormatError, match="Add the session's log"):
        list(read_path(output))


def test_messages_that_hold_nothing_keep_their_place_and_are_counted() -> None:
    lines = (
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": ""},
        {"role": "user", "body": "x"},
        {"role": "user", "content": [{"type": "new", "body": "x"}]},
    )
    data = b"\n".join(json.dumps(line).encode() for line in lines)
    read = read_bytes(data, uri="a.jsonl")
    assert [step.message for step in read.bundles[0].trajectory.steps] == [
        "hi",
        "",
        "",
        "[part:new]",
    ]
    assert [(notice.position, notice.code, notice.effect) for notice in read.report.notices] == [
        ("a.jsonl:2", "empty-message", "warning"),
        ("a.jsonl:4", "unknown-block", "warning"),
    ]
    assert read.report.notices[0].message.startswith("2 messages hold nothing")
    with pytest.raises(InvalidInputError):
        read_bytes(data, uri="a.jsonl", strict=True)
    in_a_list = read_bytes(json.dumps(lines).encode(), uri="a.json").report.notices
    assert [notice.position for notice in in_a_list] == ["a.json#/1", "a.json#/3"]
