"""The order of records that name their parents, and the live path through them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.claude_code.graph import Graph, graph_of
from stepwell.formats.claude_code.records import Entry

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def entry(place: int, parent: str | None, *, at: int | None = None, uid: str = "") -> Entry:
    return Entry(
        place=place,
        uid=uid or f"u{place}",
        parent=parent,
        value={"type": "user"},
        time=None if at is None else START + timedelta(seconds=at),
        where=place + 1,
        position=f"line:{place + 1}",
        byte_offset=0,
        raw=b"",
    )


def graph(*entries: Entry) -> Graph:
    return graph_of(entries, is_leaf=lambda _: True)


def order(found: Graph) -> list[str]:
    return [each.uid for each in found.entries]


def test_a_chain_is_one_live_path() -> None:
    found = graph(entry(0, None, at=0), entry(1, "u0", at=1), entry(2, "u1", at=2))
    assert order(found) == ["u0", "u1", "u2"]
    assert found.parents == {"u0": None, "u1": "u0", "u2": "u1"}
    assert set(found.branches.values()) == {None}


def test_parents_come_before_children_whatever_the_file_and_the_clock_say() -> None:
    found = graph(entry(0, "u1", at=0), entry(1, None, at=9))
    assert order(found) == ["u1", "u0"]


def test_of_several_children_the_earlier_comes_first_and_then_the_place() -> None:
    found = graph(
        entry(0, None, at=0), entry(1, "u0", at=5), entry(2, "u0", at=3), entry(3, "u0", at=3)
    )
    assert order(found) == ["u0", "u2", "u3", "u1"]


def test_a_record_without_a_time_comes_at_once_after_its_parent() -> None:
    found = graph(entry(0, None, at=0), entry(1, "u0", at=1), entry(2, "u0"))
    assert order(found) == ["u0", "u2", "u1"]


def test_what_the_newest_record_does_not_descend_from_is_abandoned() -> None:
    found = graph(
        entry(0, None, at=0),
        entry(1, "u0", at=1),
        entry(2, "u1", at=2),
        entry(3, "u0", at=3),
        entry(4, "u2", at=2),
    )
    assert found.branches == {"u0": None, "u3": None, "u1": "u1", "u2": "u1", "u4": "u1"}


def test_of_two_newest_the_later_in_the_file_lives() -> None:
    found = graph(entry(0, None, at=0), entry(1, "u0", at=1), entry(2, "u0", at=1))
    assert found.branches == {"u0": None, "u1": "u1", "u2": None}


def test_a_record_without_a_time_is_as_new_as_its_parent() -> None:
    found = graph(entry(0, None, at=0), entry(1, "u0", at=5), entry(2, "u1"), entry(3, "u0", at=4))
    assert found.branches == {"u0": None, "u1": None, "u2": None, "u3": "u3"}


def test_only_what_may_end_the_live_path_ends_it() -> None:
    entries = (entry(0, None, at=0), entry(1, "u0", at=1), entry(2, "u0", at=2))
    found = graph_of(entries, is_leaf=lambda each: each.uid != "u2")
    assert found.branches == {"u0": None, "u1": None, "u2": "u2"}
    none = graph_of(entries, is_leaf=lambda _: False)
    assert none.branches == {"u0": "u0", "u1": "u0", "u2": "u0"}


def test_a_missing_parent_and_a_second_root_continue_the_record_before() -> None:
    found = graph(
        entry(0, None, at=0), entry(1, "gone", at=1), entry(2, None, at=2), entry(3, "u3", at=3)
    )
    assert found.parents == {"u0": None, "u1": "u0", "u2": "u1", "u3": "u2"}
    assert set(found.branches.values()) == {None}


def test_a_first_record_whose_parent_is_missing_is_the_root() -> None:
    assert graph(entry(0, "gone")).parents == {"u0": None}


@pytest.mark.parametrize("n", [2, 5])
def test_a_cycle_is_cut_at_its_first_record(n: int) -> None:
    found = graph(*(entry(place, f"u{(place - 1) % n}") for place in range(n)))
    assert order(found) == [f"u{place}" for place in range(n)]
    assert found.parents["u0"] is None


def test_no_records_are_no_graph() -> None:
    assert graph() == Graph(entries=(), parents={}, branches={})


@given(
    st.lists(st.tuples(st.none() | st.integers(0, 9), st.none() | st.integers(0, 5)), max_size=9)
)
def test_whatever_records_claim_each_is_placed_once_and_after_its_parent(
    claims: list[tuple[int | None, int | None]],
) -> None:
    entries = [
        entry(place, None if parent is None else f"u{parent}", at=at)
        for place, (parent, at) in enumerate(claims)
    ]
    found = graph(*entries)
    assert sorted(order(found)) == sorted(each.uid for each in entries)
    places = {uid: at for at, uid in enumerate(order(found))}
    for uid, parent in found.parents.items():
        assert parent is None or places[parent] < places[uid]
    if entries:
        assert None in found.branches.values()
