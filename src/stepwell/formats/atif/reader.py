"""ATIF, the Agent Trajectory Interchange Format: `{schema_version, agent, steps}`.

Any `ATIF-v1.*` is read. What breaks the rules of the format is read as far as it makes sense, and
each violation is noted with the JSON pointer of its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.formats.atif.steps import atif_step, merged, split_extra, unknown_fields
from stepwell.formats.atif.writer import BLOCK, ROOT_TEXTS
from stepwell.formats.base import Bundle
from stepwell.formats.files.documents import documents, first_value, source_id
from stepwell.formats.files.members import elements, member
from stepwell.trajectory.fields import first_str, int_of, is_list, is_object, list_of, object_of
from stepwell.trajectory.model import Agent, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.formats.atif.steps import Note
    from stepwell.formats.base import Notes, Source
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import Blob, JsonObject

__all__ = ["Atif"]

_NAME = "atif"
_VERSION = re.compile(r"ATIF-v(\d+)\.(\d+)")
_NEWEST = (1, 8)
_PREFIX = "ATIF-"
_DOCUMENT = frozenset(
    {
        "schema_version",
        "session_id",
        "trajectory_id",
        "agent",
        "steps",
        "subagent_trajectories",
        "final_metrics",
        "extra",
        *ROOT_TEXTS,
    }
)
_AGENT = frozenset({"name", "version", "model_name", "tool_definitions", "extra"})


class Atif:
    """Reads ATIF documents, several in a list or one a line too, with embedded subagents."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return 0.99 for a document that says it is ATIF, 0.7 for one that only looks like it."""
        value = object_of(first_value(source))
        if not is_list(value.get("steps")):
            return 0.0
        if str(value.get("schema_version")).startswith(_PREFIX):
            return 0.99
        steps = [object_of(step).keys() for step in list_of(value["steps"])[:1]]
        return 0.7 if any(fields >= {"step_id", "source"} for fields in steps) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield each trajectory, followed by those of its subagents."""
        taken: set[str] = set()
        for document in documents(source):
            value = object_of(document.value)
            if is_list(value.get("steps")):
                _note_version(document, value, notes)
                run = _Run(document=document, notes=notes, value=value, raw=document.raw)
                yield from _bundles(run, taken)
            elif document.value:
                document.note(notes, "", "not-atif", "No ATIF document.", effect="skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """An ATIF document, or one embedded in it, about to be read."""

    document: Document
    notes: Notes
    value: JsonObject
    raw: bytes
    pointer: str = ""
    parent: Trajectory | None = None
    number: int = 0

    def note(self, pointer: str, code: str, message: str) -> None:
        """Note a violation at a pointer within this run."""
        self.document.note(self.notes, self.pointer + pointer, code, message)

    def children(self, parent: Trajectory) -> Iterator[_Run]:
        """Yield the runs embedded in this one."""
        values = list_of(self.value.get("subagent_trajectories"))
        raws = elements(member(self.raw, "subagent_trajectories"))
        for number, value in enumerate(values):
            pointer = f"{self.pointer}/subagent_trajectories/{number}"
            if is_list(object_of(value).get("steps")):
                yield replace(
                    self,
                    value=object_of(value),
                    raw=raws[number] if len(raws) == len(values) else b"",
                    pointer=pointer,
                    parent=parent,
                    number=number,
                )
            else:
                self.document.note(
                    self.notes, pointer, "not-atif", "No trajectory.", effect="skipped"
                )


def _note_version(document: Document, value: JsonObject, notes: Notes) -> None:
    version = value.get("schema_version")
    match = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if match is None:
        code, message = "unknown-version", f"{version!r} is no version of ATIF."
    elif (int(match[1]), int(match[2])) > _NEWEST:
        code, message = "newer-version", f"{version} is newer than what this reader was made for."
    else:
        return
    document.note(notes, "/schema_version", code, message)


def _bundles(run: _Run, taken: set[str]) -> Iterator[Bundle]:
    first_notice = len(run.notes.notices)
    is_exact = is_object(object_of(run.value.get("extra")).get(BLOCK))
    steps, blobs = _steps(run, is_exact=is_exact)
    if is_exact and not _are_unique(steps):
        run.note("", "bad-block", "Uids repeat; what Stepwell had added is left aside.")
        is_exact = False
        steps, blobs = _steps(run, is_exact=False)
    trajectory = _trajectory(run, _with_parents(steps, run), taken, is_exact=is_exact)
    warnings = (*trajectory.warnings, *run.notes.notices[first_notice:])
    trajectory = replace(trajectory, warnings=warnings)
    yield Bundle(trajectory=trajectory, blobs=blobs)
    for child in run.children(trajectory):
        yield from _bundles(child, taken)


def _steps(run: _Run, *, is_exact: bool) -> tuple[tuple[Step, ...], tuple[Blob, ...]]:
    values = list_of(run.value["steps"])
    has_raws = len(elements(member(run.raw, "steps"))) == len(values)
    steps: list[Step] = []
    blobs: list[Blob] = []
    for at, value in enumerate(values):
        pointer = f"/steps/{at}"
        if not is_object(value):
            run.note(pointer, "not-a-step", "A step is no object; it is left out.")
            continue
        step, found = atif_step(
            value,
            index=len(steps),
            note=_within(run, pointer),
            is_exact=is_exact,
            is_last=at == len(values) - 1,
        )
        steps.append(replace(step, raw_refs=(at,) if has_raws else ()))
        blobs += found
    return tuple(steps), tuple(blobs)


def _within(run: _Run, place: str) -> Note:
    def note(pointer: str, code: str, message: str) -> None:
        run.note(place + pointer, code, message)

    return note


def _are_unique(steps: Sequence[Step]) -> bool:
    calls = [call.uid for step in steps for call in step.calls]
    return len(set(calls)) == len(calls) and len({step.uid for step in steps}) == len(steps)


def _with_parents(steps: tuple[Step, ...], run: _Run) -> tuple[Step, ...]:
    """Return steps, of which none continues one that is not there: it follows the one before."""
    uids = {None, *(step.uid for step in steps)}
    lost = [step.index for step in steps if step.parent_uid not in uids]
    if not lost:
        return steps
    run.note("/steps", "lost-parent", f"{len(lost)} steps continue one that is not there.")
    return tuple(
        step if step.parent_uid in uids else replace(step, parent_uid=None) for step in steps
    )


def _trajectory(
    run: _Run, steps: tuple[Step, ...], taken: set[str], *, is_exact: bool
) -> Trajectory:
    value, parent = run.value, run.parent
    trajectory_id, continued_from = _names(run)
    if trajectory_id in taken:
        trajectory_id += f"#{len(taken)}"
    taken.add(trajectory_id)
    extra, block = split_extra(value, run.note, is_exact=is_exact)
    extra |= unknown_fields(value, _DOCUMENT, run.note)
    extra |= {name: value[name] for name in ROOT_TEXTS if value.get(name) is not None}
    if not is_exact and value.get("final_metrics"):
        extra["final_metrics"] = value["final_metrics"]
    session_id = first_str(value, "session_id")
    trajectory = Trajectory(
        trajectory_id=trajectory_id,
        session_id=session_id or (parent.session_id if parent else trajectory_id),
        source_format=_NAME,
        source_version=None if is_exact else first_str(value, "schema_version"),
        parent_trajectory_id=None if parent is None or is_exact else parent.trajectory_id,
        parent_call_uid=None if is_exact else _caller(parent, trajectory_id),
        agent=_agent(run, is_exact=is_exact),
        continued_from=None if is_exact else continued_from,
        steps=steps,
        raw_records=run.document.raw_elements(
            f"{run.pointer}/steps",
            member(run.raw, "steps"),
            count=len(list_of(value["steps"])),
        ),
        extra=extra,
    )
    return merged(trajectory, block, run.note)


def _names(run: _Run) -> tuple[str, str | None]:
    """Return the trajectory id, and that of the trajectory it continues.

    Continuations share a session id and are told apart by the index Harbor puts beside the agent.
    """
    value, parent = run.value, run.parent
    own, session = first_str(value, "trajectory_id"), first_str(value, "session_id")
    beside = object_of(object_of(value.get("agent")).get("extra"))
    index = int_of(beside.get("continuation_index")) or 0
    before = None
    if session is not None and index > 0:
        before = session if index == 1 else f"{session}-cont-{index - 1}"
        session = f"{session}-cont-{index}"
    if own is None and session is None:
        own = source_id(run.document.uri) if parent is None else None
        own = own or f"{parent.trajectory_id if parent else ''}/{run.number}"
    return own or session or "", before


def _caller(parent: Trajectory | None, trajectory_id: str) -> str | None:
    """Return the call of the parent whose result refers to a subagent."""
    results = (result for step in parent.steps for result in step.results) if parent else ()
    return next(
        (result.call_uid for result in results if result.child_trajectory_id == trajectory_id),
        None,
    )


def _agent(run: _Run, *, is_exact: bool) -> Agent:
    value = run.value.get("agent")
    agent = object_of(value)
    if not is_object(value):
        run.note("/agent", "no-agent", "ATIF asks for an agent with a name and a version.")
    note = _within(run, "/agent")
    extra, block = split_extra(agent, note, is_exact=is_exact)
    tools = map(object_of, list_of(agent.get("tool_definitions")))
    read = Agent(
        name=first_str(agent, "name"),
        version=first_str(agent, "version"),
        model=first_str(agent, "model_name"),
        tool_definitions=tuple(tool for tool in tools if tool),
        extra=extra | unknown_fields(agent, _AGENT, note),
    )
    return merged(read, block, note)
