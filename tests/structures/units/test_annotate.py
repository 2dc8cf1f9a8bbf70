from __future__ import annotations

import pytest

from stepwell.structures.units.annotate import START, AnnotateOptions, annotate, annotate_step
from stepwell.trajectory.model import Call, JsonObject, Result, Step


def step(index: int, *calls: tuple[str, JsonObject | None], **fields: object) -> Step:
    made = tuple(
        Call(uid=f"c{index}.{n}", name=name, args=args) for n, (name, args) in enumerate(calls)
    )
    kind = fields.pop("kind", "agent")
    return Step(index=index, uid=f"s{index}", kind=kind, actor="agent", calls=made, **fields)  # type: ignore[arg-type]


def entities(args: JsonObject) -> list[str]:
    annotation, _ = annotate_step(step(0, ("t", args)), namespace="r")
    return [name.removeprefix("r::") for name in annotation.entities]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"a": " OSLO "}, ["oslo"]),
        ({"a": "x", "b": "xy", "c": "x" * 80, "d": "x" * 81}, ["xy", "x" * 80]),
        ({"a": 7, "b": 7.0, "c": 7.5, "d": -3}, ["7", "7.5", "-3"]),
        ({"a": True, "b": None, "c": float("nan"), "d": float("inf")}, []),
        ({"a": [{"b": ["deep", "er"]}, "top"]}, ["top", "deep", "er"]),
        ({"a": "same", "b": "SAME"}, ["same"]),
        ({"key": {}}, []),
        ({"_value": "a whole command"}, []),
        ({"_value": ["in", "a list"]}, ["in", "a list"]),
        ({"a": 10**5000}, []),
        ({"a": "日本"}, ["日本"]),
    ],
)
def test_entities_are_the_strings_and_numbers_of_arguments(
    args: JsonObject, expected: list[str]
) -> None:
    assert entities(args) == expected


def test_names_carry_their_run() -> None:
    (annotation,) = annotate([step(0, ("book", {"to": "Oslo"}))], namespace="run7")
    assert annotation.entities == ("run7::oslo",)
    assert annotation.tools == ("run7::book",)
    assert annotation.subgoal == "run7::turn:0"


@pytest.mark.parametrize("name", ["think", "respond", "Finish", "noop", "None", "action", ""])
def test_boilerplate_calls_are_no_tools(name: str) -> None:
    assert annotate([step(0, (name, {}))], namespace="r")[0].tools == ()


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
        annotation, goal = annotate_step(one, namespace="r", goal=goal)
        found.append(annotation)
    assert found == annotate(steps, namespace="r")


@pytest.mark.parametrize(
    "args",
    [
        {"text": "x" * 10_000_000},
        {"rows": [{"id": n, "name": f"name {n}"} for n in range(200_000)]},
        {"todos": [{"content": f"item {n}", "status": "pending"} for n in range(200_000)]},
    ],
)
def test_arguments_of_megabytes_are_bounded(args: JsonObject) -> None:
    made = step(0, ("TodoWrite", args))
    annotation, _ = annotate_step(made, namespace="r")
    assert len(annotation.entities) <= 64


def test_arguments_nested_without_end_are_read_to_a_depth() -> None:
    args: JsonObject = {"a": "top"}
    for _ in range(100_000):
        args = {"in": args}
    assert entities(args) == []


def test_names_in_text_are_entities_when_asked_for() -> None:
    made = step(
        0,
        ("bash", {"command": "cat src/app/main.py"}),
        thought="Look at load_config.",
        results=(Result(call_uid="c0.0", text="def load_config(): raise ConfigError"),),
    )

    def found(options: AnnotateOptions) -> tuple[str, ...]:
        return annotate_step(made, namespace="r", options=options)[0].entities

    plain = ("r::cat src/app/main.py",)
    written = (*plain, "r::app/main.py", "r::load_config")
    observed = (*plain, "r::load_config", "r::configerror")
    assert found(AnnotateOptions()) == plain
    assert found(AnnotateOptions(written=True)) == written
    assert found(AnnotateOptions(observed=True)) == observed


def test_arguments_that_are_no_json_are_read_as_text() -> None:
    call = Call(uid="c", name="bash", args=None, args_raw="{'path': 'a_b.py'", args_valid=False)
    made = Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,))
    options = AnnotateOptions(written=True)
    annotation, _ = annotate_step(made, namespace="r", options=options)
    assert annotation.entities == ("r::a_b.py",)


def test_what_the_memory_said_itself_is_not_observed() -> None:
    made = step(0, results=(Result(call_uid=None, text="load_config", extra={"stepwell": True}),))
    options = AnnotateOptions(observed=True)
    assert annotate_step(made, namespace="r", options=options)[0].entities == ()
