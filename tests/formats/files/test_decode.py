from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.files.mend import MAX_DEPTH, decode_value, encode_value, salvage

if TYPE_CHECKING:
    from stepwell.formats.base import Source

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20)
records = st.dictionaries(st.text(max_size=5), scalars | st.lists(scalars, max_size=2), max_size=3)


def read(data: bytes) -> tuple[Source, list[tuple[str, str, str]]]:
    notes = Notes("log")
    source = decode(data, notes=notes)
    return source, [
        (notice.position.removeprefix("log:"), notice.code, notice.effect)
        for notice in notes.notices
    ]


def values(data: bytes) -> list[Any]:
    return [record.value for record in read(data)[0].records]


def test_lines_carry_their_place_and_their_bytes() -> None:
    source, notices = read(b'\xef\xbb\xbf{"a": 1}\r\n\r\n[2]\r\n')
    assert notices == []
    assert source.is_lines
    assert [(r.line, r.byte_offset, r.raw, r.value) for r in source.records] == [
        (1, 3, b'{"a": 1}', {"a": 1}),
        (3, 15, b"[2]", [2]),
    ]


@pytest.mark.parametrize("data", [b'{\n "a": 1\n}\n', b'{"a": 1}', b'[\n{"a": 1}\n]'])
def test_one_document_is_not_lines(data: bytes) -> None:
    source, notices = read(data)
    assert (len(source.records), source.is_lines, notices) == (1, False, [])


def test_documents_one_after_the_other_are_all_read() -> None:
    source, notices = read(b'{\n "a": 1\n}\n{\n "b": 2\n}\n')
    assert [(r.line, r.byte_offset, r.value) for r in source.records] == [
        (1, 0, {"a": 1}),
        (4, 12, {"b": 2}),
    ]
    assert (source.is_lines, notices) == (False, [])


@pytest.mark.parametrize("data", [b"", b" \n\n", b"\xef\xbb\xbf", b"\0\0\0"])
def test_an_empty_file_is_noted_and_no_error(data: bytes) -> None:
    source, notices = read(data)
    assert source.records == ()
    assert notices == [("1", "empty-file", "warning")]


def test_a_torn_tail_loses_only_itself() -> None:
    source, notices = read(b'{"a": 1}\n{"a": 2}\n{"a": "thr')
    assert [record.value["a"] for record in source.records] == [1, 2]
    assert notices == [("3", "torn-tail", "skipped")]


@pytest.mark.parametrize("bad", [b'{"a": "cu', b'"}],"stop":null}}', b"\xff\xfe\x01", b"}{"])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_broken_line_loses_only_itself(bad: bytes, at: int) -> None:
    lines = [b'{"a": 1}', b'{"a": 2}']
    lines.insert(at, bad)
    source, notices = read(b"\n".join(lines) + b"\n")
    assert [record.value for record in source.records] == [{"a": 1}, {"a": 2}]
    assert [effect for _, _, effect in notices] == ["skipped"]
    assert notices[0][0] == str(at + 1)


def test_scalars_are_skipped_and_noted() -> None:
    source, notices = read(b'{"a": 1}\n42\nnull\n"x"\n')
    assert len(source.records) == 1
    assert [code for _, code, _ in notices] == ["not-an-object"] * 3


def test_records_run_into_one_line_are_parted() -> None:
    source, notices = read(b'{"a": 1}{"a": 2}\n{"a": 3}{"a"\n{"a": 4}\n')
    assert [record.value["a"] for record in source.records] == [1, 2, 3, 4]
    assert [record.byte_offset for record in source.records] == [0, 8, 17, 30]
    assert notices == [("1", "glued-line", "repaired"), ("2", "glued-line", "skipped")]


@pytest.mark.parametrize(
    "torn",
    [
        b'{"id": 7, "text": "cut o',
        b'{"id": 7, "text": {"a": 1}',
        b'{"id": 7, "text": ',
        b'{"id": 7,',
        b'{"id"',
        b'{"id": 7, "text": [{"a": 1}, {"b": "',
        b'oo"}], "more": {"id": 3}}',
        b'{"id": 7, "text": "a{"id": 8, "text": "b',
        b'{"id": 7, "te',
        b'{"',
    ],
)
def test_a_whole_record_after_a_torn_one_on_its_line_is_read(torn: bytes) -> None:
    whole = b'{"id": 1, "text": "x"}'
    source, notices = read(b'{"id": 0}\n' + torn + whole + b"\n" + torn + whole + torn + b"\n")
    assert [record.value for record in source.records[1:]] == [{"id": 1, "text": "x"}] * 2
    assert [record.raw for record in source.records[1:]] == [whole] * 2
    assert source.records[1].byte_offset == 10 + len(torn)
    assert notices == [(str(n), "glued-line", "skipped") for n in (2, 3)]


@pytest.mark.parametrize(
    "torn",
    [
        b'{"id": 7, "text": {"id": 8}, "more": "cut',
        b'{"id": 7, "list": [{"id": 8}, {"id": 9}], "more": {',
        b'{"type": "user", "message": {"content": [{"type": "text", "text": "hi"}',
        b'{"id": 7, "text": {"a": 1}',
    ],
)
def test_what_a_torn_record_holds_is_no_record(torn: bytes) -> None:
    source, notices = read(b'{"id": 0}\n' + torn + b"\n")
    assert [record.value for record in source.records] == [{"id": 0}]
    assert notices == [("2", "broken-line", "skipped")]


_records = st.builds(
    lambda n, text, inner: {"id": n, "text": text, "more": inner},
    st.integers(0, 99),
    st.text(max_size=5) | st.sampled_from(['{"', '{"id": 1}', "},{", '"']),
    st.lists(
        st.dictionaries(st.text("ab{", max_size=2), st.integers(0, 9), max_size=2), max_size=2
    ),
)


@given(_records, st.lists(_records, min_size=1, max_size=3), st.integers(0, 99))
def test_wherever_a_record_is_torn_those_after_it_on_the_line_are_read(
    first: dict[str, Any], rest: list[dict[str, Any]], cut: int
) -> None:
    raw = json.dumps(first).encode()
    torn = raw[: min(cut, len(raw) - 1)]
    line = torn + b"".join(json.dumps(value).encode() for value in rest)
    source, notices = read(b'{"id": "head"}\n' + line + b"\n")
    assert [record.value for record in source.records[1:]] == rest
    assert bool(notices) == (len(rest) > 1 or bool(torn))


def test_a_long_line_of_beginnings_takes_no_long_time() -> None:
    source, _ = read(b'{"id": 0}\n' + b'{"id": [' * 20_000 + b'{"a": 1},' * 20_000)
    assert len(source.records) == 1


@pytest.mark.parametrize(
    ("raw", "value", "code"),
    [
        (b'{"a": NaN, "b": [-Infinity, 1e999]}', {"a": None, "b": [None, None]}, "not-a-number"),
        (b'{"a": "NaN"}', {"a": "NaN"}, None),
        (b'{"a": "x \\ud83d y"}', {"a": "x \ufffd y"}, "lone-surrogate"),
        (b'{"a": "\\ude00"}', {"a": "\ufffd"}, "lone-surrogate"),
        (b'{"a": "\\ud83d\\ude80"}', {"a": "🚀"}, None),
        (b'{"a": "\\\\ud83d"}', {"a": "\\ud83d"}, None),
        (b'{"a": "caf\xe9 \xe2\x80\x93"}', {"a": "caf\ufffd \u2013"}, "invalid-utf8"),
        (b'{"a": "x\ty\0"}', {"a": "x\ty\0"}, "raw-control"),
        (b'{"a": 1}\0\0\0', {"a": 1}, None),
        (b'{"a": ' + b"9" * 5000 + b"}", {"a": None}, "not-a-number"),
    ],
)  # fmt: skip
def test_what_is_nearly_json_is_mended(raw: bytes, value: Any, code: str | None) -> None:
    source, notices = read(b'{"good": 1}\n' + raw + b"\n")
    assert source.records[1].value == value
    assert source.records[1].raw == raw
    assert notices == ([] if code is None else [("2", code, "repaired")])


@pytest.mark.parametrize("depth", [3000, 100_000])
def test_deep_nesting_is_cut_and_what_is_beside_it_kept(depth: int) -> None:
    deep = b'{"before": 1, "deep": ' + b"[" * depth + b"]" * depth + b', "after": 2}'
    source, notices = read(deep)
    value = source.records[0].value
    assert (value["before"], value["after"]) == (1, 2)
    levels, inner = 0, value["deep"]
    while inner:
        levels, inner = levels + 1, inner[0]
    assert levels == MAX_DEPTH - 1
    assert notices == [("1", "too-deep", "repaired")]


def test_nesting_that_never_ends_is_no_error() -> None:
    source, notices = read(b'{"a":' * 50_000)
    assert source.records == ()
    assert {effect for _, _, effect in notices} == {"skipped"}


@pytest.mark.parametrize("tail", [b"", b'"' + b"]" * 500_000, b"]" * 500_000])
def test_brackets_without_number_are_given_up_with_one_notice(tail: bytes) -> None:
    source, notices = read(b"[" * 500_000 + tail + b'\n{"a": 1}\n{"a": 2}\n')
    assert [record.value for record in source.records] == [{"a": 1}, {"a": 2}]
    assert notices == [("1", "broken-line", "skipped")]


def test_a_document_cut_off_is_read_as_far_as_it_is_whole() -> None:
    whole = json.dumps({"messages": [{"n": n} for n in range(9)]}, indent=1).encode()
    source, notices = read(whole[:-20])
    assert [message["n"] for message in source.records[0].value["messages"]] == list(range(8))
    assert notices == [("1", "torn-document", "repaired")]


def test_a_value_with_nothing_whole_cannot_be_salvaged() -> None:
    with pytest.raises(ValueError, match="nothing whole"):
        salvage(b'{"a": "b')


def test_a_binary_file_is_noted_in_bounds() -> None:
    source, notices = read(b"\x80\x81\n\x82" * 5000)
    assert source.records == ()
    assert len(notices) < 1100
    assert ("1", "more-broken-lines", "skipped") in notices


def test_utf_16_is_read() -> None:
    source, notices = read('{"a": "é"}\n{"a": 2}\n'.encode("utf-16"))
    assert [record.value["a"] for record in source.records] == ["é", 2]
    assert notices == [("1", "utf-16", "repaired")]


def test_a_line_of_megabytes_is_a_line_like_others() -> None:
    long = json.dumps({"a": "x" * 5_000_000 + " needle"}).encode()
    source, _ = read(b'{"a": 1}\n' + long + b'\n{"a": 3}\n')
    assert source.records[1].value["a"].endswith("needle")
    assert source.records[2].byte_offset == 9 + len(long) + 1


@given(st.lists(records, min_size=1, max_size=6))
def test_good_lines_come_back_equal(rows: list[Any]) -> None:
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    source, notices = read(data)
    assert [record.value for record in source.records] == rows
    assert notices == []
    for record in source.records:
        assert data[record.byte_offset :].startswith(record.raw)


@given(st.lists(records, min_size=2, max_size=6), st.data())
def test_garbage_between_lines_loses_no_line(rows: list[Any], data: st.DataObject) -> None:
    lines = [json.dumps({"row": row}).encode() for row in rows]
    garbage = st.binary(max_size=30).filter(lambda raw: b"\n" not in raw and raw[:2] not in BOMS)
    for _ in range(3):
        lines.insert(data.draw(st.integers(0, len(lines))), data.draw(garbage))
    found = [value for value in values(b"\n".join(lines)) if isinstance(value, dict)]
    assert [value["row"] for value in found if "row" in value] == rows


BOMS = (b"\xff\xfe", b"\xfe\xff")


@given(st.binary(max_size=300))
def test_any_bytes_decode_or_say_so(data: bytes) -> None:
    source, notices = read(data)
    assert source.records or notices


@given(json_values)
def test_a_mended_value_is_valid_json(value: Any) -> None:
    raw = json.dumps(value, ensure_ascii=True).encode()
    assert decode_value(raw)[0] == value


@given(json_values)
def test_a_value_is_encoded_as_it_is(value: Any) -> None:
    assert json.loads(encode_value(value)) == value


def test_half_surrogates_are_encoded_as_replaced_wherever_they_stand() -> None:
    value = {"a\ud83d": ["\ude00", {"b": ("x", "\ud83d\ude80")}]}
    assert json.loads(encode_value(value)) == {"a\ufffd": ["\ufffd", {"b": ["x", "🚀"]}]}
