from __future__ import annotations

import json
from typing import Any

import pytest

from stepwell.formats.base import Notes, Record, Source
from stepwell.formats.files.decode import decode
from stepwell.formats.files.documents import documents, first_value, source_id


def source_of(data: bytes) -> Source:
    return decode(data, notes=Notes("logs/run.json"))


@pytest.mark.parametrize(
    ("data", "pointers"),
    [
        (b'{"a": 1}', [""]),
        (b'[{"a": 1}, {"a": 2}]', ["/0", "/1"]),
        (b'{"a": 1}\n{"a": 2}\n', ["", ""]),
        (b"[]", []),
    ],
)
def test_a_record_is_one_document_or_a_list_of_them(data: bytes, pointers: list[str]) -> None:
    found = list(documents(source_of(data)))
    assert [document.pointer for document in found] == pointers
    assert [json.loads(document.raw) for document in found] == [each.value for each in found]


def test_the_first_value_is_that_of_the_first_document() -> None:
    values: list[Any] = [b'{"a": 1}', b'[{"a": 1}]', b'{"a": 1}\n{"a": 2}\n']
    assert [first_value(source_of(data)) for data in values] == [{"a": 1}] * 3
    assert first_value(Source(uri="x", records=(), is_lines=False)) is None


def test_bytes_that_do_not_match_the_values_are_left_out() -> None:
    record = Record(value=[1, 2], line=1, byte_offset=0, raw=b"[1, 2, 3]")
    source = Source(uri="x", records=(record,), is_lines=False)
    assert [document.raw for document in documents(source)] == [b"", b""]


def test_a_note_names_a_pointer_in_a_document_and_a_line_in_jsonl() -> None:
    notes = Notes("x")
    (document,) = documents(source_of(b'[{"a": 1}]'))
    document.note(notes, "/a", "odd", "Odd.")
    line = list(documents(source_of(b'{"a": 1}\n{"a": 2}\n')))[1]
    line.note(notes, "/a", "odd", "Odd.")
    assert [(note.position, note.message) for note in notes.notices] == [
        ("x#/0/a", "Odd."),
        ("x:2", "Odd. (/a)"),
    ]


def test_a_source_id_is_stem_and_hash_of_the_path() -> None:
    assert source_id("logs/run.json").startswith("run-")
    assert source_id("logs/run.json") != source_id("other/run.json")
    assert source_id(r"C:\logs\run.json").startswith("run-")
    assert source_id("").startswith("run-")
    assert len(source_id("a.b.json")) == len("a.b-") + 8
