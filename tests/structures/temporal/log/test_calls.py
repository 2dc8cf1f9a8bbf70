"""What a call does: its text, what it acts upon, what it changes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from stepwell.structures.temporal.log.calls import act_in, act_of
from stepwell.structures.temporal.log.facts import Act
from stepwell.text.tools import MAIN, PROGRAMS, SHELLS
from stepwell.trajectory.model import Call


def called(name: str, args: dict[str, Any] | None, raw: str = "") -> tuple[Act, list[str]]:
    act, states = act_of(Call(uid="c", name=name, args=args, args_raw=raw), 2)
    assert all(state.act == 2 for state in states)
    return act, [f"{state.slot}|{state.value}" for state in states]


def written(text: str, name: str = "") -> tuple[Act, list[str]]:
    act, states = act_in(text, 0, name=name)
    return act, [f"{state.slot}|{state.value}" for state in states]


@pytest.mark.parametrize(
    ("text", "act", "changes"),
    [
        ("take mug 1",
         Act(text="take mug 1", verb="take", objects=("mug 1",), quote="take mug 1"),
         ["mug 1|inventory"]),
        ("go to pier 1",
         Act(text="go to pier 1", verb="go to", objects=("pier 1",), quote="go to pier 1",
             moves=True), ["agent|pier 1"]),
        ("bash: rm a.py",
         Act(text="bash: rm a.py", verb="bash", objects=("a.py",), quote="bash: rm a.py",
             programs=("bash", "rm")),
         ["a.py|deleted"]),
        ("rm a.py",
         Act(text="rm a.py", verb="rm", objects=("a.py",), quote="rm a.py", programs=("rm",)),
         ["a.py|deleted"]),
        ("SELECT 1 FROM t",
         Act(text="SELECT 1 FROM t", verb="SELECT", objects=("t",), quote="SELECT 1 FROM t"), []),
        ('put("mug 1", "box 2")',
         Act(text='put("mug 1", "box 2")', verb="put", objects=("mug 1", "box 2"),
             quote='put("mug 1", "box 2")'), ["mug 1|box 2"]),
        ("put(mug 1, \n box 2)",
         Act(text="put mug 1 box 2", verb="put", objects=("mug 1", "box 2"), quote=""),
         ["mug 1|box 2"]),
        ("put(mug 1,, box 2)",
         Act(text="put(mug 1,, box 2)", verb="put", quote="put(mug 1,, box 2)",
             programs=("put",)), []),
        ("put (mug 1",
         Act(text="put (mug 1", verb="put", objects=("(mug 1",), quote="put (mug 1"), []),
        ("12 mugs", Act(text="12 mugs", verb="12", quote="12 mugs"), []),
        ("12  mugs", Act(text="12 mugs", verb="12"), []),
        ("take  mug 1", Act(text="take mug 1", verb="take", objects=("mug 1",)),
         ["mug 1|inventory"]),
        ("one\ntwo", Act(text="one two", verb="one", quote="one"), []),
        ("", Act(text="", verb=""), []),
    ],
)  # fmt: skip
def test_a_text_is_an_action(text: str, act: Act, changes: list[str]) -> None:
    assert written(text) == (act, changes)


def test_a_text_may_be_the_argument_of_a_tool() -> None:
    act, changes = written("\n rm a.py\nls", name="bash")
    assert act == Act(
        text="bash: rm a.py ls",
        verb="bash",
        objects=("a.py",),
        quote="rm a.py",
        programs=("bash", "rm", "ls"),
    )
    assert changes == ["a.py|deleted"]
    act, _ = written("bashful", name="bash")
    assert act.text == "bashful"


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_begins_a_command(program: str) -> None:
    for text in (f"{program} x > a.txt", f"sudo {program} x > a.txt", f"$ {program} x > a.txt"):
        act, changes = written(text)
        assert act.verb == text.split(" ")[0]
        assert changes[-1] == "a.txt|written"


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_runs_its_main_argument(shell: str) -> None:
    assert called(f"my_{shell.upper()}_x", {"code": "rm a.py"})[1] == ["a.py|deleted"]


def test_a_command_is_told_by_its_argument() -> None:
    assert called("x", {"command": "rm a.py"})[1] == ["a.py|deleted"]
    assert called("x", {"cmd": "rm a.py"})[1] == ["a.py|deleted"]
    assert called("x", {"code": "rm a.py"})[1] == []


def test_a_query_is_told_by_its_argument_or_its_beginning() -> None:
    assert called("x", {"sql": "y; DROP TABLE t"})[1] == ["t|dropped"]
    assert called("x", {"query": "y; DROP TABLE t"})[1] == ["t|dropped"]
    assert called("x", {"text": "(DROP TABLE t)"})[1] == ["t|dropped"]
    assert called("x", {"text": "y; DROP TABLE t"})[1] == []
    assert called("x", {"text": " " * 191 + "DROP TABLE t"})[1] == []


@pytest.mark.parametrize(("first", "second"), [*pairwise(MAIN)])
def test_the_most_telling_argument_says_what_a_call_does(first: str, second: str) -> None:
    act, _ = called("tool", {"zz": "no", second: "second", first: "first one"})
    shown = "tool second first one" if second == "path" else "tool first one"
    assert (act.text, act.quote) == (shown, "first one")


def test_a_call_without_main_argument_shows_its_values() -> None:
    act, _ = called("tool", {"a": 1, "b": "x" * 70, "c": [1], "d": True, "e": 2.5, "f": "six"})
    assert act.text == f"tool 1 {'x' * 60} True 2.5"
    assert act.quote == ""
    assert act.objects == ("1", "six")


def test_a_call_is_about_what_it_changes_reads_and_is_given() -> None:
    act, _ = called("x", {"query": "DELETE FROM t", "sub": "SELECT 1 FROM u", "id": "a1",
                          "n": 7, "flag": True, "o": "-x"})  # fmt: skip
    assert act.objects == ("t", "u", "DELETE FROM t", "SELECT 1 FROM u", "a1", "7")
    act, _ = called("bash", {"command": "cd src", "url": "http://x.org"})
    assert act.objects == ("cd src", "http://x.org")
    act, _ = called("x", {f"k{n}": f"v{n}" for n in range(12)})
    assert act.objects == tuple(f"v{n}" for n in range(8))


def test_texts_and_quotes_are_short() -> None:
    act, _ = called("tool", {"text": "x" * 300})
    assert (len(act.text), act.quote) == (200, "x" * 160)
    act, _ = written("take " + "m" * 300)
    assert (len(act.text), len(act.quote)) == (200, 160)
    act, _ = called("tool", {"text": "\n" * 19 + " first \nsecond"})
    assert act.quote == "first"
    act, _ = called("tool", {"text": "\n" * 30 + "first"})
    assert act.quote == "first"
    act, _ = written(f"put({'m' * 194}, x)")
    assert act.text == f"put {'m' * 60} x"


def test_calls_may_have_no_arguments_or_a_lone_value() -> None:
    assert called("bash", None, "rm a.py")[1] == ["a.py|deleted"]
    act, changes = called("action", {"_value": "take mug 1"})
    assert (act.verb, changes) == ("take", ["mug 1|inventory"])
    act, changes = called("shell", {"_value": "rm a.py"})
    assert (act.verb, changes) == ("shell", ["a.py|deleted"])


def test_a_tool_that_is_a_verb_does_what_the_verb_does() -> None:
    act, changes = called("put_object", {"object": "mug 1", "receptacle": "box 2"})
    assert act == Act(text="put_object mug 1 box 2", verb="put_object", objects=("mug 1", "box 2"))
    assert changes == ["mug 1|box 2"]
    act, changes = called("go_to", {"location": "hall 1"})
    assert (act.moves, changes) == (True, ["agent|hall 1"])
    act, changes = called("look", {"at": "hall 1"})
    assert (act.moves, changes) == (False, [])


def test_control_characters_are_shown() -> None:
    act, _ = called("to\x1b[31mol", {"text": "a\x1b[0mb"})
    assert (act.verb, act.quote) == ("tool", "ab")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"url": "/v1/x", "body": {"name": "mug"}}, {"url": "/v1/x", "body": {"name": "cup"}}),
        ({"method": "GET", "path": "/v1/x"}, {"method": "PUT", "path": "/v1/x"}),
        ({"request": {"id": 1}}, {"request": {"id": 2}}),
    ],
)
def test_calls_that_differ_in_what_is_inside_or_how_are_not_the_same(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert called("http_request", one)[0].text != called("http_request", other)[0].text
