"""Adding: live values one by one, files as a whole, and the report on what was new."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.errors import InvalidInputError, ScopeError
from stepwell.formats.files.stamps import stamp_of
from stepwell.formats.report import FileReport
from stepwell.memory.adding import Ingested, joined
from stepwell.memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

KEY = "ghp_" + "aB3dE5gH7j" * 3 + "kLmN12"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def chat(path: Path, *texts: str) -> Path:
    messages = [{"role": "user", "content": text} for text in texts]
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


def call(id_: str, name: str = "deploy") -> dict[str, Any]:
    one = {"id": id_, "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {"role": "assistant", "content": None, "tool_calls": [one]}


def answer(id_: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "content": text}


def states(report: Ingested) -> tuple[int, int, int, int]:
    return report.added, report.extended, report.changed, report.unchanged


def test_no_reports_joined_are_a_report_of_nothing() -> None:
    assert joined([]) == Ingested(files=())
    assert str(joined([])).endswith("\nTrajectories: nothing new.")


def test_reports_joined_add_up_and_keep_their_files_in_order() -> None:
    files = [FileReport(uri=name, format="chat") for name in ("b", "a")]
    one = Ingested(files=(files[0],), added=1, extended=2, changed=3, unchanged=4)
    two = Ingested(files=(files[1],), added=10, extended=20, changed=30, unchanged=40)
    assert joined(iter([one, two])) == Ingested(
        files=tuple(files), added=11, extended=22, changed=33, unchanged=44
    )


def test_a_report_says_only_what_there_was() -> None:
    report = Ingested(files=(), added=1, extended=2, changed=3, unchanged=4)
    assert str(report).splitlines()[-1] == (
        "Trajectories: 1 new, 2 grown, 3 changed, 4 known already."
    )
    assert str(Ingested(files=(), extended=2)).splitlines()[-1] == "Trajectories: 2 grown."


def test_a_log_is_new_then_known_then_grown_then_another_run_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with Memory(encoder=None) as memory:
        logs = (["one"], ["one"], ["one", "two"], ["one", "zwei"], ["one", "zwei"])
        found = [states(memory.ingest(chat(path, *texts))) for texts in logs]
        assert found == [(1, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1)]
        first, second = memory.sessions()
        assert second.trajectory_id == f"{first.trajectory_id}#2"
        said = [[step.message for step in run.steps] for run in memory.trajectories()]
        assert said == [["one", "two"], ["one", "zwei"]]


def test_a_folder_reports_each_of_its_files(tmp_path: Path) -> None:
    chat(tmp_path / "a.json", "one")
    chat(tmp_path / "b.json", "two")
    with Memory(encoder=None) as memory:
        names: list[str] = []
        report = memory.ingest(tmp_path, progress=names.append)
        assert states(report) == (2, 0, 0, 0)
        assert len(report.files) == len(names) == 2
        assert [step.message for run in memory.trajectories() for step in run.steps] == [
            "one",
            "two",
        ]


def test_a_memory_bound_to_one_trajectory_reads_only_its_log(tmp_path: Path) -> None:
    path = chat(tmp_path / "a.json", "one")
    with Memory(encoder=None) as memory:
        memory.ingest(path)
        name = memory.trajectory().trajectory_id
    with Memory(encoder=None, scope={"trajectory": "other"}) as memory:
        with pytest.raises(ScopeError) as caught:
            memory.ingest(path)
        assert str(caught.value) == (
            f"This memory is bound to trajectory 'other', and the log holds {name!r}. "
            "Read logs with a memory that is not bound to one trajectory."
        )
        assert memory.sessions() == []
    with Memory(encoder=None, scope={"trajectory": name}) as memory:
        assert states(memory.ingest(path)) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("scope", "given", "name"),
    [
        ({}, None, "live"),
        ({"session": "s"}, None, "s"),
        ({"session": "s"}, "t", "t"),
        ({"trajectory": "t"}, None, "t"),
        ({"trajectory": "t"}, "t", "t"),
        ({"session": "s", "trajectory": "t"}, None, "t"),
        ({}, "日 a/b", "日 a/b"),
    ],
)
def test_a_live_step_goes_to_what_is_named_else_to_what_the_memory_is_bound_to(
    scope: dict[str, str], given: str | None, name: str
) -> None:
    with Memory(encoder=None, scope=scope) as memory:
        assert memory.add("hello", trajectory=given) == f"{name}/s0"
        (entry,) = memory.sessions()
        assert entry.session_id == scope.get("session", name)
        assert (entry.source_format, entry.n_steps) == ("live", 1)


def test_a_bound_trajectory_is_never_left() -> None:
    with Memory(encoder=None, scope={"trajectory": "t"}) as memory:
        with pytest.raises(ScopeError, match="bound to trajectory='t', not 'u'"):
            memory.add("hello", trajectory="u")
        assert memory.sessions() == []


def test_users_agents_and_runs_have_live_trajectories_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    scopes = [{field: name} for field in ("user_id", "agent_id", "run_id") for name in ("x", "y")]
    for scope in ({}, *scopes):
        with Memory(path, scope=scope, encoder=None) as memory:
            assert memory.add("hello") == "live/s0"
    with Memory(path, encoder=None) as memory:
        assert len(memory.sessions()) == 7
    for scope in scopes:
        with Memory(path, scope=scope, encoder=None) as memory:
            assert len(memory.sessions()) == 1


def test_what_is_added_to_a_log_goes_on_from_it_and_is_one_with_what_the_log_says_then(
    tmp_path: Path,
) -> None:
    path = chat(tmp_path / "a.json", "one", "two")
    with Memory(encoder=None) as memory:
        memory.ingest(path)
        name = memory.trajectory().trajectory_id
        assert memory.add({"role": "user", "content": "three"}, trajectory=name) == f"{name}/s2"
        assert memory.add("live only", trajectory=name) == f"{name}/s3"
        assert states(memory.ingest(path)) == (0, 0, 0, 1)
        chat(path, "one", "two", "three", "four")
        assert states(memory.ingest(path)) == (0, 1, 0, 0)
        said = [step.message for step in memory.trajectory().steps]
        assert said == ["one", "two", "three", "live only", "four"]
        assert all(step.active for step in memory.trajectory().steps)


@pytest.mark.parametrize("value", [7, {}, [], {"colour": "blue"}, None])
def test_a_value_of_no_accepted_shape_leaves_nothing_behind(value: object) -> None:
    with Memory(encoder=None) as memory:
        with pytest.raises(InvalidInputError):
            memory.add(value)
        assert memory.sessions() == []
        assert memory.add("hello") == "live/s0"


def test_a_late_result_finds_its_call_among_the_last_five_hundred_steps() -> None:
    with Memory(encoder=None) as memory:
        memory.add(call("old"))
        memory.add(call("young"))
        for number in range(499):
            memory.add(f"waiting {number}")
        assert memory.add(answer("young", "done")) == "live/s1"
        assert memory.add(answer("old", "late")) == "live/s501"
        assert memory.get("live/s501").step.kind == "tool_env"


def test_a_result_that_joins_its_step_is_found_and_the_step_keeps_its_place() -> None:
    with Memory(encoder=None) as memory:
        memory.add(call("c1"))
        memory.add("between")
        assert memory.add(answer("c1", "rolled out quokka")) == "live/s0"
        assert memory.recall("quokka", 200).items[0].id == "live/s0.o1"
        step = memory.get("live/s0").step
        assert [result.text for result in step.results] == ["rolled out quokka"]
        assert len(step.raw_refs) == 2
        assert memory.stats().n_steps == 2


def test_credentials_are_replaced_in_steps_and_raw_records_alike() -> None:
    said = {"role": "user", "content": f"token {KEY}"}
    with Memory(encoder=None) as memory:
        memory.add(said)
        run = memory.trajectory()
        assert KEY not in run.steps[0].message
        assert "[redacted:" in run.steps[0].message
        assert KEY.encode() not in run.raw_records[0].raw
        assert b"[redacted:" in run.raw_records[0].raw
    with Memory(encoder=None, redact=False) as memory:
        memory.add(said)
        run = memory.trajectory()
        assert KEY in run.steps[0].message
        assert KEY.encode() in run.raw_records[0].raw


def test_a_raw_record_is_the_value_as_it_was_handed_over() -> None:
    said = {"role": "user", "content": "ßé日", "extra": [1, None]}
    with Memory(encoder=None, clock=lambda: NOON) as memory:
        memory.add(said)
        (raw,) = memory.trajectory().raw_records
        assert json.loads(raw.raw) == said
        assert (raw.source_uri, raw.position) == ("live", NOON.isoformat())
        assert memory.trajectory().steps[0].t_start == NOON
        assert memory.sessions()[0].added_at == NOON


def test_two_memories_over_one_file_add_to_one_live_trajectory(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as one, Memory(path, encoder=None) as two:
        found = [one.add(call("c1")), two.add("b"), one.add("c"), two.add(answer("c1", "done"))]
        assert found == ["live/s0", "live/s1", "live/s2", "live/s0"]
        assert one.get("live/s0.o1").text == "done"


def test_files_that_did_not_change_are_not_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = chat(tmp_path / "a.json", "one", "two")
    with Memory(encoder=None) as memory:
        first = memory.ingest(tmp_path)
        monkeypatch.setattr("stepwell.formats.read.read_bytes", None)  # parsing would fail
        for _ in range(2):
            again = memory.ingest(tmp_path)
            assert (again.unchanged, again.files) == (1, first.files)
            path.touch()  # the same bytes at another time
        with pytest.raises(TypeError):
            memory.ingest(tmp_path, strict=True)
        chat(path, "one", "two", "three")
        with pytest.raises(TypeError):
            memory.ingest(tmp_path)
    with Memory(encoder=None) as memory, pytest.raises(TypeError):
        memory.ingest(tmp_path)


def test_a_file_is_read_again_when_what_lies_beside_it_changed(tmp_path: Path) -> None:
    path = chat(tmp_path / "a.json", "one")
    with Memory(encoder=None) as memory:
        before = stamp_of(path)
        memory.ingest(path)
        (tmp_path / "a" / "tool-results").mkdir(parents=True)
        (tmp_path / "a" / "tool-results" / "x.txt").write_text("more")
        assert stamp_of(path).text != before.text
        assert stamp_of(path).of_bytes(b"x") != before.of_bytes(b"x")


def test_of_a_stream_of_snapshots_the_last_state_is_kept(tmp_path: Path) -> None:
    turns = [("user", "fix it"), ("assistant", "a0"), ("user", "on"), ("assistant", "a1")]
    messages = [{"role": role, "content": text} for role, text in turns]
    lines = [
        json.dumps(
            {
                "id": f"req-{n}",
                "request": {"messages": messages[: n + 1]},
                "response": {"choices": [{"message": messages[n + 1]}]},
            }
        )
        for n in (0, 2)
    ]
    path = tmp_path / "requests.jsonl"
    with Memory(encoder=None) as memory:
        for n in (1, 2):
            path.write_text("\n".join(lines[:n]), encoding="utf-8")
            memory.ingest(path)
        memory.ingest(path, again=True)
        assert [step.message for step in memory.trajectory().steps] == [text for _, text in turns]
        path.write_text("\n".join([*lines, lines[-1]]), encoding="utf-8")  # a genuine repeat
        memory.ingest(path)
        assert [entry.n_steps for entry in memory.sessions()] == [4, 4]


def test_two_runs_of_one_id_are_a_notice_and_an_error_where_reading_is_strict(
    tmp_path: Path,
) -> None:
    for name in ("a", "b"):
        run = [{"role": "user", "content": "go"}, {"role": "assistant", "content": name}]
        (tmp_path / f"{name}.json").write_text(json.dumps({"id": "x", "messages": run}))
    with Memory(encoder=None) as memory:
        memory.ingest(tmp_path / "a.json")
        with pytest.raises(InvalidInputError, match="x is the id of another run"):
            memory.ingest(tmp_path / "b.json", strict=True)
        assert len(memory.sessions()) == 1
        (notice,) = memory.ingest(tmp_path / "b.json").notices
        assert (notice.code, notice.effect) == ("same-id", "warning")
        assert [entry.trajectory_id for entry in memory.sessions()] == ["x", "x#2"]
        assert states(memory.ingest(tmp_path)) == (0, 0, 0, 2)
