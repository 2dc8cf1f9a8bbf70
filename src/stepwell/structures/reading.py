"""What is read of a step's texts: head and tail, lines, faults, and calls written as text.

Every pattern reads a character a bounded number of times, and of a text of any length only its
head and tail are read: listings begin with what was asked for, and programs report failure last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from stepwell.text.clean import readable
from stepwell.trajectory.atoms import call_text, without
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell.trajectory.model import Call, JsonObject, Result

__all__ = ["Fault", "Spoken", "faults_in", "has_any", "head_and_tail", "read_call", "results_read"]

_HEAD: Final = 2_000
_TAIL: Final = 800
"""Characters read of a text, at its start and its end."""

_MOST_JSON: Final = 20_000
"""Characters of arguments written as text that are parsed."""

_MOST_FAULTS: Final = 4
_MOST_VALUES: Final = 48

_FAULT = re.compile(
    r"^[ \t>]{0,16}(?:[\w.]{0,60}\.)?(\w{1,60}(?:Error|Exception|Failure|Interrupt|Exit))\b"
    r"(?:[ \t]?:[ \t]{0,4}([^\n]{0,200}))?",
    re.MULTILINE,
)
"""`json.decoder.JSONDecodeError: Expecting value` at the start of a line."""

_FAULTS: Final = ("Error", "Exception", "Failure", "Interrupt", "Exit")

_COMPLAINT = re.compile(
    r"^\W{0,8}(?:error|fatal|failed|failure|denied|forbidden|timed out)\b[^\n]{0,200}",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that starts with its complaint."""

_ANY_COMPLAINT = re.compile(
    r"^[^\n]{0,80}?\b(?:error|fatal|failed|failure|denied|forbidden|not found|timed out)\b"
    r"[^\n]{0,120}",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that complains somewhere: enough where the log says that there is an error."""

_NAMED_CALL = re.compile(r"\s{0,8}([A-Za-z_][\w.-]{0,60})[ \t]{0,4}([:(]?)\s{0,4}")
_WORD = re.compile(r"\w{1,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error that a text reports.

    Attributes:
        name: Its name, `KeyError`; empty when it has none.
        line: What is said of it, verbatim.
    """

    name: str
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A call, whether its log knows tools and arguments or writes it as one text.

    Attributes:
        tool: The tool, or the first word of a plain action.
        args: Named arguments.
        text: What stands in the call, head and tail, verbatim.
        said: What it says: the strings of its arguments, or all but the tool's name.
    """

    tool: str
    args: JsonObject
    text: str
    said: str


def head_and_tail(text: str) -> str:
    """Return a text of at most 2,800 characters: all of it, or its head and tail as lines.

    >>> len(head_and_tail("x" * 10_000_000))
    2801
    """
    if len(text) <= _HEAD + _TAIL:
        return text
    return f"{text[:_HEAD]}\n{text[-_TAIL:]}"


def results_read(result: Result) -> str:
    """Return what is read of a result; nothing of what this memory itself once returned."""
    return head_and_tail(without(result.text, result.recalled))


def has_any(text: str, words: Iterable[str]) -> bool:
    """Tell whether a text holds any of some strings: far cheaper than a pattern that finds none."""
    return any(map(text.__contains__, words))


def read_call(call: Call) -> Spoken:
    """Return a call with its tool and arguments told apart.

    >>> from stepwell.trajectory.model import Call
    >>> spoken = read_call(Call(uid="c", name="action", args={"_value": 'view: {"path": "a.py"}'}))
    >>> spoken.tool, spoken.args
    ('view', {'path': 'a.py'})
    >>> read_call(Call(uid="c", name="action", args={"_value": "go to shelf 2"})).tool
    'go'
    """
    text = head_and_tail(call_text(call))
    lone = call.args.get("_value") if call.args is not None and len(call.args) == 1 else None
    if call.args is not None and lone is None:
        return Spoken(tool=readable(call.name), args=call.args, text=text, said=_strings(call.args))
    written = readable(lone) if isinstance(lone, str) else text
    named = _NAMED_CALL.match(written)
    if named is not None and (named[2] or written[named.end() : named.end() + 1] == "{"):
        rest = written[named.end() :]
        args = _json(rest.rstrip(" \t\n)"))
        said = _strings(args) if args else head_and_tail(rest)
        return Spoken(tool=named[1], args=args, text=text, said=said)
    word = _WORD.search(written)
    tool = word[0].lower() if word is not None and lone is not None else readable(call.name)
    return Spoken(tool=tool, args={}, text=text, said=text)


def _strings(args: JsonObject) -> str:
    strings = (value for value in islice(args.values(), _MOST_VALUES) if isinstance(value, str))
    return head_and_tail("\n".join(readable(head_and_tail(value)) for value in strings))


def faults_in(text: str, *, is_error: bool | None) -> list[Fault]:
    r"""Return the errors a result reports, at most four.

    Args:
        text: What is read of the result.
        is_error: What the log says of the result; True makes any complaint a fault.

    >>> faults_in("Traceback ...\nValueError: no such port\n", is_error=None)
    [Fault(name='ValueError', line='ValueError: no such port')]
    """
    faults: list[Fault] = []
    for match in _FAULT.finditer(text) if has_any(text, _FAULTS) else ():
        is_code = text[match.end(1) : match.end(1) + 1] in {"(", ")", "."}
        if len(faults) < _MOST_FAULTS and not is_code:
            faults.append(Fault(name=match[1], line=match[0].strip(" \t>")))
    if not faults and is_error is not False:
        faults = _complaints(text, is_error=bool(is_error))
    return faults


def _complaints(text: str, *, is_error: bool) -> list[Fault]:
    match = _ANY_COMPLAINT.search(text) if is_error else _COMPLAINT.search(text[:_TAIL])
    if match is not None:
        return [Fault(name="", line=match[0].strip())]
    lines = [line.strip() for line in text.splitlines() if line.strip()] if is_error else []
    return [Fault(name="", line=lines[-1][:200])] if lines else []


def _json(text: str) -> dict[str, Any]:
    """Return the object a text is; an empty one when it is none."""
    if not text.startswith("{") or len(text) > _MOST_JSON:
        return {}
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if is_object(value) else {}
