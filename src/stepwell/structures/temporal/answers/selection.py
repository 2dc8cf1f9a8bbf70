"""Which actions and steps of a log a question is about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.names import key_of
from stepwell.structures.temporal.grammar.states import AGENT, INVENTORY, LOCATION
from stepwell.structures.temporal.grammar.verbs import class_of, root_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Change
    from stepwell.structures.temporal.log.log import Log

__all__ = [
    "doing",
    "end_of",
    "inside",
    "is_brought_about",
    "named_by",
    "naming",
    "quoted",
    "running",
    "said",
    "until",
    "until_said",
]

_SHUT: Final = {"open": "open", "close": "closed"}
"""The state that opening and closing come to."""


def end_of(log: Log, query: LogQuery) -> int:
    """Return the last step that counts."""
    last = query.bounds.last
    return log.n_steps - 1 if last is None else min(last, log.n_steps - 1)


def until(query: LogQuery) -> LogQuery:
    """Return the question with a single step read as the last one: counts add up to a step."""
    return replace(query, bounds=replace(query.bounds, points=()))


def said(query: LogQuery) -> str:
    """Return the steps that count in words, a blank before them."""
    text = f" {query.bounds.said}" if query.bounds.said else ""
    return text if query.with_moves else f"{text} (without moves)"


def until_said(log: Log, query: LogQuery) -> str:
    """Return the steps that count in words, a single step as the last one, a blank before them."""
    if query.bounds.points:
        return f" up to s{end_of(log, query)}"
    return f" {query.bounds.said}" if query.bounds.said else ""


def inside(log: Log, query: LogQuery) -> list[int]:
    """Return the places of the actions between the steps asked about that count."""
    first, last = query.bounds.first, end_of(log, query)
    points = query.bounds.points
    return [
        place
        for place, done in enumerate(log.done)
        if first <= done.step <= last and (not points or done.step in points)
        if _counts(log, place, query)
    ]


def _counts(log: Log, place: int, query: LogQuery) -> bool:
    act = log.done[place].act
    if act.moves and not query.with_moves:
        return False
    if act.failed and query.only_successful:
        return False
    return not query.only_telling or _is_telling(log.changed.get(place, ()))


def _is_telling(changes: Iterable[Change]) -> bool:
    """Return whether a thing has changed, not only the agent's place or what is shut."""
    return any(change.aspect != "state" and change.slot != AGENT for change in changes)


def naming(log: Log, places: Sequence[int], keys: Collection[str], *, each: bool) -> list[int]:
    """Return the actions that name some things; all actions when no thing is given.

    Args:
        log: The log.
        places: Places of actions in `Log.done`.
        keys: Keys of the things.
        each: Whether the actions that name each of them are wanted, if there are any.
    """
    wanted = set(keys)
    if not wanted:
        return list(places)
    numbers = [len(wanted & named_by(log, place)) for place in places]
    least = len(wanted) if each and len(wanted) in numbers else 1
    return [place for place, n in zip(places, numbers, strict=True) if n >= least]


def named_by(log: Log, place: int) -> frozenset[str]:
    """Return what an action acts upon, and what else its words name."""
    done = log.done[place]
    return log.names.within(done.act.text, over=log.slots).union(done.objects)


def running(log: Log, places: Sequence[int], programs: Collection[str]) -> list[int]:
    """Return the actions that run some tools and programs, all of them; all when none is given."""
    wanted = set(programs)
    return [place for place in places if wanted <= log.done[place].programs]


def doing(log: Log, places: Sequence[int], verbs: Collection[str]) -> list[int]:
    """Return the actions of some verbs; if the log has none of these, those that come to the same.

    Args:
        log: The log.
        places: Places of actions in `Log.done`.
        verbs: Verbs in their base form.
    """
    named = set(verbs) & set(log.verbs)
    if named:
        return [place for place in places if root_of(log.done[place].act.verb) in named]
    kinds = set(map(class_of, verbs))
    return [place for place in places if _has_come_to(kinds, log, place)]


def is_brought_about(log: Log, change: Change) -> bool:
    """Return whether an action made a change, and it did not only become known with it.

    What nobody knew before the agent came to a thing may have held all along.
    """
    if change.done < 0:
        return False
    act = log.done[change.done].act
    return bool(change.before) or change.quote == act.quote or not act.moves


def _has_come_to(kinds: Iterable[str], log: Log, place: int) -> bool:
    changes = [one for one in log.changed.get(place, ()) if is_brought_about(log, one)]
    return any(_comes_to(kind, change) for kind in kinds for change in changes)


def _comes_to(kind: str, change: Change) -> bool:
    """Return whether a change is what taking, putting, opening or closing comes to."""
    if kind == "take":
        return change.value == INVENTORY
    if kind == "put":
        return change.aspect == LOCATION and change.before == INVENTORY
    return change.aspect == "state" and change.value == _SHUT.get(kind)


def quoted(log: Log, places: Sequence[int], query: LogQuery) -> list[int]:
    """Return the actions whose whole text the question quotes."""
    wanted = {key_of(text) for text in query.quoted}
    return [place for place in places if key_of(log.done[place].act.text) in wanted]
