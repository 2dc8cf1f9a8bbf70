"""What a step says by itself: values, names in texts, tools, its part in a plan."""

from __future__ import annotations

import pytest

from stepwell.structures.units.marks import AnnotateOptions, marks_of
from stepwell.trajectory.model import Call, JsonObject, Result, Step


def step(index: int, *calls: tuple[str, JsonObject | None], **fields: object) -> Step:
    made = tuple(
        Call(uid=f"c{index}.{n}", name=name, args=args) for n, (name, args) in enumerate(calls)
    )
    kind = fields.pop("kind", "agent")
    return Step(index=index, uid=f"s{index}", kind=kind, actor="agent", calls=made, **fields)  # type: ignore[arg-type]


def entities(args: JsonObject) -> list[str]:
    return list(marks_of(step(0, ("t", args))).entities)


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


@pytest.mark.parametrize("name", ["think", "respond", "Finish", "noop", "None", "action", ""])
def test_boilerplate_calls_are_no_tools(name: str) -> None:
    assert marks_of(step(0, (name, {}))).tools == ()


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
    assert len(marks_of(made).entities) <= 64


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
        return marks_of(made, options).entities

    plain = ("cat src/app/main.py",)
    written = (*plain, "app/main.py", "load_config")
    observed = (*plain, "load_config", "configerror")
    assert found(AnnotateOptions()) == plain
    assert found(AnnotateOptions(written=True)) == written
    assert found(AnnotateOptions(observed=True)) == observed


def test_arguments_that_are_no_json_are_read_as_text() -> None:
    call = Call(uid="c", name="bash", args=None, args_raw="{'path': 'a_b.py'", args_valid=False)
    made = Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,))
    options = AnnotateOptions(written=True)
    assert marks_of(made, options).entities == ("a_b.py",)


def test_what_the_memory_said_itself_is_not_observed() -> None:
    made = step(0, results=(Result(call_uid=None, text="load_config", recalled=((0, 11),)),))
    options = AnnotateOptions(observed=True)
    assert marks_of(made, options).entities == ()
