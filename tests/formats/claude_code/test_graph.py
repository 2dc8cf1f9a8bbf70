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
    return graph_of(entries, is_talk=lambda _: True)


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


def test_children_come_in_the_order_of_the_file_whatever_the_clock_says() -> None:
    found = graph(entry(0, None, at=9), entry(1, "u0", at=5), entry(2, "u0"), entry(3, "u1", at=0))
    assert order(found) == ["u0", "u1", "u2", "u3"]


def test_a_branch_that_had_ended_when_another_began_is_abandoned() -> None:
    found = graph(entry(0, None), entry(1, "u0"), entry(2, "u1"), entry(3, "u0"), entry(4, "u3"))
    assert found.branches == {"u0": None, "u1": "u1", "u2": "u1", "u3": None, "u4": None}


def test_a_clock_set_back_abandons_nothing() -> None:
    found = graph(entry(0, None, at=8), entry(1, "u0", at=9), entry(2, "u0", at=1))
    assert found.branches == {"u0": None, "u1": "u1", "u2": None}


def test_branches_that_go_on_side_by_side_are_both_live() -> None:
    found = graph(entry(0, None), entry(1, "u0"), entry(2, "u0"), entry(3, "u1"), entry(4, "u2"))
    assert set(found.branches.values()) == {None}


def test_of_three_branches_each_is_held_against_the_newest() -> None:
    found = graph(entry(0, None), entry(1, "u0"), entry(2, "u0"), entry(3, "u1"), entry(4, "u0"))
    assert found.branches == {"u0": None, "u1": "u1", "u2": "u2", "u3": "u1", "u4": None}


def test_what_is_no_turn_abandons_nothing_and_lives_with_what_it_follows() -> None:
    entries = (entry(0, None), entry(1, "u0"), entry(2, "u0"), entry(3, "u0"), entry(4, "u1"))
    turns = {"u0", "u1", "u3"}
    found = graph_of(entries, is_talk=lambda each: each.uid in turns)
    assert found.branches == {"u0": None, "u1": "u1", "u2": None, "u3": None, "u4": "u1"}
    none = graph_of(entries, is_talk=lambda _: False)
    assert set(none.branches.values()) == {None}


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
