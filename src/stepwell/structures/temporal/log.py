"""The log of a trajectory: what held when, what changed it, and what was done to what."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.facts import HERE, LOCATION, State, cut
from stepwell.structures.temporal.names import Names, key_of
from stepwell.structures.temporal.verbs import is_idle, root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.temporal.facts import Act, Facts, Listing

__all__ = ["AGENT", "NOWHERE", "Change", "Done", "Log", "Passing"]

AGENT: Final = "agent"
_LONGEST: Final = 200
NOWHERE: Final = "no longer there"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A slot takes a value.

    Attributes:
        step: The step after which it holds.
        slot: The slot's name.
        aspect: Its aspect.
        before: What held until then; empty when nothing was known.
        value: What holds.
        done: Place in `Log.done` of the action that did it; -1 when it was only seen.
        quote: Words of the step that say so; may be empty.
    """

    step: int
    slot: str
    aspect: str
    before: str
    value: str
    done: int = -1
    quote: str = ""

    @property
    def is_seen(self) -> bool:
        """Return whether it only became known here: nothing was known, and no action did it."""
        return self.done < 0 and not self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An action at its step."""

    step: int
    act: Act
    objects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """A thing comes to a place or leaves it."""

    thing: str
    comes: bool
    change: Change


@dataclass(slots=True)
class Log:
    """The fold over what steps say; extending it in any portions gives the same log."""

    n_steps: int = 0
    names: Names = field(default_factory=Names)
    done: list[Done] = field(default_factory=list[Done])
    by_object: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    slots: dict[str, dict[str, list[Change]]] = field(
        default_factory=dict[str, dict[str, list[Change]]]
    )
    passings: dict[str, list[Passing]] = field(default_factory=dict[str, list[Passing]])
    changed: dict[int, list[Change]] = field(default_factory=dict[int, list[Change]])
    verbs: Counter[str] = field(default_factory=Counter[str])
    silent: set[int] = field(default_factory=set[int])
    _inside: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    _pending: list[tuple[int, State]] = field(default_factory=list["tuple[int, State]"])

    def extend(self, values: Sequence[Facts]) -> None:
        """Take in what the next steps say, in order."""
        for facts in values:
            self._settle(facts)
            first = self._act(facts)
            if not facts.has_text:
                self.silent.add(self.n_steps)
            if facts.awaits:
                self._pending = [(first, s) for s in facts.states if s.act >= 0]
            for state in facts.states:
                if not (facts.awaits and state.act >= 0):
                    self._hold(state, first, self.n_steps)
            for listing in facts.listings:
                self._list(listing)
            self.n_steps += 1

    def _settle(self, facts: Facts) -> None:
        """Decide on actions whose answer came with this step."""
        pending, self._pending = self._pending, []
        if not pending or not facts.answers:
            return
        if facts.failed:
            for first, state in pending:
                place = first + state.act
                self.done[place] = _failed(self.done[place])
            return
        for first, state in pending:
            self._hold(state, first, self.n_steps - 1)

    def _act(self, facts: Facts) -> int:
        first = len(self.done)
        for act in facts.acts:
            keys = tuple(
                dict.fromkeys(key for name in act.objects if (key := self.names.add(name)))
            )
            for key in keys:
                self.by_object.setdefault(key, []).append(len(self.done))
            self.verbs[root_of(act.verb)] += 1
            self.done.append(Done(step=self.n_steps, act=act, objects=keys))
        return first

    def _hold(self, state: State, first: int, step: int) -> None:
        key = self.names.add(state.slot)
        if not key:
            return
        value = self._place(state.value) if state.aspect == LOCATION else cut(state.value, _LONGEST)
        line = self.slots.setdefault(key, {}).setdefault(state.aspect, [])
        before = line[-1].value if line else self._place(state.before) if state.before else ""
        if not value or (line and not state.is_event and _alike(before, value)):
            return
        done = (
            first + state.act
            if state.act >= 0
            else self._cause(key, step, is_change=bool(before) and state.aspect != LOCATION)
        )
        change = Change(
            step=step, slot=self.names.shown[key], aspect=state.aspect, before=before, value=value,
            done=done, quote=state.quote,
        )  # fmt: skip
        line.append(change)
        if done >= 0:
            self.changed.setdefault(done, []).append(change)
        if state.aspect == LOCATION:
            self._pass(key, change)

    def _cause(self, key: str, step: int, *, is_change: bool) -> int:
        """Return the action of this step that a change seen in its result goes back to."""
        place = len(self.done) - 1
        while place >= 0 and self.done[place].step == step:
            one = self.done[place]
            if not one.act.failed and (key in one.objects or (key == AGENT and one.act.moves)):
                return place
            place -= 1
        lone = place == len(self.done) - 2 and not self.done[-1].act.failed
        # The only action of a step has changed what changes in a game; looking changes nothing.
        return len(self.done) - 1 if lone and is_change and not _looks(self.done[-1]) else -1

    def _place(self, value: str) -> str:
        if value != HERE:
            return cut(value, _LONGEST)
        where = self.slots.get(AGENT, {}).get(LOCATION)
        return where[-1].value if where else "the floor"

    def _pass(self, key: str, change: Change) -> None:
        if key == AGENT:
            return
        for place, comes in ((change.before, False), (change.value, True)):
            if place and place != NOWHERE and (holder := self.names.add(place)):
                passing = Passing(thing=key, comes=comes, change=change)
                self.passings.setdefault(holder, []).append(passing)
                _shift(self._inside.setdefault(holder, {}), passing)

    def _list(self, listing: Listing) -> None:
        """Take in what is seen in a place; what was there and is not seen has left it."""
        place = self._place(listing.holder)
        holder = self.names.add(place)
        if not holder:
            return
        for name in listing.items:
            state = _located(name, place, listing.quote)
            self._hold(state, 0, self.n_steps)
        seen = {key_of(name) for name in listing.items}
        for thing in list(self._inside.get(holder, ())):
            if thing not in seen:
                self._hold(
                    _located(self.names.shown[thing], NOWHERE, listing.quote), 0, self.n_steps
                )
        self.passings.setdefault(holder, [])

    def held(self, holder: str, step: int) -> list[str]:
        """Return the keys of the things in a place after a step, in the order they came."""
        inside: dict[str, None] = {}
        for passing in self.passings.get(holder, ()):
            if passing.change.step > step:
                break
            _shift(inside, passing)
        return list(inside)

    def at(self, key: str, aspect: str, step: int) -> Change | None:
        """Return the last change of a slot up to a step, that step included."""
        line = self.slots.get(key, {}).get(aspect, [])
        place = bisect_right(line, step, key=lambda change: change.step)
        return line[place - 1] if place else None

    def changes(self, key: str, first: int, last: int) -> list[Change]:
        """Return the changes of all aspects of a slot between two steps, both included."""
        found = [
            change
            for line in self.slots.get(key, {}).values()
            for change in line
            if first <= change.step <= last
        ]
        return sorted(found, key=lambda change: change.step)


def _shift(inside: dict[str, None], passing: Passing) -> None:
    if passing.comes:
        inside[passing.thing] = None
    else:
        inside.pop(passing.thing, None)


def _looks(done: Done) -> bool:
    return is_idle(root_of(done.act.verb))


def _failed(done: Done) -> Done:
    return replace(done, act=replace(done.act, failed=True))


def _located(name: str, place: str, quote: str) -> State:
    return State(slot=name, aspect=LOCATION, value=place, quote=quote)


def _alike(one: str, other: str) -> bool:
    """Return whether two values are one: places are named with an article or without."""
    return one == other or (one[:1].isalpha() and key_of(one) == key_of(other) != "")
