"""Steps as structures read them: what is said in them, without bulk."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.text.bulk import without_bulk

if TYPE_CHECKING:
    from stepwell.trajectory.model import Call, Step

__all__ = ["prose_of"]


def prose_of(step: Step) -> Step:
    """Return a step whose texts, arguments and results hold only the beginning of bulk."""
    return replace(
        step,
        message=without_bulk(step.message),
        thought=without_bulk(step.thought),
        calls=tuple(_call(call) for call in step.calls),
        results=tuple(replace(one, text=without_bulk(one.text)) for one in step.results),
    )


def _call(call: Call) -> Call:
    args = {
        name: without_bulk(value) if isinstance(value, str) else value
        for name, value in (call.args or {}).items()
    }
    return replace(call, args=call.args and args, args_raw=without_bulk(call.args_raw))
