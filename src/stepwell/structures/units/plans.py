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


def plan_item(call: Call, known: str | None) -> str | None:
    """Return the plan item in progress after a call.

    Args:
        call: Any call; one that writes no plan changes nothing.
        known: The item before it.

    Returns:
        The item's text in lower case; None when the plan written has none in progress.

    >>> from stepwell.trajectory.model import Call
    >>> todos = [{"content": "Read", "status": "completed"},
    ...          {"content": "Fix the test", "status": "in_progress"}]
    >>> plan_item(Call(uid="c", name="TodoWrite", args={"todos": todos}), "read")
    'fix the test'
    """
    if call.args is None or not _PLANNER.search(call.name):
        return known
    items = _items(call.args)
    if items is None:
        return known
    return next((text for item in items if (text := _doing(item)) is not None), None)


def _items(args: JsonObject) -> list[Any] | None:
    for value in args.values():
        if is_list(value) and any(map(is_object, value[:_MOST_ITEMS])):
            return value[:_MOST_ITEMS]
    return None


def _doing(item: Any) -> str | None:
    if not is_object(item) or str(item.get("status"))[:20].lower() not in _IN_PROGRESS:
        return None
    texts = (item.get(name) for name in _TEXTS)
    found = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    return None if found is None else " ".join(found[:_LONGEST].split()).lower()
