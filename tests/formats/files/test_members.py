from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.files.members import elements, fields, member

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
INDENT = st.none() | st.integers(min_value=0, max_value=3)


@given(st.lists(JSON), INDENT, st.booleans())
def test_elements_are_the_bytes_of_the_values(values: Any, indent: Any, ascii_only: Any) -> None:
    raw = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "replace")
    again = [json.loads(item) for item in elements(raw)]
    assert repr(again) == repr(json.loads(raw))


@given(st.dictionaries(st.text(), JSON), INDENT)
def test_member_gives_the_bytes_of_a_field(value: Any, indent: Any) -> None:
    raw = json.dumps(value, indent=indent).encode()
    for name, item in value.items():
        assert repr(json.loads(member(raw, name))) == repr(json.loads(json.dumps(item)))


def test_an_absent_field_is_empty() -> None:
    assert member(b'{"a": {"b": 1}}', "b") == b""
    assert member(b"3", "b") == b""
    assert elements(b"") == []


def test_the_last_of_repeated_names_counts() -> None:
    assert member(b'{"a": 1, "a": 2}', "a") == b"2"


def test_nesting_of_any_depth_and_bad_utf8_pass_through() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    raw = b'{"deep": ' + deep + b', "bad": "\xe9\x92"}'
    assert member(raw, "deep") == deep
    assert member(raw, "bad") == b'"\xe9\x92"'


def test_brackets_and_quotes_inside_strings_are_text() -> None:
    assert elements(rb'["a]\"", "\\", ",{"]') == [rb'"a]\""', rb'"\\"', b'",{"']


def test_fields_of_an_object_that_no_parser_takes_are_found_by_scanning() -> None:
    raw = b'{"a": NaN, "b": {"c": [1, 2]}, "a": 3}'
    assert fields(raw) == {"a": b"3", "b": b'{"c": [1, 2]}'}
    assert fields(b"[1]") == {}


def test_a_string_cut_off_is_read_once_however_many_quotes_it_holds() -> None:
    cut = b'{"a": [1, "' + rb"{\"k\": \"v\"} " * 100_000  # quadratic: minutes
    assert elements(b"[3, " + cut) == [b"3"]
    assert member(b'{"b": 2, "c": ' + cut, "b") == b"2"
    assert member(b'{"b": 2, "c": ' + cut + b"\\", "c") == b""
