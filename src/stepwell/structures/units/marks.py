"""What a step says by itself of what it is about: entities, tools, and its part in a plan.

Entities are the values of named call arguments, and tools the names of the calls (OSU-Mem, section
3). Logs of commands and free text have no such values; there, names found in what was written or
observed are entities.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.units.plans import plan_item
from stepwell.structures.units.references import READ_CHARS, names_in
from stepwell.trajectory.atoms import without
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stepwell.trajectory.model import Call, JsonObject, Step

__all__ = ["BOILERPLATE", "PLAIN", "AnnotateOptions", "Marks", "marks_of", "version_of"]

_VERSION: Final = 2
"""Raised whenever `marks_of` gives something else than before for some step."""

BOILERPLATE: Final = frozenset(
    {
        *("think", "thought", "respond", "reply", "transfer_to_human_agents"),
        *("finish", "final_answer", "done", "stop"),
        *("noop", "no_op", "none", "null", "action"),
    }
)
"""Calls that every run makes and that say nothing about what it does; `action` stands where a log
has no tool name. Compared in lower case, so ToolBench's `Finish` is among them."""

_SHORTEST, _LONGEST = 2, 80
"""Characters of a string that can be an entity (OSU-Mem, section 3)."""

_MOST_VALUES = 10_000
"""Argument values looked at per call: real calls have tens, and one of megabytes must not stall."""

_MOST_NAMES = 64
"""Entities kept per step: twenty times what a real call holds, and a bound on the work per step."""

_MOST_OBSERVED = 8
"""Names kept of what a step observed. On long runs of six kinds, eight bind steps that belong
together as often as thirty-two do, and fill half the units."""

_LARGEST = 2**256
"""Integers from here on are no value anybody names, and cost time to write out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateOptions:
    """What is taken as an entity and as a tool; without any of it, what the paper takes.

    On long runs of six kinds, steps that a question needs together share a written name 2.6 times
    as often as other steps equally far apart (names in more than a quarter of the steps left out);
    with observed names it is 1.5 times as often, of more steps.

    Attributes:
        written: Whether names in the text of arguments, messages and thoughts are entities.
        observed: Whether names in the text of results are.
        boilerplate: Names of calls, in lower case, that bind nothing.
    """

    written: bool = False
    observed: bool = False
    boilerplate: frozenset[str] = BOILERPLATE


PLAIN: Final = AnnotateOptions()
"""What the paper takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What a step says by itself of what it is about.

    Attributes:
        entities: Names and values, without repeats, in order of appearance.
        tools: Names of the tools it calls, boilerplate left out.
        subgoal: Its label, where its log gives it one.
        plan: The item in progress in the plan it writes, empty when none is; None when it writes
            no plan.
        turn: Its index, when a user speaks; None otherwise.
        active: Whether it lies on the branch that the run went on with.
    """

    entities: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    subgoal: str | None = None
    plan: str | None = None
    turn: int | None = None
    active: bool = True


def version_of(options: AnnotateOptions) -> str:
    """Return a name for what these options take from a step.

    >>> version_of(AnnotateOptions(written=True)) == version_of(AnnotateOptions())
    False
    """
    shape = (options.written, options.observed, sorted(options.boilerplate))
    return f"{_VERSION}:{hashlib.sha256(repr(shape).encode()).hexdigest()[:12]}"


def marks_of(step: Step, options: AnnotateOptions = PLAIN) -> Marks:
    """Return what a step says by itself of what it is about.

    >>> from stepwell.trajectory.model import Call, Step
    >>> call = Call(uid="c", name="book", args={"to": "Oslo ", "seats": 2, "window": True})
    >>> marks_of(Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,))).entities
    ('oslo', '2')
    """
    called = (call.name for call in step.calls)
    tools = dict.fromkeys(name for name in called if name.lower() not in options.boilerplate)
    plans = [item for call in step.calls if (item := plan_item(call)) is not None]
    return Marks(
        entities=tuple(islice(dict.fromkeys(_names(step, options)), _MOST_NAMES)),
        tools=tuple(filter(None, tools)),
        subgoal=step.subgoal,
        plan=plans[-1] if plans else None,
        turn=step.index if step.kind == "user" else None,
        active=step.active,
    )


def _names(step: Step, options: AnnotateOptions) -> Iterator[str]:
    """Yield the entities of a step: values first, then names written, then names observed."""
    values = [value for call in step.calls for value in _values(_named(call))]
    yield from filter(None, map(_entity, values))
    if options.written:
        texts = [value for value in values if isinstance(value, str)]
        unnamed = [_unnamed(call) for call in step.calls]
        yield from _mentioned([*unnamed, *texts, step.message, step.thought])
    if options.observed:
        # What this memory said itself is no observation: it would bind whatever was recalled.
        texts = [without(result.text, result.recalled) for result in step.results]
        yield from islice(_mentioned(texts), _MOST_OBSERVED)


def _named(call: Call) -> JsonObject | None:
    """Return the arguments that have names; a whole command is the value of none."""
    return None if _unnamed(call) else call.args


def _unnamed(call: Call) -> str:
    """Return the text of a call whose arguments are one text, or could not be read."""
    if call.args is None:
        return call.args_raw
    lone = call.args.get("_value") if len(call.args) == 1 else None
    return lone if isinstance(lone, str) else ""


def _mentioned(texts: Iterable[str]) -> Iterator[str]:
    """Yield the names in some texts, until as much is read as is read of one long text."""
    n_left = READ_CHARS
    for text in texts:
        if n_left <= 0:
            return
        yield from names_in(text)
        n_left -= len(text)


def _values(args: Any) -> Iterator[Any]:
    """Yield what stands in arguments, outer values before inner ones."""
    level: list[Any] = [args]
    n_left = _MOST_VALUES
    while level and n_left > 0:
        inner: list[Any] = []
        for value in level[:n_left]:
            if is_object(value):
                inner.extend(value.values())
            elif is_list(value):
                inner.extend(value)
            else:
                yield value
        n_left -= len(level)
        level = inner


def _entity(value: Any) -> str | None:
    """Return a value as an entity: text in lower case, a number in its shortest form."""
    if isinstance(value, str):
        name = value.strip().lower() if len(value) <= _LONGEST else ""
        return name if len(name) >= _SHORTEST else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not abs(value) < _LARGEST:  # NaN is not below anything
        return None
    return str(int(value)) if value == int(value) else repr(value)
