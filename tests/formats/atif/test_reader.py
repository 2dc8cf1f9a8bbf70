from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from stepwell.formats.atif.reader import Atif
from stepwell.formats.atif.writer import to_atif
from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.text.clean import readable
from stepwell.trajectory.model import (
    Agent,
    Call,
    Media,
    Metrics,
    Notice,
    Outcome,
    Part,
    Result,
    Step,
    Trajectory,
)

if TYPE_CHECKING:
    from pathlib import Path


def read_bytes(data: bytes, uri: str = "run.json") -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes(uri)
    bundles = list(Atif().read(decode(data, notes=notes), notes))
    return [bundle.trajectory for bundle in bundles], notes.notices


def read(value: Any) -> tuple[list[Trajectory], list[Notice]]:
    return read_bytes(json.dumps(value).encode())


def document(*steps: Any, **fields: Any) -> dict[str, Any]:
    numbered = [
        {"step_id": number} | step if isinstance(step, dict) else step
        for number, step in enumerate(steps, start=1)
    ]
    head = {"schema_version": "ATIF-v1.7", "session_id": "run-1"}
    return head | {"agent": {"name": "a", "version": "1"}, "steps": numbered} | fields


def asks(call_id: str = "k1", **fields: Any) -> dict[str, Any]:
    call = {"tool_call_id": call_id, "function_name": "sh", "arguments": {"cmd": "ls"}}
    return {"source": "agent", "message": "", "tool_calls": [call]} | fields


def test_a_step_is_a_step() -> None:
    observation = {"results": [{"source_call_id": "k1", "content": "a.txt"}]}
    metrics = {"prompt_tokens": 9, "cost_usd": 0.5, "extra": {"reasoning_tokens": 2}}
    (run,), notices = read(
        document(
            {"source": "system", "message": "Be brief."},
            {"source": "user", "message": "List.", "timestamp": "2026-01-05T11:00:00+01:00"},
            asks(
                observation=observation,
                reasoning_content="hm",
                model_name="m",
                metrics=metrics,
                is_copied_context=True,
                llm_call_count=1,
            ),
            agent={"name": "a", "version": "1", "model_name": "m", "tool_definitions": [{"x": 1}]},
        )
    )
    assert notices == []
    assert (run.trajectory_id, run.session_id, run.source_version) == (
        "run-1",
        "run-1",
        "ATIF-v1.7",
    )
    assert run.agent == Agent(name="a", version="1", model="m", tool_definitions=({"x": 1},))
    assert [step.kind for step in run.steps] == ["system", "user", "agent"]
    assert run.steps[1].t_start == datetime(2026, 1, 5, 10, tzinfo=UTC)
    step = run.steps[2]
    assert (step.thought, step.model, step.is_copied_context) == ("hm", "m", True)
    assert step.metrics == Metrics(prompt_tokens=9, cost_usd=0.5, reasoning_tokens=2)
    assert step.calls[0].args == {"cmd": "ls"}
    assert step.calls[0].native_id == "k1"
    assert step.results[0].call_uid == step.calls[0].uid
    assert step.status == "ok"
    assert step.extra["llm_call_count"] == 1
    assert json.loads(run.raw_records[step.raw_refs[0]].raw)["step_id"] == 3
    assert run.raw_records[2].position == "/steps/2"


def test_calls_without_results_and_results_that_fail_show_in_the_status() -> None:
    failed = {"results": [{"source_call_id": "k1", "content": "Error: no such file"}]}
    (run,), _ = read(document(asks(observation=failed), asks("k2"), asks("k3")))
    assert [step.status for step in run.steps] == ["error", "missing", "interrupted"]


def test_images_by_path_and_multipart_text_are_parts() -> None:
    source = {"media_type": "image/png", "path": "shots/1.png"}
    message = [{"type": "text", "text": "see"}, {"type": "image", "source": source}]
    (run,), _ = read(document({"source": "user", "message": message}))
    (step,) = run.steps
    assert step.message == "see\n[image shots/1.png]"
    assert step.parts[1].media == Media(media_type="image/png", uri="shots/1.png")


def test_violations_are_noted_at_their_pointers_and_read_all_the_same() -> None:
    results = [
        {"source_call_id": "k999", "content": "late output"},
        {"content": None, "subagent_trajectory_ref": [{"session_id": "only-session"}]},
    ]
    (run,), notices = read(
        document(
            {"source": "user", "message": "go"},
            asks(step_id=3, observation={"results": results}),
            {"step_id": 3, "source": "tool", "message": "wrong source", "unknown_field": 1},
            None,
            asks(tool_calls=[3, {"tool_call_id": "x", "function_name": "f", "arguments": "{}"}]),
            {"source": "user", "message": "x", "timestamp": "noon", "extra": 3},
        )
    )
    assert [step.index for step in run.steps] == [0, 1, 2, 3, 4]
    step = run.steps[1]
    assert [result.call_uid for result in step.results] == [None, None]
    assert step.results[0].extra == {"source_call_id": "k999"}
    assert step.results[1].child_trajectory_id == "only-session"
    assert run.steps[2].kind == "tool_env"
    assert run.steps[2].extra == {"unknown_field": 1}
    assert run.steps[3].calls[0].args == {}
    assert {(note.position.removeprefix("run.json#"), note.code) for note in notices} == {
        ("/steps/1/step_id", "step-renumbered"),
        ("/steps/1/observation/results/0/source_call_id", "dangling-call"),
        ("/steps/1/observation/results/1/subagent_trajectory_ref/0", "vague-subagent"),
        ("/steps/2/source", "illegal-source"),
        ("/steps/2/unknown_field", "unknown-field"),
        ("/steps/3", "not-a-step"),
        ("/steps/4/step_id", "step-renumbered"),
        ("/steps/4/tool_calls/0", "not-a-call"),
        ("/steps/4/tool_calls/1/arguments", "bad-arguments"),
        ("/steps/5/step_id", "step-renumbered"),
        ("/steps/5/timestamp", "bad-time"),
        ("/steps/5/extra", "bad-extra"),
    }
    assert run.warnings == tuple(notices)


@pytest.mark.parametrize(
    ("version", "codes"),
    [
        ("ATIF-v1.0", []),
        ("ATIF-v1.8", []),
        ("ATIF-v1.9", ["newer-version"]),
        ("ATIF-v2.0", ["newer-version"]),
        ("ATIF-next", ["unknown-version"]),
    ],
)
def test_versions_above_the_newest_known_are_noted(version: str, codes: list[str]) -> None:
    value = document({"source": "user", "message": "hi"}, schema_version=version)
    assert Atif().sniff(decode(json.dumps(value).encode(), notes=Notes("x"))) > 0.9
    runs, notices = read(value)
    assert len(runs[0].steps) == 1
    assert [note.code for note in notices] == codes


def test_embedded_subagents_are_children_of_the_call_that_started_them() -> None:
    child = document({"source": "user", "message": "sub"}, trajectory_id="sub", session_id=None)
    nameless = document({"source": "user", "message": "other"}, session_id=None)
    ref = {"source_call_id": "k1", "subagent_trajectory_ref": [{"trajectory_id": "sub"}]}
    runs, notices = read(
        document(
            asks(observation={"results": [ref]}),
            subagent_trajectories=[child, 3, nameless],
            notes="by hand",
            final_metrics={"total_steps": 1},
        )
    )
    parent, first, second = runs
    assert parent.steps[0].results[0].child_trajectory_id == "sub"
    assert (first.trajectory_id, first.parent_trajectory_id) == ("sub", "run-1")
    assert first.parent_call_uid == parent.steps[0].calls[0].uid
    assert first.session_id == "run-1"
    assert first.raw_records[0].position == "/subagent_trajectories/0/steps/0"
    assert second.trajectory_id == "run-1/2"
    assert parent.extra == {"notes": "by hand", "final_metrics": {"total_steps": 1}}
    assert [note.code for note in notices] == ["not-atif"]


def test_a_continuation_has_its_own_id_and_names_what_it_continues() -> None:
    step = {"source": "user", "message": "hi"}
    agents = [{"name": "a", "version": "1", "extra": {"continuation_index": n}} for n in range(3)]
    runs = [read(document(step, agent=agent))[0][0] for agent in agents]
    assert [run.trajectory_id for run in runs] == ["run-1", "run-1-cont-1", "run-1-cont-2"]
    assert [run.continued_from for run in runs] == [None, "run-1", "run-1-cont-1"]


def test_documents_without_any_id_are_named_after_the_file() -> None:
    value = document({"source": "user", "message": "hi"}, session_id=None)
    runs, notices = read([value, value, {"other": 1}])
    assert runs[0].trajectory_id.startswith("run-")
    assert runs[0].trajectory_id != runs[1].trajectory_id
    assert [(note.position, note.effect) for note in notices] == [("run.json#/2", "skipped")]


def test_other_formats_are_not_claimed() -> None:
    values: list[Any] = [{"messages": []}, {"steps": []}, {"steps": [{"action": 1}]}, [], [3]]
    for value in values:
        assert Atif().sniff(decode(json.dumps(value).encode(), notes=Notes("x"))) == 0.0
    looks = {"steps": [{"step_id": 1, "source": "user", "message": "x"}]}
    assert Atif().sniff(decode(json.dumps(looks).encode(), notes=Notes("x"))) == pytest.approx(0.7)


def test_real_trajectories_read_without_a_repair(shared_dir: Path) -> None:
    paths = sorted((shared_dir / "formats" / "samples" / "atif").glob("*.json"))
    for path in paths:
        (run,), notices = read_bytes(path.read_bytes(), path.name)
        assert {note.code for note in notices} <= {"vague-subagent"}
        assert len(run.steps) == len(json.loads(path.read_bytes())["steps"]) == len(run.raw_records)
    assert len(paths) == 5


def test_the_nasty_document_keeps_every_step_and_names_each_violation(shared_dir: Path) -> None:
    path = shared_dir / "formats" / "nasty" / "72-atif-dangling-source-call.json"
    (run,), notices = read_bytes(path.read_bytes(), path.name)
    assert len(run.steps) == 3
    assert {note.code for note in notices} == {
        "step-renumbered",
        "dangling-call",
        "vague-subagent",
        "illegal-source",
        "unknown-field",
    }
    assert all("#/steps/" in note.position for note in notices)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["results", "content", "extra", "stepwell", "tool_call_id", "arguments"]
            )
            | st.sampled_from(
                ["source_call_id", "subagent_trajectory_ref", "type", "uid", "calls"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
STEP_FIELDS = st.sampled_from(
    ["step_id", "source", "message", "timestamp", "tool_calls", "observation", "metrics", "extra"]
)


@given(
    st.lists(st.dictionaries(STEP_FIELDS, ODD), max_size=3),
    st.fixed_dictionaries({}, optional=dict.fromkeys(["agent", "subagent_trajectories"], ODD)),
    st.booleans(),
)
def test_no_shape_of_a_document_raises(
    steps: list[Any],
    fields: dict[str, Any],
    is_ours: bool,  # noqa: FBT001  (hypothesis passes it)
) -> None:
    ours = {"extra": {"stepwell": {"task": "x"}}} if is_ours else {}
    runs, _ = read({"schema_version": "ATIF-v1.7", "steps": steps} | fields | ours)
    assert [step.index for step in runs[0].steps] == list(range(len(steps)))
    assert len({step.uid for step in runs[0].steps}) == len(steps)


# What was written reads back equal.

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12).map(readable)
NAME = st.text(alphabet="abcXYZ-_/é端 .#", min_size=1, max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXT | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAME, inner, max_size=2),
    max_leaves=4,
)
OBJECT = st.dictionaries(NAME | st.just("stepwell") | st.just("notes"), JSON, max_size=3)
TIME = st.none() | st.datetimes(
    min_value=datetime(1971, 1, 1),  # noqa: DTZ001  (hypothesis adds the zone)
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001  (the year 9999 says that there is no time)
    timezones=st.just(UTC),
)
COUNT = st.none() | st.integers(-5, 10**6)
METRICS = st.builds(
    Metrics,
    prompt_tokens=COUNT,
    completion_tokens=COUNT,
    cached_tokens=COUNT,
    reasoning_tokens=COUNT,
    cost_usd=st.none() | st.floats(-1, 1e6),
)
MEDIA = st.builds(
    Media,
    media_type=st.sampled_from(["image/png", "image/tiff", "audio/wav"]),
    n_bytes=st.integers(0, 99),
    sha256=NAME,
    uri=st.none() | NAME,
)
PARTS = st.lists(
    st.builds(Part, kind=st.just("text"), text=TEXT)
    | st.builds(Part, kind=st.just("media"), text=TEXT, media=MEDIA)
    | st.builds(Part, kind=st.just("other"), text=TEXT, data=OBJECT),
    max_size=3,
).map(tuple)


@st.composite
def steps_of(draw: st.DrawFn, index: int) -> Step:
    calls = tuple(
        Call(
            uid=f"s{index}.{draw(st.sampled_from(['c', 'x']))}{number}",
            name=draw(TEXT),
            args=draw(st.none() | OBJECT),
            args_raw=draw(TEXT),
            args_valid=draw(st.booleans()),
            native_id=draw(st.none() | NAME),
            actor=draw(st.none() | NAME),
        )
        for number in range(draw(st.integers(0, 2)))
    )
    known = st.none() | NAME | st.sampled_from([call.uid for call in calls] or ["gone"])
    results = st.lists(
        st.builds(
            Result,
            call_uid=known,
            text=TEXT,
            parts=PARTS,
            is_error=st.none() | st.booleans(),
            error_source=st.none() | NAME,
            exit_code=COUNT,
            truncated=st.booleans(),
            child_trajectory_id=st.none() | st.just("child") | NAME,
            extra=OBJECT,
        ),
        max_size=3,
    )
    return draw(
        st.builds(
            Step,
            index=st.just(index),
            uid=st.sampled_from([f"s{index}", f"other-{index}"]),
            kind=st.sampled_from(
                ["user", "agent", "agent", "system", "tool_env", "summary", "context", "meta"]
            ),
            actor=NAME | st.sampled_from(["user", "agent", "harness", "env"]),
            active=st.booleans(),
            branch_id=st.none() | NAME,
            message=TEXT,
            parts=PARTS,
            thought=TEXT,
            thought_redacted=st.booleans(),
            calls=st.just(calls),
            results=results.map(tuple),
            status=st.sampled_from(["ok", "error", "interrupted", "missing"]),
            t_start=TIME,
            t_end=TIME,
            t_source=st.none() | st.just("timestamp") | NAME,
            metrics=st.none() | METRICS,
            model=st.none() | NAME,
            subgoal=st.none() | NAME,
            is_copied_context=st.booleans(),
            native_ids=st.dictionaries(NAME, NAME, max_size=2),
            extra=OBJECT,
        )
    )


@st.composite
def trajectories(
    draw: st.DrawFn, trajectory_id: str = "run", parent: str | None = None
) -> Trajectory:
    steps: tuple[Step, ...] = ()
    for index in range(draw(st.integers(0, 3))):
        above = draw(st.sampled_from([None, *(step.uid for step in steps)]))
        steps = (*steps, replace(draw(steps_of(index)), parent_uid=above))
    return draw(
        st.builds(
            Trajectory,
            trajectory_id=st.just(trajectory_id),
            session_id=NAME,
            source_format=NAME,
            source_version=st.none() | NAME,
            parent_trajectory_id=st.just(parent),
            parent_call_uid=st.none() | NAME,
            agent=st.builds(
                Agent,
                name=st.none() | NAME,
                version=st.none() | NAME,
                model=st.none() | NAME,
                tool_definitions=st.lists(OBJECT.filter(bool), max_size=2).map(tuple),
                extra=OBJECT,
            ),
            task=st.none() | TEXT,
            outcome=st.none()
            | st.builds(
                Outcome,
                reward=st.none() | st.floats(-9, 9),
                success=st.none() | st.booleans(),
                exit_status=st.none() | NAME,
            ),
            continued_from=st.none() | NAME,
            steps=st.just(steps),
            warnings=st.lists(
                st.builds(Notice, position=NAME, code=NAME, message=TEXT), max_size=1
            ).map(tuple),
            extra=OBJECT,
        )
    )


FIELDS = {
    "run": "schema_version session_id trajectory_id agent steps notes final_metrics extra "
    "continued_trajectory_ref subagent_trajectories",
    "agent": "name version model_name tool_definitions extra",
    "step": "step_id timestamp source message model_name reasoning_content tool_calls observation "
    "metrics is_copied_context extra",
    "call": "tool_call_id function_name arguments extra",
    "result": "source_call_id content subagent_trajectory_ref extra",
    "metrics": "prompt_tokens completion_tokens cached_tokens cost_usd extra",
}
"""The fields ATIF v1.7 allows, as far as they are written."""


def violations(run: dict[str, Any]) -> list[str]:
    """Return what breaks the rules of ATIF v1.7."""
    found = [f"run.{name}" for name in run.keys() - set(FIELDS["run"].split())]
    found += [f"agent.{name}" for name in run["agent"].keys() - set(FIELDS["agent"].split())]
    if not all(isinstance(run["agent"][name], str) for name in ("name", "version")):
        found.append("agent")
    children = {child["trajectory_id"] for child in run.get("subagent_trajectories", [])}
    for place, step in enumerate(run["steps"], start=1):
        found += [f"step.{name}" for name in step.keys() - set(FIELDS["step"].split())]
        calls = step.get("tool_calls", [])
        results = step.get("observation", {"results": []})["results"]
        agent_only = {"tool_calls", "metrics", "reasoning_content", "model_name"}
        rules = {
            "step_id": step["step_id"] == place,
            "source": step["source"] in {"user", "agent", "system"},
            "message": isinstance(step["message"], str | list),
            "agent only": step["source"] == "agent" or not agent_only & step.keys(),
            "arguments": all(isinstance(call["arguments"], dict) for call in calls),
            "calls": all(set(call) <= set(FIELDS["call"].split()) for call in calls),
            "results": all(set(result) <= set(FIELDS["result"].split()) for result in results),
            "metrics": set(step.get("metrics", {})) <= set(FIELDS["metrics"].split()),
            "counts": all(
                number >= 0 for name, number in step.get("metrics", {}).items() if name != "extra"
            ),
            "references": {result.get("source_call_id") for result in results}
            <= {call["tool_call_id"] for call in calls} | {None},
            "subagents": all(
                ref["trajectory_id"] in children
                for result in results
                for ref in result.get("subagent_trajectory_ref", [])
            ),
        }
        found += [f"{place} {rule}" for rule, holds in rules.items() if not holds]
    for child in run.get("subagent_trajectories", []):
        found += violations(child)
    return found


def without_sources(run: Trajectory) -> Trajectory:
    steps = tuple(replace(step, raw_refs=()) for step in run.steps)
    return replace(run, steps=steps, raw_records=())


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(trajectories())
def test_what_was_written_reads_back_equal(run: Trajectory) -> None:
    written = to_atif(run)
    assert violations(written) == []
    (again,), notices = read(written)
    assert without_sources(again) == run
    assert notices == []
    assert to_atif(again) == to_atif(run)


@settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(trajectories(), trajectories("child", "run"), trajectories("grandchild", "child"))
def test_children_come_back_after_their_parents(
    parent: Trajectory, child: Trajectory, grandchild: Trajectory
) -> None:
    written = to_atif(parent, children=[grandchild, child])
    assert violations(written) == []
    runs, notices = read(written)
    assert [without_sources(run) for run in runs] == [parent, child, grandchild]
    assert notices == []


def test_what_is_empty_or_named_like_ours_reads_back_too() -> None:
    extra = {"notes": "kept", "stepwell": {"mine": 1}}
    call = Call(uid="c", name="f", args=None, args_raw="{", args_valid=False)
    step = Step(
        index=0,
        uid="s0",
        kind="agent",
        actor="agent",
        metrics=Metrics(),
        calls=(call,),
        extra=extra,
    )
    run = Trajectory(
        trajectory_id="r",
        session_id="r",
        source_format="x",
        agent=Agent(extra=extra),
        steps=(step,),
        extra=extra,
    )
    (again,), notices = read(to_atif(run))
    assert without_sources(again) == run
    assert notices == []


def test_a_block_that_was_tampered_with_is_noted_and_left_aside() -> None:
    step = Step(index=0, uid="s0", kind="agent", actor="me", subgoal="win", message="hi")
    other = replace(step, index=1, uid="s1")
    value = to_atif(
        Trajectory(trajectory_id="r", session_id="r", source_format="x", steps=(step, other))
    )
    value["steps"][0]["extra"]["stepwell"]["active"] = "perhaps"
    (run,), notices = read(value)
    assert (run.steps[0].actor, run.steps[1].actor) == ("agent", "me")
    assert [note.code for note in notices] == ["bad-block"]
    value["steps"][0]["extra"]["stepwell"] = {"uid": "s1", "index": 7}
    (run,), notices = read(value)
    assert [step.uid for step in run.steps] == ["s0", "s1"]
    assert [note.code for note in notices] == ["bad-block"]


def test_a_step_whose_parent_was_left_out_is_noted_and_follows_the_one_before() -> None:
    steps = tuple(
        Step(index=at, uid=f"u{at}", kind="user", actor="user", message="hi", parent_uid=parent)
        for at, parent in enumerate((None, "u0", "u1"))
    )
    value = to_atif(Trajectory(trajectory_id="r", session_id="r", source_format="x", steps=steps))
    value["steps"][1] = 0
    (run,), notices = read(value)
    assert [step.parent_uid for step in run.steps] == [None, None]
    assert {note.code for note in notices} >= {"not-a-step", "lost-parent"}
