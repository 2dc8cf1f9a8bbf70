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
        ("2026-01-05t10:00:01z", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("2026-01-05T10:00:01.123456789Z", datetime(2026, 1, 5, 10, 0, 1, 123456, tzinfo=UTC)),
        ("1767607201", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("1767607201.5", datetime(2026, 1, 5, 10, 0, 1, 500000, tzinfo=UTC)),
        ("1767607201000", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        (1767607201000000, datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("1767607201000000000", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("Mon, 05 Jan 2026 12:00:01 +0200", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("Mon, 5 Jan 2026 10:00:01 GMT", datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)),
        ("05 Jan 2026 10:00 -0000 (none)", datetime(2026, 1, 5, 10, 0, tzinfo=UTC)),
        ("05 Jan 2026 10:00 PM", None),
        ("05 Jan 0001 10:00 GMT", None),
        ("20260105", datetime(2026, 1, 5, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", None),
        ("0002-01-01T00:00:00Z", datetime(2, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999Z", None),
        (12.5, None),
        (-1767607201, None),
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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", "a"),
        ("", None),
        (0, "0"),
        (-7, "-7"),
        (True, None),
        (False, None),
        (1.5, None),
        (None, None),
        (["a"], None),
    ],
)
def test_ids_are_strings_that_are_not_empty_or_integers(value: Any, expected: str | None) -> None:
    assert str_of(value) == expected


@pytest.mark.parametrize(
    ("value", "number", "integer"),
    [
        (7, 7.0, 7),
        (7.0, 7.0, 7),
        (7.5, 7.5, None),
        (0, 0.0, 0),
        (-0.5, -0.5, None),
        (True, None, None),
        ("7", None, None),
        (float("nan"), None, None),
        (float("inf"), None, None),
        (10**400, None, None),
        (None, None, None),
    ],
)
def test_numbers_are_finite(value: Any, number: float | None, integer: int | None) -> None:
    assert number_of(value) == number
    assert int_of(value) == integer


def test_the_order_of_the_names_decides_and_not_that_of_the_fields() -> None:
    assert first_str({"b": "second", "a": "first"}, "a", "b") == "first"
    assert first_str({"a": 1.5, "b": "x"}, "a", "b") == "x"
    assert first_str({"a": "x"}) is None


def test_false_and_empty_values_belong_to_the_rest() -> None:
    value = {"a": False, "b": "", "c": [], "d": None}
    assert rest_of(value, frozenset()) == {"a": False, "b": "", "c": []}


def test_objects_and_arrays_are_handed_on_as_they_are() -> None:
    value: dict[str, Any] = {"a": [1]}
    assert object_of(value) is value
    assert list_of(value["a"]) is value["a"]
    assert object_of(["a"]) == {}
    assert list_of(value) == list_of("abc") == []


def test_seconds_and_milliseconds_are_told_apart_by_their_size() -> None:
    assert time_of(1e11) == datetime(5138, 11, 16, 9, 46, 40, tzinfo=UTC)
    assert time_of(1e11 + 1000) == datetime(1973, 3, 3, 9, 46, 41, tzinfo=UTC)
    assert time_of(1e8) == datetime(1973, 3, 3, 9, 46, 40, tzinfo=UTC)
    assert time_of(1e8 - 1) is None
    assert time_of(0) is None
    assert time_of(" 2026-01-05T10:00:01Z\n") == datetime(2026, 1, 5, 10, 0, 1, tzinfo=UTC)
    assert time_of("") is None
