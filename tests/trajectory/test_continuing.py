"""Which steps two readings share, and the order of a run to which steps came late."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.trajectory.contents import Content, chained
from stepwell.trajectory.continuing import in_order, places_in


def contents(text: str, *, records: str = "") -> list[Content]:
    return chained(
        Content(kind="user", said=char.encode(), record=record.strip().encode(), prefix=b"")
        for char, record in zip(text, records.ljust(len(text)), strict=True)
    )


def places(old: str, new: str) -> list[int | None]:
    return places_in(contents(old), contents(new))


def test_a_beginning_an_end_and_a_middle_are_found() -> None:
    assert places("abcdef", "abc") == [0, 1, 2]
    assert places("abcdef", "defg") == [3, 4, 5, None]
    assert places("abcdef", "xcdy") == [None, 2, 3, None]
    assert places("abcdef", "") == []
    assert places("", "ab") == [None, None]


def test_what_repeats_is_matched_in_order() -> None:
    assert places("axbx", "axbxcx") == [0, 1, 2, 3, None, None]
    assert places("aabb", "sbba") == [None, 2, 3, None]
    assert places("xxxx", "xx") == [0, 1]


def test_a_crossing_is_matched_on_the_longer_side() -> None:
    assert places("abcdz", "zabcd") == [None, 0, 1, 2, 3]


def test_steps_of_the_same_record_are_the_same_though_they_read_otherwise() -> None:
    old, new = contents("abc", records="123"), contents("axc", records="123")
    assert places_in(old, new) == [0, 1, 2]
    assert places_in(old, contents("axc", records="193")) == [0, None, 2]


@given(old=st.text("abc", max_size=12), new=st.text("abc", max_size=12))
@settings(max_examples=300)
def test_places_ascend_and_join_equals(old: str, new: str) -> None:
    found = places(old, new)
    kept = [(place, at) for at, place in enumerate(found) if place is not None]
    assert all(old[place] == new[at] for place, at in kept)
    assert [place for place, _ in kept] == sorted({place for place, _ in kept})


@given(run=st.permutations("abcdefghijkl"), first=st.integers(0, 11), end=st.integers(0, 12))
def test_a_window_of_distinct_steps_is_found_whole(run: list[str], first: int, end: int) -> None:
    text = "".join(run)
    assert places(text, text[first:end]) == list(range(first, max(first, end)))


def test_late_steps_stand_right_after_what_they_follow() -> None:
    assert in_order([]) == []
    assert in_order([None, None, None]) == [0, 1, 2]
    assert in_order([None, None, -1, None, 1]) == [2, 3, 0, 1, 4]
    assert in_order([None, None, 0, 0]) == [0, 3, 2, 1]
