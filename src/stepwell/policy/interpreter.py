"""The process that runs programs: nothing but the interpreter, small, and ended when it overruns.

It is started as a file of its own (`python -I -S interpreter.py FOLDER`, where FOLDER holds the
`starlark` package), with no environment and nothing of Stepwell in it. Each line read is a request,
each line written its answer, both in JSON.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import re
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlark import FrozenModule

__all__ = ["CPU_SECONDS", "MEMORY", "STEPS", "Programs", "serve"]

STEPS: Final = 200_000
"""Steps of one call, counted by the interpreter: the same on every machine."""

_STEPS_A_POLL: Final = 1_000
_DEPTH: Final = 50
"""Calls within calls."""

CPU_SECONDS: Final = 0.25
"""Processor time of one call, for what is one step however long it takes: `max(range(10**9))`."""

MEMORY: Final = 256 * 2**20
"""Bytes of address space of the whole process, of which the interpreter itself takes 25 MB."""

_FILES: Final = 3
"""Open files: the standard streams, which are open already, and no other."""

_KEPT: Final = 32
_NAMES: Final = 64
_NAME_CHARS: Final = 100
_MOST_TOKENS: Final = 10**9
_ERROR_CHARS: Final = 300

_ERROR: Final = re.compile(r"^error: (.*)", re.MULTILINE)
_LINE: Final = re.compile(r"^ *--> program:(\d+)", re.MULTILINE)


class _UnusableError(Exception):
    """What a program did wrong, for the person who reads its error."""


class Programs:
    """Compiled programs, the latest kept."""

    def __init__(self) -> None:
        import starlark  # noqa: PLC0415  (only where a program is run)

        self._starlark = starlark
        self._kept: OrderedDict[str, FrozenModule] = OrderedDict()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one program.

        Args:
            request: `source`, `question` and `context`.

        Returns:
            `tokens`: names and their tokens, None where the program names no number; or `error`.
        """
        try:
            module = self._module(request["source"])
            options = self._options()
            result = module.call_with(options, "select", request["question"], request["context"])
            return {"tokens": _tokens(result.value)}
        except self._starlark.StarlarkError as error:
            return {"error": _said(str(error))}
        except _UnusableError as error:
            return {"error": str(error)}

    def _module(self, source: str) -> FrozenModule:
        module = self._kept.pop(source, None) or self._compiled(source)
        self._kept[source] = module
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return module

    def _compiled(self, source: str) -> FrozenModule:
        dialect = self._starlark.Dialect.standard()
        dialect.enable_load = False
        dialect.enable_types = self._starlark.DialectTypes.PARSE_ONLY
        parsed = self._starlark.parse("program", source, dialect)
        module = self._starlark.Module()
        self._starlark.eval_with(self._options(), module, parsed, self._starlark.Globals.standard())
        return module.freeze()

    def _options(self) -> Any:
        return self._starlark.EvalOptions(
            check_cancelled=_out_of_steps(), max_callstack_size=_DEPTH
        )


def _out_of_steps() -> Callable[[], bool]:
    polls = 0

    def is_out() -> bool:
        nonlocal polls
        polls += 1
        return polls > STEPS // _STEPS_A_POLL

    return is_out


def _said(message: str) -> str:
    """Return one line of an error of the interpreter, which draws a picture around it."""
    found, line = _ERROR.search(message), _LINE.search(message)
    said = (found[1] if found else message.strip().split("\n")[0])[:_ERROR_CHARS]
    if "cancelled" in said:
        said = f"it took more than {STEPS:,} steps"
    return f"line {line[1]}: {said}" if line else said


def _tokens(value: object) -> dict[str, int | None]:
    """Return the names and numbers of tokens that a program returned."""
    named: dict[object, object] = {}
    if isinstance(value, dict):
        named = cast("dict[object, object]", value)
    elif isinstance(value, list):
        named = {_hashable(name): None for name in cast("list[object]", value)}
    if not named:
        message = "it returned no names; `select` returns a list of them, or names with tokens"
        raise _UnusableError(message)
    if len(named) > _NAMES or not all(_is_usable(name, limit) for name, limit in named.items()):
        message = (
            f"it returned something else than up to {_NAMES} names, or names with whole numbers of "
            "tokens from 1"
        )
        raise _UnusableError(message)
    return cast("dict[str, int | None]", named)


def _hashable(name: object) -> object:
    return name if isinstance(name, str) else ()


def _is_usable(name: object, limit: object) -> bool:
    return (
        isinstance(name, str)
        and 0 < len(name) <= _NAME_CHARS
        and (limit is None or (type(limit) is int and 0 < limit <= _MOST_TOKENS))
    )


def _confine() -> Callable[[float], object]:
    """Give up what no program needs; return how to set the clock of a call, 0 to stop it."""
    if os.name != "posix":
        return _watch
    import resource  # noqa: PLC0415  (there is none elsewhere)
    import signal  # noqa: PLC0415

    limits = (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    )
    for limit, most in limits:
        # macOS refuses a limit on memory; there the time a call may take bounds it.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))
    # With its default action the signal ends the process even within one step.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    return lambda seconds: signal.setitimer(signal.ITIMER_PROF, seconds)


def _watch(seconds: float) -> None:
    """End the process unless it is called again in time: on systems without the signal."""
    faulthandler.cancel_dump_traceback_later()
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)


def serve() -> None:
    """Answer requests until there are no more."""
    programs = Programs()
    clock = _confine()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        clock(CPU_SECONDS)
        answer = programs.answer(request)
        clock(0)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    serve()
