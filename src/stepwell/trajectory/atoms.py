"""Atoms, the parts of a step that can be cited, and the citations that name them.

`s42.m` is the message of step 42, `s42.t` its thought, `s42.c1` its first call, `s42.o1` its first
result, `s42.o1:L10-L30` lines 10 to 30 of that result (from 1, inclusive), `s42.o1:L3C120-480`
characters 120 to 480 of line 3 (from 1, inclusive), `s42.o1:L3C120-L5C20` those from there to
character 20 of line 5, `s42.o1:C5-90` characters 5 to 90 of the result, line ends counted, and
`s42` the whole step. `s0.task` is the task that a log states outside its steps. A trajectory id and
a slash may stand before: `run7/s42.o1`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.text.clean import readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.trajectory.model import Call, Step

__all__ = [
    "Atom",
    "Citation",
    "atoms_of",
    "call_text",
    "parse_citation",
    "parse_citations",
    "without",
]

_N = r"\d{1,999}"
"""A number in an address: Python refuses to read one of more than 4300 digits."""

_CITATION = re.compile(
    rf"(?:(?P<trajectory>.+)/)?s(?P<step>{_N})"
    rf"(?:\.(?P<part>m|t|[co]{_N}|task)"
    rf"(?::(?:L(?P<first>{_N})(?:-L?(?P<last>{_N}))?"
    rf"|(?:L(?P<line>{_N}))?C(?P<c0>{_N})-(?:L(?P<end>{_N})C)?(?P<c1>{_N})))?)?",
    re.DOTALL,  # an id may hold a line break
)

_STEPS = re.compile(
    rf"(?:(?P<trajectory>.+)/)?(?P<steps>s{_N}(?:-s{_N})?(?:,s{_N}(?:-s{_N})?)*)(?:,\+\d+)?",
    re.DOTALL,
)

_MOST_STEPS = 1_000
"""Steps that one word may name; whoever wants more exports the trajectory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The address of a step, an atom, or a range inside an atom.

    Attributes:
        step: 0-based step index.
        part: `m`, `t`, `c<n>` or `o<n>` (n from 1), or `task`; None for the whole step.
        lines: First and last line, from 1, inclusive; None for the whole atom.
        columns: First character of the first line and last character of the last line, from 1,
            inclusive; of the whole atom where no lines are given, its line ends counted.
        trajectory: Trajectory id, when the address is not relative to one.

    >>> str(Citation(step=42, part="o1", lines=(10, 30)))
    's42.o1:L10-L30'
    """

    step: int
    part: str | None = None
    lines: tuple[int, int] | None = None
    columns: tuple[int, int] | None = None
    trajectory: str | None = None

    def __str__(self) -> str:
        """Return the canonical address."""
        address = f"s{self.step}" if self.part is None else f"s{self.step}.{self.part}"
        if self.lines is not None:
            first, last = self.lines
            start, end = ("", "") if self.columns is None else (f"C{c}" for c in self.columns)
            address += f":L{first}{start}"
            address += f"-L{last}{end}" if last != first else f"-{end[1:]}" if end else ""
        elif self.columns is not None:
            address += f":C{self.columns[0]}-{self.columns[1]}"
        return f"{self.trajectory}/{address}" if self.trajectory is not None else address


def parse_citation(text: str) -> Citation:
    """Read an address.

    Raises:
        InvalidInputError: The text is not an address.

    >>> parse_citation("run7/s42.o1:L3C120-480").columns
    (120, 480)
    """
    given = text.strip().strip("[]")
    # As it stands in a payload: a citation, then who or what it comes from.
    match = _CITATION.fullmatch(given) or _CITATION.fullmatch(given.split(" ")[0])
    if match is None:
        raise InvalidInputError(
            f"{text!r} is not a citation.",
            hint="Citations look like s42, s42.o1:L10-L30 or run7/s42.c1.",
        )
    first = match["first"] or match["line"]
    lines = None if first is None else (int(first), int(match["last"] or match["end"] or first))
    columns = None if match["c0"] is None else (int(match["c0"]), int(match["c1"]))
    return Citation(
        step=int(match["step"]),
        part=match["part"],
        lines=lines,
        columns=columns,
        trajectory=match["trajectory"],
    )


def parse_citations(text: str) -> tuple[Citation, ...]:
    """Read one address, or several steps in one word, as lines of a payload name them.

    `run7/s3-s5,s9` names steps 3, 4, 5 and 9 of run7. A count of more (`,+16`) names none.

    Raises:
        InvalidInputError: The text is no such thing, a range runs backwards, or more than 1,000
            steps are named.

    >>> [citation.step for citation in parse_citations("[run7/s3-s5,s9,+2 tail]")]
    [3, 4, 5, 9]
    """
    given = text.strip().strip("[]")
    match = _STEPS.fullmatch(given) or _STEPS.fullmatch(given.split(" ")[0])
    if match is None:
        return (parse_citation(text),)
    trajectory, steps = match["trajectory"], list[int]()
    for word in match["steps"].split(","):
        first, _, last = word.replace("s", "").partition("-")
        start, end = int(first), int(last or first)
        if end < start:
            raise InvalidInputError(
                f"{word[:80]!r} runs backwards.", hint="Write the earlier step first, as in s3-s5."
            )
        steps += range(start, min(end, start + _MOST_STEPS) + 1)
        if len(steps) > _MOST_STEPS:
            raise InvalidInputError(
                f"{text[:80]!r} names more than {_MOST_STEPS} steps.",
                hint="Ask for fewer at a time, or export the trajectory.",
            )
    return tuple(Citation(step=step, trajectory=trajectory) for step in steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A citable part of a step.

    Attributes:
        step: 0-based step index.
        part: `m`, `t`, `c<n>` or `o<n>`.
        text: Its readable text, the only text that is ever quoted.
        label: The tool's name for calls and results, the actor's for messages and thoughts.
        recalled: Parts of the text that this memory itself recalled; never evidence again.
    """

    step: int
    part: str
    text: str
    label: str
    recalled: tuple[tuple[int, int], ...] = ()


def without(text: str, recalled: Sequence[tuple[int, int]]) -> str:
    """Return a text without the parts that this memory itself recalled.

    >>> without("a recalled b", [(2, 11)])
    'a b'
    """
    starts = (0, *(end for _, end in recalled))
    ends = (*(start for start, _ in recalled), len(text))
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def call_text(call: Call) -> str:
    r"""Return a call's arguments as readable text, one `key: value` line each, strings verbatim.

    A lone `_value` is returned bare, and arguments that are not valid JSON as they stood. Keys and
    values are made readable one by one, so a carriage return in a value never hides its key.
    """
    if call.args is None:
        return readable(call.args_raw)
    if set(call.args) == {"_value"}:
        return _plain(call.args["_value"])
    return "\n".join(f"{readable(key)}: {_plain(value)}" for key, value in call.args.items())


def _plain(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return readable(text)


def atoms_of(step: Step) -> tuple[Atom, ...]:
    """Return the atoms of a step that hold text, in reading order: m, t, c1, o1, c2, o2, ….

    A result is numbered by the place of its call, so `o2` answers `c2`; several results of one
    call, and results without a known call, take the numbers after the last call.
    """
    actor = readable(step.actor)
    atoms = [
        Atom(step=step.index, part=part, text=text, label=actor, recalled=recalled)
        for part, text, recalled in (
            ("m", step.message, step.recalled),
            ("t", step.thought, ()),
        )
        if text
    ]
    numbers = {call.uid: number for number, call in enumerate(step.calls, start=1)}
    names = [readable(call.name) for call in step.calls]
    callers = {call.uid: name for call, name in zip(step.calls, names, strict=True)}
    numbered: list[tuple[int, int, Atom]] = [
        (number, 0, Atom(step=step.index, part=f"c{number}", text=call_text(call), label=name))
        for number, (call, name) in enumerate(zip(step.calls, names, strict=True), start=1)
    ]
    spare = len(step.calls)
    taken: set[int] = set()
    for result in step.results:
        number = numbers.get(result.call_uid or "", 0)
        if number == 0 or number in taken:
            spare += 1
            number = spare
        taken.add(number)
        label = callers.get(result.call_uid or "", "unknown")
        atom = Atom(
            step=step.index,
            part=f"o{number}",
            text=result.text,
            label=label,
            recalled=result.recalled,
        )
        numbered.append((number, 1, atom))
    numbered.sort(key=lambda entry: entry[:2])
    return tuple(atoms + [atom for _, _, atom in numbered if atom.text])
