"""Run the program of a policy in a process that can neither reach anything nor run on.

A program is Starlark, a small language like Python without imports, files, clocks or endless loops.
It defines one function:

    def select(question, context):
        if "count" in context["cues"] and context["signals"].get("temporal.slots", 0) >= 1:
            return ["temporal", "episodic"]
        return {"units": 400, "episodic": 200}

It returns names of structures, or names with the most tokens of each. `context` is a plain dict:
`available` and `cues` are sorted lists of names, `signals` maps names to numbers, `budget`, `steps`
and `tokens` are numbers, `domain`, `kind` and `task` are strings.

The language limits neither memory nor what one built-in function takes, so programs run in a
process of their own that limits both; when it is ended, the next call starts another.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import signal
import subprocess
import sys
import threading
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from stepwell.errors import PolicyError
from stepwell.policy import interpreter
from stepwell.policy.cues import cues_of

if TYPE_CHECKING:
    from stepwell.policy.base import Context

__all__ = ["run_program"]

_SOURCE_CHARS: Final = 50_000
_QUESTION_CHARS: Final = 4_000
"""Of a question: what follows is pasted, and cues have read its end."""

_ANSWER_BYTES: Final = 100_000
_CLOCK: Final = getattr(signal, "SIGPROF", None)
_HINT: Final = "`stepwell policy show NAME` prints its source."


def run_program(source: str, question: str, context: Context) -> dict[str, int | None]:
    """Return the names a program selects, with tokens or None.

    Args:
        source: The program.
        question: As asked; of a long one, the beginning.
        context: What it sees besides.

    Raises:
        PolicyError: The program is wrong, failed, took too many steps, too much time or memory, or
            returned something else than names.
    """
    if len(source) > _SOURCE_CHARS:
        raise PolicyError(
            f"The program has {len(source):,} characters.", hint=f"At most {_SOURCE_CHARS:,} do."
        )
    request = {
        "source": source,
        "question": question[:_QUESTION_CHARS],
        "context": _seen(question, context),
    }
    answer = _process(os.getpid()).ask(_line(request))
    if "error" in answer:
        raise PolicyError(f"The program failed: {answer['error']}.", hint=_HINT)
    tokens: dict[str, int | None] = answer["tokens"]
    return tokens


def _seen(question: str, context: Context) -> dict[str, Any]:
    """Return the context as a program sees it."""
    return {
        "available": sorted(context.available),
        "cues": sorted(cues_of(question)),
        "signals": {k: v for k, v in sorted(context.signals.items()) if math.isfinite(v)},
        "budget": context.budget,
        "steps": context.n_steps,
        "tokens": context.n_tokens,
        "domain": context.domain,
        "kind": context.kind,
        "task": context.task[:_QUESTION_CHARS],
    }


def _line(request: dict[str, Any]) -> bytes:
    # The interpreter's strings are UTF-8 and hold no half of a surrogate pair.
    text = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
    return text + b"\n"


@lru_cache(maxsize=1)
def _process(_pid: int) -> _Process:
    """Return the process of programs; a forked child, which has another id, gets its own."""
    return _Process()


class _Process:
    """The interpreter's process: started when first asked, and again after it ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        atexit.register(self._end)

    def ask(self, request: bytes) -> dict[str, Any]:
        """Return the answer to a request.

        Raises:
            PolicyError: The process ended instead, or cannot be started.
        """
        with self._lock:
            running = self._running or self._start()
            try:
                answer = _exchange(running, request)
            except BaseException:  # Ctrl-C: its answer would be taken for that to the next question
                self._end()
                raise
            if answer is None:
                raise PolicyError(f"The program was ended: {self._end()}.", hint=_HINT)
            return answer

    def _start(self) -> subprocess.Popen[bytes]:
        spec = find_spec("starlark")
        if spec is None or spec.origin is None:
            raise PolicyError(
                "A policy is a program, and the interpreter for it is not installed.",
                hint="Install it with: pip install 'stepwell[programs]'",
            )
        command = [sys.executable, "-I", "-S", interpreter.__file__]
        self._running = subprocess.Popen(  # noqa: S603  (our own file, no shell)
            [*command, str(Path(spec.origin).parents[1])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={} if os.name == "posix" else None,  # Windows starts nothing without one
        )
        return self._running

    def _end(self) -> str:
        """End the process; return why it had ended already, if it had."""
        running, self._running = self._running, None
        if running is None:
            return ""
        with running:  # closes the pipes and waits
            why = _why(running)
            running.kill()
        return why


def _exchange(running: subprocess.Popen[bytes], request: bytes) -> dict[str, Any] | None:
    """Send a request and return its answer; None if the process ended."""
    assert running.stdin is not None  # noqa: S101  (both were asked to be pipes)
    assert running.stdout is not None  # noqa: S101
    try:
        running.stdin.write(request)
        running.stdin.flush()
        answer = running.stdout.readline(_ANSWER_BYTES)
    except OSError:  # a broken pipe; on Windows, an invalid argument
        return None
    return json.loads(answer) if answer.endswith(b"\n") else None


def _why(running: subprocess.Popen[bytes]) -> str:
    try:
        code = running.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return "it would not end"
    if _CLOCK is not None and code == -_CLOCK:
        return f"it took more than {interpreter.CPU_SECONDS} s of processor time"
    memory = f"{interpreter.MEMORY // 2**20} MB of memory"
    return f"it wanted more than {memory}, or nested too deeply (code {code})"
