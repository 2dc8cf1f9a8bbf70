"""What steps are about: the entities, tools and subgoals that bind them.

Entities are the values of call arguments, tools the names of the calls, and a subgoal is the
step's label, the plan item in progress, or the user's turn (OSU-Mem, section 3). Every name carries
the namespace of its run, so that "user" in one run never meets "user" in another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from stepwell.ingest.fields import is_list, is_object
from stepwell.structures.units.model import Annotation
from stepwell.structures.units.plans import plan_item

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.trajectory.model import Step

__all__ = ["BOILERPLATE", "AnnotateOptions", "Goal", "annotate", "annotate_step"]

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

_LARGEST = 2**256
"""Integers from here on are no value anybody names, and cost time to write out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateOptions:
    """What is taken as an entity and as a tool.

    Attributes:
        boilerplate: Names of calls, in lower case, that bind nothing.
    """

    boilerplate: frozenset[str] = BOILERPLATE


DEFAULT: Final = AnnotateOptions()


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


def annotate(
    steps: Sequence[Step], *, namespace: str, options: AnnotateOptions = DEFAULT
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
    step: Step, *, namespace: str, goal: Goal = START, options: AnnotateOptions = DEFAULT
) -> tuple[Annotation, Goal]:
    """Return the annotation of a step, and what it leaves for the next one.

    Args:
        step: The step.
        namespace: Name of the run it comes from.
        goal: What the step before it left.
        options: What is taken.
    """
    goal_here = _goal_at(step, goal)
    names = dict.fromkeys(name for call in step.calls for name in _values(call.args))
    tools = dict.fromkeys(
        call.name for call in step.calls if call.name.lower() not in options.boilerplate
    )
    annotation = Annotation(
        entities=tuple(f"{namespace}::{name}" for name in list(names)[:_MOST_NAMES]),
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


def _values(args: Any) -> Iterator[str]:
    """Yield the strings and numbers in arguments as entities, outer values before inner ones."""
    level: list[Any] = [args]
    n_seen = 0
    while level and n_seen < _MOST_VALUES:
        inner: list[Any] = []
        for value in level[: _MOST_VALUES - n_seen]:
            if is_object(value):
                inner.extend(value.values())
            elif is_list(value):
                inner.extend(value)
            elif (name := _entity(value)) is not None:
                yield name
        n_seen += len(level)
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
