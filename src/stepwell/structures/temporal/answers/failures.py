"""Answers about what failed, and what worked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.lines import (
    Line,
    error_of,
    failed_line,
    line,
    line_over,
    steps_said,
)
from stepwell.structures.temporal.answers.selection import (
    end_of,
    inside,
    naming,
    running,
    said,
)
from stepwell.structures.temporal.answers.states import MOST_ROWS
from stepwell.structures.temporal.grammar.names import words_of
from stepwell.structures.temporal.grammar.states import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Done
    from stepwell.structures.temporal.log.log import Log

__all__ = ["failures", "fixes"]

_ACT, _MOST_BETWEEN = 110, 6
"""Characters of an action in a line of two, and changes told between them."""

_IDLE = frozenset({"cd", "echo", "ls", "cat", "export", "source", "pwd", "sleep", "true", "bash"})
"""Programs that stand beside what a command is about."""


def failures(log: Log, query: LogQuery) -> list[Line]:
    """Return what failed: a step whose result says so by exit code, by flag or as an error."""
    every = _of_interest(log, query)
    failed = [place for place in every if log.done[place].act.failed]
    steps = sorted({log.done[place].step for place in failed})
    pick = query.bounds.pick
    lead = f"{pick}: s{steps[0 if pick == 'first' else -1]}; " if pick and steps else ""
    kinds = f": {_by_kind(log, failed)}" if failed else ""
    text = f"{lead}failed{said(query)}: {len(failed) or 'none'} of {len(every)} actions{kinds}"
    order = failed[::-1] if pick == "last" else failed
    rows = [failed_line(log, place) for place in order[:MOST_ROWS]]
    return [line_over(text, steps, otherwise=end_of(log, query)), *rows]


def _of_interest(log: Log, query: LogQuery) -> list[int]:
    places = naming(log, inside(log, query), _acted_upon(log, query), each=True)
    return running(log, places, query.programs)


def _acted_upon(log: Log, query: LogQuery) -> list[str]:
    """Return the things named that something was done to: "error" is a slot, and no such thing."""
    return [key for key in query.keys if key in log.by_object]


def _by_kind(log: Log, places: Sequence[int]) -> str:
    kinds: dict[str, list[int]] = {}
    for place in places:
        kinds.setdefault(log.done[place].act.verb, []).append(log.done[place].step)
    return ", ".join(f"{verb} x{len(steps)} {steps_said(steps)}" for verb, steps in kinds.items())


def fixes(log: Log, query: LogQuery) -> list[Line]:
    """Return a failure, the first success of the same after it, and what changed in between.

    The steps asked about say which failure is meant; it may have been fixed at any time after.
    Of several failures that the question may mean, the last one that was followed by a success is
    told; without any, that nothing of the kind has succeeded since.
    """
    failed = [place for place in inside(log, query) if log.done[place].act.failed]
    meant = [place for place in failed if _is_meant(log, place, query)]
    pairs = [(place, _success(log, place)) for place in meant]
    fixed = [(place, good) for place, good in pairs if good is not None]
    if fixed:
        return _fixed(log, *fixed[-1])
    return [_unfixed(log, meant[-1])] if meant else []


def _is_meant(log: Log, place: int, query: LogQuery) -> bool:
    """Return whether a failure has all that the question names."""
    text = f"{log.done[place].act.text} {error_of(log, place)}"
    words = [*words_of(text), *log.done[place].programs]
    return all(any(word.startswith(wanted) for word in words) for wanted in query.of_failure)


def _success(log: Log, place: int) -> int | None:
    """Return the first later action of the same kind that did not fail."""
    failed = log.done[place]
    return next(
        (
            later
            for later in range(place + 1, len(log.done))
            if not log.done[later].act.failed and _alike(log, failed, later)
        ),
        None,
    )


def _alike(log: Log, failed: Done, place: int) -> bool:
    """Return whether a later action does what a failed one tried.

    A command does so if it runs all the programs that the failed one was about; another call if
    it is upon the same first thing, and the same tool or one that has changed that thing.
    """
    later = log.done[place]
    run = failed.programs - {failed.act.verb.casefold()}
    wanted = {name for name in run if name.partition(" ")[0] not in _IDLE}
    if wanted:
        return wanted <= later.programs
    is_same_tool = failed.act.verb == later.act.verb
    return failed.objects[:1] == later.objects[:1] and (is_same_tool or place in log.changed)


def _fixed(log: Log, failed: int, good: int) -> list[Line]:
    first, last = log.done[failed], log.done[good]
    text = (
        f"failed: s{first.step} {cut(first.act.text, _ACT)}; first success after it: s{last.step} "
    )
    lead = line(f"{text}{cut(last.act.text, _ACT)}", sorted({first.step, last.step}))
    between = [
        change
        for place in range(failed + 1, good + 1)
        for change in log.changed.get(place, ())
        if change.is_event
    ]
    if not between:
        return [lead]
    shown = "; ".join(f"s{one.step} {one.slot} {one.value}" for one in between[-_MOST_BETWEEN:])
    steps = sorted({one.step for one in between[-_MOST_BETWEEN:]})
    return [lead, line(f"changed in between: {shown}", steps)]


def _unfixed(log: Log, place: int) -> Line:
    done = log.done[place]
    text = f"failed: s{done.step} {cut(done.act.text, _ACT)}; nothing like it has succeeded since"
    return line(text, (done.step,))
