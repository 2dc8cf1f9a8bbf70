"""What steps are about: the entities, tools and subgoals that bind them.

Entities are the values of named call arguments, tools the names of the calls, and a subgoal is the
step's label, the plan item in progress, or the user's turn (OSU-Mem, section 3). Logs of commands
and free text have no such values; there, names found in what was written or observed are entities.
Every name carries the namespace of its run: "user" in one run never meets "user" in another.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.units.model import Annotation
from stepwell.structures.units.plans import plan_item
from stepwell.structures.units.references import READ_CHARS, names_in
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stepwell.trajectory.model import Call, JsonObject, Step

__all__ = ["BOILERPLATE", "PLAIN", "START", "AnnotateOptions", "Goal", "annotate", "annotate_step"]

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
class Goal:
    """What earlier steps leave for the subgoal of the next.

    Attributes:
        turn: Index of the latest user step; 0 before any.
        plan: The item in progress in the latest plan; None without one.
    """

    turn: int = 0
    plan: str | None = None


START: Final = Goal()
"""Before the first step."""


def annotate(
    steps: Sequence[Step], *, namespace: str, options: AnnotateOptions = PLAIN
) -> list[Annotation]:
    """Return the annotation of each step of a trajectory, from its first step on.

    Args:
        steps: The steps in index order.
        namespace: Name of the run they come from; it stands before every name, with `::`.
        options: What is taken.

    >>> from stepwell.trajectory.model import Call, Step
    >>> call = Call(uid="c", name="book", args={"to": "Oslo ", "seats": 2, "window": True})
    >>> step = Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,))
    >>> annotate([step], namespace="run7")[0].entities
    ('run7::oslo', 'run7::2')
    """
    annotations: list[Annotation] = []
    goal = START
    for step in steps:
        annotation, goal = annotate_step(step, namespace=namespace, goal=goal, options=options)
        annotations.append(annotation)
    return annotations


def annotate_step(
    step: Step, *, namespace: str, goal: Goal = START, options: AnnotateOptions = PLAIN
) -> tuple[Annotation, Goal]:
    """Return the annotation of a step, and what it leaves for the next one.

    Args:
        step: The step.
        namespace: Name of the run it comes from.
        goal: What the step before it left.
        options: What is taken.
    """
    goal_here = _goal_at(step, goal)
    names = islice(dict.fromkeys(_names(step, options)), _MOST_NAMES)
    tools = dict.fromkeys(
        call.name for call in step.calls if call.name.lower() not in options.boilerplate
    )
    annotation = Annotation(
        entities=tuple(f"{namespace}::{name}" for name in names),
        tools=tuple(f"{namespace}::{name}" for name in tools if name),
        subgoal=f"{namespace}::{_subgoal(step, goal_here)}",
    )
    return annotation, goal_here if step.active else goal


def _goal_at(step: Step, goal: Goal) -> Goal:
    turn = step.index if step.kind == "user" else goal.turn
    plan = goal.plan
    for call in step.calls:
        plan = plan_item(call, plan)
    return Goal(turn=turn, plan=plan)


def _subgoal(step: Step, goal: Goal) -> str:
    if step.subgoal is not None:
        return step.subgoal
    return f"turn:{goal.turn}" if goal.plan is None else f"plan:{goal.plan}"


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
        texts = [r.text for r in step.results if not r.extra.get("stepwell")]
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
