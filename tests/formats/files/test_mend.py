"""JSON that is nearly JSON."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.files.mend import (
    MAX_DEPTH,
    decode_value,
    encode_value,
    salvage,
    split_values,
)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def depth_of(value: Any) -> int:
    levels = 0
    while isinstance(value, list) and value:
        value, levels = value[0], levels + 1
    return levels


@given(json_values)
def test_good_json_is_read_as_it_is(value: Any) -> None:
    assert decode_value(msgspec.json.encode(value)) == (value, ())


@pytest.mark.parametrize(
    ("raw", "value", "codes"),
    [
        (b'{"a": NaN}', {"a": None}, ("not-a-number",)),
        (b"[Infinity, -Infinity, 1e999, -1e999]", [None] * 4, ("not-a-number",)),
        (b"[1e308, -1.5e3, 0]", [1e308, -1500.0, 0], ()),
        (b'["NaN", "Infinity"]', ["NaN", "Infinity"], ()),
        (rb'["\ud83d"]', ["\ufffd"], ("lone-surrogate",)),
        (rb'["\ude00\ud83d"]', ["\ufffd\ufffd"], ("lone-surrogate",)),
        (rb'["\ud83d\ude00"]', ["\U0001f600"], ()),
        (rb'["\\ud83d", NaN]', ["\\ud83d", None], ("not-a-number",)),
        (b'["a\nb\x01"]', ["a\nb\x01"], ("raw-control",)),
        (b'["\xff"]', ["\ufffd"], ("invalid-utf8",)),
        (b'\0\0 ["\xff", NaN, "\t"]\r\n\0', ["\ufffd", None, "\t"],
         ("invalid-utf8", "not-a-number", "raw-control")),
    ],
)  # fmt: skip
def test_what_is_mended_is_named(raw: bytes, value: Any, codes: tuple[str, ...]) -> None:
    assert decode_value(raw) == (value, codes)


@pytest.mark.parametrize("raw", [b"", b"{", b'{"a" 1}', b"['a']", b"nul", b"[1,]", b"x", b"[1] 2"])
def test_what_no_mending_helps_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|Input"):
        decode_value(raw)


@pytest.mark.parametrize(("digits", "is_kept"), [(4000, True), (4001, False)])
def test_integers_of_too_many_digits_are_null(digits: int, *, is_kept: bool) -> None:
    (_, value), codes = decode_value(b"[NaN, " + b"1" * digits + b"]")
    assert value == (int("1" * digits) if is_kept else None)
    assert codes == ("not-a-number",)


@pytest.mark.parametrize("depth", [5_000, 100_000])
def test_a_value_that_nests_too_deeply_is_cut(depth: int) -> None:
    value, codes = decode_value(b"[" * depth + b"1" + b"]" * depth)
    assert codes == ("too-deep",)
    assert depth_of(value) == MAX_DEPTH


def test_what_stands_beside_a_cut_value_stays() -> None:
    deep = b"[" * 5000 + b"]" * 5000
    value, _ = decode_value(b'{"a": ' + deep + b', "b": [1, "]]"]}')
    assert value["b"] == [1, "]]"]


def test_brackets_that_never_close_are_no_value() -> None:
    with pytest.raises(ValueError, match="never closed"):
        decode_value(b"[" * 1_000_000)


@given(json_values)
def test_what_is_encoded_is_read_back(value: Any) -> None:
    assert decode_value(encode_value(value)) == (value, ())


def test_what_json_cannot_say_is_encoded_as_text() -> None:
    assert encode_value({"at": 1j, "set": {"x"}}) == b'{"at":"1j","set":["x"]}'
    assert encode_value(["\ud83d", 1j, {5: "a"}]) == '["\ufffd","1j",{"5":"a"}]'.encode()


@pytest.mark.parametrize(
    ("data", "start", "spans", "end"),
    [
        (b'{"a": 1}{"b": 2}', 0, [(0, 8), (8, 16)], 16),
        (b"[1]\n [2] tail", 0, [(0, 3), (5, 8)], 8),
        (b"[1] [2", 0, [(0, 3)], 3),
        (b'{"a": "}{"} x', 0, [(0, 11)], 11),
        (b'{"a": "\\"}"}', 0, [(0, 12)], 12),
        (b"] [1]", 0, [(2, 5)], 5),
        (b"[1][2]", 3, [(3, 6)], 6),
        (b"no json", 2, [], 2),
        (b"", 0, [], 0),
    ],
)
def test_values_one_after_the_other_are_found(
    data: bytes, start: int, spans: list[tuple[int, int]], end: int
) -> None:
    assert split_values(data, start) == (spans, end)


@given(st.lists(st.lists(json_values, max_size=2), max_size=4))
def test_values_run_together_are_told_apart(values: list[Any]) -> None:
    data = b"".join(map(msgspec.json.encode, values))
    spans, end = split_values(data)
    assert [msgspec.json.decode(data[a:b]) for a, b in spans] == values
    assert end == len(data)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"m": [{"r": 1}, {"r": 2', {"m": [{"r": 1}]}),
        (b'{"m": [{"r": 1}', {"m": [{"r": 1}]}),
        (b'{"m": [{"r": 1}]', {"m": [{"r": 1}]}),
        (b'{"a": 1, "b', {"a": 1}),
        (b"[1, 2, 3", [1, 2]),
        (b'[[1], "x, y', [[1]]),
    ],
)
def test_a_torn_document_is_read_to_its_last_whole_element(raw: bytes, value: Any) -> None:
    assert salvage(raw) == (value, ())


@pytest.mark.parametrize("raw", [b"", b"[", b'{"a": 1', b'"a, b"', b"[" * 300_000])
def test_a_torn_document_without_a_whole_element_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match="nothing whole"):
        salvage(raw)


@given(json_values.filter(lambda value: isinstance(value, list) and len(value) > 1), st.data())
def test_cut_anywhere_a_document_keeps_its_beginning(value: list[Any], data: st.DataObject) -> None:
    raw = msgspec.json.encode(value)
    first = len(msgspec.json.encode(value[0])) + 2
    cut = data.draw(st.integers(first, len(raw)))
    saved, codes = salvage(raw[:cut])
    assert saved[0] == value[0]
    assert codes == ()
