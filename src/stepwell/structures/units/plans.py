"""The plan an agent keeps for itself: which item of it is in progress."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from stepwell.trajectory.model import Call, JsonObject

__all__ = ["plan_item"]

_PLANNER = re.compile(
    r"todo|(?:^|__|[./:])(?:(?:update|write|revise|set|create)_?)?plan$", re.IGNORECASE
)
"""Names of calls that write a plan: TodoWrite, write_todos, manage_todo_list, update_plan; not
plan_trip or get_data_plan, which are about somebody else's plans."""

_IN_PROGRESS: Final = frozenset({"in_progress", "in-progress", "in progress", "active", "doing"})
_TEXTS: Final = ("content", "step", "title", "task", "text", "description", "name")
"""Where plan items keep their text, as the planners of Claude Code, Codex and others name it."""

_LONGEST = 200
"""Characters kept of an item: enough to tell items apart."""

_MOST_ITEMS = 500


def plan_item(call: Call) -> str | None:
    """Return the item in progress in the plan that a call writes.

    Returns:
        The item's text in lower case, empty when none is in progress; None for a call that writes
        no plan.

    >>> from stepwell.trajectory.model import Call
    >>> todos = [{"content": "Read", "status": "completed"},
    ...          {"content": "Fix the test", "status": "in_progress"}]
    >>> plan_item(Call(uid="c", name="TodoWrite", args={"todos": todos}))
    'fix the test'
    """
    if call.args is None or not _PLANNER.search(call.name):
        return None
    items = _items(call.args)
    if items is None:
        return None
    return next((text for item in items if (text := _doing(item))), "")


def _items(args: JsonObject) -> list[Any] | None:
    for value in args.values():
        if is_list(value) and any(map(is_object, value[:_MOST_ITEMS])):
            return value[:_MOST_ITEMS]
    return None


def _doing(item: Any) -> str:
    """Return what an item that is in progress says; empty for any other."""
    if not is_object(item) or str(item.get("status"))[:20].lower() not in _IN_PROGRESS:
        return ""
    texts = (item.get(name) for name in _TEXTS)
    found = next((text for text in texts if isinstance(text, str) and text.strip()), "")
    return " ".join(found[:_LONGEST].split()).lower()
