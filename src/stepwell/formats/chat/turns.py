"""Turns of plain agent loops: `{"thought", "action", "observation"}` and its variants."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.arguments import call_of
from stepwell.formats.chat.content import content_of, json_text
from stepwell.formats.chat.media import lift_data_uris
from stepwell.formats.chat.steps import Answer, result_of, status_of, time_in
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, is_list, is_object, rest_of
from stepwell.trajectory.model import Call, Step

if TYPE_CHECKING:
    from stepwell.trajectory.model import Blob, JsonObject, Result

__all__ = ["answer_of_turn", "is_turn", "step_of_turn"]

_DOES = ("action", "tool", "thought", "message")
_GETS = ("observation", "result", "output", "error")
_TIMES = ("timestamp", "time")
_BESIDE = frozenset({"args", "arguments", "exit_code", "turn_idx", "model"})
_KNOWN = _BESIDE | {*_DOES, *_GETS, *_TIMES}


def is_turn(value: JsonObject) -> bool:
    """Return whether an object says what was thought, done or observed."""
    return any(value.get(name) is not None for name in (*_DOES, *_GETS))


def answer_of_turn(turn: JsonObject) -> Answer | None:
    """Return a turn that only observes as an answer; None if it thinks, says or does anything."""
    if any(turn.get(name) is not None for name in _DOES):
        return None
    observed = _observed(turn)
    result, blobs = result_of(turn, observed, known=_KNOWN)
    return Answer(result=result, time=time_in(turn, _TIMES)[0], blobs=blobs)


def step_of_turn(
    turn: JsonObject, *, index: int, raw_refs: tuple[int, ...] = ()
) -> tuple[Step, tuple[Blob, ...]]:
    """Return the step of a turn: its action is the call, its observation the result.

    Args:
        turn: `action` (a string, or an object with name and arguments) or `tool`, with `args`;
            `thought`, `message`, `observation`, `error` (a flag or a text), all optional.
        index: The step's 0-based place.
        raw_refs: Indices of its raw records.
    """
    made = _call(turn, f"s{index}.c1")
    calls = () if made is None else (made[0],)
    blobs = () if made is None else made[1]
    message = content_of(turn.get("message"))
    results: tuple[Result, ...] = ()
    if any(turn.get(name) is not None for name in _GETS):
        result, found = result_of(turn, _observed(turn), known=frozenset(turn))
        results = (replace(result, call_uid=calls[0].uid if calls else None),)
        blobs += found
    start, t_source = time_in(turn, _TIMES)
    turn_idx = turn.get("turn_idx")
    step = Step(
        index=index,
        uid=f"s{index}",
        kind="agent",
        actor="agent",
        message=message.text,
        parts=message.parts,
        thought=content_of(turn.get("thought")).text,
        calls=calls,
        results=results,
        status=status_of(calls, results, is_last=True),
        t_start=start,
        t_source=t_source,
        model=first_str(turn, "model"),
        native_ids={} if turn_idx is None else {"turn_idx": str(turn_idx)},
        raw_refs=raw_refs,
        extra=rest_of(turn, _KNOWN),
    )
    return step, (*blobs, *message.blobs)


def _observed(turn: JsonObject) -> Any:
    """Return what came back, followed by the text of an error if there is one."""
    observed = next((turn[name] for name in _GETS[:3] if turn.get(name) is not None), None)
    error = turn.get("error")
    if error is None or isinstance(error, bool):
        return observed
    if observed is None or observed == "":
        return error
    return [*(observed if is_list(observed) else [observed]), error]


def _call(turn: JsonObject, uid: str) -> tuple[Call, tuple[Blob, ...]] | None:
    action, tool = turn.get("action"), first_str(turn, "tool")
    arguments = turn.get("args", turn.get("arguments"))
    if is_object(action):
        name = tool or first_str(action, "name", "tool", "function", "type") or "action"
        inner = action.get("args", action.get("arguments", action.get("input", arguments)))
        return call_of(uid, name, action if inner is None else inner)
    if tool is None and action is None:
        return None
    if tool is not None or arguments is not None:
        name = tool or str(action)
        return call_of(uid, name, action if arguments is None else arguments)
    said = action if isinstance(action, str) else json_text(action)
    text, blobs = lift_data_uris(said)
    return Call(uid=uid, name="action", args={"_value": readable(text)}, args_raw=text), blobs
