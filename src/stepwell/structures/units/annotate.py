"""What the steps of a run are about: what each says by itself, and the goal that it serves.

A step's subgoal is its label, the plan item in progress, or the user's turn (OSU-Mem, section 3).
Where steps of several runs are looked at together, every name carries the namespace of its run:
"user" in one run never meets "user" in another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stepwell.structures.units.marks import PLAIN, marks_of
from stepwell.structures.units.model import Annotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.units.marks import AnnotateOptions, Marks
    from stepwell.trajectory.model import Step

__all__ = ["START", "Goal", "annotate", "annotation_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What earlier steps leave for the subgoal of the next.

    Attributes:
        turn: Index of the latest user step; 0 before any.
        plan: The item in progress in the latest plan; empty without one.
    """

    turn: int = 0
    plan: str = ""


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
        annotation, goal = annotation_of(marks_of(step, options), goal, namespace=namespace)
        annotations.append(annotation)
    return annotations


def annotation_of(
    marks: Marks, goal: Goal = START, *, namespace: str = ""
) -> tuple[Annotation, Goal]:
    """Return the annotation of a step, and what it leaves for the next one.

    What a step on an abandoned branch says of the goal counts for that step alone.

    Args:
        marks: What the step says by itself.
        goal: What the step before it left.
        namespace: Name of the run it comes from; empty where no other run is looked at.
    """
    here = Goal(
        turn=goal.turn if marks.turn is None else marks.turn,
        plan=goal.plan if marks.plan is None else marks.plan,
    )
    subgoal = marks.subgoal
    if subgoal is None:
        subgoal = f"plan:{here.plan}" if here.plan else f"turn:{here.turn}"
    start = f"{namespace}::" if namespace else ""
    annotation = Annotation(
        entities=tuple(f"{start}{name}" for name in marks.entities),
        tools=tuple(f"{start}{name}" for name in marks.tools),
        subgoal=f"{start}{subgoal}",
    )
    return annotation, here if marks.active else goal
