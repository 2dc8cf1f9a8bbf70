"""Chat messages as steps: one message at a time, so that a live agent and a file read alike.

`step_of_message` turns a message into a step, `answer_of_message` recognises a message that
answers a call, `call_answered` finds that call and `join_result` puts the result to its step. All
are pure; a reader folds them over a file, a live memory over messages as they come.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.arguments import call_of
from stepwell.formats.chat.content import content_of
from stepwell.formats.chat.signals import error_of, split_harness
from stepwell.text.clean import readable
from stepwell.trajectory.fields import (
    first_str,
    int_of,
    list_of,
    number_of,
    object_of,
    rest_of,
    time_of,
)
from stepwell.trajectory.model import Metrics, Part, Result, Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from stepwell.formats.chat.content import Content
    from stepwell.trajectory.model import Blob, Call, JsonObject, Kind, Status

__all__ = [
    "Answer",
    "answer_of_message",
    "call_answered",
    "join_result",
    "later",
    "metrics_of",
    "orphan_step",
    "result_of",
    "says_nothing",
    "settled",
    "status_of",
    "step_of_message",
    "time_in",
]

_SPEAKERS: dict[str, tuple[Kind, str]] = {
    "user": ("user", "user"),
    "human": ("user", "user"),
    "assistant": ("agent", "agent"),
    "model": ("agent", "agent"),
    "ai": ("agent", "agent"),
    "system": ("system", "harness"),
    "developer": ("system", "harness"),
}
_LOOK_BACK = 500
"""Steps searched for the call of a result, so that results without one cost no quadratic time."""

_ANSWER_ROLES = frozenset({"tool", "function"})
_TIMES = ("timestamp", "created_at", "createdAt", "created", "time", "ts")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "thought")
_MESSAGE = frozenset(
    {
        "role",
        "content",
        "text",
        "tool_calls",
        "function_call",
        "refusal",
        "usage",
        "cost",
        "model",
        "name",
        "id",
    }
) | {*_TIMES, *_THOUGHTS}
_ANSWER = frozenset({"role", "content", "tool_call_id", "name"}) | {*_TIMES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back from a call, before it is known from which.

    Attributes:
        result: The result; its `call_uid` is None.
        call_id: The id of the call as the source has it; None when it names none.
        name: The tool's name, when the source says it.
        time: When it came.
        blobs: The bytes of the media in the result.
    """

    result: Result
    call_id: str | None = None
    name: str | None = None
    time: datetime | None = None
    blobs: tuple[Blob, ...] = ()


def step_of_message(
    message: JsonObject, *, index: int, raw_refs: tuple[int, ...] = ()
) -> tuple[Step, tuple[Blob, ...]]:
    """Return the step of a message that is no answer to a call, and the media bytes it holds.

    Args:
        message: A message with a `role`; an unknown role is read as context of the harness.
        index: The step's 0-based place.
        raw_refs: Indices of its raw records.
    """
    kind, actor = _speaker(message)
    content = content_of(message.get("content"), refusal=message.get("refusal"))
    if kind == "user":
        kind, actor, content = _heard(content, actor)
    thought = content.thought or readable(first_str(message, *_THOUGHTS) or "")
    start, t_source = time_in(message, _TIMES)
    made = list(_calls(message, index))
    calls = tuple(call for call, _ in made)
    ids = {"message_id": first_str(message, "id")}
    step = Step(
        index=index,
        uid=f"s{index}",
        kind=kind,
        actor=actor,
        message=content.text,
        parts=content.parts,
        thought=thought,
        thought_redacted=content.is_redacted,
        calls=calls,
        status=status_of(calls, (), is_last=True),
        t_start=start,
        t_source=t_source,
        metrics=metrics_of(message.get("usage"), cost_usd=message.get("cost")),
        model=first_str(message, "model"),
        native_ids={name: value for name, value in ids.items() if value is not None},
        raw_refs=raw_refs,
        extra=rest_of(message, _MESSAGE if start else _MESSAGE.difference(_TIMES)),
    )
    return step, (*content.blobs, *(blob for _, found in made for blob in found))


def _heard(content: Content, actor: str) -> tuple[Kind, str, Content]:
    """Return who speaks in a message of the user's role, and what the user says in it.

    What the harness put beside the user's words stays in the parts and is no word of the user.
    """
    own, harness = split_harness(content.text)
    if harness and not own:
        return "context", "harness", content
    if not harness:
        return "user", actor, content
    parts = content.parts or (Part(kind="text", text=content.text),)
    return "user", actor, replace(content, text=own, parts=parts)


def _speaker(message: JsonObject) -> tuple[Kind, str]:
    role = str(message.get("role"))
    kind, actor = _SPEAKERS.get(role, ("context", "harness"))
    name = first_str(message, "name")
    if name is not None and kind in {"user", "agent"}:
        actor = name if kind == "user" else f"agent:{name}"
    return kind, actor


def _calls(message: JsonObject, index: int) -> Iterator[tuple[Call, tuple[Blob, ...]]]:
    calls = [object_of(call) for call in list_of(message.get("tool_calls"))]
    legacy = object_of(message.get("function_call"))
    if legacy and not calls:
        calls = [{"function": legacy}]
    for number, call in enumerate(calls, start=1):
        # Some vendors leave out the `function` level, and custom tools name theirs `custom`.
        inner = object_of(call.get("function") or call.get("custom")) or call
        yield call_of(
            f"s{index}.c{number}",
            first_str(inner, "name") or "unknown",
            inner.get("arguments", inner.get("input")),
            native_id=first_str(call, "id", "call_id"),
        )


def answer_of_message(message: JsonObject) -> Answer | None:
    """Return a message of the role `tool` or `function` as an answer; None for other roles."""
    if message.get("role") not in _ANSWER_ROLES:
        return None
    result, blobs = result_of(message, message.get("content"), known=_ANSWER)
    return Answer(
        result=result,
        call_id=first_str(message, "tool_call_id", "call_id", "id"),
        name=first_str(message, "name"),
        time=time_in(message, _TIMES)[0],
        blobs=blobs,
    )


def result_of(
    value: JsonObject, content: Any, *, known: frozenset[str]
) -> tuple[Result, tuple[Blob, ...]]:
    """Return the result in a value, with no call yet, and its media bytes.

    Args:
        value: The message or block; its flags say whether it is an error, else its text may.
        content: Its content field.
        known: Its fields that have their place; the others are kept as extra.
    """
    found = content_of(content)
    failure = error_of(value, found.text)
    result = Result(
        call_uid=None,
        text=found.text,
        parts=found.parts,
        is_error=failure.is_error,
        error_source=failure.source,
        exit_code=failure.exit_code,
        extra=rest_of(value, known),
    )
    return result, found.blobs


def call_answered(steps: Sequence[Step], answer: Answer) -> tuple[int, str] | None:
    """Return the index of the step and the uid of the call that an answer belongs to.

    With an id it is the nearest call before that has this id, one without a result first: some
    servers reuse one id for every call. An id that no call has belongs to no call at all. Without
    an id, the nearest step with unanswered calls is taken, and in it the first unanswered
    call of the same name, or else the first unanswered call.
    """
    if answer.call_id is None:
        return _waiting_call(steps, answer.name)
    answered: tuple[int, str] | None = None
    for step in islice(reversed(steps), _LOOK_BACK):
        if not step.calls:
            continue
        done = {result.call_uid for result in step.results}
        for call in step.calls:
            if call.native_id == answer.call_id:
                if call.uid not in done:
                    return step.index, call.uid
                answered = answered or (step.index, call.uid)
    return answered


def _waiting_call(steps: Sequence[Step], name: str | None) -> tuple[int, str] | None:
    for step in islice(reversed(steps), _LOOK_BACK):
        if not step.calls:
            continue
        done = {result.call_uid for result in step.results}
        waiting = [call for call in step.calls if call.uid not in done]
        if waiting:
            named = [call for call in waiting if call.name == name]
            return step.index, (named or waiting)[0].uid
    return None


def join_result(
    step: Step, call_uid: str, answer: Answer, *, raw_refs: tuple[int, ...] = ()
) -> Step:
    """Return the step with the result of one of its calls added, in the order of the calls."""
    places = {call.uid: place for place, call in enumerate(step.calls)}
    result = replace(answer.result, call_uid=call_uid)
    results = sorted(
        (*step.results, result), key=lambda each: places.get(each.call_uid or "", len(places))
    )
    return replace(
        step,
        results=tuple(results),
        status=status_of(step.calls, results, is_last=True),
        t_end=later(step, answer.time),
        raw_refs=step.raw_refs + raw_refs,
    )


def later(step: Step, time: datetime | None) -> datetime | None:
    """Return the end of a step that goes on until a time; a clock set back makes it no shorter."""
    known = (each for each in (time, step.t_end, step.t_start) if each is not None)
    return step.t_end if time is None else max(known)


def orphan_step(answer: Answer, *, index: int, raw_refs: tuple[int, ...] = ()) -> Step:
    """Return the step of an answer whose call is not known, because the log does not hold it."""
    ids = {"tool_call_id": answer.call_id, "tool_name": answer.name}
    return Step(
        index=index,
        uid=f"s{index}",
        kind="tool_env",
        actor="env",
        results=(answer.result,),
        status=status_of((), (answer.result,), is_last=False),
        t_start=answer.time,
        native_ids={name: value for name, value in ids.items() if value is not None},
        raw_refs=raw_refs,
    )


def status_of(calls: Sequence[Call], results: Sequence[Result], *, is_last: bool) -> Status:
    """Return how a step stands: calls without a result come before results that are errors.

    Args:
        calls: Its calls.
        results: Its results.
        is_last: Whether nothing follows: then its calls were interrupted, and are not missing.
    """
    done = {result.call_uid for result in results}
    if any(call.uid not in done for call in calls):
        return "interrupted" if is_last else "missing"
    return "error" if any(result.is_error for result in results) else "ok"


def says_nothing(step: Step) -> bool:
    """Return whether a step holds no text, no reasoning, no call and no result."""
    is_said = bool(step.message or step.thought or step.thought_redacted)
    return not (is_said or step.calls or step.results)


def settled(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps, those whose results never came marked missing, unless nothing follows."""
    return tuple(
        replace(step, status=status_of(step.calls, step.results, is_last=False))
        if step.status == "interrupted" and step.index < len(steps) - 1
        else step
        for step in steps
    )


def time_in(value: JsonObject, names: Sequence[str]) -> tuple[datetime | None, str | None]:
    """Return the first of the named fields that is a time, in UTC, and its name."""
    for name in names:
        if (time := time_of(value.get(name))) is not None:
            return time, name
    return None, None


def metrics_of(usage: Any, *, cost_usd: Any = None) -> Metrics | None:
    """Return token counts under the names of the OpenAI API or of ATIF; None if there are none."""
    counts = object_of(usage)
    prompt = object_of(counts.get("prompt_tokens_details"))
    completion = object_of(counts.get("completion_tokens_details"))
    extra = object_of(counts.get("extra"))
    metrics = Metrics(
        prompt_tokens=int_of(counts.get("prompt_tokens", counts.get("input_tokens"))),
        completion_tokens=int_of(counts.get("completion_tokens", counts.get("output_tokens"))),
        cached_tokens=int_of(counts.get("cached_tokens", prompt.get("cached_tokens"))),
        reasoning_tokens=int_of(extra.get("reasoning_tokens", completion.get("reasoning_tokens"))),
        cost_usd=number_of(counts.get("cost_usd", cost_usd)),
    )
    return None if metrics == Metrics() else metrics
