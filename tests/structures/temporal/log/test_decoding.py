"""Objects that are written as JSON or as Python."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.log.decoding import decoded


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ("{'a': (1, None)}", {"a": (1, None)}),
        (" [1, 2]\n", [1, 2]),
        ("{'a': 1", None),
        ("{'a' 1}", None),
        ("{a: b}", None),
        ("12", None),
        ("", None),
        ("{]", None),
        ('["\\ud800"]', ["\ufffd"]),
        ('{"\\ud800": {"a": ["\\udfff", 3]}}', {"\ufffd": {"a": ["\ufffd", 3]}}),
        ("[0x" + "f" * 299 + "]", [int("f" * 299, 16)]),
        ("[0x" + "f" * 300 + "]", None),
        ("[" * 100_000 + "]" * 100_000, None),
    ],
)
def test_an_object_is_decoded(text: str, value: Any) -> None:
    assert decoded(text) == value


def test_what_is_large_is_data() -> None:
    assert decoded("[" + " " * 199_998 + "]") == []
    assert decoded("[" + " " * 199_999 + "]") is None
    assert decoded("['" + "x" * 49_996 + "']") is not None
    assert decoded("['" + "x" * 49_997 + "']") is None
    assert decoded('["' + "x" * 49_997 + '"]') is not None


@given(st.lists(st.none() | st.booleans() | st.integers() | st.text("ab\u00e9 '\"", max_size=9)))
def test_json_and_python_give_the_same(value: list[Any]) -> None:
    assert decoded(json.dumps(value)) == value
    assert decoded(repr(value)) == value
