"""What actions would change that nobody has performed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.lines import Line, line
from stepwell.structures.temporal.answers.selection import end_of
from stepwell.structures.temporal.grammar.effects import effect_of
from stepwell.structures.temporal.grammar.names import key_of
from stepwell.structures.temporal.grammar.phrases import phrase_of
from stepwell.structures.temporal.grammar.states import AGENT, INVENTORY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.grammar.states import State
    from stepwell.structures.temporal.log.log import Log

__all__ = ["supposed"]

_MOST_ACTIONS = 32


def supposed(log: Log, query: LogQuery) -> list[Line]:
    """Return what the actions a question lists would change, were they performed in order."""
    step = end_of(log, query)
    found: list[Line] = []
    where: dict[str, str] = {}
    for text, state in _effects(query):
        key = key_of(state.slot)
        known = log.at(key, state.aspect, step)
        before = where.get(key) or (known.value if known else state.before)
        where[key] = state.value
        told = f"{text} => {state.slot}: {before or '?'} -> {state.value}"
        gain = _gain(state.slot, before, state.value)
        found.append(line(f"{told}{gain}", (step,), is_answer=False))
    return found


def _effects(query: LogQuery) -> Iterator[tuple[str, State]]:
    """Yield what each action changes, but for the agent's own place."""
    for text in query.quoted[:_MOST_ACTIONS]:
        phrase = phrase_of(text)
        state = None if phrase is None else effect_of(phrase)
        if state is not None and key_of(state.slot) != AGENT:
            yield text, state


def _gain(thing: str, before: str, after: str) -> str:
    if after == INVENTORY:
        return f"; inventory: {thing} added"
    return f"; inventory: {thing} removed" if before == INVENTORY else ""
