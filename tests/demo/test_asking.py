"""The bundled log: complete, answerable, and copied as it is."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from stepwell.demo.asking import Answered, Question, add_logs, ask, copy_logs, questions
from stepwell.memory.memory import Memory
from stepwell.recall.evidence import Evidence, Item

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def memory() -> Memory:
    found = Memory(None, encoder=None)
    add_logs(found)
    return found


def test_the_log_is_a_session_and_its_subagent() -> None:
    memory = Memory(None, encoder=None)
    read: list[str] = []
    report = add_logs(memory, progress=read.append)
    assert report.added == report.trajectories == 2
    assert report.skipped == report.repaired == report.warnings == 0
    assert len(report.files) == len(read)
    assert add_logs(memory).unchanged == 2


def test_the_steps_that_answer_are_there_and_hold_what_must_be_quoted(memory: Memory) -> None:
    names = {entry.trajectory_id for entry in memory.sessions()}
    main = next(entry.trajectory_id for entry in memory.sessions() if entry.parent_id is None)
    for question in questions():
        of = main if question.trajectory == "main" else f"{main}/{question.trajectory}"
        assert of in names
        text = "\n".join(memory.get(f"{of}/s{step}").text for step in question.steps)
        assert all(quote in text for quote in question.quotes), question.question


def test_every_question_is_asked_within_its_budget(memory: Memory) -> None:
    answered = ask(memory)
    assert [one.question for one in answered] == questions()
    assert all(one.evidence.budget == 800 for one in answered)
    assert all(one.evidence.tokens <= 800 for one in answered)
    assert sum(one.is_complete for one in answered) >= 3


def item(trajectory: str, step: int, text: str) -> Item:
    return Item(
        id=f"{trajectory}/s{step}.m",
        trajectory=trajectory,
        step=step,
        part="m",
        text=text,
        kind="agent",
        label="agent",
        structure="episodic",
        score=1.0,
        scores={},
        why="",
    )


def evidence(*items: Item) -> Evidence:
    return Evidence(
        query="?", text="", tokens=0, budget=1, tokenizer="o200k", format="text", items=items
    )


ASKED = Question(
    question="?", answer="!", steps=[2, 5], trajectory="main", why="", quotes=["port 80"]
)


def test_only_steps_of_the_right_trajectory_are_found() -> None:
    quoted = evidence(item("run", 5, "x"), item("run/a1", 2, "port 80"), item("run", 9, "y"))
    assert Answered(question=ASKED, evidence=quoted).found == [5]
    below = replace(ASKED, trajectory="a1")
    assert Answered(question=below, evidence=quoted).found == [2]


def test_an_answer_is_complete_with_all_its_steps_and_quotes() -> None:
    both = evidence(item("run", 5, "port 80"), item("run", 2, "x"))
    assert Answered(question=ASKED, evidence=both).is_complete
    assert Answered(question=ASKED, evidence=both).found == [2, 5]
    without_quote = evidence(item("run", 5, "port 8"), item("run", 2, "x"))
    assert not Answered(question=ASKED, evidence=without_quote).is_complete
    without_step = evidence(item("run", 5, "port 80"))
    assert not Answered(question=ASKED, evidence=without_step).is_complete


def test_a_copy_holds_the_same_files(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "er"
    copy_logs(target)
    copy_logs(target)  # once more over what is there
    source = files("stepwell.demo")
    assert (target / "session.jsonl").read_bytes() == (source / "session.jsonl").read_bytes()
    copied = sorted(str(path.relative_to(target)) for path in target.rglob("*.jsonl"))
    assert len(copied) == 2
    assert not (target / "questions.json").exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        copy_logs(tmp_path / "file" / "below")
