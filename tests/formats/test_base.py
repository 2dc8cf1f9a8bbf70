from __future__ import annotations

import pytest

from stepwell.formats.base import Bundle, Notes, Reader, Source
from stepwell.formats.registry import OWN
from stepwell.trajectory.model import Notice, Trajectory


def test_a_note_at_a_line_and_one_at_a_pointer_say_where() -> None:
    notes = Notes(uri="log.jsonl")
    notes.add(3, "torn-tail", "Cut off.", effect="skipped")
    notes.add("/steps/0", "odd", "Strange.")
    assert notes.notices == [
        Notice(position="log.jsonl:3", code="torn-tail", message="Cut off.", effect="skipped"),
        Notice(position="log.jsonl#/steps/0", code="odd", message="Strange.", effect="warning"),
    ]


def test_notes_of_two_files_are_kept_apart() -> None:
    one, two = Notes(uri="a"), Notes(uri="b")
    one.add(1, "odd", "Strange.")
    assert two.notices == []


@pytest.mark.parametrize("reader", OWN, ids=lambda reader: reader.name)
def test_own_readers_have_the_shape_of_one(reader: object) -> None:
    assert isinstance(reader, Reader)


def test_what_lacks_a_name_or_a_method_is_no_reader() -> None:
    class Nameless:
        def sniff(self, source: Source) -> float:
            return float(source.is_lines)

        def read(self, source: Source, notes: Notes) -> None:
            notes.add(1, source.uri, "")

    class Named(Nameless):
        name = "named"

    assert isinstance(Named(), Reader)
    assert not isinstance(Nameless(), Reader)


def test_a_bundle_needs_no_media() -> None:
    run = Trajectory(trajectory_id="r", session_id="r", source_format="toy")
    assert Bundle(trajectory=run).blobs == ()
