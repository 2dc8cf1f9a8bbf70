"""The digest of a step: the few lines that say most, and what it used, hit and touched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from stepwell.structures.reading import faults_in, head_and_tail, read_call, results_read
from stepwell.structures.units.references import names_in
from stepwell.text.clean import readable
from stepwell.trajectory.atoms import call_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.structures.reading import Spoken
    from stepwell.trajectory.model import Result, Step

__all__ = ["MAX_LINE", "Digest", "Line", "digest_of"]

MAX_LINE: Final = 240
"""Characters of a line; what follows is cut off, so that what stands stays verbatim."""

_LONGEST_SPEAKER: Final = 40

_MOST_CALLS: Final = 6
_MOST_SENTENCES: Final = 3
_MOST_NAMES: Final = 6
_NAMING: Final = 400
"""Characters of a call that are searched for names: that is the dearest search."""

_LONG_RESULT: Final = 4
"""Lines from which the last line of a result says something that the first does not."""

_SENTENCE = re.compile(r"[^\n.!?。！？]{1,2000}(?:[.!?。！？]{1,8}|\n|$)")  # noqa: RUF001  (full stops of texts)
_SAYS_SOMETHING = re.compile(r"[^\W\d_][^\n]{0,400}?\w[^\n]{0,400}?\w")


class Line(NamedTuple):
    """A line of a step; a tuple, since a run has thousands.

    Attributes:
        text: The line.
        quote: The part of it that stands verbatim in an atom of the step.
        weight: How much its kind says: errors and what users say above all.
    """

    text: str
    quote: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What is kept of a step.

    Attributes:
        n_chars: Characters of its texts.
        lines: Lines that may stand for it, in reading order.
        speaker: Who speaks in a conversation; empty where an agent acts.
        tools: The tools it called.
        faults: Errors its results report.
        names: Files and things that its calls name.
    """

    n_chars: int
    lines: list[Line]
    speaker: str
    tools: list[str]
    faults: list[str]
    names: list[str]


def digest_of(step: Step) -> Digest:
    """Return the digest of a step.

    >>> from stepwell.trajectory.model import Step
    >>> said = Step(index=0, uid="s", kind="user", actor="user", message="Fix it. Then test it.")
    >>> [line.text for line in digest_of(said).lines]
    ['user: Fix it.', 'user: Then test it.']
    """
    spoken = [read_call(call) for call in step.calls[:_MOST_CALLS]]
    results = step.results[:_MOST_CALLS]
    faults = [
        fault.line[:MAX_LINE]
        for result in results
        for fault in faults_in(results_read(result), is_error=result.is_error)
    ]
    names = (name for call in spoken for name in names_in(call.said[:_NAMING]))
    return Digest(
        n_chars=_n_chars(step),
        lines=list(_lines(step, spoken, faults)),
        speaker=_speaker(step),
        tools=[call.tool for call in spoken if call.tool],
        faults=faults,
        names=list(islice(dict.fromkeys(names), _MOST_NAMES)),
    )


def _speaker(step: Step) -> str:
    return readable(step.actor)[:_LONGEST_SPEAKER] if step.kind == "user" else ""


def _n_chars(step: Step) -> int:
    texts = [step.message, step.thought, *(result.text for result in step.results)]
    return sum(map(len, texts)) + sum(len(call_text(call)) for call in step.calls)


def _lines(step: Step, spoken: list[Spoken], faults: list[str]) -> Iterator[Line]:
    is_said = step.kind == "user"
    for text in _sentences(step.message, _MOST_SENTENCES if is_said else 1):
        by = _speaker(step)
        yield Line(f"{by}: {text}" if by else text, text, 1.2 if is_said else 1.0)
    for text in _sentences(step.thought, 1):
        yield Line(text, text, 0.8)
    for call in spoken:
        yield from _action(call)
    for result in step.results[:_MOST_CALLS]:
        yield from _observed(result)
    for fault in faults:
        yield Line(fault, fault, 1.5)


def _action(call: Spoken) -> Iterator[Line]:
    lines = (line[:MAX_LINE] for line in _informative(call.text))
    for quote, weight in zip(lines, (1.0, 0.8), strict=False):
        is_named = weight < 1 or call.tool.lower() in quote[: MAX_LINE // 2].lower()
        yield Line(quote if is_named else f"{call.tool} {quote}", quote, weight)


def _observed(result: Result) -> Iterator[Line]:
    lines = list(_informative(results_read(result)))
    last = lines[-1:] if len(lines) >= _LONG_RESULT else []
    for text, weight in zip((*lines[:2], *last), (1.0, 0.8, 0.8), strict=False):
        yield Line(text[:MAX_LINE], text[:MAX_LINE], weight)


def _informative(text: str) -> Iterator[str]:
    """Yield the lines that hold words."""
    return (line.strip() for line in text.split("\n") if _SAYS_SOMETHING.search(line[:MAX_LINE]))


def _sentences(text: str, most: int) -> Iterator[str]:
    found = (match[0].strip() for match in _SENTENCE.finditer(head_and_tail(text)))
    says = (
        sentence[:MAX_LINE] for sentence in found if _SAYS_SOMETHING.search(sentence[:MAX_LINE])
    )
    return islice(says, most)
