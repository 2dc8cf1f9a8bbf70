"""Row ids: every place has its own, in reading order, and tells where it is."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.store.rowids import MAX_PLACES, MAX_STEPS, number_of, place_of, rowid, span, step_of

numbers = st.integers(0, 2**27 - 1)
steps = st.integers(0, MAX_STEPS - 1)
places = st.integers(0, MAX_PLACES - 1)


def test_the_shares_of_a_row_id_are_those_of_files_already_written() -> None:
    assert (MAX_PLACES, MAX_STEPS) == (65_536, 1_048_576)
    assert rowid(1, 0) == 2**36
    assert rowid(0, 1) == 2**16
    assert rowid(7, 42, 3) == 7 * 2**36 + 42 * 2**16 + 3


@given(number=numbers, step=steps, place=places)
def test_a_row_id_tells_trajectory_step_and_place(number: int, step: int, place: int) -> None:
    row = rowid(number, step, place)
    assert (number_of(row), step_of(row), place_of(row)) == (number, step, place)
    assert 0 <= row < 2**63


@given(one=st.tuples(numbers, steps, places), two=st.tuples(numbers, steps, places))
def test_row_ids_are_ordered_like_what_they_name(
    one: tuple[int, int, int], two: tuple[int, int, int]
) -> None:
    assert (rowid(*one) < rowid(*two)) == (one < two)
    assert (rowid(*one) == rowid(*two)) == (one == two)


def test_arrays_are_told_apart_element_by_element() -> None:
    rows = np.array([rowid(3, 4, 5), rowid(6, MAX_STEPS - 1, MAX_PLACES - 1)], dtype=np.int64)
    assert number_of(rows).tolist() == [3, 6]
    assert step_of(rows).tolist() == [4, MAX_STEPS - 1]


def test_a_place_left_out_is_the_step_itself() -> None:
    assert rowid(5, 9) == rowid(5, 9, 0)


@given(number=numbers)
def test_a_whole_span_ends_just_before_the_next_trajectory(number: int) -> None:
    first, last = span(number)
    assert first == rowid(number, 0)
    assert last == rowid(number, MAX_STEPS - 1, MAX_PLACES - 1)
    assert last + 1 == span(number + 1)[0]


def test_the_step_behind_the_last_is_the_next_trajectorys_first() -> None:
    for number in (6, 7):
        assert rowid(number, MAX_STEPS) == rowid(number + 1, 0)
        assert span(number, end=MAX_STEPS) == span(number)
        low, high = span(number, first=MAX_STEPS)
        assert high == low - 1


@given(number=numbers, first=steps, length=st.integers(1, 100))
def test_a_span_holds_steps_from_the_first_to_before_the_end(
    number: int, first: int, length: int
) -> None:
    low, high = span(number, first=first, end=first + length)
    assert low == rowid(number, first)
    assert high == rowid(number, first + length) - 1
    assert high - low + 1 == length * MAX_PLACES


def test_a_span_that_ends_where_it_starts_is_empty() -> None:
    low, high = span(2, first=5, end=5)
    assert high == low - 1
    assert span(2, end=0)[1] < span(2)[0]
