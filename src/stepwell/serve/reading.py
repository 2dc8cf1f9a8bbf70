"""Commands that read: ask, show, expand, timeline, sessions, export, stats."""

from __future__ import annotations

from datetime import UTC, datetime
from mimetypes import guess_extension
from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.errors import InvalidInputError
from stepwell.formats.atif.writer import to_atif
from stepwell.formats.chat.media import SHOWN_DIGITS
from stepwell.serve.render import print_json, print_table, print_text, say, verbatim
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from stepwell.memory.looking import Moment, Shown, Stats
    from stepwell.memory.memory import Memory
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
    "write_export",
]

_NEIGHBOUR_CHARS = 1_200
"""Of an atom beside the one asked for: a screenful; the rest has a citation of its own."""


def moment(text: str | None) -> int | datetime | None:
    """Read a step index or an ISO time; a time without an offset is UTC.

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
        raise InvalidInputError(
            f"{text!r} is neither a step nor a time.",
            hint="Write --before 42 or --before 2026-05-01T10:00Z.",
        ) from error
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def print_evidence(evidence: Evidence, *, explain: bool) -> None:
    """Print the payload on stdout, and on stderr what it cost and what should be known."""
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
        print_json(_one_or_all([_shown_block(one) for one in shown]))
    else:
        verbatim("\n".join(one.text for one in shown))


def _shown_block(shown: Shown) -> dict[str, Any]:
    return {"id": shown.id, "trajectory": shown.trajectory, "text": shown.text}


def _one_or_all(blocks: list[dict[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
    return blocks[0] if len(blocks) == 1 else blocks


def print_expanded(shown: Sequence[Shown], *, as_json: bool) -> None:
    """Print the steps around citations, each once, the cited ones whole."""
    if as_json:
        print_json(_one_or_all([_expanded_block(one) for one in shown]))
        return
    cited = {one.step.index for one in shown}
    steps = {step.index: step for one in shown for step in one.context}
    for index in sorted(steps):
        _print_step(steps[index], is_cited=index in cited)


def _expanded_block(shown: Shown) -> dict[str, Any]:
    steps = [_step_block(step) for step in shown.context]
    return {"id": shown.id, "trajectory": shown.trajectory, "steps": steps}


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


def _step_block(step: Step) -> dict[str, Any]:
    atoms = [
        {"id": f"s{a.step}.{a.part}", "label": a.label, "text": a.text} for a in atoms_of(step)
    ]
    return {**_head_block(step), "atoms": atoms}


def _head_block(step: Step) -> dict[str, Any]:
    return {
        "step": step.index,
        "kind": step.kind,
        "actor": step.actor,
        "status": step.status,
        "active": step.active,
        "time": step.t_start,
    }


def _when(step: Step) -> str:
    return "" if step.t_start is None else f"{step.t_start:%Y-%m-%d %H:%M:%S}"


def print_timeline(moments: list[Moment], *, as_json: bool) -> None:
    """Print one line for each step."""
    if as_json:
        print_json([{**_head_block(m.step), "summary": m.summary} for m in moments])
        return
    rows = [
        (
            f"s{m.step.index}",
            m.step.kind,
            m.step.status if m.step.active else "abandoned",
            _when(m.step),
            m.summary,
        )
        for m in moments
    ]
    print_table(("step", "kind", "status", "time (UTC)", "what"), rows)


def print_sessions(entries: list[Entry], *, as_json: bool) -> None:
    """Print one line for each trajectory."""
    if as_json:
        print_json([_entry_block(entry) for entry in entries])
        return
    rows = [
        (e.trajectory_id, e.n_steps, e.source_format, f"{e.added_at:%Y-%m-%d %H:%M}", e.title)
        for e in entries
    ]
    print_table(("trajectory", "steps", "format", "added (UTC)", "title"), rows)


def _entry_block(entry: Entry) -> dict[str, Any]:
    block: dict[str, Any] = msgspec.to_builtins(entry)
    del block["number"]  # of this file only; the id is what names it
    return block


def print_stats(stats: Stats, *, as_json: bool) -> None:
    """Print the totals."""
    if as_json:
        print_json(stats)
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
    memory: Memory,
    trajectory: str | None,
    *,
    format: ExportFormat,  # noqa: A002  (the word users know)
    output: Path | None,
    media: Path | None = None,
) -> None:
    """Write a trajectory with its subagents as one document, and its media as files beside it.

    Raises:
        InvalidInputError: A file cannot be written.
    """
    run = memory.trajectory(trajectory)
    children = _descendants(memory, run)
    document = to_atif(run, children=children)
    if media is not None:
        files = {name for each in (run, *children) for name in _write_media(memory, each, media)}
        say(f"{len(files)} images and files written to {media}")
    if output is None:
        print_json(document)
        return
    _write(output, msgspec.json.format(msgspec.json.encode(document), indent=2))
    say(f"{run.trajectory_id}: {len(run.steps)} steps written to {output} ({format})")


def _write_media(memory: Memory, run: Trajectory, folder: Path) -> Iterator[str]:
    """Write the media of a trajectory, named by the digits that the text shows in their place."""
    for blob in memory.media(run.trajectory_id):
        ending = guess_extension(blob.media_type, strict=False) or ".bin"
        name = f"{blob.sha256[:SHOWN_DIGITS]}{ending}"
        _write(folder / name, blob.data)
        yield name


def _write(file: Path, data: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise InvalidInputError(
            f"{file} cannot be written: {error.strerror}.", hint="Choose another path."
        ) from error


def _descendants(memory: Memory, run: Trajectory) -> list[Trajectory]:
    children: dict[str | None, list[str]] = {}
    for entry in memory.sessions():
        children.setdefault(entry.parent_id, []).append(entry.trajectory_id)
    found: list[str] = []
    queue = [run.trajectory_id]
    while queue:
        below = children.pop(queue.pop(), [])  # popped: a log may claim to be its own ancestor
        found += below
        queue += below
    return [memory.trajectory(name) for name in found]
