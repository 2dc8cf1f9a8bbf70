"""Which calls of a run carry out the actions that would solve its task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.trajectory.fields import first_str, list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.trajectory.model import Call, JsonObject, Trajectory

__all__ = ["solving_steps"]


def solving_steps(trajectory: Trajectory) -> tuple[int, ...]:
    """Return the steps whose calls carry out ground-truth actions, ascending.

    The readers of τ-bench and tau2-bench keep those actions in `extra["actions"]`. Each action has
    one call at most: one with the same name and arguments; where the run has none, the call of that
    name that shares most arguments, the first on a tie. So a run that tried an action with a wrong
    argument still shows where it did so, and calls that merely looked around are no evidence.
    """
    calls = [(step.index, call) for step in trajectory.steps for call in step.calls]
    free = list(range(len(calls)))
    left: list[JsonObject] = []
    found: set[int] = set()
    for action in map(object_of, list_of(trajectory.extra.get("actions"))):
        place = next((at for at in free if _same(calls[at][1], action)), None)
        if place is None:
            left.append(action)
        else:
            free.remove(place)
            found.add(calls[place][0])
    found.update(_nearest(left, calls, free))
    return tuple(sorted(found))


def _nearest(
    actions: Sequence[JsonObject], calls: Sequence[tuple[int, Call]], free: list[int]
) -> Iterator[int]:
    for action in actions:
        named = [at for at in free if calls[at][1].name == first_str(action, "name")]
        if named:
            place = max(named, key=lambda at: (_n_shared(calls[at][1], action), -at))
            free.remove(place)
            yield calls[place][0]


def _same(call: Call, action: JsonObject) -> bool:
    return call.name == first_str(action, "name") and call.args == _arguments(action)


def _n_shared(call: Call, action: JsonObject) -> int:
    given: dict[str, Any] = call.args or {}
    return sum(name in given and given[name] == value for name, value in _arguments(action).items())


def _arguments(action: JsonObject) -> JsonObject:
    return object_of(action.get("kwargs", action.get("arguments")))
