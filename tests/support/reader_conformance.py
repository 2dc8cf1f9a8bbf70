"""What every reader of a log format must do, as a suite that any reader can be run against.

A test module makes a fixture `sample`, of `samples(reader, *files)`, and an empty subclass of
`ReaderConformance`. The files are good logs of the reader's format, small ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepwell.formats.base import Bundle, Notes, Reader, Source
from stepwell.formats.files.decode import decode
from stepwell.formats.registry import readers
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Trajectory

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ReaderConformance", "Sample", "samples"]

_MOST_WORDS = 60
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A good log, and the reader of its format."""

    reader: Reader
    file: Path

    def __str__(self) -> str:
        """Return what names the sample among the tests."""
        return f"{self.reader.name}-{self.file.name}"

    def source(self) -> Source:
        """Return the decoded log."""
        return decode(self.file.read_bytes(), notes=Notes(self.file.name))

    def trajectories(self) -> list[Trajectory]:
        """Return what the reader reads in it."""
        return [bundle.trajectory for bundle in _read(self.reader, self.source())[0]]


def samples(reader: Reader, *files: Path) -> list[Sample]:
    """Return the samples of one reader, of which there must be one."""
    if not files:
        raise ValueError(f"There is no sample of the format {reader.name}.")
    return [Sample(reader=reader, file=file) for file in files]


class ReaderConformance:
    """The rules, one a test; a subclass in a module with a fixture `sample` runs them."""

    def test_a_sample_is_recognised_by_its_own_reader(self, sample: Sample) -> None:
        source = sample.source()
        own = sample.reader.sniff(source)
        others = [each for each in readers() if each.name != sample.reader.name]
        assert 0.5 <= own <= 1
        assert [each.name for each in others if each.sniff(source) >= own] == []

    def test_a_good_sample_is_read_without_notices_and_twice_the_same(self, sample: Sample) -> None:
        first, notes = _read(sample.reader, sample.source())
        assert first
        assert notes.notices == []
        assert _read(sample.reader, sample.source())[0] == first

    def test_steps_are_numbered_and_named_apart(self, sample: Sample) -> None:
        for run in sample.trajectories():
            assert run.steps
            assert run.source_format == sample.reader.name
            assert [step.index for step in run.steps] == list(range(len(run.steps)))
            assert len({step.uid for step in run.steps}) == len(run.steps)

    def test_trajectories_are_named_apart(self, sample: Sample) -> None:
        names = [run.trajectory_id for run in sample.trajectories()]
        assert all(names)
        assert len(set(names)) == len(names)

    def test_references_resolve(self, sample: Sample) -> None:
        for run in sample.trajectories():
            _assert_references_resolve(run)

    def test_raw_records_are_bytes_of_the_file_and_every_step_has_one(self, sample: Sample) -> None:
        data = sample.file.read_bytes()
        for run in sample.trajectories():
            assert all(record.raw in data for record in run.raw_records)
            assert all(step.raw_refs for step in run.steps if run.raw_records)

    def test_values_survive_json(self, sample: Sample) -> None:
        for run in sample.trajectories():
            assert msgspec.json.decode(msgspec.json.encode(run), type=Trajectory) == run

    def test_texts_are_clean(self, sample: Sample) -> None:
        for run in sample.trajectories():
            texts = [atom.text for step in run.steps for atom in atoms_of(step)]
            assert texts
            assert not any("\r" in text or "\x1b" in text for text in texts)
            assert all(text.encode("utf-8", "strict") for text in texts)

    def test_a_torn_tail_loses_only_the_last_record(self, sample: Sample) -> None:
        data = sample.file.read_bytes().rstrip()
        notes = Notes(sample.file.name)
        torn = decode(data[:-3], notes=notes)
        whole = sample.source()
        lost = len(whole.records) - len(torn.records)
        assert [notice.code for notice in notes.notices] == (
            ["torn-tail"] if lost else ["torn-document"]
        )
        assert lost == (1 if whole.is_lines else 0)
        shorter = list(sample.reader.read(torn, notes))
        steps = sum(len(bundle.trajectory.steps) for bundle in shorter)
        assert 0 < steps <= sum(len(run.steps) for run in sample.trajectories())

    def test_an_empty_source_is_read_as_nothing(self, sample: Sample) -> None:
        source = Source(uri="empty.jsonl", records=(), is_lines=True)
        assert sample.reader.sniff(source) == 0
        assert [
            step for bundle in _read(sample.reader, source)[0] for step in bundle.trajectory.steps
        ] == []

    @settings(suppress_health_check=[HealthCheck.differing_executors], max_examples=25)
    @given(data=st.data(), is_lines=st.booleans())
    def test_any_json_is_read_without_a_crash(
        self, sample: Sample, data: st.DataObject, *, is_lines: bool
    ) -> None:
        values = data.draw(st.lists(_json_values(sample), max_size=4))
        _assert_readable(sample.reader, values, is_lines=is_lines)

    @settings(suppress_health_check=[HealthCheck.differing_executors], max_examples=25)
    @given(data=st.data())
    def test_a_sample_with_one_wrong_value_is_read_without_a_crash(
        self, sample: Sample, data: st.DataObject
    ) -> None:
        source = sample.source()
        values = [record.value for record in source.records]
        wrong = data.draw(_json_values(sample))
        spoilt = _spoilt(values, wrong, data)
        _assert_readable(sample.reader, spoilt, is_lines=source.is_lines)


def _read(reader: Reader, source: Source) -> tuple[list[Bundle], Notes]:
    notes = Notes(source.uri)
    return list(reader.read(source, notes)), notes


def _assert_readable(reader: Reader, values: Any, *, is_lines: bool) -> None:
    encoded = b"\n".join(msgspec.json.encode(value) for value in values)
    source = replace(decode(encoded, notes=Notes("any")), is_lines=is_lines)
    assert 0 <= reader.sniff(source) <= 1
    for bundle in _read(reader, source)[0]:
        indices = [step.index for step in bundle.trajectory.steps]
        assert indices == list(range(len(indices)))
        _assert_references_resolve(bundle.trajectory)


def _assert_references_resolve(run: Trajectory) -> None:
    uids = {step.uid for step in run.steps} | {None}
    calls = [call.uid for step in run.steps for call in step.calls]
    assert len(set(calls)) == len(calls)
    for step in run.steps:
        assert step.parent_uid in uids
        assert all(0 <= ref < len(run.raw_records) for ref in step.raw_refs)
        own = {call.uid for call in step.calls} | {None}
        assert all(result.call_uid in own for result in step.results)


@cache
def _json_values(sample: Sample) -> st.SearchStrategy[Any]:
    """Return JSON values made of the names and words of a sample."""
    keys, texts = _words(sample)
    plain = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    return st.recursive(
        plain | st.sampled_from(texts),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(keys), inner, max_size=4)
        ),
        max_leaves=8,
    )


def _words(sample: Sample) -> tuple[list[str], list[str]]:
    """Return the names of members, and the short strings, that a sample holds."""
    keys: dict[str, None] = {}
    texts: dict[str, None] = {}
    left: list[Any] = [record.value for record in sample.source().records]
    while left:
        value = left.pop(0)
        if isinstance(value, dict):
            keys |= dict.fromkeys(value)
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, str) and len(value) <= _LONGEST_WORD:
            texts[value] = None
    return list(keys)[:_MOST_WORDS], list(texts)[:_MOST_WORDS]


def _spoilt(value: Any, wrong: Any, data: st.DataObject) -> Any:
    """Return a value with one of the values in it replaced."""
    if not value or not isinstance(value, dict | list):
        return wrong
    places = list(value) if isinstance(value, dict) else list(range(len(value)))
    place = data.draw(st.sampled_from(places))
    deeper = data.draw(st.integers(0, 4)) > 0
    new = value.copy()
    new[place] = _spoilt(value[place], wrong, data) if deeper else wrong
    return new
