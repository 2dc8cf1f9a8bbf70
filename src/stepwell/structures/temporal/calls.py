"""What a call does: its text, what it acts upon, and what it changes if it succeeds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.facts import Act, State, cut
from stepwell.structures.temporal.names import is_name
from stepwell.structures.temporal.phrases import Phrase, effects, is_move, phrase_of
from stepwell.structures.temporal.records import decoded
from stepwell.structures.temporal.tools import (
    call_states,
    command_states,
    query_states,
    tables_of,
)
from stepwell.structures.temporal.verbs import is_known
from stepwell.text.clean import readable
from stepwell.trajectory.atoms import call_text
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.trajectory.model import Call, JsonObject

__all__ = ["act_in", "act_of"]

_TOOL_TEXT = re.compile(r"([A-Za-z_][\w.-]{0,60})(?::\s+(?=\S)|(?=\())")
_SHELL = re.compile(r"bash|shell|terminal|console", re.IGNORECASE)
_PROGRAM = re.compile(
    r"(?:sudo |\$ )?(?:cd|ls|cat|rm|mv|cp|mkdir|touch|sed|grep|find|git|python\d?|pip|npm|node|"
    r"make|echo|chmod|curl|wget|pytest|docker|head|tail|awk|tar|export)\s"
)
_SQL = re.compile(
    r"\s*(?:(?:CREATE|ALTER|DROP|TRUNCATE)\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW|"
    r"INDEX|DATABASE|SCHEMA)|INSERT\s+(?:OR\s+\w+\s+)?INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET|SELECT|WITH"
    r"\s+\S+\s+AS)\b",
    re.IGNORECASE,
)
_MAIN: Final = (
    *("command", "cmd", "query", "sql", "path", "file_path", "url", "website_url", "code"),
    *("action", "pattern", "text", "input", "prompt", "question", "thought"),
)
"""Arguments that say what a call does, the most telling first."""

_TARGETS: Final = frozenset(
    {
        *("to", "target", "destination", "dest", "receptacle", "container", "into", "onto", "on"),
        *("in", "location", "place", "where", "goal"),
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
_ARGUMENT = re.compile(
    r"\s*(?:(\w{1,40})\s*=\s*)?(\"[^\"]{0,200}\"|'[^']{0,200}'|[^,]{1,200})\s*(?:,|$)"
)
_ACT, _QUOTE = 200, 160
"""Characters kept of an action, and of what is quoted of it."""

_MOST_ACTS: Final = 32


def act_of(call: Call, place: int) -> tuple[Act, list[State]]:
    """Return the action that a call is, and what it changes if it succeeds.

    Args:
        call: The call.
        place: Its place among the step's actions.
    """
    if call.args is None:
        return act_in(call_text(call), place, name=readable(call.name))
    if set(call.args) == {"_value"}:
        text = call_text(call)
        return act_in(text, place, name="" if call.name == "action" else readable(call.name))
    args = {key: readable(v) if isinstance(v, str) else v for key, v in call.args.items()}
    return _tool(readable(call.name), args, place)


def act_in(text: str, place: int, name: str = "") -> tuple[Act, list[State]]:
    """Return the action in a text: a phrase, a command, or a tool's name and arguments.

    Args:
        text: The text.
        place: Its place among the step's actions.
        name: The tool, when the text is only its argument.
    """
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
    label = f"{name}: " if name and not first.startswith(name) else ""
    shown = cut(f"{label}{text[: 4 * _ACT].strip()}", _ACT)
    quote = first[:_QUOTE].rstrip()
    act = Act(text=shown, verb=name or first.split(" ")[0], quote=quote if quote in shown else "")
    states = [*command_states(command, place), *query_states(command, place)]
    named = [*(state.slot for state in states), *tables_of(command)]
    return replace(act, objects=tuple(dict.fromkeys(named))), states


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
    first = next((line.strip() for line in telling.split("\n", 20) if line.strip()), "")
    quote = first[:_QUOTE].rstrip()
    extra = [str(v) for k, v in args.items() if k == "path" and v != main and isinstance(v, str)]
    text = cut(" ".join([name, *extra, telling[: 4 * _ACT]]), _ACT)
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
    read = [name for v in values if isinstance(v, str) for name in tables_of(v)]
    objects = tuple(dict.fromkeys([*changed, *read, *_things(args)]))
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
    """Return a call such as put(object, target) as a phrase; None if its name is no verb."""
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
