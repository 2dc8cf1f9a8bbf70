"""How a command fails: one exit code and one shape of errors, whatever went wrong."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Final, NoReturn

import msgspec
import typer

from stepwell.errors import InvalidInputError, StepwellError
from stepwell.serve.documents.reports import error_document
from stepwell.serve.render import say

__all__ = ["FAILED", "fail", "fail_unexpectedly"]

FAILED: Final = 1
"""The exit code of an error; wrong usage has 2, which comes from click."""

_STDOUT: Final = 1


def fail(error: StepwellError, *, as_json: bool) -> NoReturn:
    """End a command because of an error: its kind, what went wrong, what to do next."""
    _print_error(error, as_json=as_json)
    raise typer.Exit(FAILED) from error


def fail_unexpectedly(error: Exception, *, as_json: bool) -> NoReturn:
    """End the program because of an error that no command expected, without a traceback.

    `PYTHONDEVMODE=1` shows the traceback too, for a report.
    """
    if sys.flags.dev_mode:
        traceback.print_exception(error)
    if isinstance(error, OSError) and error.filename is None:  # an output has no name
        # What is still buffered would fail once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
        told: StepwellError = InvalidInputError(
            f"The output cannot be written: {error.strerror or error}.",
            hint="Send it elsewhere, or make room.",
        )
    elif isinstance(error, OSError):
        told = InvalidInputError(
            f"{os.fsdecode(error.filename)!r:.200} cannot be used: {error.strerror}.",
            hint="Check that the path exists and may be read and written.",
        )
    elif isinstance(error, MemoryError):
        told = InvalidInputError("There is not enough memory.", hint="Ask for less, or add less.")
    else:
        told = StepwellError(
            f"Something went wrong inside Stepwell: {type(error).__name__}: {str(error)[:200]}.",
            hint="Please report it with what `PYTHONDEVMODE=1 stepwell ...` prints; `stepwell "
            "doctor` tells whether the database is intact.",
        )
    _print_error(told, as_json=as_json)
    raise SystemExit(FAILED) from error


def _print_error(error: StepwellError, *, as_json: bool) -> None:
    document = error_document(error)
    if as_json:
        typer.echo(msgspec.json.encode(document), err=True)
        return
    told = document["error"]
    say(f"error[{told['kind']}]: {told['message']}")
    if told["hint"]:
        say(f"  next: {told['hint']}")
