"""Questions with known evidence, from a file of JSON lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from stepwell.audit.model import Asked
from stepwell.errors import InvalidInputError
from stepwell.trajectory.atoms import parse_citation
from stepwell.trajectory.fields import first_str, int_of, list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Questions", "asked_of", "read_questions"]

_LEAST_STEPS: Final = 2

_REASON_CHARS: Final = 200
"""Characters of a reason, which may quote what was no step: that can be of any length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What a file of questions holds.

    Attributes:
        asked: Questions with at least two steps.
        n_single: Questions with one step: nothing binds it, so they say nothing about sharing.
        skipped: Why each line that is no question was left out, as `line 3: ...`.
    """

    asked: tuple[Asked, ...] = ()
    n_single: int = 0
    skipped: tuple[str, ...] = ()


def read_questions(data: bytes) -> Questions:
    r"""Read questions, one JSON object a line: `question`, `steps`, and `trajectory` of several.

    Steps are indices or citations (`s42`, `run7/s42.o1`). Lines that are no question are counted.

    Args:
        data: The file, UTF-8.

    >>> found = read_questions(b'{"question": "Why?", "steps": [3, "s7.o1"]}\n{"steps": 1}\n')
    >>> found.asked[0].steps, found.skipped
    ((3, 7), ('line 2: steps is no list of steps',))
    """
    asked: list[Asked] = []
    skipped: list[str] = []
    n_single = 0
    for line, text in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            one = _asked(text, line)
        except InvalidInputError as error:
            skipped.append(f"line {line}: {error}"[:_REASON_CHARS])
        else:
            n_single += len(one.steps) < _LEAST_STEPS
            asked += [one] if len(one.steps) >= _LEAST_STEPS else []
    return Questions(asked=tuple(asked), n_single=n_single, skipped=tuple(skipped))


def asked_of(questions: Sequence[Asked], *, trajectory_id: str, n_steps: int) -> tuple[Asked, ...]:
    """Return the questions that are about a run, or name none, and whose steps it has."""
    return tuple(
        one
        for one in questions
        if one.trajectory in {None, trajectory_id} and one.steps[-1] < n_steps
    )


def _asked(text: bytes, line: int) -> Asked:
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
    return Asked(
        question=first_str(value, "question") or "",
        steps=tuple(sorted({step for _, step in places})),
        trajectory=next(iter(runs), None),
        line=line,
    )


def _place(value: Any) -> tuple[str | None, int]:
    """Return the run and the index a step is named by."""
    if isinstance(value, str):
        citation = parse_citation(f"s{value}" if value.strip().isdecimal() else value)
        return citation.trajectory, citation.step
    step = int_of(value)
    if step is None or step < 0:
        raise InvalidInputError(f"{value!r} is no step")
    return None, step
