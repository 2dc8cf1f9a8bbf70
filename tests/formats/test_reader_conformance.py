"""What every reader of a log format must do; a new reader needs a file in tests/data/<name>/."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.base import Bundle, Notes, Reader, Source
from stepwell.formats.files.decode import decode
from stepwell.formats.registry import reader_for, readers
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Trajectory

ROOT = Path(__file__).resolve().parents[2]
READERS = readers()
SAMPLES = [
    (reader, file)
    for reader in READERS
    for tests in ("tests", "bench/tests")
    for file in sorted((ROOT / tests / "data" / reader.name).glob("*"))
]

each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
each_sample = pytest.mark.parametrize(
    ("reader", "file"), SAMPLES, ids=[f"{reader.name}-{file.name}" for reader, file in SAMPLES]
)


def source_of(file: Path) -> Source:
    return decode(file.read_bytes(), notes=Notes(file.name))


def read(reader: Reader, source: Source) -> tuple[list[Bundle], Notes]:
    notes = Notes(source.uri)
    return list(reader.read(source, notes)), notes


def trajectories(reader: Reader, file: Path) -> list[Trajectory]:
    return [bundle.trajectory for bundle in read(reader, source_of(file))[0]]


@each_reader
def test_there_is_a_sample(reader: Reader) -> None:
    assert any(sampled is reader for sampled, _ in SAMPLES)


@each_sample
def test_a_sample_is_recognised_by_its_own_reader(reader: Reader, file: Path) -> None:
    source = source_of(file)
    scores = {other.name: other.sniff(source) for other in READERS}
    own = scores.pop(reader.name)
    assert own >= 0.5
    assert max(scores.values()) < own
    assert reader_for(source) is reader


@each_sample
def test_a_good_sample_is_read_without_notices_and_twice_the_same(
    reader: Reader, file: Path
) -> None:
    first, notes = read(reader, source_of(file))
    assert first
    assert notes.notices == []
    assert read(reader, source_of(file))[0] == first


@each_sample
def test_steps_are_numbered_and_named_apart(reader: Reader, file: Path) -> None:
    for trajectory in trajectories(reader, file):
        assert trajectory.steps
        assert trajectory.source_format == reader.name
        assert [step.index for step in trajectory.steps] == list(range(len(trajectory.steps)))
        assert len({step.uid for step in trajectory.steps}) == len(trajectory.steps)


@each_sample
def test_references_resolve(reader: Reader, file: Path) -> None:
    for trajectory in trajectories(reader, file):
        uids = {step.uid for step in trajectory.steps} | {None}
        calls = [call.uid for step in trajectory.steps for call in step.calls]
        assert len(set(calls)) == len(calls)
        for step in trajectory.steps:
            assert step.parent_uid in uids
            assert all(0 <= ref < len(trajectory.raw_records) for ref in step.raw_refs)
            own = {call.uid for call in step.calls} | {None}
            assert all(result.call_uid in own for result in step.results)


@each_sample
def test_values_survive_json(reader: Reader, file: Path) -> None:
    for trajectory in trajectories(reader, file):
        encoded = msgspec.json.encode(trajectory)
        assert msgspec.json.decode(encoded, type=Trajectory) == trajectory


@each_sample
def test_texts_are_clean(reader: Reader, file: Path) -> None:
    for trajectory in trajectories(reader, file):
        texts = [atom.text for step in trajectory.steps for atom in atoms_of(step)]
        assert texts
        assert not any("\r" in text or "\x1b" in text for text in texts)
        assert all(text.encode("utf-8", "strict") for text in texts)


@each_sample
def test_a_torn_tail_loses_only_the_last_record(reader: Reader, file: Path) -> None:
    data = file.read_bytes().rstrip()
    notes = Notes(file.name)
    torn = decode(data[:-3], notes=notes)
    whole = source_of(file)
    lost = len(whole.records) - len(torn.records)
    assert [notice.code for notice in notes.notices] == (
        ["torn-tail"] if lost else ["torn-document"]
    )
    assert lost == (1 if whole.is_lines else 0)
    shorter = list(reader.read(torn, notes))
    steps = sum(len(bundle.trajectory.steps) for bundle in shorter)
    assert 0 < steps <= sum(len(run.steps) for run in trajectories(reader, file))


@each_reader
def test_an_empty_source_is_read_as_nothing(reader: Reader) -> None:
    source = Source(uri="empty.jsonl", records=(), is_lines=True)
    assert reader.sniff(source) == 0
    assert reader_for(source) is None


KEYS = st.sampled_from(
    [
        "type",
        "uuid",
        "parentUuid",
        "sessionId",
        "message",
        "content",
        "role",
        "messages",
        "steps",
        "trajectory",
        "conversation",
        "session_1",
        "episode_id",
        "tool_calls",
        "id",
        "loglines",
        "agent",
        "schema_version",
        "observation",
        "results",
        "function",
        "action",
        "isSidechain",
        "task_id",
        "traj",
        "reward_info",
        "simulations",
        "tasks",
        "answer_generation",
        "train_messages",
        "tree",
        "children",
        "node_type",
        "query",
        "answer",
        "answer_details",
        "next",
    ]
)
VALUES = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "tool",
        "tool_use",
        "tool_result",
        "text",
        "image",
        "summary",
        "ATIF-v1.7",
        "agent",
        "u1",
        "u2",
        "2026-03-01T09:00:00Z",
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@each_reader
@given(values=st.lists(json_values, max_size=4), is_lines=st.booleans())
def test_any_json_is_read_without_a_crash(
    reader: Reader, values: list[object], *, is_lines: bool
) -> None:
    encoded = b"\n".join(msgspec.json.encode(value) for value in values)
    source = replace(decode(encoded, notes=Notes("any")), is_lines=is_lines)
    assert 0 <= reader.sniff(source) <= 1
    for bundle in read(reader, source)[0]:
        indices = [step.index for step in bundle.trajectory.steps]
        assert indices == list(range(len(indices)))
