"""Commands that read: ask, show, expand, timeline, sessions, export, stats."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from stepwell.errors import InvalidInputError
from stepwell.serve.documents.looking import (
    expanded_document,
    sessions_document,
    shown_document,
    timeline_document,
)
from stepwell.serve.documents.reports import report_document
from stepwell.serve.files import write_file
from stepwell.serve.render import is_terminal, print_json, print_table, print_text, say, verbatim
from stepwell.text.clean import visible
from stepwell.text.dates import periods_in
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stepwell.memory.looking import Moment, Shown, Stats
    from stepwell.recall.evidence import Evidence
    from stepwell.serve.options import ExportFormat
    from stepwell.store.read import Entry
    from stepwell.trajectory.model import Step, Trajectory

__all__ = [
    "moment",
    "print_evidence",
    "print_expanded",
    "print_sessions",
    "print_shown",
    "print_stats",
    "print_timeline",
    "time_of",
    "write_export",
    "write_media",
]

_NEIGHBOUR_CHARS = 1_200
"""Characters shown of an atom beside the one asked for: a screenful. The rest can be cited."""


def moment(text: str | None, *, now: datetime | None = None) -> int | datetime | None:
    """Read a step index, an ISO time, or words that name a time, of which the beginning counts.

    A time without an offset is UTC.

    Args:
        text: What was given.
        now: What "yesterday" is told from; None for this moment.

    Raises:
        InvalidInputError: It is neither.

    >>> moment("42"), moment("2026-05-01T10:00")
    (42, datetime.datetime(2026, 5, 1, 10, 0, tzinfo=datetime.timezone.utc))
    """
    if text is None or text.isdecimal():
        return None if text is None else int(text)
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        named = periods_in(text, now=now or datetime.now(UTC))
        if len(named) == 1:
            return named[0].start
        raise InvalidInputError(
            f"{text!r} is neither a step nor a time.",
            hint="Write 42, 2026-05-01T10:00Z, 2026-05-01, yesterday or 'last week'.",
        ) from error
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def time_of(text: str | None) -> datetime | None:
    """Read an ISO time; without an offset it is UTC.

    Raises:
        InvalidInputError: It is none.
    """
    when = moment(text)
    if isinstance(when, int):
        raise InvalidInputError(f"{text!r} is no time.", hint="Write --before 2026-05-01.")
    return when


def print_evidence(evidence: Evidence, *, explain: bool) -> None:
    """Print the payload on stdout, and on stderr what it cost and what should be known."""
    if evidence.format == "text" and is_terminal():
        from stepwell.serve.styled import print_styled  # noqa: PLC0415  (loads rich)

        print_styled(visible(evidence.text))
    else:
        verbatim(evidence.text)
    if explain:
        say(evidence.explain())
        if evidence.id:
            say(f"id: {evidence.id}")
        return
    lines = f", {len(evidence.notes)} lines of structures" if evidence.notes else ""
    told = f"{evidence.tokens} of {evidence.budget} tokens, {len(evidence.items)} excerpts{lines}"
    say(f"{told}; id {evidence.id}" if evidence.id else told)
    for notice in evidence.notices:
        say(f"note: {notice}")


def print_shown(shown: Sequence[Shown], *, as_json: bool) -> None:
    """Print the cited text; of several citations, one after the other."""
    if as_json:
        print_json(shown_document(shown))
    else:
        verbatim("\n".join(one.text for one in shown))


def print_expanded(shown: Sequence[Shown], *, as_json: bool) -> None:
    """Print the steps around citations, each once, the cited ones whole."""
    if as_json:
        print_json(expanded_document(shown))
        return
    cited = {one.step.index for one in shown}
    steps = {step.index: step for one in shown for step in one.context}
    for index in sorted(steps):
        _print_step(steps[index], is_cited=index in cited)


def _print_step(step: Step, *, is_cited: bool) -> None:
    print_text(f"{'>' if is_cited else ' '} s{step.index} {step.kind} {_when(step)}".rstrip())
    for atom in atoms_of(step):
        print_text(f"  [s{atom.step}.{atom.part}] {atom.label}")
        whole = is_cited or len(atom.text) <= _NEIGHBOUR_CHARS
        text = atom.text if whole else atom.text[:_NEIGHBOUR_CHARS]
        print_text("".join(f"    {line}\n" for line in text.split("\n")).rstrip("\n"))
        if not whole:
            rest = len(atom.text) - _NEIGHBOUR_CHARS
            print_text(f"    … {rest} more characters: stepwell show s{atom.step}.{atom.part}")


def _when(step: Step) -> str:
    return "" if step.t_start is None else f"{step.t_start:%Y-%m-%d %H:%M:%S}"


def print_timeline(moments: list[Moment], *, as_json: bool) -> None:
    """Print one line for each step."""
    if as_json:
        print_json(timeline_document(moments))
        return
    rows = [
        (
            f"s{m.step.index}",
            m.step.kind,
            _state(m),
            _when(m.step),
            m.summary,
        )
        for m in moments
    ]
    print_table(("step", "kind", "status", "time (UTC)", "what"), rows)


def _state(moment: Moment) -> str:
    if moment.is_gone:
        return "no longer in its log"
    return moment.step.status if moment.step.active else "abandoned"


def print_sessions(entries: list[Entry], *, as_json: bool) -> None:
    """Print one line for each trajectory that has steps."""
    entries = [entry for entry in entries if entry.n_steps]
    if as_json:
        print_json(sessions_document(entries))
        return
    rows = [
        (e.trajectory_id, e.n_steps, e.source_format, f"{e.added_at:%Y-%m-%d %H:%M}", e.title)
        for e in entries
    ]
    print_table(("trajectory", "steps", "format", "added (UTC)", "title"), rows)


def print_stats(stats: Stats, *, as_json: bool) -> None:
    """Print the totals."""
    if as_json:
        print_json(report_document(stats))
        return
    formats = ", ".join(f"{name} {n}" for name, n in sorted(stats.formats.items()))
    rows = [
        ("trajectories", stats.n_trajectories),
        ("steps", stats.n_steps),
        ("passages", stats.n_passages),
        ("vectors", f"{stats.n_vectors} ({stats.encoder or 'vectors are off'})"),
        ("formats", formats or "none"),
        ("schema version", stats.schema_version),
        ("bytes on disk", stats.bytes_on_disk),
    ]
    print_table(("what", "how much"), rows)


def write_export(
    trajectories: Sequence[Trajectory],
    *,
    format: ExportFormat,  # noqa: A002  (the word users know)
    output: Path | None,
) -> None:
    """Write a trajectory and its subagents as one document.

    Args:
        trajectories: The trajectory, then its subagents.
        format: Name of the format.
        output: The file; None for stdout.

    Raises:
        InvalidInputError: The file cannot be written.
    """
    from stepwell.formats.atif.writer import to_atif  # noqa: PLC0415  (loads the format's reader)

    first, *children = trajectories
    document = to_atif(first, children=children)
    if output is None:
        print_json(document)
        return
    write_file(output, msgspec.json.format(msgspec.json.encode(document), indent=2))
    say(f"{first.trajectory_id}: {len(first.steps)} steps written to {output} ({format})")


def write_media(media: Iterable[tuple[str, bytes]], folder: Path) -> None:
    """Write images and files into a folder, each under its name.

    Raises:
        InvalidInputError: One cannot be written.
    """
    names: set[str] = set()
    for name, data in media:
        write_file(folder / name, data)
        names.add(name)
    say(f"{len(names)} images and files written to {folder}")
