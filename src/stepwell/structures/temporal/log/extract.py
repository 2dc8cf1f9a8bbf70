"""A step → what it says: its actions, what they change, and what is observed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.failures import (
    error_line,
    reports_failure,
    says_failure,
)
from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.phrases import phrase_of
from stepwell.structures.temporal.grammar.states import State
from stepwell.structures.temporal.grammar.verbs import is_known
from stepwell.structures.temporal.grammar.words.fields import ERRORS
from stepwell.structures.temporal.log.calls import act_in, act_of
from stepwell.structures.temporal.log.decoding import decoded
from stepwell.structures.temporal.log.facts import Act, Facts
from stepwell.structures.temporal.log.observations import read_observation
from stepwell.structures.temporal.log.replies import reply_of
from stepwell.text.tools import DOCUMENTS
from stepwell.trajectory.atoms import call_text, without
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.structures.temporal.grammar.states import Listing
    from stepwell.trajectory.model import JsonObject, Result, Step

__all__ = ["extract", "is_document"]

_ACTION = re.compile(
    r"(?:^|\n)\s*(?:\*\*)?action(?:\*\*)?\s*:\s*(?:\*\*)?\s*(\S[^\n]{0,500})", re.IGNORECASE
)
"""The line of a message that states an action: "Action: take mug 1"."""

_DOCUMENTS = re.compile(any_of(DOCUMENTS), re.IGNORECASE)
_WORLD: Final = frozenset({"user", "tool_env"})
"""The kinds of steps by which a world may answer."""

_MESSAGE_READ = 2_000
_FAILURE_READ = 2_000
_ACT, _QUOTE = 200, 160
"""Characters of a message that can be an action, and of what is quoted of a failure."""

_MOST_ACTS, _MOST_STATES = 32, 96


def extract(step: Step) -> Facts:
    """Return what a step says.

    An action changes something unless what came back says that it failed; where nothing has come
    back, nothing is known to have changed.

    >>> from stepwell.trajectory.model import Call, Result, Step
    >>> call = Call(uid="c", name="action", args={"_value": "take mug 1 from desk 2"})
    >>> back = Result(call_uid="c", text="You pick up the mug 1.")
    >>> step = Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,), results=(back,))
    >>> extract(step).states[0].value
    'inventory'
    """
    answers = step.kind in _WORLD and not step.calls
    spoken = _spoken(step)
    acts, changes = _acts(step) if spoken is None else spoken
    states, listings = _observed(step, acts) if step.results or answers else ([], [])
    return Facts(
        acts=tuple(acts),
        states=tuple([*changes, *states][:_MOST_STATES]),
        listings=tuple(listings[:_MOST_STATES]),
        awaits=spoken is not None and not step.results,
        answers=answers,
        failed=answers and says_failure(step.message),
        reply=reply_of(step.message, ()) if answers else "",
        has_text=_has_text(step),
    )


def _has_text(step: Step) -> bool:
    said = step.message or step.thought or any(result.text for result in step.results)
    return bool(said) or any(map(call_text, step.calls))


def _spoken(step: Step) -> tuple[list[Act], list[State]] | None:
    """Return the action that a message without calls states, and what it changes if it succeeds."""
    text = "" if step.calls or step.kind != "agent" else _stated(step.message)
    if not text:
        return None
    act, changes = act_in(text, 0)
    return [act], changes


def _stated(message: str) -> str:
    match = _ACTION.search(message[-_MESSAGE_READ:])
    if match is not None:
        return match[1].strip()
    text = message.strip().removeprefix("> ") if len(message) <= _ACT else ""
    phrase = phrase_of(text)
    return text if phrase is not None and is_known(phrase.verb) else ""


def _acts(step: Step) -> tuple[list[Act], list[State]]:
    """Return the actions that calls are, and what those changed that succeeded."""
    acts: list[Act] = []
    states: list[State] = []
    results = {result.call_uid: result for result in reversed(step.results)}
    for place, call in enumerate(step.calls[:_MOST_ACTS]):
        result = results.get(call.uid)
        act, changes = act_of(call, place)
        failed = result is not None and _failed(result, step, act)
        reply = "" if result is None else reply_of(result.text, act.objects)
        acts.append(replace(act, failed=failed, reply=reply))
        if result is not None and not failed:
            states += changes
    return acts, states


def _failed(result: Result, step: Step, act: Act) -> bool:
    if result.is_error is not None and (result.is_error or result.exit_code == 0):
        return result.is_error
    if result.exit_code is not None:
        return result.exit_code != 0
    return _says_failure(result.text, act) or (step.status == "error" and len(step.calls) == 1)


def _says_failure(text: str, act: Act) -> bool:
    """Return whether a text that came back says that an action failed.

    A program quotes what it reads: that the words of a failure stand somewhere in it, says nothing.
    """
    if is_document(act):
        value = decoded(text)
        return _has_error(value) if is_object(value) else reports_failure(text)
    return says_failure(text)


def is_document(act: Act) -> bool:
    """Return whether an action is a program's or a tool's that shows documents, no world's."""
    return bool(act.programs[1:]) or _DOCUMENTS.search(act.verb) is not None


def _has_error(value: JsonObject) -> bool:
    is_denied = any(value.get(key) is False for key in ("ok", "success"))
    return is_denied or any(value.get(key) for key in ERRORS)


def _observed(step: Step, acts: Sequence[Act]) -> tuple[list[State], list[Listing]]:
    states = _exit_codes(step)
    listings: list[Listing] = []
    texts = _texts(step)
    reads = any(map(is_document, acts))
    for text in texts[:_MOST_ACTS]:
        found, seen = read_observation(text, is_world=not reads)
        states += found
        listings += seen
    if any(act.failed for act in acts) and "error" not in {state.slot for state in states}:
        states += _failure(texts)
    return states, listings


def _exit_codes(step: Step) -> list[State]:
    codes = [result.exit_code for result in step.results if result.exit_code is not None]
    return [State(slot="exit code", aspect="", value=str(code)) for code in codes]


def _texts(step: Step) -> list[str]:
    """Return what came back, without what this memory itself has said."""
    texts = [own for r in step.results if (own := without(r.text, r.recalled)) or not r.recalled]
    return texts if texts or step.kind not in _WORLD else [step.message]


def _failure(texts: Sequence[str]) -> Iterator[State]:
    """Yield the line of the last text that states an error, else the first that says of one."""
    text = texts[-1] if texts else ""
    lines = text[:_FAILURE_READ].split("\n")
    line = error_line(text) or next((line.strip() for line in lines if says_failure(line)), "")
    if quote := line[:_QUOTE].rstrip():
        yield State(slot="error", aspect="", value=quote, quote=quote, is_event=True)
