"""What callers pass to a memory, checked where it comes in: a wrong type gets a clear error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.recall.allocation import Allocation, Allocator
from stepwell.recall.question import MODES
from stepwell.store.scope import Scope
from stepwell.text.dates import periods_in
from stepwell.trajectory.atoms import Citation, parse_citations

if TYPE_CHECKING:
    from stepwell.encode.base import Encoder
    from stepwell.recall.evidence import Format
    from stepwell.recall.question import Mode

__all__ = [
    "as_scope",
    "check_allocation",
    "check_budget",
    "check_citation",
    "check_citations",
    "check_context",
    "check_encoder",
    "check_format",
    "check_handle",
    "check_mode",
    "check_moment",
    "check_path",
    "check_place",
    "check_query",
    "check_times",
]


_NAME = re.compile(r"[^\0\ud800-\udfff]+")

_MOST_TOKENS = 10**15
"""More than any model reads, and few enough to be stored."""

_SHOWN = 80
"""Characters of a wrong argument in its error."""


def check_query(value: object) -> str:
    """Return a question, which is text.

    >>> check_query("which port?")
    'which port?'
    """
    if isinstance(value, str):
        return value
    raise _refused("query", value, hint="Give the question as a string.")


def check_budget(value: object) -> int:
    """Return a number of tokens, which is whole."""
    tokens = _whole(value)
    if tokens is not None and tokens <= _MOST_TOKENS:
        return tokens
    raise _refused(
        "budget",
        value,
        hint=f"Give a whole number of tokens, at most {_MOST_TOKENS:,}; 800 is the default.",
    )


def check_times(
    on: object, *, after: object, before: object, now: datetime
) -> tuple[int | datetime | None, int | datetime | None]:
    """Return from where on and up to where steps are wanted.

    Args:
        on: A day, or words that name a time; None for any.
        after: A step index (0 or more), a moment with a time zone, or None.
        before: Likewise.
        now: What "yesterday" is told from.
    """
    if on is None:
        return check_place(after, name="after"), check_place(before, name="before")
    if after is not None or before is not None:
        raise InvalidInputError(
            "Both a time and its limits are given.", hint="Give either on, or after and before."
        )
    if isinstance(on, str):
        named = periods_in(on, now=now)
    elif isinstance(on, date):
        named = periods_in(f"{on:%Y-%m-%d}", now=now)
    else:
        named = ()
    if len(named) != 1:
        raise _refused(
            "on", on, hint='Give a date, or one time such as "2026-09-12" or "last week".'
        )
    return named[0].start, named[0].end


def check_place(value: object, *, name: str) -> int | datetime | None:
    """Return a step index (0 or more), a moment with a time zone, or None."""
    if value is None or isinstance(value, datetime):
        return check_moment(value, name=name)
    step = _whole(value)
    if step is None or step < 0:
        raise _refused(
            name, value, hint="Give a step index from 0, or a datetime with a time zone."
        )
    return step


def check_moment(value: object, *, name: str) -> datetime | None:
    """Return a moment with a time zone, or None."""
    if value is None or (isinstance(value, datetime) and value.utcoffset() is not None):
        return value
    raise _refused(name, value, hint="Give a time zone, such as datetime(..., tzinfo=UTC).")


def check_format(value: object) -> Format:
    """Return the form of a payload."""
    forms: tuple[Format, ...] = ("text", "json")
    for form in forms:
        if value == form:
            return form
    raise _refused("format", value, hint='Use "text" or "json".')


def check_mode(value: object) -> Mode:
    """Return the mode of a recall."""
    for mode in MODES:
        if value == mode:
            return mode
    raise _refused("mode", value, hint=f"Use one of {', '.join(MODES)}.")


def _check_scope(value: object) -> None:
    """Refuse what is no Scope, no mapping of names and not None; the names are not looked at."""
    if value is not None and not isinstance(value, Scope | Mapping):
        hint = 'Give a Scope, or a mapping such as {"user_id": "ada"}.'
        raise _refused("scope", value, hint=hint)


def check_citation(value: object) -> Citation | str:
    """Return a citation, read or as text."""
    if isinstance(value, str | Citation):
        return value
    raise _refused("id", value, hint='Give a citation such as "run7/s42.o1".')


def check_citations(value: object) -> tuple[Citation, ...]:
    """Return the citations that one word names."""
    citation = check_citation(value)
    return parse_citations(citation) if isinstance(citation, str) else (citation,)


def check_allocation(value: object) -> Allocator:
    """Return how a budget is shared; None for as usual."""
    if value is None:
        return Allocation()
    if isinstance(value, Allocator):
        return value
    raise _refused("allocation", value, hint="Give a stepwell.Allocation, or leave it out.")


def check_path(value: object) -> Path:
    """Return a path, with `~` for the home folder."""
    if isinstance(value, str | Path) and str(value):
        try:
            return Path(value).expanduser()
        except RuntimeError:  # ~somebody, whom nobody knows
            raise _refused("path", value, hint="There is no such home folder.") from None
    raise _refused("path", value, hint="Name a file or a folder.")


def check_handle(value: object) -> str | None:
    """Return the name of a trajectory, or None for the only one."""
    if value is None or isinstance(value, str):
        return value
    raise _refused("id", value, hint="Give a trajectory's id as a string.")


def check_context(value: object) -> int:
    """Return a number of steps, 0 or more."""
    steps = _whole(value)
    if steps is not None and steps >= 0:
        return steps
    raise _refused("context", value, hint="Give a number of steps, 0 or more.")


def check_encoder(value: Encoder | str | None) -> Encoder | str | None:
    """Return an encoder, `auto` or None; other names are for the command line."""
    if value is None or value == "auto":
        return value
    # A string has an `encode` of its own, and a class one that wants an instance.
    if not isinstance(value, str | type) and hasattr(value, "encode"):
        return value
    raise _refused(
        "encoder",
        value,
        hint='Use "auto", None or an Encoder; stepwell.encode.registry.encoder makes one '
        "of a name.",
    )


def _whole(value: object) -> int | None:
    """Return a whole number, numpy's included; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return None
    return int(value)


def _refused(name: str, value: object, *, hint: str) -> InvalidInputError:
    shown = repr(value)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return InvalidInputError(f"{name}={shown} cannot be used.", hint=hint)


def as_scope(given: Scope | Mapping[str, str] | None) -> Scope:
    """Return a scope given as one or as its fields.

    Raises:
        InvalidInputError: It is neither, or a name in it cannot be stored.
    """
    _check_scope(given)
    if given is None or isinstance(given, Scope):
        return _named(given or Scope())
    try:
        return _named(Scope(**given))
    except TypeError as error:
        raise InvalidInputError(
            f"The scope {dict(given)!r} has unknown fields.",
            hint="Fields are user_id, agent_id, run_id, session and trajectory.",
        ) from error


def _named(scope: Scope) -> Scope:
    """Return the scope, all of whose names can be stored and were meant.

    An empty name is mostly an unset variable of a shell; it must not pass for "no owner".
    """
    for field in fields(scope):
        name: object = getattr(scope, field.name)
        if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise InvalidInputError(
                f"{field.name}={name!r} is no name.",
                hint="Give one or more characters, no NUL and no half surrogate pair, or leave "
                "the field out.",
            )
    return scope
