"""Answers about files: which were changed, and that one was not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.answers.lines import Line, line_over, packed, steps_said
from stepwell.structures.temporal.answers.selection import end_of, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Change, Done
    from stepwell.structures.temporal.log.log import Log

__all__ = ["changes_of_files", "never_changed", "of_wanted_kind"]

_DONE: Final = frozenset({"edited", "written", "created", "deleted", "moved", "copied"})
"""What a tool or command does to a file, by the first word of what the log keeps of it."""

_WANTED: Final = {
    "creat": frozenset({"created", "written", "copied"}),
    "delet": frozenset({"deleted"}),
    "remov": frozenset({"deleted"}),
    "writ": frozenset({"written", "created"}),
    "wrote": frozenset({"written", "created"}),
}
"""What is meant by a verb of a question, by how it begins; any other verb means every change."""


def changes_of_files(log: Log, query: LogQuery) -> list[Line]:
    """Return each file that tools and commands have changed, with what was done and when."""
    first, last = query.bounds.first, end_of(log, query)
    found = {
        key: changes
        for key in log.slots
        if (changes := of_wanted_kind(log.changes(key, first, last), query.changing))
    }
    lead = f"files {_label(query.changing)} by tools and commands{said(query)}: "
    parts = [_part(log.names.shown[key], changes) for key, changes in found.items()]
    if not parts:
        return [line_over(f"{lead}none", (), otherwise=last)]
    return packed(f"{lead}{len(found)}: ", parts)


def _kinds(verb: str) -> frozenset[str]:
    return next((kinds for begin, kinds in _WANTED.items() if verb.startswith(begin)), _DONE)


def _label(verb: str) -> str:
    return verb if _kinds(verb) != _DONE else "changed"


def of_wanted_kind(changes: Sequence[Change], verb: str) -> list[Change]:
    """Return those of some changes that were done to a file, and that a verb means."""
    kinds = _kinds(verb)
    return [one for one in changes if one.is_event and one.value.split(" ")[0] in kinds]


def _part(name: str, changes: Sequence[Change]) -> tuple[str, list[int]]:
    steps: dict[str, list[int]] = {}
    for one in changes:
        steps.setdefault(one.value, []).append(one.step)
    done = ", ".join(f"{value} {steps_said(at)}" for value, at in steps.items())
    return f"{name} {done}", sorted({one.step for one in changes})


def never_changed(log: Log, query: LogQuery) -> list[Line]:
    """Return of which files that a question names no call or command has changed anything.

    Nothing is denied of a name that may be another for something that was changed: the end of its
    path, a folder on it, or a pattern.
    """
    last = end_of(log, query)
    changed = [
        f"/{log.names.shown[key].casefold()}/"
        for key in log.slots
        if any(one.is_event for one in log.changes(key, 0, last))
    ]
    named = [(name, _naming(log, name)) for name in query.unknown]
    named += [
        (log.names.shown[key], [log.done[place] for place in log.by_object.get(key, ())])
        for key in query.files
        if key not in log.slots
    ]
    return [_unchanged(name, done, last) for name, done in named if not _may_be(name, changed)]


def _may_be(name: str, changed: Sequence[str]) -> bool:
    inner = name.casefold().removeprefix("./").strip("/")
    is_pattern = any(mark in name for mark in "*?[")
    return is_pattern or any(f"/{inner}/" in path for path in changed)


def _naming(log: Log, name: str) -> list[Done]:
    folded = name.casefold()
    return [done for done in log.done if folded in done.act.text.casefold()]


def _unchanged(name: str, naming: Sequence[Done], last: int) -> Line:
    steps = sorted({done.step for done in naming})
    failed = sorted({done.step for done in naming if done.act.failed})
    named = f"; named at {steps_said(steps)}" if steps else "; no call names it"
    tried = f", which failed at {steps_said(failed)}" if failed else ""
    text = f"{name}: not changed by any call or command of this log{named}{tried}"
    return line_over(text, steps, otherwise=last)
