"""What a call does: its text, what it acts upon, and what it changes if it succeeds."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.effects import effect_of, is_move
from stepwell.structures.temporal.grammar.names import is_name
from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.phrases import phrase_of
from stepwell.structures.temporal.grammar.states import cut
from stepwell.structures.temporal.log.arguments import arguments_of
from stepwell.structures.temporal.log.callphrases import MOST_ARGUMENTS, phrase_of_call
from stepwell.structures.temporal.log.commands import command_states
from stepwell.structures.temporal.log.facts import Act
from stepwell.structures.temporal.log.files import call_states
from stepwell.structures.temporal.log.programs import programs_of
from stepwell.structures.temporal.log.queries import is_query, query_states, tables_of
from stepwell.text.clean import readable
from stepwell.text.tools import MAIN, PROGRAMS, SHELLS
from stepwell.trajectory.atoms import call_text
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from stepwell.structures.temporal.grammar.phrases import Phrase
    from stepwell.structures.temporal.grammar.states import State
    from stepwell.trajectory.model import Call, JsonObject

__all__ = ["act_in", "act_of"]

_TOOL = re.compile(r"([A-Za-z_][\w.-]{0,60})(?::\s+(?=\S)|(?=\())")
"""A tool's name before its argument: "bash: ls" or "put(...)"."""

_SHELL = re.compile(any_of(SHELLS), re.IGNORECASE)
_PROGRAM = re.compile(rf"(?:sudo |\$ )?(?:{any_of(PROGRAMS)}|python\d)\s")
_NO_FILES: Final = frozenset({"cwd", "page"})
"""Slots that are no things which an action can be about."""

_ACT, _QUOTE = 200, 160
"""Characters kept of an action, and of what is quoted of it."""

_READ = 4 * _ACT
_QUERY_READ = 200
_VALUE, _MOST_VALUES = 60, 4
"""Characters and number of the values that stand for a call without a main argument."""

_MOST_THINGS = 8
_MOST_LINES = 20
"""Lines searched for the first one that is not empty."""


def act_of(call: Call, place: int) -> tuple[Act, list[State]]:
    """Return the action that a call is, and what it changes if it succeeds.

    Args:
        call: The call.
        place: Its place among the step's actions.
    """
    if call.args is None:
        return act_in(call_text(call), place, name=readable(call.name))
    if set(call.args) == {"_value"}:
        name = "" if call.name == "action" else readable(call.name)
        return act_in(call_text(call), place, name=name)
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
    match = _TOOL.match(bare) if not name else None
    if match is not None:
        args = arguments_of(bare[match.end() :])
        if args is not None:
            return _written_call(match[1], args, bare, place)
        return _command(match[1], bare, bare[match.end() :], place)
    if name or _PROGRAM.match(bare) or is_query(bare):
        return _command(name, bare, bare, place)
    return _phrased(bare, place)


def _written_call(name: str, args: JsonObject, text: str, place: int) -> tuple[Act, list[State]]:
    act, states = _tool(name, args, place)
    first = cut(text, _ACT) if len(text) <= _ACT and "\n" not in text else act.text
    return replace(act, text=first, quote=first if first in text else ""), states


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.split("\n", _MOST_LINES) if line.strip()), "")


def _command(name: str, text: str, command: str, place: int) -> tuple[Act, list[State]]:
    first = _first_line(text)
    label = f"{name}: " if name and not first.startswith(name) else ""
    shown = cut(f"{label}{text[:_READ].strip()}", _ACT)
    quote = first[:_QUOTE].rstrip()
    states = [*command_states(command, place), *query_states(command, place)]
    bare = command.strip()
    named = [*(state.slot for state in states), *tables_of(command)]
    act = Act(
        text=shown,
        verb=name or first.split(" ")[0],
        objects=tuple(dict.fromkeys(named)),
        quote=quote if quote in shown else "",
        programs=tuple(filter(None, (name, *_programs(name, bare)))),
    )
    return act, states


def _programs(name: str, command: str) -> tuple[str, ...]:
    """Return the programs of a command; a text that is no shell's runs none."""
    is_shell = not name or _SHELL.search(name)
    return programs_of(command) if is_shell and not is_query(command) else ()


def _phrased(text: str, place: int) -> tuple[Act, list[State]]:
    shown = cut(text, _ACT)
    quote = text[:_QUOTE].split("\n", maxsplit=1)[0].rstrip()
    phrase = phrase_of(text)
    if phrase is None:
        verb = quote.split(" ")[0].casefold()
        return Act(text=shown, verb=verb, quote="" if "  " in quote else quote), []
    act = Act(
        text=shown,
        verb=f"{phrase.verb} {phrase.particle}".strip(),
        objects=phrase.names,
        quote=quote if quote in shown else "",
        moves=is_move(phrase),
    )
    return act, _effects(phrase, place, quote=act.quote)


def _effects(phrase: Phrase, place: int, *, quote: str = "") -> list[State]:
    effect = effect_of(phrase, quote=quote, act=place)
    return [] if effect is None else [effect]


def _tool(name: str, args: JsonObject, place: int) -> tuple[Act, list[State]]:
    states = [
        *call_states(name, args, place),
        *_command_effects(name, args, place),
        *_query_effects(args, place),
    ]
    phrase = phrase_of_call(name, args)
    act = _act(name, args, _objects(args, states) if phrase is None else phrase.names)
    if phrase is None:
        run = programs_of(_main(args)) if _is_shell(name, args) else ()
        return replace(act, programs=(name, *run)), states
    return replace(act, moves=is_move(phrase)), [*states, *_effects(phrase, place)]


def _act(name: str, args: JsonObject, objects: tuple[str, ...]) -> Act:
    main = _main(args)
    telling = main or _values(args)
    before = [args[key] for key in ("method", "path") if key in args]
    others = [value for value in before if main and isinstance(value, str) and value != main]
    text = cut(" ".join([name, *others, telling[:_READ], *_nested(args)]), _ACT)
    quote = _first_line(main)[:_QUOTE].rstrip()
    return Act(text=text, verb=name, objects=objects, quote=quote if quote in text else "")


def _main(args: JsonObject) -> str:
    """Return the argument that says what a call does; empty when there is none."""
    return next((args[key] for key in MAIN if isinstance(args.get(key), str) and args[key]), "")


def _values(args: JsonObject) -> str:
    values = [value for value in args.values() if isinstance(value, str | int | float)]
    return " ".join(str(value)[:_VALUE] for value in values[:_MOST_VALUES])


def _nested(args: JsonObject) -> list[str]:
    """Return the objects among arguments as text: calls that differ in them are not the same."""
    inner = [value for value in args.values() if is_object(value) and value]
    texts = (json.dumps(value, ensure_ascii=False, default=str) for value in inner[:_MOST_VALUES])
    return [readable(text) for text in texts]


def _command_effects(name: str, args: JsonObject, place: int) -> list[State]:
    return [*command_states(_main(args), place)] if _is_shell(name, args) else []


def _is_shell(name: str, args: JsonObject) -> bool:
    return _SHELL.search(name) is not None or "command" in args or "cmd" in args


def _query_effects(args: JsonObject, place: int) -> list[State]:
    texts = _texts(args)
    starts = (text[:_QUERY_READ].lstrip("( ") for text in texts)
    if not {"sql", "query"}.isdisjoint(args) or any(map(is_query, starts)):
        return [state for text in texts for state in query_states(text, place)]
    return []


def _texts(args: JsonObject) -> list[str]:
    return [value for value in args.values() if isinstance(value, str)]


def _objects(args: JsonObject, states: list[State]) -> tuple[str, ...]:
    """Return what a call is about: what it changes, what it reads, and the names it is given."""
    changed = [state.slot for state in states if state.slot not in _NO_FILES]
    read = [table for text in _texts(args) for table in tables_of(text)]
    return tuple(dict.fromkeys([*changed, *read, *_things(args)]))


def _things(args: JsonObject) -> list[str]:
    """Return the short values of arguments: ids, names, what a call is about."""
    values = [value for value in args.values() if isinstance(value, str | int)]
    shown = [str(value) for value in values[:MOST_ARGUMENTS] if not isinstance(value, bool)]
    return [name for name in shown if is_name(name) and not name.startswith("-")][:_MOST_THINGS]
