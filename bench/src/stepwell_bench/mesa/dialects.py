"""Surface styles of generated worlds: how the same deed reads in one game or another.

Some speak as text games do, some as programs, machines or novels: the later ones in words that the
grammar was not written around.

**To add a dialect**, write a `Dialect` in a module of your own and name it in the tuple
`FIRST_CONTACT` of `firstcontact`. Nothing else has to be changed: `stepwell bench mesa temporal`
asks it, and reports it by name and with the others of first contact. Such a dialect measures the
grammar only if its author has not read the grammar, and the grammar is not mended by it before it
was measured once. What it has to provide:

- `name`: short and unlike the others.
- `action(deed)`: the text of a deed as the log has it, and as questions quote it. All nine kinds of
  `Deed.kind` come, also with `works=False` (the text is the same then: the agent cannot know yet).
  A text holds `deed.thing` unchanged where the deed has one; of `take` and `put` it may hold
  `deed.place` or leave it out, if the observation of the agent's last `go` said where it is. Two
  different deeds have two different texts.
- `observation(deed, view)`: what comes back. Whoever reads action and observation must be able to
  know what was done, whether it worked (`deed.works`), and what is so afterwards, for names of any
  language (a name is quoted as it stands, numbers included). All else is free: prose, JSON, tables,
  codes, noise. It may tell more of `view` than what was done, but nothing that is not so.
- `shows`: the kinds of deeds (`go`, `open`, `look`) whose observation names all that lies where
  the agent is, whenever that is not shut. Questions about the contents of a place are asked only
  then; empty asks none.
- `has_score`: whether every observation tells `view.score`, under the name "score".
- `call(deed)`: for agents that call tools: the tool's name and its arguments. Without it, the text
  of `action` is what the agent does; with it, only what a reader would call the deed.

What does not work in a world: opening what is open, closing what is closed, taking from and putting
into what is closed. `bench/tests/mesa` holds
every dialect to what can be checked of this.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from stepwell.trajectory.model import Call, Result, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["DIALECTS", "Deed", "Dialect", "View"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What the agent does at a step.

    Attributes:
        kind: `go`, `take`, `put`, `open`, `close`, `look`, `inventory`, `help` or `examine`.
        thing: The object, or the place for `go`, `open` and `close`.
        place: Where it is taken from or put to.
        works: Whether it works.
    """

    kind: str
    thing: str = ""
    place: str = ""
    works: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What can be seen after a deed.

    Attributes:
        here: Where the agent is.
        carried: What it carries.
        seen: What lies here; None when that is shut.
        is_open: Whether what can be opened here is open; None when nothing can.
        score: Points so far.
        left: Moves left.
    """

    here: str
    carried: tuple[str, ...]
    seen: tuple[str, ...] | None
    is_open: bool | None
    score: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A surface style.

    Attributes:
        name: Its name.
        action: The text of a deed, as questions quote it.
        observation: What comes back.
        has_score: Whether it tells points.
        call: The tool and the arguments that a deed is a call of; None where it is its text.
        shows: Kinds of deeds after which it tells all that lies where the agent is.
    """

    name: str
    action: Callable[[Deed], str]
    observation: Callable[[Deed, View], str]
    has_score: bool = False
    call: Callable[[Deed], tuple[str, dict[str, Any]]] | None = None
    shows: frozenset[str] = frozenset()

    def step(self, index: int, deed: Deed, view: View) -> Step:
        """Return the step of a deed."""
        uid = f"k{index}"
        text = self.action(deed)
        call = Call(uid=uid, name="action", args={"_value": text}, args_raw=text)
        if self.call is not None:
            name, args = self.call(deed)
            call = Call(uid=uid, name=name, args=args)
        return Step(
            index=index,
            uid=f"u{index}",
            kind="agent",
            actor="agent",
            calls=(call,),
            results=(Result(call_uid=uid, text=self.observation(deed, view)),),
        )


def _filled(forms: dict[str, str]) -> Callable[[Deed], str]:
    return lambda deed: forms[deed.kind].format(thing=deed.thing, place=deed.place)


def _and(names: Sequence[str], article: str = "a ") -> str:
    shown = [f"{article}{name}" for name in names]
    if len(shown) < 2:  # noqa: PLR2004  (one name or none)
        return shown[0] if shown else "nothing"
    return f"{', '.join(shown[:-1])}, and {shown[-1]}"


def _household(deed: Deed, view: View) -> str:
    lies = f"On the {view.here}, you see {_and(view.seen or ())}."
    inside = f"In it, you see {_and(view.seen or ())}."
    shut = f"The {view.here} is closed."
    scene = (
        lies
        if view.is_open is None
        else f"The {view.here} is open. {inside}"
        if view.is_open
        else shut
    )
    offers = f"\n\nPossible actions: examine {view.here}, look, help, inventory"
    if not deed.works:
        return f"That has no effect.{offers}"
    told = {
        "go": f"You are now at {deed.thing}. {scene}",
        "take": f"You pick up the {deed.thing} from the {deed.place}.",
        "put": f"You move the {deed.thing} to the {deed.place}.",
        "open": f"You open the {deed.thing}. {scene}",
        "close": f"You close the {deed.thing}.",
        "look": f"You are facing the {view.here}. It is quiet.",
        "inventory": f"You are carrying: {_and(view.carried)}.",
        "help": "Available commands:\n  look: look around\n  take (object): take it",
        "examine": f"Just a {deed.thing}.",
    }
    return f"{told[deed.kind]}{offers}"


def _adventure(deed: Deed, view: View) -> str:
    if not deed.works:
        return "You can't do that: it is shut."
    told = {
        "go": f"You walk over to the {deed.thing}." + (
            "" if view.seen is None else f" You can see {_and(view.seen)} here."
        ),
        "take": "Taken.",
        "put": "Done.",
        "open": f"You have opened the {deed.thing}.",
        "close": "OK.",
        "look": f"You are standing at the {view.here}.",
        "inventory": "You are empty-handed."
        if not view.carried else f"You are holding {_and(view.carried)}.",
        "help": "Try GO, TAKE, PUT, OPEN or CLOSE.",
        "examine": "It looks ordinary.",
    }  # fmt: skip
    return told[deed.kind]


def _functions(deed: Deed, view: View) -> str:
    if not deed.works:
        return f"Error: {deed.thing} is not reachable."
    told = {
        "go": f"The robot is at {deed.thing}.",
        "take": f"{deed.thing} was picked up.",
        "put": f"The {deed.thing} is now on {deed.place}.",
        "open": f"{deed.thing} is now open.",
        "close": f"{deed.thing} is now closed.",
        "look": f"At {view.here} there is {_and(view.seen or ())}.",
        "inventory": f"Inventory: {_and(view.carried, '')}",
        "help": "Functions: move_to, grasp, place, open_door, close_door.",
        "examine": "ok",
    }
    return told[deed.kind]


def _state(deed: Deed, view: View) -> str:
    told: dict[str, Any] = {
        "ok": deed.works,
        "score": view.score,
        "moves_left": view.left,
        "location": view.here,
        "inventory": list(view.carried),
    }
    if not deed.works:
        told["error"] = "that does not work"
    return json.dumps(told, ensure_ascii=False)


def _foreign(deed: Deed, view: View) -> str:
    if not deed.works:
        return "The lid refuses to budge."
    told = {
        "go": f"You saunter over to {deed.thing}." + (
            "" if not view.seen else f" Lying there: {_and(view.seen, '')}."
        ),
        "take": f"Your fingers close around {deed.thing}.",
        "put": f"{deed.thing} settles snugly at {deed.place}.",
        "open": f"With a creak, {deed.thing} yields.",
        "close": f"{deed.thing} snaps shut.",
        "look": "Dust, silence, a draught from somewhere.",
        "inventory": f"Upon your person: {_and(view.carried, '')}.",
        "help": "Speak plainly and the house may listen.",
        "examine": f"You turn {deed.thing} over. Curious.",
    }  # fmt: skip
    return told[deed.kind]


def _gauges(deed: Deed, view: View) -> str:
    """Tell the state in lines, as the head-up display of a game does."""
    shut = "n/a" if view.is_open is None else "open" if view.is_open else "closed"
    lines = [
        "Denied: that lid is down." if not deed.works else "Acknowledged.",
        f"Position: {view.here}",
        f"Lid: {shut}",
        f"Hands: {', '.join(view.carried) or 'empty'}",
        f"Points = {view.score}",
    ]
    return "\n".join(lines)


def _butler(deed: Deed, view: View) -> str:
    """Tell what happened as a polite servant would, in the passive and the perfect."""
    if not deed.works:
        return f"I regret that {deed.thing} remains out of reach, the lid being down."
    told = {
        "go": f"We have come to {deed.thing}.",
        "take": f"{deed.thing} has been taken from {deed.place}.",
        "put": f"{deed.thing} has been left at {deed.place}.",
        "open": f"{deed.thing} stands open.",
        "close": f"{deed.thing} stands closed.",
        "look": f"We remain at {view.here}.",
        "inventory": f"We have with us {_and(view.carried, '')}.",
        "help": "Whatever you wish.",
        "examine": f"{deed.thing}, nothing more.",
    }
    return told[deed.kind]


def _robot(deed: Deed, view: View) -> str:
    """Tell what happened as the log of a machine does."""
    if not deed.works:
        return "[WARN] manipulation aborted: gripper could not engage"
    told = {
        "go": f"[INFO] arrived: {deed.thing}",
        "take": f"[INFO] gripper: {deed.thing}",
        "put": f"[INFO] released {deed.thing} onto {deed.place}",
        "open": f"[INFO] {deed.thing} -> open",
        "close": f"[INFO] {deed.thing} -> closed",
        "look": "[INFO] camera frame ok",
        "inventory": f"[INFO] payload = {', '.join(view.carried) or 'none'}",
        "help": "[INFO] see manual",
        "examine": "[INFO] nominal",
    }
    return told[deed.kind]


def _novel(deed: Deed, view: View) -> str:
    """Tell what happened in the third person."""
    if not deed.works:
        return "It stays shut, and she gives up."
    told = {
        "go": f"She crosses the room to {deed.thing}.",
        "take": f"She now holds {deed.thing}.",
        "put": f"{deed.thing} now lies on {deed.place}.",
        "open": f"{deed.thing} is open at last.",
        "close": f"She closes {deed.thing}.",
        "look": f"She is by {view.here}.",
        "inventory": f"She carries {_and(view.carried)}.",
        "help": "She wonders what to do.",
        "examine": f"{deed.thing} tells her nothing.",
    }
    return told[deed.kind]


_TOOLS: Final = {
    "go": "go_to",
    "take": "pick_up_item",
    "put": "place_item",
    "open": "open_container",
    "close": "close_container",
    "look": "look_around",
    "inventory": "check_inventory",
    "help": "get_help",
    "examine": "inspect_item",
}


def _arguments(deed: Deed) -> dict[str, Any]:
    if deed.kind == "go":
        return {"location": deed.thing}
    if deed.kind == "take":
        return {"item": deed.thing, "source": deed.place}
    if deed.kind == "put":
        return {"item": deed.thing, "target": deed.place}
    return {"name": deed.thing} if deed.thing else {}


def _tool_call(deed: Deed) -> tuple[str, dict[str, Any]]:
    return _TOOLS[deed.kind], _arguments(deed)


def _tool_text(deed: Deed) -> str:
    """Return the name of a deed's tool and its arguments."""
    return " ".join(filter(None, (_TOOLS[deed.kind], deed.thing, deed.place)))


_WORDS: Final = {"look": "look", "inventory": "inventory", "help": "help"}
DIALECTS: Final[tuple[Dialect, ...]] = (
    Dialect(
        name="household",
        action=_filled({
            **_WORDS, "go": "go to {thing}", "take": "take {thing} from {place}",
            "put": "move {thing} to {place}", "open": "open {thing}", "close": "close {thing}",
            "examine": "examine {thing}",
        }),
        observation=_household,
        shows=frozenset({"go", "open"}),
    ),
    Dialect(
        name="adventure",
        action=_filled({
            **_WORDS, "go": "walk to the {thing}", "take": "pick up the {thing}",
            "put": "put the {thing} on the {place}", "open": "open the {thing}",
            "close": "shut the {thing}", "examine": "inspect the {thing}",
        }),
        observation=_adventure,
        shows=frozenset({"go"}),
    ),
    Dialect(
        name="functions",
        action=_filled({
            "look": "scan()", "inventory": "inventory()", "help": "help()",
            "go": 'move_to("{thing}")', "take": 'pick_up("{thing}", "{place}")',
            "put": 'place("{thing}", "{place}")', "open": 'open_door("{thing}")',
            "close": 'close_door("{thing}")', "examine": 'inspect("{thing}")',
        }),
        observation=_functions,
    ),
    Dialect(
        name="game", action=_tool_text, observation=_state, has_score=True, call=_tool_call
    ),
    Dialect(
        name="foreign",
        action=_filled({
            "look": "gaze about", "inventory": "pat pockets", "help": "plead for guidance",
            "go": "saunter over to {thing}", "take": "snatch {thing} off {place}",
            "put": "stow {thing} inside {place}", "open": "pry open {thing}",
            "close": "seal {thing}", "examine": "ponder {thing}",
        }),
        observation=_foreign,
    ),
    Dialect(
        name="gauges",
        action=_filled({
            "look": "LOOK", "inventory": "INV", "help": "?", "go": "GOTO {thing}",
            "take": "GRAB {thing} FROM {place}", "put": "DROP {thing} AT {place}",
            "open": "OPEN {thing}", "close": "CLOSE {thing}", "examine": "EXAMINE {thing}",
        }),
        observation=_gauges,
    ),
    Dialect(
        name="butler",
        action=_filled({
            "look": "survey the room", "inventory": "ask what we have", "help": "ask for advice",
            "go": "proceed to {thing}", "take": "bring along {thing} from {place}",
            "put": "abandon {thing} at {place}", "open": "unfasten {thing}",
            "close": "fasten {thing}", "examine": "contemplate {thing}",
        }),
        observation=_butler,
    ),
    Dialect(
        name="robot",
        action=_filled({
            "look": "sense", "inventory": "report payload", "help": "manual",
            "go": "drive {thing}", "take": "grasp {thing} @ {place}",
            "put": "dock {thing} onto {place}", "open": "actuate {thing} open",
            "close": "actuate {thing} closed", "examine": "scan {thing}",
        }),
        observation=_robot,
    ),
    Dialect(
        name="novel",
        action=_filled({
            "look": "wait a moment", "inventory": "count belongings", "help": "wonder",
            "go": "cross to {thing}", "take": "lift {thing} from {place}",
            "put": "set {thing} on {place}", "open": "throw {thing} open",
            "close": "pull {thing} shut", "examine": "study {thing}",
        }),
        observation=_novel,
    ),
)  # fmt: skip
"""The styles. The grammar was written around the first five; the others came after it, and it was
extended by what they showed, never by their verbs alone."""
