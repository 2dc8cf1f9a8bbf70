"""Tables of what was done: how often each action, how often to each thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.lines import Line, line, packed, steps_said
from stepwell.structures.temporal.answers.selection import inside, said, until
from stepwell.structures.temporal.answers.states import MOST_ROWS
from stepwell.structures.temporal.grammar.states import cut
from stepwell.structures.temporal.grammar.verbs import is_deed, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Done
    from stepwell.structures.temporal.log.facts import Act
    from stepwell.structures.temporal.log.log import Log

__all__ = ["frequencies", "interactions"]

_MOST_STEPS = 64
"""Steps that a line names as what it is computed from."""

_ACT = 80
"""Characters of an action in a table."""

_FAILED_SAID, _ACT_SAID = 24, 2
"""Steps that are named of failed actions, and of each action of a table."""

_FEW = 20
"""Actions up to which each is told by itself."""

_SAME = 0.8
"""Share of different actions above which they are counted by verb or tool first."""


def frequencies(log: Log, query: LogQuery) -> list[Line]:
    """Return how often each action was performed, by text and by verb or tool, most frequent first.

    Where hardly any action is like another, the verbs and tools stand first.
    """
    places = inside(log, until(query))
    if not places:
        return []
    texts = _table(log, places, lambda act: cut(act.text, _ACT))
    verbs = _table(log, places, lambda act: act.verb)
    lead = f"actions{said(query)}: {len(places)} in all, {len(texts)} different; "
    by_text = [
        (f"'{text}' x{len(steps)} {steps_said(steps, _ACT_SAID)}", steps) for text, steps in texts
    ]
    by_verb = [(f"{verb} x{len(steps)}", steps) for verb, steps in verbs]
    failed = _failed(log, places)
    if len(places) > _FEW and len(texts) > len(places) * _SAME:
        return [*packed(f"{lead}by kind: ", by_verb), *failed, *packed("", by_text)]
    return [*packed(lead, by_text), *packed("by kind: ", by_verb), *failed]


def _failed(log: Log, places: Sequence[int]) -> list[Line]:
    steps = [log.done[place].step for place in places if log.done[place].act.failed]
    text = f"failed: {len(steps)} {steps_said(steps, _FAILED_SAID)}"
    return [line(text, steps[:_MOST_STEPS])] if steps else []


def _table(
    log: Log, places: Sequence[int], name: Callable[[Act], str]
) -> list[tuple[str, list[int]]]:
    """Return the steps of each name, the one with most steps first."""
    steps: dict[str, list[int]] = {}
    for place in places:
        steps.setdefault(name(log.done[place].act), []).append(log.done[place].step)
    return sorted(steps.items(), key=lambda entry: (-len(entry[1]), entry[1][0]))


def interactions(log: Log, query: LogQuery) -> list[Line]:
    """Return what was acted upon, how often, and by which actions, the most frequent first."""
    on: dict[str, dict[str, list[int]]] = {}
    for place in inside(log, until(query)):
        done = log.done[place]
        for key in _acted_upon(done):
            on.setdefault(key, {}).setdefault(done.act.verb, []).append(done.step)
    ranked = sorted(on.items(), key=lambda entry: -sum(map(len, entry[1].values())))
    return [_interaction(log.names.shown[key], verbs) for key, verbs in ranked[:MOST_ROWS]]


def _acted_upon(done: Done) -> tuple[str, ...]:
    """Return the things that an action is done to.

    A deed is done to one thing, and names where; it is done to none when it fails. A query is about
    all that it names, and is so as well when it fails.
    """
    if not is_deed(root_of(done.act.verb)):
        return done.objects
    return () if done.act.failed else done.objects[:1]


def _interaction(name: str, verbs: dict[str, list[int]]) -> Line:
    n = sum(map(len, verbs.values()))
    how = ", ".join(f"{verb} x{len(steps)} {steps_said(steps)}" for verb, steps in verbs.items())
    steps = sorted({step for places in verbs.values() for step in places})
    text = f"{name}: {n} interaction{'s' if n > 1 else ''}: {how}"
    return line(text, steps[:_MOST_STEPS])
