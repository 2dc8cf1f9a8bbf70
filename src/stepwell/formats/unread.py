"""What a reader took and could not say: steps that hold nothing, and parts that are kept unread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.formats.chat.steps import says_nothing
from stepwell.trajectory.fields import object_of

if TYPE_CHECKING:
    from stepwell.formats.base import Notes
    from stepwell.trajectory.model import Step, Trajectory

__all__ = ["note_unread"]

_WORDLESS = "container_upload"
"""A known block that holds nothing to read."""


def note_unread(run: Trajectory, notes: Notes) -> None:
    """Count the steps and the parts of messages that hold nothing to read, whoever read them.

    They keep their place, so that citations do; each notice stands at the first of its kind.
    """
    silent = [step for step in run.steps if says_nothing(step)]
    if silent:
        fields = ", ".join(sorted(silent[0].extra)) or "none"
        message = f"{len(silent)} messages hold nothing that is read (other fields: {fields})."
        notes.add(_place(run, silent[0]), "empty-message", message)
    parts = [(step, part) for step in run.steps for part in step.parts if part.kind == "other"]
    strange = [(step, str(object_of(part.data).get("type"))) for step, part in parts]
    strange = [(step, kind) for step, kind in strange if kind != _WORDLESS]
    if strange:
        kinds = ", ".join(sorted({repr(kind) for _, kind in strange}))
        message = (
            f"{len(strange)} content blocks of types not known were kept as they are: {kinds}."
        )
        notes.add(_place(run, strange[0][0]), "unknown-block", message)


def _place(run: Trajectory, step: Step) -> int | str:
    """Return the line or the pointer of a step, as far as its raw records tell."""
    records = [run.raw_records[ref].position for ref in step.raw_refs if ref < len(run.raw_records)]
    line, _, number = (records[0] if records else "line:1").partition(":")
    return int(number) if line == "line" and number.isdecimal() else records[0]
