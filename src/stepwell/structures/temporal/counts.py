"""Tables of what was done: how often each action, how often to each thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.actions import inside, said, until
from stepwell.structures.temporal.facts import cut
from stepwell.structures.temporal.lines import Line, line, packed, steps_said
from stepwell.structures.temporal.verbs import is_idle, is_known, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.structures.temporal.ask import Asked
    from stepwell.structures.temporal.facts import Act
    from stepwell.structures.temporal.log import Log

__all__ = ["frequencies", "interactions"]

_MOST_ROWS, _MOST_STEPS = 120, 64


def frequencies(log: Log, asked: Asked) -> list[Line]:
    """Return how often each action was performed, by text and by verb or tool, most frequent first.

    Where hardly any action is like another, the verbs and tools stand first.
    """
    places = inside(log, until(asked))
    if not places:
        return []
    texts = _table(log, places, lambda act: cut(act.text, 80))
    verbs = _table(log, places, lambda act: act.verb)
    lead = f"actions{said(asked)}: {len(places)} in all, {len(texts)} different; "
    by_text = [(f"'{text}' x{len(steps)} {steps_said(steps, 2)}", steps) for text, steps in texts]
    by_verb = [(f"{verb} x{len(steps)}", steps) for verb, steps in verbs]
    failed = [log.done[place].step for place in places if log.done[place].act.failed]
    rest = [line(f"failed: {len(failed)} {steps_said(failed, 24)}", failed[:64])] if failed else []
    if len(places) > _FEW and len(texts) > len(places) * _SAME:
        return [*packed(f"{lead}by kind: ", by_verb), *rest, *packed("", by_text)]
    return [*packed(lead, by_text), *packed("by kind: ", by_verb), *rest]


def _table(
    log: Log, places: Sequence[int], name: Callable[[Act], str]
) -> list[tuple[str, list[int]]]:
    """Return the steps of each name, the one with most steps first."""
    steps: dict[str, list[int]] = {}
    for place in places:
        steps.setdefault(name(log.done[place].act), []).append(log.done[place].step)
    return sorted(steps.items(), key=lambda entry: (-len(entry[1]), entry[1][0]))


_FEW = 20
"""Actions up to which each is told by itself."""

_SAME = 0.8
"""Share of different actions above which they are counted by verb or tool first."""


def interactions(log: Log, asked: Asked) -> list[Line]:
    """Return what was acted upon, how often, and by which actions."""
    on: dict[str, dict[str, list[int]]] = {}
    for place in inside(log, until(asked)):
        done = log.done[place]
        root = root_of(done.act.verb)
        # A deed is done to one thing, and names where; a query is about all that it names, and is
        # so as well when it fails.
        one_thing = is_known(root) and not is_idle(root)
        if not (one_thing and done.act.failed):
            for key in done.objects[: 1 if one_thing else None]:
                on.setdefault(key, {}).setdefault(done.act.verb, []).append(done.step)
    ranked = sorted(on.items(), key=lambda entry: -sum(map(len, entry[1].values())))
    found: list[Line] = []
    for key, verbs in ranked[:_MOST_ROWS]:
        n = sum(map(len, verbs.values()))
        how = ", ".join(
            f"{verb} x{len(steps)} {steps_said(steps)}" for verb, steps in verbs.items()
        )
        steps = sorted({step for places in verbs.values() for step in places})
        text = f"{log.names.shown[key]}: {n} interaction{'s' if n > 1 else ''}: {how}"
        found.append(line(text, steps[:_MOST_STEPS]))
    return found
