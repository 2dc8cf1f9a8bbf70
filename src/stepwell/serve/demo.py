"""`stepwell demo`: five questions to a bundled log, in memory, without key, network or download."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.config import open_memory
from stepwell.demo.asking import add_logs, ask, copy_logs
from stepwell.errors import InvalidInputError
from stepwell.serve.documents.reports import demo_document
from stepwell.serve.documents.writing import folder_document
from stepwell.serve.render import print_json, print_text, progress, say
from stepwell.serve.writing import encode_missing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stepwell.config import Settings
    from stepwell.demo.asking import Answered

__all__ = ["run_demo", "save_logs"]


def run_demo(settings: Settings, *, as_json: bool) -> None:
    """Ingest the bundled log in memory, ask the five questions, and print what comes back.

    Args:
        settings: The encoder to use; the database is left alone.
        as_json: Whether to print one JSON document.
    """
    started = time.perf_counter()
    with open_memory(replace(settings, db=None)) as memory:
        with progress("reading") as advance:
            report = add_logs(memory, progress=advance)
        stats = memory.stats()
        if not as_json:
            say(str(report))
        if stats.encoder is not None:
            if not as_json:
                say(f"Filling in the vectors of {stats.n_passages} passages, about a minute …")
            encode_missing(memory)
        answered = ask(memory)
    seconds = time.perf_counter() - started
    if as_json:
        print_json(demo_document(report, answered, encoder=stats.encoder, seconds=seconds))
        return
    for number, one in enumerate(answered, start=1):
        _print_answered(number, one)
    n_complete = sum(one.is_complete for one in answered)
    say(f"\n{n_complete} of {len(answered)} answered in full, {seconds:.1f} s.")
    _say_next(stats.encoder, answered)


def save_logs(folder: Path, *, as_json: bool) -> None:
    """Copy the bundled log to a folder.

    Raises:
        InvalidInputError: The folder cannot be written.
    """
    try:
        copy_logs(folder)
    except OSError as error:
        raise InvalidInputError(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder."
        ) from error
    if as_json:
        print_json(folder_document(folder))
    else:
        say(f"The log is in {folder}. Next: stepwell add {folder}")


def _print_answered(number: int, one: Answered) -> None:
    print_text(f"\n{number}. {one.question.question}")
    for item in one.evidence.items:
        print_text(f"   [{item.id}] {item.label}")
        print_text("".join(f"     {line}\n" for line in item.text.split("\n")).rstrip("\n"))
    print_text(f"   answer: {one.question.answer}")
    print_text(f"   hard because: {one.question.why}")
    verdict = "The evidence holds all of it" if one.is_complete else "The evidence lacks some of it"
    say(f"   {verdict}; {one.evidence.tokens} of {one.evidence.budget} tokens.")


def _say_next(encoder: str | None, answered: Sequence[Answered]) -> None:
    if encoder is None:
        say("Vectors were off: only words were matched, not meanings.")
        for notice in answered[0].evidence.notices:
            say(f"  {notice}")
    else:
        say(f"Vectors were on: {encoder}.")
    say("Next: stepwell add ~/.claude/projects, then stepwell ask QUESTION.")
