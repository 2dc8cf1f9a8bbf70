from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.trajectory.fields import (
    first_str,
    int_of,
    list_of,
    number_of,
    object_of,
    rest_of,
    str_of,
    time_of,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-01-05T10:00:01Z", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("2026-01-05T12:00:01+02:00", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("2026-01-05T10:00:01", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        (1767607201, datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        (1767607201000, datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("yesterday", None),
        (None, None),
        (True, None),
        (1e300, None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_times_are_read_in_utc(value: Any, expected: Any) -> None:
    assert time_of(value) == expected


@given(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.lists(st.integers())
    | st.dictionaries(st.text(), st.integers())
)
def test_no_value_makes_a_field_reader_raise(value: Any) -> None:
    assert object_of(value) == (value if isinstance(value, dict) else {})
    assert list_of(value) == (value if isinstance(value, list) else [])
    assert str_of(value) is None or str_of(value) == str(value)
    assert number_of(value) is None or number_of(value) == pytest.approx(value)
    assert int_of(value) is None or int_of(value) == int(number_of(value) or 0)
    time = time_of(value)
    assert time is None or time.tzinfo is UTC


def test_the_first_named_string_wins() -> None:
    assert first_str({"a": "", "b": 7, "c": "x"}, "a", "b", "c") == "7"
    assert first_str({}, "a") is None


def test_the_rest_leaves_out_known_fields_and_nulls() -> None:
    assert rest_of({"a": 1, "b": None, "c": 0}, frozenset({"a"})) == {"c": 0}
