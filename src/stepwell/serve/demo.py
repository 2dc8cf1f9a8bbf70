"""`stepwell demo`: five questions to a bundled log, in memory, without key, network or download."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.config import open_memory
from stepwell.errors import InvalidInputError
from stepwell.serve.render import print_json, print_text, say
from stepwell.serve.writing import encode_missing, ingest_all, report_block

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from stepwell.config import Settings
    from stepwell.memory.adding import Ingested
    from stepwell.memory.memory import Memory
    from stepwell.recall.evidence import Evidence

__all__ = ["Asked", "Question", "run_demo", "save_logs"]

_BUDGET = 800
"""Tokens for each question: the default, a hundredth of the log."""

_LOGS = ("session.jsonl", "session")
"""A session's log, and the folder with the logs of its subagents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to the bundled log.

    Attributes:
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
class Asked:
    """A question and the evidence that came back."""

    question: Question
    evidence: Evidence

    @property
    def found(self) -> list[int]:
        """Those of the steps that answer it which were quoted."""
        quoted = {i.step for i in self.evidence.items if self._is_there(i.trajectory)}
        return [step for step in self.question.steps if step in quoted]

    @property
    def is_answered(self) -> bool:
        """Whether all that must be quoted is."""
        text = "\n".join(item.text for item in self.evidence.items)
        return self.found == self.question.steps and all(q in text for q in self.question.quotes)

    def _is_there(self, trajectory: str) -> bool:
        _, is_child, last = trajectory.rpartition("/")
        return self.question.trajectory == (last if is_child else "main")


def run_demo(settings: Settings, *, as_json: bool) -> None:
    """Ingest the bundled log in memory, ask the five questions, and print what comes back.

    Args:
        settings: The encoder to use; the database is left alone.
        as_json: Whether to print one JSON document.
    """
    started = time.perf_counter()
    with open_memory(replace(settings, db=None)) as memory:
        report = _ingest(memory)
        encoder = memory.stats().encoder
        if not as_json:
            say(str(report))
        if encoder is not None:
            _fill(memory, quiet=as_json)
        asked = [_ask(memory, question) for question in _questions()]
    seconds = time.perf_counter() - started
    if as_json:
        print_json(_block(report, encoder, asked) | {"seconds": round(seconds, 2)})
        return
    for number, one in enumerate(asked, start=1):
        _print_asked(number, one)
    n_answered = sum(one.is_answered for one in asked)
    say(f"\n{n_answered} of {len(asked)} answered in full, {seconds:.1f} s.")
    _say_next(encoder, asked)


def save_logs(folder: Path, *, as_json: bool) -> None:
    """Copy the bundled log to a folder.

    Raises:
        InvalidInputError: The folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _LOGS:
            _copy(files("stepwell.demo") / name, folder / name)
    except OSError as error:
        raise InvalidInputError(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder."
        ) from error
    if as_json:
        print_json({"folder": str(folder)})
    else:
        say(f"The log is in {folder}. Next: stepwell add {folder}")


def _copy(source: Traversable, target: Path) -> None:
    if source.is_file():
        target.write_bytes(source.read_bytes())
        return
    target.mkdir(exist_ok=True)
    for child in source.iterdir():
        _copy(child, target / child.name)


def _ingest(memory: Memory) -> Ingested:
    with as_file(files("stepwell.demo")) as folder:
        return ingest_all(memory, [folder / name for name in _LOGS])


def _fill(memory: Memory, *, quiet: bool) -> None:
    if not quiet:
        say(f"Filling in the vectors of {memory.stats().n_passages} passages, about a minute …")
    encode_missing(memory)


def _questions() -> list[Question]:
    raw = (files("stepwell.demo") / "questions.json").read_bytes()
    return msgspec.json.decode(raw, type=list[Question])


def _ask(memory: Memory, question: Question) -> Asked:
    return Asked(question=question, evidence=memory.recall(question.question, _BUDGET))


def _print_asked(number: int, one: Asked) -> None:
    print_text(f"\n{number}. {one.question.question}")
    for item in one.evidence.items:
        print_text(f"   [{item.id}] {item.label}")
        print_text("".join(f"     {line}\n" for line in item.text.split("\n")).rstrip("\n"))
    print_text(f"   answer: {one.question.answer}")
    print_text(f"   hard because: {one.question.why}")
    verdict = "The evidence holds all of it" if one.is_answered else "The evidence lacks some of it"
    say(f"   {verdict}; {one.evidence.tokens} of {one.evidence.budget} tokens.")


def _say_next(encoder: str | None, asked: list[Asked]) -> None:
    if encoder is None:
        notices = next((one.evidence.notices for one in asked), ())
        say("Vectors were off: only words were matched, not meanings.")
        for notice in notices:
            say(f"  {notice}")
    else:
        say(f"Vectors were on: {encoder}.")
    say("Next: stepwell add ~/.claude/projects, then stepwell ask QUESTION.")


def _block(report: Ingested, encoder: str | None, asked: list[Asked]) -> dict[str, Any]:
    questions = [
        {
            "question": one.question.question,
            "answer": one.question.answer,
            "trajectory": one.question.trajectory,
            "steps": one.question.steps,
            "found": one.found,
            "answered": one.is_answered,
            "tokens": one.evidence.tokens,
            "budget": one.evidence.budget,
            "items": [{"id": item.id, "text": item.text} for item in one.evidence.items],
        }
        for one in asked
    ]
    return {"ingested": report_block(report), "encoder": encoder, "questions": questions}
