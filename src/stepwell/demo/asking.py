"""The bundled log with questions to it, whose answers are known: ingest it, ask, and judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

import msgspec

from stepwell.memory.adding import joined

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from stepwell.memory.adding import Ingested
    from stepwell.memory.memory import Memory
    from stepwell.recall.evidence import Evidence

__all__ = ["Answered", "Question", "add_logs", "ask", "copy_logs", "questions"]

_BUDGET: Final = 800
"""Tokens for each question: the default, a hundredth of the log."""

_LOGS: Final = ("session.jsonl", "session")
"""A session's log, and the folder with the logs of its subagents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to the bundled log.

    Attributes:
        question: Its text.
        answer: What somebody who read the log would say.
        steps: The steps that say so.
        trajectory: Where they lie: `main`, or the last part of a subagent's id.
        why: What makes it hard to find.
        quotes: What must be quoted for somebody to answer from the evidence alone.
    """

    question: str
    answer: str
    steps: list[int]
    trajectory: str
    why: str
    quotes: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question and the evidence that came back.

    Attributes:
        question: What was asked.
        evidence: What a recall returned.
    """

    question: Question
    evidence: Evidence

    @property
    def found(self) -> list[int]:
        """Those of the steps that answer the question which were quoted."""
        quoted = {item.step for item in self.evidence.items if self._lies_there(item.trajectory)}
        return [step for step in self.question.steps if step in quoted]

    @property
    def is_complete(self) -> bool:
        """Whether all that must be quoted is."""
        text = "\n".join(item.text for item in self.evidence.items)
        quotes = self.question.quotes
        return self.found == self.question.steps and all(quote in text for quote in quotes)

    def _lies_there(self, trajectory: str) -> bool:
        _, is_child, last = trajectory.rpartition("/")
        return self.question.trajectory == (last if is_child else "main")


def questions() -> list[Question]:
    """Return the questions to the bundled log.

    >>> len(questions())
    5
    """
    raw = (files("stepwell.demo") / "questions.json").read_bytes()
    return msgspec.json.decode(raw, type=list[Question])


def add_logs(memory: Memory, *, progress: Callable[[str], None] | None = None) -> Ingested:
    """Add the bundled log to a memory.

    Args:
        memory: Where it is added.
        progress: Called with the path of each file before it is read.
    """
    with as_file(files("stepwell.demo")) as folder:
        return joined(memory.ingest(folder / name, progress=progress) for name in _LOGS)


def ask(memory: Memory) -> list[Answered]:
    """Ask every question of a memory that holds the bundled log."""
    return [
        Answered(question=one, evidence=memory.recall(one.question, _BUDGET)) for one in questions()
    ]


def copy_logs(folder: Path) -> None:
    """Copy the bundled log to a folder, which is made if it is not there.

    Raises:
        OSError: The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in _LOGS:
        _copy(files("stepwell.demo") / name, folder / name)


def _copy(source: Traversable, target: Path) -> None:
    if source.is_file():
        target.write_bytes(source.read_bytes())
        return
    target.mkdir(exist_ok=True)
    for child in source.iterdir():
        _copy(child, target / child.name)
