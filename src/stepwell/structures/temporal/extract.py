"""A step → what it says: its actions, what they change, and what is observed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from stepwell.ingest.fields import is_object
from stepwell.structures.temporal.facts import Act, Facts, Listing, State, cut
from stepwell.structures.temporal.names import is_name
from stepwell.structures.temporal.phrases import (
    Phrase,
    effects,
    is_move,
    phrase_of,
)
from stepwell.structures.temporal.prose import says_failure, what_is_said, without_offers
from stepwell.structures.temporal.records import decoded, fields_of, lines_of
from stepwell.structures.temporal.tools import (
    call_states,
    command_states,
    query_states,
    shown_states,
)
from stepwell.structures.temporal.verbs import is_known
from stepwell.trajectory.atoms import call_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.trajectory.model import Call, JsonObject, Result, Step

__all__ = ["extract"]

_ACTION = re.compile(
    r"(?:^|\n)\s*(?:\*\*)?action(?:\*\*)?\s*:\s*(?:\*\*)?\s*(\S[^\n]{0,500})", re.IGNORECASE
)
_TOOL_TEXT = re.compile(r"([A-Za-z_][\w.-]{0,60})(?::\s+(?=\S)|(?=\())")
_SHELL = re.compile(r"bash|shell|terminal|console", re.IGNORECASE)
_PROGRAM = re.compile(
    r"(?:sudo |\$ )?(?:cd|ls|cat|rm|mv|cp|mkdir|touch|sed|grep|find|git|python\d?|pip|npm|node|make|echo|"
    r"chmod|curl|wget|pytest|docker|head|tail|awk|tar|export)\s"
)
_SQL = re.compile(
    r"\s*(?:(?:CREATE|ALTER|DROP|TRUNCATE)\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW|"
    r"INDEX|DATABASE|SCHEMA)|INSERT\s+(?:OR\s+\w+\s+)?INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET|SELECT|WITH"
    r"\s+\S+\s+AS)\b",
    re.IGNORECASE,
)
_MAIN: Final = (
    *(
        "command",
        "cmd",
        "query",
        "sql",
        "path",
        "file_path",
        "url",
        "website_url",
        "code",
        "action",
    ),
    *("pattern", "text", "input", "prompt", "question", "thought"),
)
"""Arguments that say what a call does, the most telling first."""

_TARGETS: Final = frozenset(
    {
        *(
            "to",
            "target",
            "destination",
            "dest",
            "receptacle",
            "container",
            "into",
            "onto",
            "on",
            "in",
        ),
        *("location", "place", "where", "goal"),
    }
)
_GENERIC: Final = frozenset(
    {
        *("up", "down", "to", "on", "off", "in", "into", "from", "at", "object", "item", "thing"),
        *("container", "receptacle", "door", "room", "location", "place", "obj", "agent"),
    }
)
"""Words of a tool's name that only say what kind of argument it takes: put_object, go_to."""

_SOURCES: Final = frozenset({"from", "source", "origin", "src"})
_ACT, _QUOTE = 200, 160
"""Characters kept of an action, and of what is quoted of it."""

_LONG_TEXT = 4_000
"""Characters of a text above which lines with a colon are those of a document."""

_MOST_ACTS, _MOST_STATES = 32, 96
_ARGUMENT = re.compile(
    r"\s*(?:(\w{1,40})\s*=\s*)?(\"[^\"]{0,200}\"|'[^']{0,200}'|[^,]{1,200})\s*(?:,|$)"
)


def extract(step: Step) -> Facts:
    """Return what a step says.

    An action changes something unless what came back says that it failed; where nothing has come
    back, nothing is known to have changed.

    >>> from stepwell.trajectory.model import Call, Result, Step
    >>> call = Call(uid="c", name="action", args={"_value": "take mug 1 from desk 2"})
    >>> back = Result(call_uid="c", text="You pick up the mug 1.")
    >>> step = Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,), results=(back,))
    >>> extract(step).states[0].value
    'inventory'
    """
    answers = step.kind in {"user", "tool_env"} and not step.calls
    acts: list[Act] = []
    states: list[State] = []
    listings: list[Listing] = []
    results = {result.call_uid: result for result in reversed(step.results)}
    for call in step.calls[:_MOST_ACTS]:
        result = results.get(call.uid)
        act, changes = _called(call, len(acts))
        failed = result is not None and _failed(result, step)
        acts.append(replace(act, failed=failed))
        if result is not None and not failed:
            states += changes
    spoken = () if step.calls or step.kind != "agent" else _spoken(step.message)
    for text in spoken:
        act, changes = _acted(text, len(acts))
        acts.append(act)
        states += changes
    observed = _observed(step, acts) if step.results or answers else ([], [])
    states += observed[0]
    listings += observed[1]
    return Facts(
        acts=tuple(acts),
        states=tuple(states[:_MOST_STATES]),
        listings=tuple(listings[:_MOST_STATES]),
        awaits=bool(spoken) and not step.results,
        answers=answers,
        failed=answers and says_failure(step.message),
        has_text=bool(
            step.message
            or step.thought
            or any(map(call_text, step.calls))
            or any(result.text for result in step.results)
        ),
    )


def _failed(result: Result, step: Step) -> bool:
    if result.is_error is not None and (result.is_error or result.exit_code == 0):
        return result.is_error
    if result.exit_code:
        return True
    return says_failure(result.text) or (step.status == "error" and len(step.calls) == 1)


def _spoken(message: str) -> tuple[str, ...]:
    """Return the action that a message without calls states."""
    match = _ACTION.search(message[-2_000:])
    if match is not None:
        return (match[1].strip(),)
    phrase = phrase_of(message.strip().removeprefix("> ")) if len(message) <= _ACT else None
    return (message.strip().removeprefix("> "),) if phrase and is_known(phrase.verb) else ()


def _called(call: Call, place: int) -> tuple[Act, list[State]]:
    if call.args is None:
        return _acted(call.args_raw, place, name=call.name)
    if set(call.args) == {"_value"}:
        text = call_text(call)
        return _acted(text, place, name="" if call.name == "action" else call.name)
    return _tool(call.name, call.args, place)


def _acted(text: str, place: int, name: str = "") -> tuple[Act, list[State]]:
    """Read an action that is one text: a phrase, a command, or a tool's name and arguments."""
    bare = text.strip()
    match = _TOOL_TEXT.match(bare) if not name else None
    if match is not None and (args := _arguments(bare[match.end() :])) is not None:
        act, states = _tool(match[1], args, place)
        first = cut(bare, _ACT) if len(bare) <= _ACT and "\n" not in bare else act.text
        return replace(act, text=first, quote=first if first in text else ""), states
    if match is not None and bare[match.end() - 1 : match.end()] != "(":
        return _command(match[1], bare, bare[match.end() :], place)
    if name or _PROGRAM.match(bare) or _SQL.match(bare):
        return _command(name, bare, bare, place)
    return _phrased(bare, place)


def _arguments(text: str) -> JsonObject | None:
    """Return the arguments behind a tool's name: an object, in brackets or not, or key=value."""
    bare = text.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
        if not bare.startswith("{"):
            return _listed_arguments(bare)
    if not bare.startswith("{"):
        return None
    try:
        value: Any = json.loads(bare)
    except (ValueError, RecursionError):
        value = decoded(bare)
    return value if is_object(value) else None


def _listed_arguments(text: str) -> JsonObject | None:
    found: JsonObject = {}
    place = 0
    while place < len(text) and len(found) < _MOST_ACTS:
        match = _ARGUMENT.match(text, place)
        if match is None or match.end() == place:
            return None
        found[match[1] or f"_{len(found)}"] = match[2].strip().strip("\"'")
        place = match.end()
    return found


def _command(name: str, text: str, command: str, place: int) -> tuple[Act, list[State]]:
    first = next((line.strip() for line in text.split("\n", 20) if line.strip()), "")
    quote = first[:_QUOTE].rstrip()
    label = f"{name}: " if name and not first.startswith(name) else ""
    act = Act(
        text=f"{label}{quote}{'…' if len(quote) < len(text) else ''}",
        verb=name or first.split(" ")[0],
        quote=quote,
    )
    states = [*command_states(command, place), *query_states(command, place)]
    shown = [replace(state, quote="") for state in states]
    return replace(act, objects=tuple(dict.fromkeys(s.slot for s in shown))), shown


def _phrased(text: str, place: int) -> tuple[Act, list[State]]:
    quote = text[:_QUOTE].split("\n", maxsplit=1)[0].rstrip()
    phrase = phrase_of(text)
    if phrase is None:
        return Act(
            text=cut(text, _ACT),
            verb=quote.split(" ")[0].casefold(),
            quote="" if "  " in quote else quote,
        ), []
    return _of_phrase(phrase, cut(text, _ACT), quote, place)


def _of_phrase(phrase: Phrase, text: str, quote: str, place: int) -> tuple[Act, list[State]]:
    verb = f"{phrase.verb} {phrase.particle}".strip()
    act = Act(
        text=text, verb=verb, objects=phrase.names, quote=quote if quote in text else "",
        moves=is_move(phrase),
    )  # fmt: skip
    return act, list(effects(phrase, quote=act.quote, act=place))


def _tool(name: str, args: JsonObject, place: int) -> tuple[Act, list[State]]:
    main = next((args[key] for key in _MAIN if isinstance(args.get(key), str) and args[key]), None)
    values = [value for value in args.values() if isinstance(value, str | int | float)]
    telling = main if isinstance(main, str) else " ".join(str(value)[:60] for value in values[:4])
    quote = next((line.strip()[:_QUOTE] for line in telling.split("\n", 20) if line.strip()), "")
    extra = [str(v) for k, v in args.items() if k == "path" and v != main and isinstance(v, str)]
    text = cut(" ".join([name, quote, *extra]), _ACT) if quote or extra else name
    phrase = _as_phrase(name, args)
    states = [*call_states(name, args, place)]
    if isinstance(main, str) and (_SHELL.search(name) or "command" in args or "cmd" in args):
        states += command_states(main, place)
    states += (
        [
            state
            for value in values
            if isinstance(value, str)
            for state in query_states(value, place)
        ]
        if _is_sql(args)
        else []
    )
    changed = [state.slot for state in states if state.slot not in {"cwd", "page"}]
    objects = tuple(dict.fromkeys([*changed, *_things(args)]))
    act = Act(
        text=text,
        verb=name,
        objects=objects,
        quote=quote if quote and quote in text and main else "",
    )
    if phrase is None:
        return act, states
    told = list(effects(phrase, act=place))
    return replace(act, objects=phrase.names, moves=is_move(phrase)), [*states, *told]


def _things(args: JsonObject) -> list[str]:
    """Return the short values of arguments: ids, names, what a call is about."""
    values = [value for value in args.values() if isinstance(value, str | int)]
    shown = [str(value) for value in values[:_MOST_ACTS] if not isinstance(value, bool)]
    return [name for name in shown if is_name(name) and not name.startswith("-")][:_MOST_THINGS]


_MOST_THINGS: Final = 8


def _is_sql(args: JsonObject) -> bool:
    return any(
        (isinstance(v, str) and _SQL.match(v[:200].lstrip("( "))) or key in {"sql", "query"}
        for key, v in args.items()
    )


def _as_phrase(name: str, args: JsonObject) -> Phrase | None:
    """Return a call such as put(object, target) as a phrase; None when its name is no known verb."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-.]+", " ", name).split()
    head = phrase_of(" ".join(words[:2])) if words else None
    if head is None or not is_known(head.verb):
        return None
    if any(word.casefold() not in _GENERIC for word in words[1:]):
        return None
    things: list[str] = []
    places: list[tuple[str, str]] = []
    for key, value in list(args.items())[:_MOST_ACTS]:
        shown = str(value)[:80] if isinstance(value, str | int) else ""
        role = key.casefold().rstrip("_").split("_")[0]
        if not is_name(shown):
            continue
        if role in _TARGETS or key.casefold() in _TARGETS:
            places.append(("to", shown))
        elif role in _SOURCES:
            places.append(("from", shown))
        else:
            things.append(shown)
    return _assembled(head, things, places)


def _assembled(head: Phrase, things: Sequence[str], places: list[tuple[str, str]]) -> Phrase:
    particle = head.particle or (
        head.thing if head.thing in {"up", "down", "on", "off", "to"} else ""
    )
    thing = things[0] if things else ""
    if len(things) > 1 and not places:
        is_take = any(
            True
            for state in effects(Phrase(verb=head.verb, thing=thing))
            if state.value == "inventory"
        )
        places = [("from" if is_take else "to", things[1])]
    return Phrase(verb=head.verb, particle=particle, thing=thing, places=tuple(places))


def _observed(step: Step, acts: Sequence[Act]) -> tuple[list[State], list[Listing]]:
    texts = [result.text for result in step.results if not result.extra.get("stepwell")]
    if not texts and step.kind in {"user", "tool_env"}:
        texts = [step.message]
    states: list[State] = []
    listings: list[Listing] = []
    for result in step.results:
        if result.exit_code is not None:
            states.append(State(slot="exit code", aspect="", value=str(result.exit_code)))
    for text in texts[:_MOST_ACTS]:
        found, seen = _read(text)
        states += found
        listings += seen
    if any(act.failed for act in acts) and texts and all(s.slot != "error" for s in states):
        states += _failure(texts)
    return states, listings


def _failure(texts: Sequence[str]) -> Iterator[State]:
    line = next((line.strip() for line in texts[-1][:2_000].split("\n") if says_failure(line)), "")
    if line:
        quote = line[:_QUOTE].rstrip()
        yield State(slot="error", aspect="", value=quote, quote=quote, is_event=True)


def _read(text: str) -> tuple[list[State], list[Listing]]:
    value = decoded(text)
    if value is not None:
        return fields_of(value, text)
    said = what_is_said(text)
    known = {state.quote for state in said.states} | {seen.quote for seen in said.listings}
    known.discard("")
    lines = without_offers(text) if len(text) <= _LONG_TEXT else []
    states: dict[tuple[str, str], State] = {}
    listings = said.listings
    for one in lines_of(lines):
        if isinstance(one, Listing):
            listings = [*(seen for seen in listings if seen.holder != one.holder), one]
        elif one.quote.rstrip(".") not in known:
            states[one.slot, one.aspect] = one
    return [*shown_states(text), *said.states, *states.values()], listings
