"""The plan an agent keeps for itself: which calls write one, and what is in progress."""

from __future__ import annotations

import pytest

from stepwell.structures.units.plans import plan_item
from stepwell.trajectory.model import Call, JsonObject


def item(name: str, args: JsonObject | None) -> str | None:
    return plan_item(Call(uid="c", name=name, args=args))


DOING: JsonObject = {"todos": [{"content": "Fix it", "status": "in_progress"}]}


@pytest.mark.parametrize(
    "name",
    ["TodoWrite", "write_todos", "manage_todo_list", "update_plan", "plan", "mcp__x__set_plan"],
)
def test_calls_that_write_a_plan(name: str) -> None:
    assert item(name, DOING) == "fix it"


@pytest.mark.parametrize("name", ["plan_trip", "get_data_plan", "explan", "bash", ""])
def test_calls_that_write_none(name: str) -> None:
    assert item(name, DOING) is None


@pytest.mark.parametrize("status", ["in_progress", "In-Progress", "in progress", "ACTIVE", "doing"])
def test_an_item_is_in_progress_by_any_of_these_words(status: str) -> None:
    assert item("plan", {"steps": [{"step": "Sail", "status": status}]}) == "sail"


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([{"content": "A", "status": "completed"}], ""),
        ([{"content": "A", "status": "done"}, {"title": "B  b", "status": "doing"}], "b b"),
        ([{"content": " ", "text": "C", "status": "doing"}], "c"),
        ([{"status": "doing"}, {"name": "D", "status": "doing"}], "d"),
        ([{"content": 7, "status": "doing"}], ""),
        ([{"content": "A"}], ""),
        ([{"content": "x" * 300, "status": "doing"}], "x" * 200),
        ([{"content": "first", "status": "doing"}, {"content": "2", "status": "doing"}], "first"),
        (["no object", {"content": "E", "status": "doing"}], "e"),
    ],
)
def test_the_first_item_in_progress_that_says_something(items: list[object], expected: str) -> None:
    assert item("update_plan", {"plan": items}) == expected


@pytest.mark.parametrize("args", [None, {}, {"plan": "text"}, {"plan": []}, {"plan": ["a", "b"]}])
def test_a_call_without_a_list_of_items_writes_no_plan(args: JsonObject | None) -> None:
    assert item("update_plan", args) is None


def test_of_a_huge_plan_five_hundred_items_are_read() -> None:
    pending: list[JsonObject] = [{"content": "p", "status": "pending"}] * 499
    doing: JsonObject = {"content": "now", "status": "doing"}
    assert item("plan", {"plan": [*pending, doing]}) == "now"
    assert item("plan", {"plan": [*pending, pending[0], doing]}) == ""
