"""Questions with known evidence, read from and written as a file of JSON lines.

docs/reference/questions.md describes the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from stepwell.errors import InvalidInputError
from stepwell.trajectory.atoms import parse_citation
from stepwell.trajectory.fields import first_str, int_of, list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Question", "Questions", "questions_about", "read_questions", "write_questions"]

_LEAST_STEPS: Final = 2

_REASON_CHARS: Final = 200
"""Characters of a reason, which may quote what was no step: that can be of any length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question whose evidence is known.

    Attributes:
        text: The question as asked.
        steps: The steps that hold the evidence, 0-based, ascending, without repeats.
        answer: The right answer; empty where it is not known.
        trajectory: The run they belong to; None for the only one there is.
        id: Tells it from the others; empty for none.
        kind: The question's type; may be empty.
        domain: What the run is about; may be empty.
        line: Line of the file it stands on, from 1; 0 outside a file.
    """

    text: str
    steps: tuple[int, ...] = ()
    answer: str = ""
    trajectory: str | None = None
    id: str = ""
    kind: str = ""
    domain: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What a file of questions holds.

    Attributes:
        all: The questions, in the order of the file.
        skipped: Why each line that is no question was left out, as `line 3: ...`.
    """

    all: tuple[Question, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def bindable(self) -> tuple[Question, ...]:
        """Questions with at least two steps: nothing can bind a single one."""
        return tuple(one for one in self.all if len(one.steps) >= _LEAST_STEPS)

    @property
    def n_single(self) -> int:
        """How many questions have one step."""
        return len(self.all) - len(self.bindable)


def read_questions(data: bytes) -> Questions:
    r"""Read questions, one JSON object a line. Lines that are no question are counted.

    An object has `question` and `steps`, which are indices or citations (`s42`, `run7/s42.o1`); it
    may have `trajectory`, `answer`, `id`, `kind` and `domain`.

    Args:
        data: The file, UTF-8.

    >>> found = read_questions(b'{"question": "Why?", "steps": [3, "s7.o1"]}\n{"steps": 1}\n')
    >>> found.all[0].steps, found.skipped
    ((3, 7), ('line 2: steps is no list of steps',))
    """
    found: list[Question] = []
    skipped: list[str] = []
    for line, text in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            found.append(_question(text, line))
        except InvalidInputError as error:
            skipped.append(f"line {line}: {error}"[:_REASON_CHARS])
    return Questions(all=tuple(found), skipped=tuple(skipped))


def write_questions(questions: Iterable[Question]) -> bytes:
    r"""Return questions as `read_questions` reads them; fields that are empty are left out.

    >>> write_questions([Question(text="Why?", steps=(3, 7), answer="It was full.")])
    b'{"question":"Why?","steps":[3,7],"answer":"It was full."}\n'
    """
    return b"".join(msgspec.json.encode(_document(one)) + b"\n" for one in questions)


def questions_about(
    questions: Sequence[Question], *, trajectory_id: str, n_steps: int
) -> tuple[Question, ...]:
    """Return the questions that are about a run, or name none, and whose steps it has."""
    return tuple(
        one
        for one in questions
        if one.trajectory in {None, trajectory_id} and one.steps[-1] < n_steps
    )


def _document(question: Question) -> dict[str, Any]:
    fields = {
        "id": question.id,
        "question": question.text,
        "steps": question.steps,
        "answer": question.answer,
        "trajectory": question.trajectory,
        "kind": question.kind,
        "domain": question.domain,
    }
    return {name: value for name, value in fields.items() if value}


def _question(text: bytes, line: int) -> Question:
    """Read one line.

    Raises:
        InvalidInputError: It is no question.
    """
    try:
        value = object_of(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInputError("not JSON") from error
    places = [_place(step) for step in list_of(value.get("steps"))]
    if not places:
        raise InvalidInputError("steps is no list of steps")
    runs = {run for run, _ in places if run is not None}
    said = first_str(value, "trajectory")
    runs |= {said} if said else set()
    if len(runs) > 1:
        raise InvalidInputError("the steps are of several trajectories")
    return Question(
        text=first_str(value, "question") or "",
        steps=tuple(sorted({step for _, step in places})),
        answer=_said(value.get("answer")),
        trajectory=next(iter(runs), None),
        id=first_str(value, "id") or "",
        kind=first_str(value, "kind") or "",
        domain=first_str(value, "domain") or "",
        line=line,
    )


def _said(value: Any) -> str:
    """Return an answer as text: some are numbers."""
    return "" if value is None or isinstance(value, (list, dict)) else str(value)


def _place(value: Any) -> tuple[str | None, int]:
    """Return the run and the index a step is named by."""
    if isinstance(value, str):
        citation = parse_citation(f"s{value}" if value.strip().isdecimal() else value)
        return citation.trajectory, citation.step
    step = int_of(value)
    if step is None or step < 0:
        raise InvalidInputError(f"{value!r} is no step")
    return None, step
