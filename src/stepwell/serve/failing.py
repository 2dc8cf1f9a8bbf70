"""How a command fails: one exit code and one shape of errors, whatever went wrong."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NoReturn

import msgspec
import typer

from stepwell.errors import InvalidInputError
from stepwell.serve.documents.reports import error_document
from stepwell.serve.render import say

if TYPE_CHECKING:
    from stepwell.errors import StepwellError

__all__ = ["FAILED", "fail", "fail_output"]

FAILED: Final = 1
"""The exit code of an error; wrong usage has 2, which comes from click."""

_STDOUT: Final = 1


def fail(error: StepwellError, *, as_json: bool) -> NoReturn:
    """End a command because of an error: its kind, what went wrong, what to do next."""
    _print_error(error, as_json=as_json)
    raise typer.Exit(FAILED) from error


def fail_output(error: OSError, *, as_json: bool) -> NoReturn:
    """End the program because its output cannot be written."""
    # What is still buffered would fail once more when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
    told = InvalidInputError(
        f"The output cannot be written: {error.strerror or error}.",
        hint="Send it elsewhere, or make room.",
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
