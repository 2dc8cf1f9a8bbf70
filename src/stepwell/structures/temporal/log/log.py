"""The log of a trajectory: what held when, what changed it, and what was done to what."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.mentions import Names
from stepwell.structures.temporal.grammar.names import key_of
from stepwell.structures.temporal.grammar.states import (
    AGENT,
    HERE,
    INVENTORY,
    LOCATION,
    State,
    cut,
    located,
)
from stepwell.structures.temporal.grammar.verbs import is_idle, root_of
from stepwell.structures.temporal.grammar.words.sentences import SUBJECTS
from stepwell.structures.temporal.log.entries import Change, Done, Passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.temporal.grammar.states import Listing
    from stepwell.structures.temporal.log.facts import Facts

__all__ = ["NOWHERE", "Log"]

NOWHERE: Final = "no longer there"
"""The place of a thing that is not seen any more where it was."""

_FLOOR: Final = "the floor"
"""Where the agent leaves a thing when nothing is known of where it is itself."""

_LONGEST: Final = 200
"""Characters kept of a value."""


@dataclass(slots=True)
class Log:
    """The fold over what steps say; extending it in any portions gives the same log.

    Attributes:
        n_steps: Steps taken in.
        names: Names of all things and places.
        done: Every action, in order.
        by_object: Places in `done` of the actions upon each thing.
        slots: The changes of each aspect of each thing, in order.
        passings: What came to each place and left it, in order.
        listed: The first step at which all was told that lies in a place.
        changed: What each action changed, by its place in `done`.
        verbs: How often each verb was done.
        silent: Steps without any text, which cannot be cited.
        breaks: Of each thing the steps at which what was known of it turned out to be wrong.
        claimed: Places in `done` of the actions whose own words say what they changed.
        confirmed: Steps with the things of which what came back says what the action has done.
        programs: Names of its tools, and of the programs that its commands run.
        acts: Keys of the texts of its actions.
    """

    n_steps: int = 0
    names: Names = field(default_factory=Names)
    done: list[Done] = field(default_factory=list[Done])
    by_object: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    slots: dict[str, dict[str, list[Change]]] = field(
        default_factory=dict[str, dict[str, list[Change]]]
    )
    passings: dict[str, list[Passing]] = field(default_factory=dict[str, list[Passing]])
    listed: dict[str, int] = field(default_factory=dict[str, int])
    changed: dict[int, list[Change]] = field(default_factory=dict[int, list[Change]])
    verbs: Counter[str] = field(default_factory=Counter[str])
    silent: set[int] = field(default_factory=set[int])
    breaks: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    claimed: set[int] = field(default_factory=set[int])
    confirmed: set[tuple[int, str]] = field(default_factory=set["tuple[int, str]"])
    programs: Names = field(default_factory=Names)
    acts: set[str] = field(default_factory=set[str])
    _inside: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    _pending: list[tuple[int, State]] = field(default_factory=list["tuple[int, State]"])

    def extend(self, values: Sequence[Facts]) -> None:
        """Take in what the next steps say, in order."""
        for facts in values:
            self._settle(facts)
            first = self._act(facts)
            if not facts.has_text:
                self.silent.add(self.n_steps)
            for state in facts.states:
                if facts.awaits and state.act >= 0:
                    self._pending.append((first, state))
                else:
                    self._hold(state, first, self.n_steps)
            for listing in facts.listings:
                self._list(listing)
            self.n_steps += 1

    def _settle(self, facts: Facts) -> None:
        """Decide on the actions of the last step, if this one is their answer."""
        pending, self._pending = self._pending, []
        if not facts.answers:
            return
        for first, state in pending:
            done = self.done[first + state.act]
            act = replace(done.act, failed=facts.failed, reply=facts.reply)
            self.done[first + state.act] = replace(done, act=act)
            if not facts.failed:
                self._hold(state, first, self.n_steps - 1)

    def _act(self, facts: Facts) -> int:
        """Take in the actions of a step, and return the place of the first one."""
        first = len(self.done)
        for act in facts.acts:
            added = [self.names.add(name) for name in act.objects]
            keys = tuple(dict.fromkeys(key for key in added if key))
            for key in keys:
                self.by_object.setdefault(key, []).append(len(self.done))
            self.verbs[root_of(act.verb)] += 1
            self.acts.add(key_of(act.text))
            run = frozenset(map(self.programs.add, act.programs))
            self.done.append(Done(step=self.n_steps, act=act, objects=keys, programs=run))
        return first

    def _hold(self, state: State, first: int, step: int) -> None:
        """Take in that something holds, unless that is known already.

        Args:
            state: What holds.
            first: Place in `done` of the first action of its step.
            step: The step after which it holds.
        """
        key = self.names.add(state.slot)
        if not key:
            return
        line = self.slots.setdefault(key, {}).setdefault(state.aspect, [])
        value, before = self._values(state, line)
        is_known = bool(line) and _is_same(line[-1], state, step, value)
        if state.act >= 0:
            self.claimed.add(first + state.act)
        if key != AGENT and key not in SUBJECTS and value and not state.is_event:
            self._doubt(key, state, line[-1] if line else None, step=step, is_known=is_known)
        if not value or is_known:
            return
        if state.act >= 0:
            done = first + state.act
        else:
            done = self._cause(key, step, is_change=bool(before) and state.aspect != LOCATION)
        change = Change(
            step=step, slot=self.names.shown[key], aspect=state.aspect, before=before, value=value,
            done=done, quote=state.quote, is_event=state.is_event, detail=state.detail,
        )  # fmt: skip
        line.append(change)
        self._enter(key, change)

    def _doubt(
        self, key: str, state: State, last: Change | None, *, step: int, is_known: bool
    ) -> None:
        """Take in whether a state bears out what was known of a thing, or contradicts it.

        What an action brings about did not hold before; what is taken lies where it was left; what
        is put somewhere was carried; and what nobody has moved is where it was.
        """
        if state.act < 0:
            if is_known:
                self.confirmed.add((step, key))
                return
            is_wrong = state.aspect == LOCATION and last is not None and last.step < step
            is_wrong = is_wrong and self._cause(key, step, is_change=False) < 0
        elif is_known:
            is_wrong = last is not None and last.step < step
        elif state.aspect == LOCATION:
            held = last.value if last else ""
            is_moved = bool(held and state.before) and not _alike(held, state.before)
            is_wrong = is_moved or INVENTORY not in {state.value, held}
        else:
            is_wrong = False
        if is_wrong:
            self.breaks.setdefault(key, set()).add(step)

    def _enter(self, key: str, change: Change) -> None:
        """Enter a change with the action that made it, and with the places it is between."""
        if change.done >= 0:
            self.changed.setdefault(change.done, []).append(change)
        if change.aspect == LOCATION and key != AGENT:
            self._pass(key, change)

    def _values(self, state: State, line: Sequence[Change]) -> tuple[str, str]:
        """Return the value that a slot takes, and the one it had; empty when none is known."""
        is_place = state.aspect == LOCATION
        value = self._place(state.value) if is_place else cut(state.value, _LONGEST)
        if line:
            return value, line[-1].value
        return value, self._place(state.before) if state.before else ""

    def _cause(self, key: str, step: int, *, is_change: bool) -> int:
        """Return the action of a step that a change seen in its result goes back to, else -1.

        Args:
            key: What has changed.
            step: The step.
            is_change: Whether another value, and no place, was known before.
        """
        places = self._of_step(step)
        good = [place for place in places if not self.done[place].act.failed]
        for place in good:
            if self._is_about(key, self.done[place]):
                return place
        # The only action of a step has changed what changes in a game; looking changes nothing.
        is_lone = len(places) == len(good) == 1
        return good[0] if is_lone and is_change and not self._looks(good[0]) else -1

    def _of_step(self, step: int) -> list[int]:
        """Return the places of the actions of the last step that has any, the last one first."""
        places: list[int] = []
        place = len(self.done) - 1
        while place >= 0 and self.done[place].step == step:
            places.append(place)
            place -= 1
        return places

    @staticmethod
    def _is_about(key: str, done: Done) -> bool:
        return key in done.objects or (key == AGENT and done.act.moves)

    def _looks(self, place: int) -> bool:
        return is_idle(root_of(self.done[place].act.verb))

    def _place(self, value: str) -> str:
        if value != HERE:
            return cut(value, _LONGEST)
        where = self.slots.get(AGENT, {}).get(LOCATION)
        return where[-1].value if where else _FLOOR

    def _pass(self, key: str, change: Change) -> None:
        """Take in that a thing leaves the place where it was and comes to another."""
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
            self._hold(located(name, place, quote=listing.quote), 0, self.n_steps)
        seen = {key_of(name) for name in listing.items}
        for thing in list(self._inside.get(holder, ())):
            if thing not in seen:
                left = located(self.names.shown[thing], NOWHERE, quote=listing.quote)
                self._hold(left, 0, self.n_steps)
        self.passings.setdefault(holder, [])
        self.listed.setdefault(holder, self.n_steps)

    def knows_inside(self, holder: str, step: int) -> bool:
        """Return whether it is known by a step what is in a place, be it that it is empty."""
        is_passed = any(one.change.step <= step for one in self.passings.get(holder, [])[:1])
        return is_passed or self.listed.get(holder, step + 1) <= step

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


def _is_same(last: Change, state: State, step: int, value: str) -> bool:
    """Return whether a state says again what held, or what an action of its step has done."""
    if state.is_event:
        return state.act < 0 and last.is_event and last.done >= 0 and last.step == step
    return _alike(last.value, value)


def _alike(one: str, other: str) -> bool:
    """Return whether two values are one: places are named with an article or without."""
    return one == other or (one[:1].isalpha() and key_of(one) == key_of(other) != "")
