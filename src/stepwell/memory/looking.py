"""Look things up by citation: one atom, its neighbours, a trajectory's timeline, the totals."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.recall.markup import plain_word
from stepwell.store.contents import steps_gone
from stepwell.store.database import open_database, schema_version, size_on_disk
from stepwell.store.facts import bytes_of
from stepwell.store.forget import waits_for_erasure
from stepwell.store.read import entries, load_head, load_step, load_steps
from stepwell.store.scope import Scope
from stepwell.store.vectors import vector_states
from stepwell.trajectory.atoms import atoms_of, parse_citation
from stepwell.trajectory.merging import is_forgotten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.trajectory.atoms import Citation
    from stepwell.trajectory.model import Step

__all__ = [
    "Moment",
    "Shown",
    "Stats",
    "cited_text",
    "collect_stats",
    "entry_of",
    "find_entry",
    "look_up",
    "timeline",
    "whole_id",
]

_SUMMARY_CHARS = 160
_NAMED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a citation names.

    Attributes:
        id: The full citation.
        trajectory: Trajectory id.
        step: The step it lies in.
        text: The cited text, verbatim; of a whole step, all its atoms under their names.
        context: The steps around it, the cited one included, in order.
    """

    id: str
    trajectory: str
    step: Step
    text: str
    context: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One line of a timeline.

    Attributes:
        step: The step.
        summary: Its beginning, on one line: the calls, else the message, else the thought.
        is_gone: Whether its log held it once, and holds it no more.
    """

    step: Step
    summary: str
    is_gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Totals of a scope.

    Attributes:
        n_vectors: Vectors of the encoder in use; 0 without one.
        bytes_on_disk: Size of the database, 0 in memory; of a narrower scope, of what it holds.
        is_erasing: Whether bytes of what was forgotten wait to be erased until nobody reads them.
    """

    n_trajectories: int
    n_steps: int
    n_passages: int
    n_vectors: int
    encoder: str | None
    formats: dict[str, int]
    schema_version: int
    bytes_on_disk: int
    is_erasing: bool = False


def find_entry(db: Database, scope: Scope, handle: str | None) -> Entry:
    """Return the trajectory a handle names.

    Args:
        db: The database.
        scope: What may be seen.
        handle: A trajectory id, the unambiguous beginning of one, the last part of a subagent's
            (`a1` of `run7/a1`), the word that stands for one in a payload, or None for the only
            one that is no subagent's.

    Raises:
        NotFoundError: There is none.
        InvalidInputError: There are several.
    """
    known = entries(db, scope)
    found = entry_of(known, handle)
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(entry.trajectory_id for entry in found[:_NAMED])
        what = f"{handle!r} is ambiguous" if handle else "No trajectory is named"
        raise InvalidInputError(
            f"{what}; there are {some}{', …' if len(found) > _NAMED else ''}.",
            hint="Give a full id; `stepwell sessions` lists them.",
        )
    if not known:
        raise NotFoundError("There is nothing in this scope.", hint="Add logs: stepwell add PATH.")
    raise NotFoundError(
        f"There is no trajectory {handle or ''!r} in this scope.",
        hint="`stepwell sessions` lists what there is.",
    )


def entry_of(known: Sequence[Entry], handle: str | None) -> list[Entry]:
    """Return the trajectories that a handle names, as `find_entry` reads it."""
    names = [entry.trajectory_id for entry in known]
    wanted = handle or ""
    readings = (
        [not wanted and entry.parent_id is None for entry in known],
        [name == wanted for name in names],
        [name.endswith(f"/{wanted}") for name in names],
        [plain_word(name) == wanted for name in names],
        [
            name.startswith(wanted) and entry.parent_id is None
            for name, entry in zip(names, known, strict=True)
        ],
        [name.startswith(wanted) for name in names],
    )
    fitting = (
        [entry for entry, fits in zip(known, reading, strict=True) if fits] for reading in readings
    )
    nothing: list[Entry] = []
    return next((found for found in fitting if found), nothing)


def whole_id(path: Path, scope: Mapping[str, str], handle: str) -> str:
    """Return the id of the trajectory that a handle names within the rest of a scope.

    Raises:
        NotFoundError: There is none.
        InvalidInputError: There are several.
    """
    with closing(open_database(path)) as db:
        within = Scope(**{**scope, "trajectory": None})
        if any(entry.trajectory_id == handle for entry in entries(db, within)):
            return handle  # of several owners, perhaps
        return find_entry(db, within, handle).trajectory_id


def look_up(db: Database, scope: Scope, citation: Citation | str, *, context: int = 0) -> Shown:
    """Return what a citation names, with `context` steps before and after it.

    Raises:
        InvalidInputError: It is no citation.
        NotFoundError: Nothing in this scope bears it.
    """
    address = parse_citation(citation) if isinstance(citation, str) else citation
    entry = find_entry(db, scope, address.trajectory)
    # Compared first: SQLite takes no number beyond 64 bits.
    step = load_step(db, entry.number, address.step) if address.step < entry.n_steps else None
    if step is None:
        raise NotFoundError(
            f"{entry.trajectory_id} has no step {address.step}; its steps are 0 to "
            f"{entry.n_steps - 1}.",
            hint="`stepwell timeline` lists them.",
        )
    first = max(0, address.step - context)
    last = min(entry.n_steps - 1, address.step + context)
    stated = _task(db, entry) if address.part == "task" and address.step == 0 else ""
    return Shown(
        id=f"{entry.trajectory_id}/{str(address).rpartition('/')[2]}",
        trajectory=entry.trajectory_id,
        step=step,
        text=_within(stated, address) if stated else cited_text(step, address),
        context=tuple(load_steps(db, entry.number, first=first, last=last)),
    )


def _task(db: Database, entry: Entry) -> str:
    """Return the task that a trajectory states outside its steps; empty for none."""
    head = load_head(db, entry.number)
    return "" if head is None else (head.task or "").strip()


def cited_text(step: Step, citation: Citation) -> str:
    """Return the text a citation names within its step, verbatim.

    Raises:
        NotFoundError: The step has no such atom or lines.
    """
    atoms = atoms_of(step)
    if citation.part is None:
        return "\n".join(f"[s{atom.step}.{atom.part}] {atom.label}\n{atom.text}" for atom in atoms)
    text = next((atom.text for atom in atoms if atom.part == citation.part), None)
    if text is None:
        parts = ", ".join(atom.part for atom in atoms) or "none with text"
        raise NotFoundError(
            f"Step {step.index} has no {citation.part}; its parts are: {parts}.",
            hint="m is the message, t the thought, c1 the first call, o1 its result.",
        )
    return _within(text, citation)


def _within(text: str, citation: Citation) -> str:
    """Return the lines or characters of an atom that a citation names."""
    if citation.lines is None:
        return text if citation.columns is None else _columns([text], citation)
    first, last = citation.lines
    lines = text.split("\n")
    if not 1 <= first <= last <= len(lines):
        raise NotFoundError(
            f"{citation.part} of step {citation.step} has lines 1 to {len(lines)}, not "
            f"{first} to {last}.",
            hint="Cite lines that exist.",
        )
    cited = lines[first - 1 : last]
    return "\n".join(cited) if citation.columns is None else _columns(cited, citation)


def _columns(lines: Sequence[str], citation: Citation) -> str:
    """Return lines from a character of the first to one of the last, both included."""
    first, last = citation.columns or (1, len(lines[-1]))
    text = "\n".join(lines)
    end = len(text) - len(lines[-1]) + last
    if not (1 <= first <= len(lines[0]) and 1 <= last <= len(lines[-1]) and first <= end):
        ends = " and ".join(dict.fromkeys(str(len(line)) for line in (lines[0], lines[-1])))
        raise NotFoundError(
            f"That line of {citation.part} of step {citation.step} has characters 1 to {ends}, "
            f"not {first} to {last}.",
            hint="Cite characters that exist.",
        )
    return text[first - 1 : end]


def timeline(db: Database, entry: Entry) -> Iterator[Moment]:
    """Yield every step of a trajectory with one line that says what it was."""
    gone = steps_gone(db, entry.number)
    for step in load_steps(db, entry.number):
        yield Moment(step=step, summary=_summary(step), is_gone=step.index in gone)


def _summary(step: Step) -> str:
    atoms = atoms_of(step)
    calls = [f"{atom.label}({atom.text})" for atom in atoms if atom.part.startswith("c")]
    texts = [*calls, step.message, step.thought, *(atom.text for atom in atoms)]
    if is_forgotten(step):
        return "(forgotten)"
    line = " ".join(next((text for text in texts if text.strip()), "").split())
    return line if len(line) <= _SUMMARY_CHARS else line[: _SUMMARY_CHARS - 1] + "…"


def collect_stats(db: Database, scope: Scope, *, encoder: tuple[str, int] | None) -> Stats:
    """Return the totals of a scope.

    Args:
        db: The database.
        scope: What may be seen.
        encoder: Id and number of the encoder in use.
    """
    known = entries(db, scope)
    formats: dict[str, int] = {}
    for entry in known:
        formats[entry.source_format] = formats.get(entry.source_format, 0) + 1
    states = [] if encoder is None else vector_states(db, encoder[1])
    counted = {state.number: state.n_vectors for state in states}
    return Stats(
        n_trajectories=len(known),
        n_steps=sum(entry.n_steps for entry in known),
        n_passages=sum(entry.n_passages for entry in known),
        n_vectors=sum(counted.get(entry.number, 0) for entry in known),
        encoder=None if encoder is None else encoder[0],
        formats=formats,
        schema_version=schema_version(db),
        bytes_on_disk=size_on_disk(db) if scope == Scope() else bytes_of(db, known),
        is_erasing=scope == Scope() and waits_for_erasure(db),
    )
