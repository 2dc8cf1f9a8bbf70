"""Export to the Agent Trajectory Interchange Format (ATIF) v1.7, without loss.

What ATIF has a field for goes there, so that any ATIF tool can read it. The rest, such as error
flags, branches and arguments that are no object, goes into `extra` under the key `stepwell`, as
the fields of this package's own model; the ATIF reader merges them back.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.trajectory.model import (
        Agent,
        Call,
        JsonObject,
        Metrics,
        Part,
        Result,
        Step,
        Trajectory,
    )

__all__ = ["BLOCK", "IMAGE_TYPES", "ROOT_TEXTS", "SOURCE_ACTORS", "UNKNOWN", "VERSION", "to_atif"]

VERSION: Final = "ATIF-v1.7"
"""The version that is written."""

BLOCK: Final = "stepwell"
"""The key in `extra` that holds what ATIF has no field for."""

UNKNOWN: Final = "unknown"
"""Written where ATIF requires an agent's name or version and none is known."""

SOURCE_ACTORS: Final = {"user": "user", "agent": "agent", "system": "harness"}
"""ATIF sources, each also a step kind, and the actor each stands for unless it says otherwise."""

ROOT_TEXTS: Final = ("continued_trajectory_ref", "notes")
"""Fields of an ATIF document that the model keeps in `Trajectory.extra`."""

IMAGE_TYPES: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
"""The media types ATIF v1.7 allows in an image part."""


def to_atif(trajectory: Trajectory, *, children: Sequence[Trajectory] = ()) -> JsonObject:
    """Return a trajectory as an ATIF v1.7 document.

    Raw records are left out; everything else can be read back. A document without steps is
    written as it is, although ATIF asks for at least one.

    Args:
        trajectory: The trajectory.
        children: Runs of its subagents, and of theirs; each is embedded in its parent.

    >>> from stepwell.trajectory.model import Step, Trajectory
    >>> step = Step(index=0, uid="s0", kind="user", actor="user", message="hi")
    >>> run = Trajectory(trajectory_id="r", session_id="r", source_format="atif", steps=(step,))
    >>> to_atif(run)["steps"]
    [{'step_id': 1, 'source': 'user', 'message': 'hi'}]
    """
    own, others = _split_children(trajectory, children)
    embedded = frozenset(child.trajectory_id for child in own)
    block = _given(trajectory)
    for name in ("trajectory_id", "session_id", "agent", "steps", "raw_records", "extra"):
        block.pop(name, None)
    extra = dict(trajectory.extra)
    out: JsonObject = {
        "schema_version": VERSION,
        "session_id": trajectory.session_id,
        "trajectory_id": trajectory.trajectory_id,
        "agent": _agent(trajectory.agent),
        "steps": [
            _step(step, position, embedded) for position, step in enumerate(trajectory.steps)
        ],
        "final_metrics": _final_metrics(trajectory.steps),
    }
    for name in ROOT_TEXTS:
        if isinstance(extra.get(name), str) and BLOCK not in extra:
            out[name] = extra.pop(name)
    if own:
        out["subagent_trajectories"] = [to_atif(child, children=others) for child in own]
    return out | _extra(extra, block)


def _split_children(
    parent: Trajectory, children: Sequence[Trajectory]
) -> tuple[list[Trajectory], list[Trajectory]]:
    """Return the children to embed in `parent` itself, and those to embed further down."""
    ids = {child.trajectory_id for child in children} - {parent.trajectory_id}
    own = [child for child in children if child.parent_trajectory_id not in ids]
    return own, [child for child in children if child.parent_trajectory_id in ids]


def _given(value: Any) -> JsonObject:
    """Return the fields of a model value that differ from their defaults, as plain JSON values."""
    plain: JsonObject = {}
    for entry in fields(value):
        item = getattr(value, entry.name)
        default = entry.default
        if entry.default_factory is not MISSING:
            default = entry.default_factory()
        if default is MISSING or item != default:
            plain[entry.name] = msgspec.to_builtins(item)
    return plain


def _move(block: JsonObject, name: str, out: JsonObject, new_name: str) -> None:
    if name in block:
        out[new_name] = block.pop(name)


def _extra(extra: JsonObject, block: JsonObject) -> JsonObject:
    if BLOCK in extra:
        block, extra = block | {"extra": extra}, {}
    whole = extra | ({BLOCK: block} if block else {})
    return {"extra": whole} if whole else {}


def _agent(agent: Agent) -> JsonObject:
    block: JsonObject = {name: None for name in ("name", "version") if getattr(agent, name) is None}
    given = _given(agent)
    out: JsonObject = {
        "name": UNKNOWN if agent.name is None else agent.name,
        "version": UNKNOWN if agent.version is None else agent.version,
    }
    _move(given, "model", out, "model_name")
    _move(given, "tool_definitions", out, "tool_definitions")
    return out | _extra(agent.extra, block)


def _step(step: Step, position: int, embedded: frozenset[str]) -> JsonObject:
    source = step.kind if step.kind in SOURCE_ACTORS else "system"
    block = _given(step)
    for name in ("index", "raw_refs", "results", "extra", "message", "recalled"):
        block.pop(name, None)
    _drop(block, uid=f"s{position}", kind=source, actor=SOURCE_ACTORS[source])
    out: JsonObject = {"step_id": position + 1, "source": source}
    _move(block, "t_start", out, "timestamp")
    if "timestamp" in out:
        block["t_source"] = step.t_source
        _drop(block, t_source="timestamp")
    out["message"] = _content(step.message, step.parts, block, "message")
    if source == "agent":
        _move_agent_fields(step, block, out)
    if step.results:
        known = {call.uid for call in step.calls} if source == "agent" else set[str]()
        results = [_result(result, known, embedded) for result in step.results]
        out["observation"] = {"results": results}
    _move(block, "is_copied_context", out, "is_copied_context")
    return out | _extra(step.extra, block)


def _drop(block: JsonObject, **derivable: str) -> None:
    """Remove the fields that a reader derives from the rest."""
    for name, value in derivable.items():
        if block.get(name) == value:
            del block[name]


def _move_agent_fields(step: Step, block: JsonObject, out: JsonObject) -> None:
    _move(block, "model", out, "model_name")
    _move(block, "thought", out, "reasoning_content")
    if step.calls:
        del block["calls"]
        out["tool_calls"] = [_call(call) for call in step.calls]
    if step.metrics is not None and _given(step.metrics) and _is_countable(step.metrics):
        del block["metrics"]
        out["metrics"] = _metrics(step.metrics)


def _is_countable(metrics: Metrics) -> bool:
    """Return whether no count is negative, which ATIF forbids."""
    counts = (getattr(metrics, entry.name) for entry in fields(metrics))
    return all(count is None or count >= 0 for count in counts)


def _metrics(metrics: Metrics) -> JsonObject:
    given = _given(metrics)
    reasoning = given.pop("reasoning_tokens", None)
    return given if reasoning is None else given | {"extra": {"reasoning_tokens": reasoning}}


def _call(call: Call) -> JsonObject:
    block = _given(call)
    del block["uid"], block["name"]
    if call.args is not None:
        del block["args"]
    if call.native_id == call.uid:
        del block["native_id"]
    else:
        block["native_id"] = call.native_id
    out: JsonObject = {
        "tool_call_id": call.uid,
        "function_name": call.name,
        "arguments": call.args or {},
    }
    return out | _extra({}, block)


def _result(result: Result, known: set[str], embedded: frozenset[str]) -> JsonObject:
    block = _given(result)
    del block["text"]
    block.pop("extra", None)
    block.pop("recalled", None)
    out: JsonObject = {}
    if result.call_uid is None or result.call_uid in known:
        del block["call_uid"]
        if result.call_uid is not None:
            out["source_call_id"] = result.call_uid
    out["content"] = _content(result.text, result.parts, block, "text")
    if result.child_trajectory_id in embedded:
        out["subagent_trajectory_ref"] = [{"trajectory_id": block.pop("child_trajectory_id")}]
    return out | _extra(result.extra, block)


def _content(text: str, parts: tuple[Part, ...], block: JsonObject, name: str) -> Any:
    """Return the content of a message or result as ATIF writes it.

    Where ATIF can name images, the content is a list with them, and the block keeps the text.
    """
    if not any(_image_path(part) for part in parts):
        return text
    block[name] = text
    return [
        {"type": "image", "source": {"media_type": part.media.media_type, "path": path}}
        if part.media is not None and (path := _image_path(part))
        else {"type": "text", "text": part.text}
        for part in parts
    ]


def _image_path(part: Part) -> str | None:
    if part.media is None or part.media.media_type not in IMAGE_TYPES:
        return None
    return part.media.uri


def _final_metrics(steps: Iterable[Step]) -> JsonObject:
    steps = tuple(steps)
    counted = [step.metrics for step in steps if step.metrics and not step.is_copied_context]
    totals: JsonObject = {"total_steps": len(steps)}
    for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"):
        values = [value for metrics in counted if (value := getattr(metrics, name)) is not None]
        if values and min(values) >= 0:
            totals[f"total_{name}"] = sum(values)
    return totals
