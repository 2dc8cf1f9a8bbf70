"""A step → what it says: its actions, what they change, and what is observed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.calls import act_in, act_of
from stepwell.structures.temporal.facts import Act, Facts, Listing, State
from stepwell.structures.temporal.phrases import phrase_of
from stepwell.structures.temporal.prose import what_is_said
from stepwell.structures.temporal.records import decoded, fields_of, lines_of
from stepwell.structures.temporal.sentences import says_failure, without_offers
from stepwell.structures.temporal.tools import shown_states
from stepwell.structures.temporal.verbs import is_known
from stepwell.trajectory.atoms import call_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from stepwell.trajectory.model import Result, Step

__all__ = ["extract"]

_ACTION = re.compile(
    r"(?:^|\n)\s*(?:\*\*)?action(?:\*\*)?\s*:\s*(?:\*\*)?\s*(\S[^\n]{0,500})", re.IGNORECASE
)
_ACT, _QUOTE = 200, 160
"""Characters of a message that can be an action, and of what is quoted of a failure."""

_LONG_TEXT = 4_000
"""Characters of a text above which lines with a colon are those of a document."""

_SHORT, _PLAIN = 300, 24
"""Characters of what a tool says itself, and of a plain value in a longer output."""

_DOCUMENTS = re.compile(
    r"bash|shell|terminal|exec|run|code|sql|query|edit|file|view|read|search|fetch|grep|python|"
    r"think|browse|website|web",
    re.IGNORECASE,
)
"""Names of tools whose results are outputs and documents."""

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
    answers = step.kind in {"user", "tool_env"} and not step.calls
    spoken = "" if step.calls or step.kind != "agent" else _spoken(step.message)
    acts, changes = _spoken_act(spoken) if spoken else _acts(step)
    states, listings = _observed(step, acts) if step.results or answers else ([], [])
    return Facts(
        acts=tuple(acts),
        states=tuple([*changes, *states][:_MOST_STATES]),
        listings=tuple(listings[:_MOST_STATES]),
        awaits=bool(spoken) and not step.results,
        answers=answers,
        failed=answers and says_failure(step.message),
        has_text=_has_text(step),
    )


def _has_text(step: Step) -> bool:
    said = step.message or step.thought or any(result.text for result in step.results)
    return bool(said) or any(map(call_text, step.calls))


def _spoken_act(text: str) -> tuple[list[Act], list[State]]:
    act, changes = act_in(text, 0)
    return [act], changes


def _acts(step: Step) -> tuple[list[Act], list[State]]:
    """Return the actions that calls are, and what those changed that succeeded."""
    acts: list[Act] = []
    states: list[State] = []
    results = {result.call_uid: result for result in reversed(step.results)}
    for place, call in enumerate(step.calls[:_MOST_ACTS]):
        result = results.get(call.uid)
        act, changes = act_of(call, place)
        failed = result is not None and _failed(result, step)
        acts.append(replace(act, failed=failed))
        if result is not None and not failed:
            states += changes
    return acts, states


def _failed(result: Result, step: Step) -> bool:
    if result.is_error is not None and (result.is_error or result.exit_code == 0):
        return result.is_error
    if result.exit_code:
        return True
    return says_failure(result.text) or (step.status == "error" and len(step.calls) == 1)


def _spoken(message: str) -> str:
    """Return the action that a message without calls states; empty without one."""
    match = _ACTION.search(message[-2_000:])
    if match is not None:
        return match[1].strip()
    text = message.strip().removeprefix("> ") if len(message) <= _ACT else ""
    phrase = phrase_of(text)
    return text if phrase is not None and is_known(phrase.verb) else ""


def _observed(step: Step, acts: Sequence[Act]) -> tuple[list[State], list[Listing]]:
    texts = [result.text for result in step.results if not result.extra.get("stepwell")]
    if not texts and step.kind in {"user", "tool_env"}:
        texts = [step.message]
    listings: list[Listing] = []
    states = [
        State(slot="exit code", aspect="", value=str(result.exit_code))
        for result in step.results
        if result.exit_code is not None
    ]
    reads = any(_DOCUMENTS.search(act.verb) for act in acts)
    for text in texts[:_MOST_ACTS]:
        found, seen = _read(text, is_world=not reads)
        states += found
        listings += seen
    if any(act.failed for act in acts) and texts and all(s.slot != "error" for s in states):
        states += _failure(texts)
    return states, listings


def _failure(texts: Sequence[str]) -> Iterator[State]:
    line = next((line.strip() for line in texts[-1][:2_000].split("\n") if says_failure(line)), "")
    if line:
        quote = line[:_QUOTE].rstrip()
        yield State(slot="error", aspect="", value=quote, quote=quote, is_event=True)


def _read(text: str, *, is_world: bool) -> tuple[list[State], list[Listing]]:
    """Return what an observation says; of a program's output or a document only plain values."""
    value = decoded(text)
    if value is not None:
        return fields_of(value, text)
    if not is_world and len(text) > _SHORT:
        plain = [one for one in _values(text, ())[0] if len(one.value) <= _PLAIN]
        return [*shown_states(text), *plain], []
    said = what_is_said(text)
    known = {state.quote for state in said.states} | {seen.quote for seen in said.listings}
    values, listings = _values(text, known - {""})
    holders = {one.holder for one in listings}
    seen = [*(one for one in said.listings if one.holder not in holders), *listings]
    return [*shown_states(text), *said.states, *values], seen


def _values(text: str, known: Collection[str]) -> tuple[list[State], list[Listing]]:
    """Return the values of lines that no sentence has said; of one key the last."""
    lines = without_offers(text) if len(text) <= _LONG_TEXT else []
    states: dict[tuple[str, str], State] = {}
    listings: list[Listing] = []
    for one in lines_of(lines):
        if isinstance(one, Listing):
            listings.append(one)
        elif one.quote.rstrip(".") not in known:
            states[one.slot, one.aspect] = one
    return list(states.values()), listings
