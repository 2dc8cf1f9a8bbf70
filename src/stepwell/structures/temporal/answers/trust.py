"""Whether a log can be believed of a thing: whether all that was done to it is understood.

A log is written by a world that this grammar may never have met. It understands an action whose
verb or result says what has changed, that nothing has, or that it failed. Of a thing that was acted
upon in a way that is not understood, nothing is known for sure; neither is it of one whose history
does not hold together (`Log.breaks`), or whose actions came back in a way that others of their kind
do not, which may be a failure that nobody recognised.

A verb that is not understood is harmless where a thing it was done to was moved, or opened, before
and after, and what the log knew held together.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.answers.selection import named_by
from stepwell.structures.temporal.grammar.names import is_file, key_of
from stepwell.structures.temporal.grammar.states import AGENT, LOCATION
from stepwell.structures.temporal.grammar.verbs import is_idle, root_of
from stepwell.structures.temporal.log.extract import is_document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from stepwell.structures.temporal.log.entries import Done
    from stepwell.structures.temporal.log.log import Log

__all__ = ["is_trusted"]

_TRACKED: Final = frozenset({LOCATION, "state"})
"""Aspects whose values follow from one another."""

_FEWEST = 3
"""Results of one verb from which on their not being alike says something."""


@dataclass(slots=True)
class _Strange:
    """What was done by a verb that is not understood.

    Attributes:
        texts: The actions.
        things: Keys of what it was done to.
        proved: Aspects that it was seen to leave as they were.
        refuted: Aspects of something that was otherwise afterwards.
    """

    texts: set[str] = field(default_factory=set[str])
    things: set[str] = field(default_factory=set[str])
    proved: set[str] = field(default_factory=set[str])
    refuted: set[str] = field(default_factory=set[str])

    def doubtful(self, log: Log, asked: Collection[str]) -> Iterator[str]:
        """Yield the keys of the things that it may have changed."""
        harmless = self.proved - self.refuted
        for key in self.things:
            tracked = _TRACKED & log.slots.get(key, {}).keys()
            # A command that always reads the same is about nothing: "pat pockets".
            is_fixed = len(self.texts) == 1 and not tracked and key not in asked
            is_place = not tracked and bool(harmless) and (key in log.passings or key not in asked)
            if not is_fixed and not is_place and not (tracked and tracked <= harmless):
                yield key


def is_trusted(log: Log, keys: Collection[str]) -> bool:
    """Return whether a log can be believed of some things; of all things, where none is given."""
    doubtful = _doubtful(log, keys)
    return doubtful.isdisjoint(keys) if keys else not doubtful


def _doubtful(log: Log, asked: Collection[str]) -> frozenset[str]:
    """Return the keys of the things of which the log may say what is not so."""
    found = {key for key, steps in log.breaks.items() if steps}
    found |= {key for place in _unlike(log) for key in log.done[place].objects}
    for strange in _strange_verbs(log).values():
        found.update(strange.doubtful(log, asked))
    return frozenset(key for key in found if not is_file(log.names.shown[key]))


def _strange_verbs(log: Log) -> dict[str, _Strange]:
    found: dict[str, _Strange] = {}
    for place, done in enumerate(log.done):
        if _is_understood(log, place, done):
            continue
        strange = found.setdefault(root_of(done.act.verb), _Strange())
        strange.texts.add(done.act.text)
        named = named_by(log, place)
        for key in named:
            strange.things.add(key)
            for aspect in _TRACKED & log.slots.get(key, {}).keys():
                # A place that stays shut says nothing of what was put there.
                if aspect == LOCATION or len(named) == 1:
                    _judge(log, strange, key, aspect, done.step)
    return found


def _is_understood(log: Log, place: int, done: Done) -> bool:
    act = done.act
    if act.failed or act.moves or is_document(act) or is_idle(root_of(act.verb)):
        return True
    named = named_by(log, place)
    changes = log.changed.get(place, ())
    has_changed = any(key_of(one.slot) in named for one in changes)
    is_repeated = any(done.step in log.breaks.get(key, ()) for key in done.objects)
    where = log.at(AGENT, LOCATION, done.step)
    said = [*changes, *([where] if where is not None and where.step == done.step else [])]
    # "arrived: shelf 1": what is named is where the agent has come to.
    has_come = any(named == frozenset({key_of(one.value)}) for one in said)
    return has_changed or is_repeated or has_come


def _judge(log: Log, strange: _Strange, key: str, aspect: str, step: int) -> None:
    """Take in whether what became of a thing next holds together with what was known before."""
    changes = log.slots[key][aspect]
    broken = min((one for one in log.breaks.get(key, ()) if one > step), default=log.n_steps)
    later = next((one for one in changes if one.step > step), None)
    if later is None or broken <= later.step:
        strange.refuted.update({aspect} if broken < log.n_steps else ())
    elif changes[0].step < step and later.done >= 0:
        strange.proved.add(aspect)


def _unlike(log: Log) -> list[int]:
    """Return the actions whose results, that confirm nothing, are not like most of their verb."""
    replies: dict[str, Counter[str]] = {}
    places = [place for place in sorted(log.claimed) if _is_unconfirmed(log, place)]
    for place in places:
        act = log.done[place].act
        replies.setdefault(act.verb, Counter())[act.reply] += 1
    rare = {reply for counts in replies.values() for reply in _rare(counts)}
    return [place for place in places if log.done[place].act.reply in rare]


def _is_unconfirmed(log: Log, place: int) -> bool:
    done = log.done[place]
    if done.act.moves or is_document(done.act):
        return False
    return not any((done.step, key) in log.confirmed for key in done.objects)


def _rare(counts: Counter[str]) -> list[str]:
    """Return the replies that are fewer than the commonest; all where hardly any two are alike."""
    most = max(counts.values())
    if counts.total() >= _FEWEST and 2 * most <= counts.total():
        return list(counts)
    return [reply for reply, n in counts.items() if n < most]
