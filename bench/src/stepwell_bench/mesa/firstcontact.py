"""Dialects by authors who had not read the grammar, kept apart to measure its first contact.

What an answer to them is worth is what an answer is worth to a log that nobody has foreseen. See
`dialects` for what a dialect provides. These are an agent that clicks through the pages of a web
shop's stock keeping, a gantry in a laboratory that is driven by codes of three letters, a helper
who runs errands and chats about them, and a client of an interface of records.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from stepwell_bench.mesa.dialects import Dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell_bench.mesa.dialects import Deed, View

__all__ = ["FIRST_CONTACT"]

_ALL_SHOWN: Final = frozenset({"go", "open", "look"})


def _one_of(options: Sequence[str], deed: Deed) -> str:
    """Return an option: always the same one for the same deed, so that its text stays the same."""
    return options[crc32(f"{deed.kind} {deed.thing}".encode()) % len(options)]


# Web pages: a tool call names an element, and what comes back is the tree of the next page.

_ELEMENTS: Final = {
    "go": "Link to {} in Locations",
    "take": "Button Add to cart in row {}",
    "put": "Button Return to shelf in cart row {}",
    "open": "Button Open on card {}",
    "close": "Button Close on card {}",
    "inventory": "Tab My cart",
    "help": "Link Help and shortcuts",
    "examine": "Row {}",
}
_DONE: Final = {
    "take": "{thing} was added to your cart",
    "put": "{thing} was returned to {place}",
    "open": "{thing} is now open",
    "close": "{thing} is now closed",
}
_REFUSED: Final = {
    "take": "{thing} was not added: {place} is closed",
    "put": "{thing} was not returned: {place} is closed",
    "open": "Nothing changed: {thing} was open already",
    "close": "Nothing changed: {thing} was closed already",
}


def _page_call(deed: Deed) -> tuple[str, dict[str, Any]]:
    if deed.kind == "look":
        return "browser_snapshot", {}
    element = _ELEMENTS[deed.kind].format(deed.thing)
    tool = "browser_hover" if deed.kind == "examine" else "browser_click"
    return tool, {"element": element, "ref": f"e{crc32(element.encode()) % 900 + 100}"}


def _page_action(deed: Deed) -> str:
    name, args = _page_call(deed)
    return f"{name} {args['element']}" if args else name


def _page(deed: Deed, view: View) -> str:
    said = (_DONE if deed.works else _REFUSED).get(deed.kind)
    lines = [
        f"- Page Title: {view.here} | Stockroom",
        "- Page Snapshot",
        "  - navigation: Locations, My cart, Help",
        f"  - heading '{view.here}' [level=1]",
    ]
    if said is not None:
        lines.append(f"  - alert: {said.format(thing=deed.thing, place=deed.place)}")
    if deed.kind == "examine":
        lines.append(f"  - tooltip: {deed.thing}, one piece, no note")
    if view.is_open is not None:
        lines.append(f"  - img: {'open' if view.is_open else 'closed'}")
    if view.seen is not None:
        lines += _table(f"Items in {view.here}", view.seen, button="Add to cart")
    lines += _table("Cart", view.carried, button="Return to shelf")
    return "\n".join(lines)


def _table(name: str, rows: Sequence[str], *, button: str) -> list[str]:
    shown = [
        line
        for row in rows
        for line in (f"    - row '{row}'", f"      - button '{button}' [cursor=pointer]")
    ]
    return [f"  - table '{name}':", *(shown or ["    - text: No entries"])]


# A gantry: codes of three letters, and a line of telemetry for each.

_CODES: Final = {
    "go": "MOV {}",
    "take": "PCK {}",
    "put": "PLC {}",
    "open": "LID.UP {}",
    "close": "LID.DN {}",
    "look": "SCN",
    "inventory": "TRY?",
    "help": "*IDN?",
    "examine": "CAM {}",
}
_EVENTS: Final = {
    "go": "ARRIVED {thing}",
    "take": "PICKED {thing} FROM {place}",
    "put": "PLACED {thing} AT {place}",
    "open": "LID {thing} UP",
    "close": "LID {thing} DOWN",
    "look": "SCANNED",
    "inventory": "TRAY READ",
    "help": "GANTRY-4 FW 2.11",
    "examine": "IMAGE {thing} STORED",
}
_FAULTS: Final = {
    "take": "E31 LID DOWN, PICK ABORTED",
    "put": "E31 LID DOWN, PLACE ABORTED",
    "open": "E07 LID ALREADY UP",
    "close": "E08 LID ALREADY DOWN",
}


def _code(deed: Deed) -> str:
    return _CODES[deed.kind].format(deed.thing)


def _telemetry(deed: Deed, view: View) -> str:
    event = _EVENTS[deed.kind].format(thing=deed.thing, place=deed.place)
    head = f"ACK {event}" if deed.works else f"NAK {_FAULTS.get(deed.kind, 'E01')}"
    fields = [f"POS={view.here}", f"TRAY=[{'; '.join(view.carried)}]"]
    if view.is_open is not None:
        fields.append(f"LID={'UP' if view.is_open else 'DOWN'}")
    if view.seen is not None and deed.kind in _ALL_SHOWN:
        fields.append(f"DET=[{'; '.join(view.seen)}]")
    return f"{head}\n  {' '.join(fields)} BAT={view.left % 60 + 40}%"


# A helper who runs errands: the same deed in one of several wordings, and much talk around it.

_SAID: Final = {
    "go": ("Let me head over to {}.", "I'm walking to {} now.", "On my way to {}."),
    "take": ("I'll grab {}.", "Let me fetch {}.", "I'm going to collect {} here."),
    "put": ("I'll leave {} here.", "Let me drop off {}.", "I'm setting {} down."),
    "open": ("Let me see whether {} can be opened.", "I'll get {} open."),
    "close": ("I'll shut {} again.", "Let me close up {}."),
    "look": ("Let me have a look around.",),
    "inventory": ("Let me check what I have with me.",),
    "help": ("Is there anything I should know?",),
    "examine": ("Let me take a closer look at {}.", "I'd like to inspect {}."),
}
_TOLD: Final = {
    "go": ("You made it to {thing}.", "And here you are at {thing}, safe and sound."),
    "take": (
        "Good, {thing} has left {place} and travels with you from now on.",
        "Off it goes: you lifted {thing} from {place} and kept it.",
    ),
    "put": (
        "There, {thing} has found its spot: you left it at {place}.",
        "Thank you, {thing} rests at {place} now and you have one thing less to carry.",
    ),
    "open": ("With a little push {thing} gave way, and now it stands open.",),
    "close": ("It took a moment, but {thing} is shut again.",),
    "look": ("You take your time and look about.",),
    "inventory": ("You go through your pockets and the basket.",),
    "help": ("Just carry on as you did, somebody will call if there is news.",),
    "examine": ("You turn to {thing} and study it, and nothing about it is out of the ordinary.",),
}
_SORRY: Final = {
    "take": "Sadly that did not work out: {place} is shut, so {thing} stays where it was.",
    "put": "That was not possible, I am afraid: {place} is shut, so you still hold {thing}.",
    "open": "No need for that, as {thing} stood open all along.",
    "close": "No need for that, as {thing} was shut all along.",
}
_ASIDES: Final = (
    "The afternoon is quiet and nobody is in a hurry.",
    "Somewhere down the hall a radio plays.",
    "Mrs. Okafor sends her regards, by the way.",
    "It smells of coffee.",
)


def _say(deed: Deed) -> str:
    return _one_of(_SAID[deed.kind], deed).format(deed.thing)


def _tell(deed: Deed, view: View) -> str:
    told = _one_of(_TOLD[deed.kind], deed) if deed.works else _SORRY.get(deed.kind, "That failed.")
    sentences = [told.format(thing=deed.thing, place=deed.place)]
    if deed.kind in _ALL_SHOWN:
        sentences.append(_sight(view))
    if deed.kind == "inventory":
        sentences.append(f"You have {_listed(view.carried)} with you.")
    sentences.append(_ASIDES[view.left % len(_ASIDES)])
    return " ".join(sentences)


def _sight(view: View) -> str:
    if view.seen is None:
        return f"As {view.here} is shut, there is no telling what it holds."
    return f"Looking at {view.here}, you notice {_listed(view.seen)}."


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:  # noqa: PLR2004 - a list needs two
        return names[0] if names else "nothing at all"
    return f"{', '.join(names[:-1])} as well as {names[-1]}"


# Records behind an interface: requests with a body, answers with a status and a document.


def _request(deed: Deed) -> tuple[str, dict[str, Any]]:
    thing, place = deed.thing, deed.place
    method, path, body = {
        "go": ("PUT", "/v1/agent/position", {"site": thing}),
        "take": ("POST", "/v1/transfers", {"asset": thing, "source": place, "target": "agent"}),
        "put": ("POST", "/v1/transfers", {"asset": thing, "source": "agent", "target": place}),
        "open": ("PATCH", "/v1/sites", {"site": thing, "status": "open"}),
        "close": ("PATCH", "/v1/sites", {"site": thing, "status": "closed"}),
        "look": ("GET", "/v1/sites/current", {}),
        "inventory": ("GET", "/v1/agent/assets", {}),
        "help": ("OPTIONS", "/v1", {}),
        "examine": ("GET", "/v1/assets", {"asset": thing}),
    }[deed.kind]
    return "http_request", {"method": method, "path": path, **({"body": body} if body else {})}


def _request_text(deed: Deed) -> str:
    _, args = _request(deed)
    body = f" {json.dumps(args['body'], ensure_ascii=False)}" if "body" in args else ""
    return f"{args['method']} {args['path']}{body}"


_STATUS: Final = {"take": "201 Created", "put": "201 Created", "help": "204 No Content"}
_CONFLICTS: Final = {
    "take": "site {place} is closed",
    "put": "site {place} is closed",
    "open": "site {thing} is open already",
    "close": "site {thing} is closed already",
}


def _response(deed: Deed, view: View) -> str:
    site: dict[str, Any] = {"site": view.here}
    if view.is_open is not None:
        site["status"] = "open" if view.is_open else "closed"
    if view.seen is not None and deed.kind in _ALL_SHOWN:
        site["assets"] = list(view.seen)
    agent = {"position": view.here, "assets": list(view.carried), "score": view.score}
    document: dict[str, Any] = {"site": site, "agent": agent}
    status = _STATUS.get(deed.kind, "200 OK")
    if not deed.works:
        status = "409 Conflict"
        reason = _CONFLICTS.get(deed.kind, "failed").format(thing=deed.thing, place=deed.place)
        document = {"error": {"code": "conflict", "message": reason}, **document}
    elif deed.kind in {"take", "put"}:
        _, args = _request(deed)
        document = {"transfer": {**args["body"], "state": "completed"}, **document}
    return f"HTTP/1.1 {status}\n\n{json.dumps(document, ensure_ascii=False, indent=2)}"


FIRST_CONTACT: Final[tuple[Dialect, ...]] = (
    Dialect(
        name="web pages",
        action=_page_action,
        observation=_page,
        call=_page_call,
        shows=_ALL_SHOWN,
    ),
    Dialect(name="gantry", action=_code, observation=_telemetry, shows=_ALL_SHOWN),
    Dialect(name="errands", action=_say, observation=_tell, shows=_ALL_SHOWN),
    Dialect(
        name="records",
        action=_request_text,
        observation=_response,
        call=_request,
        shows=_ALL_SHOWN,
        has_score=True,
    ),
)
"""The dialects, in the order they came."""
