"""What shell commands change: files and the working directory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.states import State
from stepwell.structures.temporal.log.programs import without_texts
from stepwell.text.tools import FILE_COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command_states", "event"]

_WORD: Final = r"[\w./~@%+:{}$*-]{1,200}"
_START: Final = r"(?:^|[;&|\n]\s*)"
"""Where a command may begin: at the start, or behind another."""

_OPTIONS: Final = r"(?:-\w+\s+)*"
_NAME: Final = rf"[\"']?({_WORD})"

_DIRECTORY = re.compile(rf"{_START}cd\s+{_NAME}")
_EDIT = rf"{_START}sed\s+{_OPTIONS}-i\b[^;&|\n]{{0,400}}\s({_WORD})(?=\s*(?:$|[;&|\n]))"
"""sed -i "s/a/b/" file"""

_WRITE = rf"(?<![>\d&=-])>\s*[\"']?(?=[^\s]*[A-Za-z])({_WORD})"
"""> file, but not 2>&1, -> or =>"""

_APPEND = rf">>\s*{_NAME}"
_CHANGES: Final = tuple(
    (re.compile(source), done)
    for source, done in (
        *(
            (rf"{_START}{any_of(commands)}\s+{_OPTIONS}{_NAME}", done)
            for done, commands in FILE_COMMANDS.items()
        ),
        (_EDIT, "edited"),
        (_WRITE, "written"),
        (_APPEND, "edited"),
    )
)
_MOVED = re.compile(rf"{_START}(mv|cp)\s+{_OPTIONS}({_WORD})\s+({_WORD})")


def command_states(command: str, act: int) -> Iterator[State]:
    """Yield what a shell command changes if it succeeds: files and the working directory.

    >>> [(s.slot, s.value) for s in command_states("cd src && rm -f a.py", 0)]
    [('cwd', 'src'), ('a.py', 'deleted')]
    """
    text = without_texts(command)
    for match in _DIRECTORY.finditer(text):
        yield State(slot="cwd", aspect="", value=match[1].strip("'\""), act=act)
    for pattern, done in _CHANGES:
        for match in pattern.finditer(text):
            if not match[1].startswith("/dev/"):
                yield event(match[1], done, act)
    for verb, source, target in _MOVED.findall(text):
        if verb == "mv":
            yield event(source, f"moved to {target}", act)
        yield event(target, f"{'moved' if verb == 'mv' else 'copied'} from {source}", act)


def event(slot: str, value: str, act: int) -> State:
    """Return something that was done to a file or a table, which counts each time."""
    return State(slot=slot.strip("'\"` "), aspect="", value=value, act=act, is_event=True)
