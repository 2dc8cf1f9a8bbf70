"""Annotations: the names of a step carry its run, and goals go on from step to step."""

from __future__ import annotations

from stepwell.structures.units.annotate import START, annotate, annotation_of
from stepwell.structures.units.marks import marks_of
from stepwell.trajectory.model import Call, JsonObject, Step


def step(index: int, *calls: tuple[str, JsonObject | None], **fields: object) -> Step:
    made = tuple(
        Call(uid=f"c{index}.{n}", name=name, args=args) for n, (name, args) in enumerate(calls)
    )
    kind = fields.pop("kind", "agent")
    return Step(index=index, uid=f"s{index}", kind=kind, actor="agent", calls=made, **fields)  # type: ignore[arg-type]


def test_names_carry_their_run() -> None:
    (annotation,) = annotate([step(0, ("book", {"to": "Oslo"}))], namespace="run7")
    assert annotation.entities == ("run7::oslo",)
    assert annotation.tools == ("run7::book",)
    assert annotation.subgoal == "run7::turn:0"


def test_a_subgoal_is_the_label_or_the_plan_or_the_turn() -> None:
    todos = [
        {"content": "Read the code", "status": "completed"},
        {"content": "Fix  the Test", "status": "in_progress"},
    ]
    done = [{"content": "Fix the Test", "status": "completed"}]
    steps = [
        step(0),
        step(1, kind="user"),
        step(2),
        step(3, subgoal="label"),
        step(4, ("TodoWrite", {"todos": todos})),
        step(5),
        step(6, ("update_plan", {"plan": [{"step": "Ship", "status": "in_progress"}]})),
        step(7, kind="user"),
        step(8, ("TodoWrite", {"todos": done})),
        step(9, ("plan_trip", {"stops": [{"name": "Oslo", "status": "active"}]})),
    ]
    assert [a.subgoal for a in annotate(steps, namespace="r")] == [
        "r::turn:0",
        "r::turn:1",
        "r::turn:1",
        "r::label",
        "r::plan:fix the test",
        "r::plan:fix the test",
        "r::plan:ship",
        "r::plan:ship",
        "r::turn:7",
        "r::turn:7",
    ]


def test_an_abandoned_branch_leaves_no_goal_behind() -> None:
    steps = [step(0, kind="user"), step(1, kind="user", active=False), step(2)]
    assert [a.subgoal for a in annotate(steps, namespace="r")] == [
        "r::turn:0",
        "r::turn:1",
        "r::turn:0",
    ]


def test_step_by_step_gives_what_all_at_once_gives() -> None:
    steps = [step(0, kind="user"), step(1, ("book", {"to": "Oslo"})), step(2)]
    goal, found = START, []
    for one in steps:
        annotation, goal = annotation_of(marks_of(one), goal, namespace="r")
        found.append(annotation)
    assert found == annotate(steps, namespace="r")
