"""Everyday questions hit the step they mean, in the run they mean."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell import Memory
from stepwell.trajectory.model import Call, Result, Step
from support.trajectories import NOW, said, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.recall.evidence import Evidence


def replied(index: int, text: str) -> Step:
    return Step(index=index, uid=f"u{index}", kind="agent", actor="agent", message=text)


def failed(index: int, command: str, result: str) -> Step:
    step = turn(index, command, result)
    return replace(step, results=(replace(step.results[0], is_error=True),))


def edited(index: int, tool: str) -> Step:
    call = Call(uid=f"k{index}", name=tool, args={"file_path": "ship.py"})
    result = Result(call_uid=f"k{index}", text="done")
    return Step(index=index, uid=f"u{index}", kind="agent", actor="agent", calls=(call,),
                results=(result,))  # fmt: skip


NEW: list[Step] = [
    said(0, "Find out why the walrus test is red."),
    turn(1, "ls", "walrus.py"),
    failed(2, "pytest walrus", "1 failed: the tusk is missing"),
    edited(3, "Edit"),
    turn(4, "pytest walrus", "3 passed"),
    said(5, "Now commit it."),
    turn(6, "git commit", "main 4be1f2a"),
    edited(7, "TodoWrite"),
    replied(8, "The commit is made."),
]
OLD: list[Step] = [said(0, "Paint the boat."), replied(1, "The boat is blue."), turn(2, "date", "")]


def filled(memory: Memory, name: str, steps: list[Step], start: datetime) -> None:
    for step in steps:
        memory.add(replace(step, t_start=start + timedelta(minutes=step.index)), trajectory=name)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(encoder=None, clock=lambda: NOW) as memory:
        filled(memory, "new", NEW, NOW - timedelta(days=1))
        filled(memory, "old", OLD, NOW - timedelta(days=9))  # added last, and yet the older one
        yield memory


def first(evidence: Evidence) -> str:
    """Return what was named first: it was asked for, and no other step before it."""
    named = [item for item in evidence.items if item.why.startswith(("the question asks", "it "))]
    return min(named, key=lambda item: (item.structure != "steps", -item.score)).id.split(".")[0]


@pytest.mark.parametrize(
    ("question", "step"),
    [
        ("What did the user ask first?", 0),
        ("What did the user ask last?", 5),
        ("What was the task?", 0),
        ("What was the last command?", 6),
        ("What was the first command?", 1),
        ("What was the last pytest command?", 4),
        ("What was the first pytest command?", 2),
        ("What was the last error?", 2),
        ("Which file was edited last?", 3),
        ("What was the final answer?", 8),
        ("What was the first tool call?", 1),
        ("Was war der letzte Befehl?", 6),
    ],
)
def test_the_step_that_is_asked_for_is_shown(memory: Memory, question: str, step: int) -> None:
    evidence = memory.recall(question, 200, scope={"trajectory": "new"})
    named = [item.step for item in evidence.items if item.why.startswith(("the question", "it "))]
    assert set(named) == {step}


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("What happened after the tests failed?", [2, 3, 4]),
        ("What happened before the commit was made with git?", [4, 5, 6]),
        ("Which command was run after the commit was asked for?", [5, 6]),
        ("What happened after step 6?", [6, 7, 8]),
        ("What happened before step 1?", [0, 1]),
    ],
)
def test_the_steps_beside_another_are_shown_with_it(
    memory: Memory, question: str, steps: list[int]
) -> None:
    evidence = memory.recall(question, 400, scope={"trajectory": "new"})
    named = {
        item.step for item in evidence.items if item.why.startswith(("it stands", "what foll"))
    }
    assert sorted(named) == steps


def test_of_several_runs_the_latest_is_meant_and_for_the_first_the_earliest_too(
    memory: Memory,
) -> None:
    def named(question: str) -> set[str]:
        evidence = memory.recall(question, 200)
        return {item.id for item in evidence.items if item.why.startswith(("the question", "it "))}

    assert named("What did the user ask last?") == {"new/s5.m"}
    assert named("What was the task?") == {"new/s0.m"}
    assert named("What did the user ask first?") == {"old/s0.m", "new/s0.m"}
    assert named("What was the last answer about the boat?") == set()
    assert named("What did the assistant say last about the boat?") == {"old/s1.m"}
    assert named("What did the user ask last on 2026-02-21?") == {"old/s0.m"}


def test_where_all_of_a_question_is_understood_its_step_and_the_next_are_shown(
    memory: Memory,
) -> None:
    evidence = memory.recall("What was the last command?", 800, scope={"trajectory": "new"})
    assert {item.step for item in evidence.items} == {5, 6, 7}
    alone = memory.recall("What does step 6 say?", 800, scope={"trajectory": "new"})
    assert [item.id for item in alone.items] == ["new/s6.c1", "new/s6.o1"]
    assert alone.items[0].text == "command: git commit"


def test_the_question_itself_is_not_the_last_prompt(memory: Memory) -> None:
    memory.add({"role": "user", "content": "What did the user ask last?"}, trajectory="new")
    evidence = memory.recall("What did the user ask last?", 200, scope={"trajectory": "new"})
    assert 5 in {item.step for item in evidence.items if item.why.startswith("the question")}


def test_a_kind_that_is_not_there_is_not_named(memory: Memory) -> None:
    evidence = memory.recall("What was the last error?", 200, scope={"trajectory": "old"})
    assert not any(item.why.startswith("the question asks") for item in evidence.items)


def asked(steps: list[Step], question: str) -> set[int]:
    """Return the steps of a run of these that a question asks for."""
    with Memory(encoder=None) as memory:
        for step in steps:
            memory.add(step)
        items = memory.recall(question, 300).items
        return {item.step for item in items if item.why.startswith(("the question", "it "))}


def called(index: int, tool: str, **args: str) -> Step:
    call = Call(uid=f"k{index}", name=tool, args=dict(args))
    return Step(index=index, uid=f"u{index}", kind="agent", actor="agent", calls=(call,))


def test_a_run_ends_with_a_finishing_call_or_its_last_act() -> None:
    finished = [
        replied(0, "I begin."),
        called(1, "finish", message="Done."),
        called(2, "log", at="x"),
    ]
    assert asked(finished, "What was the final answer?") == {1}
    assert asked([called(n, "go", to=f"room {n}") for n in range(3)], "How did it end?") == {2}


def test_a_tool_that_edits_and_was_asked_to_show_has_edited_nothing() -> None:
    steps = [
        called(0, "str_replace_editor", command="create", path="a"),
        called(1, "str_replace_editor", command="view", path="a"),
        called(2, "update_plan", step="x"),
    ]
    assert asked(steps, "Which file was edited last?") == {0}


def test_a_run_without_a_shell_acts_all_the_same() -> None:
    assert asked(
        [said(0, "go"), called(1, "look", at="x"), replied(2, "ok")], "The last command?"
    ) == {1}
    texts = [said(0, "go"), replied(1, "`ls`"), replied(2, "`pwd`")]
    assert asked(texts, "What was the first command?") == {1}


def test_what_was_run_is_a_call_though_a_prompt_says_more_of_it() -> None:
    steps = [
        said(0, "make hello and run hello and say hello"),
        called(1, "edit", path="x"),
        called(2, "bash", command="python hello"),
        called(3, "bash", command="ls"),
    ]
    assert asked(steps, "What came right before hello was run?") == {0, 1, 2}
