from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.base import Notes, Record, Source
from stepwell.trajectory.atoms import atoms_of
from stepwell_bench.readers.ama_bench import AmaBench

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.trajectory.model import Notice, Trajectory


def source_of(*values: Any, uri: str = "runs.json", is_lines: bool = False) -> Source:
    raws = [json.dumps(value).encode() for value in values]
    records = tuple(
        Record(value=value, line=line, byte_offset=0, raw=raw)
        for line, (value, raw) in enumerate(zip(values, raws, strict=True), start=1)
    )
    return Source(uri=uri, records=records, is_lines=is_lines)


def episode(*turns: Any, **fields: Any) -> Any:
    return {
        "episode_id": "7",
        "task": "Put the cup away.",
        "domain": "Embodied AI",
        "num_turns": len(turns),
        "state": "fail",
        "trajectory": [
            {"turn_idx": index, "action": action, "observation": observation}
            for index, (action, observation) in enumerate(turns)
        ],
        "qa_pairs": [{"question": "Where is the cup?", "answer": "golden-answer-551"}],
    } | fields


def read(source: Any) -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes(source.uri)
    bundles = list(AmaBench().read(source, notes))
    return [bundle.trajectory for bundle in bundles], notes.notices


def test_a_turn_is_one_step_with_its_action_and_observation() -> None:
    (run,), notices = read(source_of(episode(("look", "a room"), ("go north", "a wall"))))
    assert notices == []
    assert run.trajectory_id == run.session_id == "ama-7"
    assert run.task == "Put the cup away."
    assert run.outcome is not None
    assert run.outcome.exit_status == "fail"
    assert run.extra == {"domain": "Embodied AI", "num_turns": 2, "state": "fail"}
    step = run.steps[1]
    assert (step.index, step.kind, step.actor, step.message) == (1, "agent", "agent", "")
    (call,), (result,) = step.calls, step.results
    assert (call.name, call.args, call.args_raw) == ("action", {"_value": "go north"}, "go north")
    assert (result.call_uid, result.text, result.is_error) == (call.uid, "a wall", None)
    assert [atom.text for atom in atoms_of(step)] == ["go north", "a wall"]


def test_gold_questions_and_answers_are_kept_nowhere() -> None:
    runs, _ = read(source_of([episode(("look", "a room"))]))
    assert "golden-answer-551" not in repr(runs)


def test_each_step_points_at_its_own_bytes() -> None:
    value = [episode(), episode(("look", "a room"), ("wait", "still"))]
    runs, _ = read(source_of(value))
    (ref,) = runs[1].steps[1].raw_refs
    record = runs[1].raw_records[ref]
    assert record.position == "/1/trajectory/1"
    assert json.loads(record.raw) == value[1]["trajectory"][1]


def test_lists_and_lines_hold_several_episodes() -> None:
    pair = episode(("a", "b"), episode_id="1"), episode(("c", "d"), episode_id=2)
    for source in (source_of(list(pair)), source_of(*pair, is_lines=True)):
        assert AmaBench().sniff(source) > 0.9
        runs, notices = read(source)
        assert [run.trajectory_id for run in runs] == ["ama-1", "ama-2"]
        assert notices == []


def test_a_line_and_a_pointer_name_the_place_in_jsonl() -> None:
    (run,), _ = read(source_of(episode(("a", "b")), is_lines=True))
    assert run.raw_records[0].position == "line:1/trajectory/0"


def test_a_turn_index_with_gaps_keeps_the_position_and_is_noted() -> None:
    value = episode(("a", "b"), ("c", "d"), ("e", "f"))
    for turn, said in zip(value["trajectory"], (0, 2, 2), strict=True):
        turn["turn_idx"] = said
    (run,), notices = read(source_of(value))
    assert [step.index for step in run.steps] == [0, 1, 2]
    assert run.steps[1].native_ids == {"turn_idx": "2"}
    assert [(note.code, note.position) for note in notices] == [
        ("turn-renumbered", "runs.json#/trajectory/1")
    ]


def test_what_is_no_episode_is_skipped_and_the_rest_is_read() -> None:
    runs, notices = read(source_of([1, {"episode_id": "x"}, episode(("a", "b"))]))
    assert [run.trajectory_id for run in runs] == ["ama-7"]
    assert [note.effect for note in notices] == ["skipped", "skipped"]


def test_broken_turns_keep_their_position() -> None:
    value = episode(("a", "b"))
    value["trajectory"] = [None, {"action": None}, {"action": 3, "observation": ["x"]}]
    (run,), notices = read(source_of(value))
    assert len(run.steps) == 3
    assert run.steps[2].calls[0].args == {"_value": "3"}
    assert [note.code for note in notices] == ["not-a-turn"]


def test_terminal_escapes_are_cleaned_and_the_original_is_kept() -> None:
    (run,), _ = read(source_of(episode(("run", "\x1b[31mFAIL\x1b[0m here"))))
    (result,) = run.steps[0].results
    assert result.text == "FAIL here"
    assert result.parts[0].text == "\x1b[31mFAIL\x1b[0m here"


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"role": "user", "content": "hi"}]},
        {"trajectory": [{"action": "ls", "observation": "a", "response": "b"}], "info": {}},
        {"episode_id": "1"},
        {"episode_id": "1", "trajectory": [{"thought": "x"}]},
        3,
    ],
)
def test_other_formats_are_not_claimed(value: Any) -> None:
    assert AmaBench().sniff(source_of(value)) == 0.0
    assert AmaBench().sniff(source_of()) == 0.0


@given(st.lists(st.tuples(st.text(), st.text())))
def test_steps_are_the_turns_in_order(turns: Any) -> None:
    (run,), notices = read(source_of(episode(*turns)))
    assert [step.index for step in run.steps] == list(range(len(turns)))
    assert [step.calls[0].args_raw for step in run.steps] == [action for action, _ in turns]
    assert notices == []


def test_the_real_episodes_read_without_a_notice(shared_dir: Path) -> None:
    paths = sorted((shared_dir / "data" / "ama-bench-dev").glob("*.json"))
    for path in paths:
        value = json.loads(path.read_bytes())
        (run,), notices = read(
            Source(
                uri=path.name,
                records=(Record(value=value, line=1, byte_offset=0, raw=path.read_bytes()),),
                is_lines=False,
            )
        )
        assert notices == []
        assert len(run.steps) == len(run.raw_records) == value["num_turns"]
        assert all(step.results[0].call_uid == step.calls[0].uid for step in run.steps)
    assert len(paths) > 50
