"""ATIF steps as steps of the model, one by one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_type_hints

import msgspec

from stepwell.formats.atif.writer import BLOCK, SOURCE_ACTORS
from stepwell.formats.chat.arguments import call_of
from stepwell.formats.chat.content import content_of
from stepwell.formats.chat.steps import metrics_of, result_of, status_of
from stepwell.text.clean import readable
from stepwell.trajectory.fields import (
    first_str,
    int_of,
    is_object,
    list_of,
    object_of,
    rest_of,
    time_of,
)
from stepwell.trajectory.model import Call, Result, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.trajectory.model import Blob, JsonObject, Kind

__all__ = ["Note", "atif_step", "merged", "split_extra", "unknown_fields"]

T = TypeVar("T", bound=Any)

_STEP = frozenset(
    {
        "step_id",
        "timestamp",
        "source",
        "message",
        "model_name",
        "reasoning_content",
        "tool_calls",
        "observation",
        "metrics",
        "is_copied_context",
        "extra",
    }
)
_UNPLACED = frozenset({"reasoning_effort", "llm_call_count"})
"""Fields of an ATIF step that the model keeps in `extra`."""

_CALL = frozenset({"tool_call_id", "function_name", "arguments", "extra"})
_RESULT = frozenset({"source_call_id", "content", "subagent_trajectory_ref", "extra"})
_METRICS = frozenset({"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "extra"})
_KINDS: dict[str, Kind] = {
    "user": "user",
    "agent": "agent",
    "system": "system",
    "human": "user",
    "assistant": "agent",
    "developer": "system",
    "tool": "tool_env",
    "environment": "tool_env",
}

_FIXED = frozenset({"index", "raw_refs", "raw_records", "steps", "trajectory_id", "session_id"})
"""Fields that belong to this reading, whatever a block says."""


class Note(Protocol):
    """Notes something at a JSON pointer, relative to the value being read."""

    def __call__(self, pointer: str, code: str, message: str) -> None:
        """Note `message`, under the kebab-case name `code`."""


def atif_step(
    raw: JsonObject, *, index: int, note: Note, is_exact: bool = False, is_last: bool = True
) -> tuple[Step, tuple[Blob, ...]]:
    """Return the step of an ATIF step, and the media bytes it holds.

    Args:
        raw: The ATIF step.
        index: Its 0-based place, whatever its `step_id`.
        note: Takes the violations of the format.
        is_exact: Whether Stepwell wrote it: then nothing is guessed that it would have said.
        is_last: Whether no step follows.
    """
    kind, actor = _speaker(raw, note)
    content = content_of(raw.get("message"))
    extra, block = split_extra(raw, note, is_exact=is_exact)
    made = list(_calls(raw, index, note, is_exact=is_exact))
    calls = tuple(call for call, _ in made)
    answers = list(_results(raw, calls, note, is_exact=is_exact))
    results = tuple(result for result, _ in answers)
    start = time_of(raw.get("timestamp"))
    if start is None and raw.get("timestamp") is not None:
        note("/timestamp", "bad-time", "The timestamp is no ISO 8601 time.")
    step = Step(
        index=index,
        uid=f"s{index}",
        kind=kind,
        actor=actor,
        message=content.text,
        parts=content.parts,
        thought=readable(first_str(raw, "reasoning_content") or ""),
        calls=calls,
        results=results,
        status="ok" if is_exact else status_of(calls, results, is_last=is_last),
        t_start=start,
        t_source=None if start is None else "timestamp",
        metrics=metrics_of(raw.get("metrics")),
        model=first_str(raw, "model_name"),
        is_copied_context=raw.get("is_copied_context") is True,
        native_ids=_native_ids(raw, index, note),
        extra=extra | _unplaced(raw, note, is_exact=is_exact),
    )
    blobs = (*content.blobs, *(blob for _, found in (*made, *answers) for blob in found))
    return merged(step, block, note), blobs


def _speaker(raw: JsonObject, note: Note) -> tuple[Kind, str]:
    source = raw.get("source")
    kind = _KINDS.get(str(source).strip().lower(), "context")
    if str(source) not in SOURCE_ACTORS:
        note("/source", "illegal-source", f"The source {source!r} is read as {kind}.")
    return kind, "env" if kind == "tool_env" else SOURCE_ACTORS.get(kind, "harness")


def _native_ids(raw: JsonObject, index: int, note: Note) -> dict[str, str]:
    said = raw.get("step_id")
    if int_of(said) == index + 1:
        return {}
    note("/step_id", "step-renumbered", f"step_id {said!r} is read as {index + 1}.")
    return {} if said is None else {"step_id": str(said)}


def _unplaced(raw: JsonObject, note: Note, *, is_exact: bool) -> JsonObject:
    rest = unknown_fields(raw, _STEP | _UNPLACED, note)
    rest |= {name: raw[name] for name in _UNPLACED if raw.get(name) is not None}
    if is_exact:
        return rest
    metrics = object_of(raw.get("metrics"))
    kept = rest_of(metrics, _METRICS) | object_of(metrics.get("extra"))
    calls = [object_of(call).get("extra") for call in list_of(raw.get("tool_calls"))]
    if kept:
        rest["metrics"] = kept
    if any(calls):
        rest["tool_call_extra"] = calls
    return rest


def _calls(
    raw: JsonObject, index: int, note: Note, *, is_exact: bool
) -> Iterator[tuple[Call, tuple[Blob, ...]]]:
    for at, value in enumerate(list_of(raw.get("tool_calls"))):
        pointer = f"/tool_calls/{at}"
        if not is_object(value):
            note(pointer, "not-a-call", "A tool call is no object; it is left out.")
            continue
        unknown_fields(value, _CALL, note, pointer)
        native_id = first_str(value, "tool_call_id")
        call, blobs = call_of(
            native_id if is_exact and native_id else f"s{index}.c{at + 1}",
            first_str(value, "function_name") or ("" if is_exact else "unknown"),
            value.get("arguments"),
            native_id=native_id,
        )
        if not is_object(value.get("arguments")):
            note(f"{pointer}/arguments", "bad-arguments", "Arguments are no object.")
        _, block = split_extra(value, note, pointer, is_exact=is_exact)
        yield merged(call, block, note, pointer), blobs


def _results(
    raw: JsonObject, calls: tuple[Call, ...], note: Note, *, is_exact: bool
) -> Iterator[tuple[Result, tuple[Blob, ...]]]:
    uids = {
        name: call.uid
        for call in reversed(calls)
        if (name := call.uid if is_exact else call.native_id) is not None
    }
    for at, value in enumerate(list_of(object_of(raw.get("observation")).get("results"))):
        pointer = f"/observation/results/{at}"
        if not is_object(value):
            note(pointer, "not-a-result", "A result is no object; it is left out.")
            continue
        extra, block = split_extra(value, note, pointer, is_exact=is_exact)
        extra |= unknown_fields(value, _RESULT, note, pointer)
        result, blobs = result_of(value, value.get("content"), known=frozenset(value))
        if is_exact:
            result = replace(result, is_error=None, error_source=None, exit_code=None)
        result = replace(
            result,
            call_uid=_call_uid(value, uids, extra, note, pointer),
            child_trajectory_id=_child(value, extra, note, pointer),
            extra=extra,
        )
        yield merged(result, block, note, pointer), blobs


def _call_uid(
    value: JsonObject, uids: dict[str, str], extra: JsonObject, note: Note, pointer: str
) -> str | None:
    source = first_str(value, "source_call_id")
    if source is None or source in uids:
        return uids.get(source or "")
    extra["source_call_id"] = source
    message = f"No call of this step has the id {source!r}."
    note(f"{pointer}/source_call_id", "dangling-call", message)
    return None


def _child(value: JsonObject, extra: JsonObject, note: Note, pointer: str) -> str | None:
    """Return the id of the first subagent that a result refers to.

    When the references say more than that id, they are kept whole in `extra`.
    """
    refs = list_of(value.get("subagent_trajectory_ref"))
    if not refs:
        return None
    first = object_of(refs[0])
    if len(refs) > 1 or first.keys() - {"trajectory_id"}:
        extra["subagent_trajectory_ref"] = refs
    for at, ref in enumerate(map(object_of, refs)):
        if not (ref.get("trajectory_id") or ref.get("trajectory_path")):
            place = f"{pointer}/subagent_trajectory_ref/{at}"
            note(place, "vague-subagent", "A subagent needs a trajectory_id or a trajectory_path.")
    return first_str(first, "trajectory_id", "session_id")


def unknown_fields(
    value: JsonObject, known: frozenset[str], note: Note, pointer: str = ""
) -> JsonObject:
    """Return, and note, the fields that ATIF does not have at this place."""
    rest = rest_of(value, known)
    for name in rest:
        note(f"{pointer}/{name}", "unknown-field", f"ATIF has no field {name!r} here.")
    return rest


def split_extra(
    value: JsonObject, note: Note, pointer: str = "", *, is_exact: bool
) -> tuple[JsonObject, JsonObject]:
    """Return the `extra` of a value without, and with only, what Stepwell wrote into it."""
    extra = value.get("extra")
    if extra is not None and not is_object(extra):
        note(f"{pointer}/extra", "bad-extra", "The field extra is no object.")
        return {"extra": extra}, {}
    given = dict(object_of(extra))
    return given, object_of(given.pop(BLOCK, None)) if is_exact else {}


def merged(value: T, block: JsonObject, note: Note, pointer: str = "") -> T:
    """Return a value of the model with the fields that a Stepwell block adds to it.

    A block that does not fit the model, because someone changed it, is noted and left out.
    """
    if not block:
        return value
    hints = _hints(type(value))  # type: ignore[arg-type]  # a type is hashable; the stub of cache does not know
    try:
        given = {
            name: msgspec.convert(item, hints[name])
            for name, item in block.items()
            if name in hints and name not in _FIXED
        }
    except (msgspec.ValidationError, RecursionError) as error:
        note(f"{pointer}/extra/{BLOCK}", "bad-block", f"What Stepwell added does not fit: {error}")
        return value
    return replace(value, **given)


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Return the types of a dataclass's fields, kept since evaluating takes a millisecond."""
    return get_type_hints(kind)
