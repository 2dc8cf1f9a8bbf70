"""Files of counts and accesses, as anyone may write them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.audit.counts import read_counts
from stepwell.errors import InvalidInputError


@given(st.lists(st.integers(0, 2**53), min_size=1))
def test_numbers_are_counts_in_lines_and_in_json(counts: list[int]) -> None:
    expected = [float(count) for count in counts]
    assert read_counts("\n".join(map(str, counts)).encode()).tolist() == expected
    assert read_counts(json.dumps(counts).encode()).tolist() == expected
    named = {f"s{place}": count for place, count in enumerate(counts)}
    assert read_counts(json.dumps(named).encode()).tolist() == expected


@given(st.lists(st.sampled_from(["s1", "s2", "run/s3", "é"]), min_size=1))
def test_ids_are_accesses_that_are_counted(ids: list[str]) -> None:
    expected = sorted(ids.count(one) for one in set(ids))
    assert sorted(read_counts("\n".join(ids).encode()).tolist()) == expected
    assert sorted(read_counts(json.dumps(ids).encode()).tolist()) == expected


@pytest.mark.parametrize(
    ("data", "counts"),
    [
        (b"\xef\xbb\xbf 3 \r\n\r\n4.0\n", [3, 4]),
        (b'["3", "3", "4"]', [2, 1]),
        (b'[1, "a", "a"]', [1, 2]),
        (b"7", [7]),
    ],
)
def test_odd_files_are_read(data: bytes, counts: list[int]) -> None:
    assert read_counts(data).tolist() == counts


@pytest.mark.parametrize(
    "data",
    [b"", b" \n", b"[]", b"{}", b"[1", b"-1", b"1.5", b"nan", b"inf", b"[null]", b"[[1]]",
     b"[true]", b'{"a": "x"}', b'{"a": [1]}', b"9007199254740993000", b'["\\ud800", null]'],
)  # fmt: skip
def test_what_is_no_count_is_named(data: bytes) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_counts(data)
    assert caught.value.hint


@given(st.binary(max_size=60))
def test_any_bytes_give_counts_or_a_clear_error(data: bytes) -> None:
    try:
        counts = read_counts(data)
    except InvalidInputError:
        return
    assert len(counts) > 0
    assert (counts >= 0).all()
