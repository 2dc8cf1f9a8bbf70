"""Write what was read from files, and what a running agent does, with their indexes."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

import msgspec

from stepwell.errors import InvalidInputError, ScopeError
from stepwell.formats.files.documents import source_id
from stepwell.formats.files.mend import encode_value
from stepwell.formats.live import live_change, live_result
from stepwell.formats.read import read_path
from stepwell.formats.redaction import redact_blobs, redact_values
from stepwell.formats.report import FileReport, IngestReport
from stepwell.memory.echoes import Echoes, echo_notices
from stepwell.store.database import explained, transaction
from stepwell.store.files import known_file, put_file
from stepwell.store.read import load_steps
from stepwell.store.rows import insert_head, put_blobs
from stepwell.store.runs import Origin, find_live, free_name
from stepwell.store.write import append_raw, append_step, put_trajectory, update_step
from stepwell.trajectory.merging import renamed, still_recalled
from stepwell.trajectory.model import Notice, RawRecord, Trajectory

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from pathlib import Path

    from stepwell.formats.files.stamps import Stamp
    from stepwell.formats.live import LiveChange
    from stepwell.formats.report import FileRead
    from stepwell.store.database import Database
    from stepwell.store.scope import Scope
    from stepwell.structures.episodic import Episodic
    from stepwell.text.redact import Redactor

__all__ = ["Adding", "Ingested", "Live", "add_live", "add_path", "joined"]

_STATES = ("added", "extended", "changed", "unchanged", "forgotten")

_SETTLED_SECONDS = 2
"""After so long, a file that changes gets another time in any file system."""

_LOOK_BACK = 500
"""Latest steps in which the call is looked for that a live result answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested(IngestReport):
    """What an ingest read, and what of it was new.

    Attributes:
        added: Trajectories that were not there before.
        extended: Trajectories that grew.
        changed: Trajectories of which steps were replaced.
        unchanged: Trajectories that were there already.
        forgotten: Trajectories that were forgotten, and stay so.
    """

    added: int = 0
    extended: int = 0
    changed: int = 0
    unchanged: int = 0
    forgotten: int = 0

    def __str__(self) -> str:
        """Return the reading report and one line on what was new."""
        # No super(): a slotted dataclass is a new class, which the zero-argument form misses.
        states = {
            "new": self.added,
            "grown": self.extended,
            "changed": self.changed,
            "known already": self.unchanged,
            "forgotten before, and left out (--again brings them back)": self.forgotten,
        }
        said = ", ".join(f"{n} {name}" for name, n in states.items() if n) or "nothing new"
        return f"{IngestReport.__str__(self)}\nTrajectories: {said}."


def joined(reports: Iterable[Ingested]) -> Ingested:
    """Return the reports on several ingests as one, their files in order."""
    each = tuple(reports)
    return Ingested(
        files=tuple(file for one in each for file in one.files),
        **{name: sum(getattr(one, name) for one in each) for name in _STATES},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Adding:
    """How what was read is written.

    Attributes:
        scope: What is written on it.
        lock: Held while anything is written.
        clock: Returns the time, UTC.
        redact: What replaces credentials; None for nothing.
        strict: Whether anything odd is an error.
        again: Whether what was forgotten comes back.
    """

    scope: Scope
    lock: threading.RLock
    clock: Callable[[], datetime]
    redact: Redactor | None
    strict: bool = False
    again: bool = False

    @property
    def reader(self) -> str:
        """What files are read by: another version may read them in another way."""
        return (
            f"stepwell {version('stepwell')}, session={self.scope.session}, "
            f"redact={self.redact.version if self.redact else None}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """How live values are written.

    Attributes:
        scope: What is written on them.
        trajectory_id: Where they go.
        now: The time, UTC.
        redact: What replaces credentials; None for nothing.
    """

    scope: Scope
    trajectory_id: str
    now: datetime
    redact: Redactor | None


def add_path(
    db: Database,
    path: Path,
    *,
    episodic: Episodic,
    adding: Adding,
    progress: Callable[[str], None] | None = None,
) -> Ingested:
    """Store what a file, or every log under a folder, tells; files read before are passed by.

    Each trajectory is stored in a transaction of its own, index included.

    Args:
        db: The database.
        path: The file or folder.
        episodic: The index of words.
        adding: How it is written.
        progress: Called with the path of each file before it is read.
    """

    def known(uri: str, stamp: Stamp) -> FileReport | None:
        with adding.lock, explained(db):
            return _known_report(db, uri, stamp, adding)

    is_anew = adding.strict or adding.again or adding.scope.trajectory is not None
    files = read_path(
        path,
        strict=adding.strict,
        redact=adding.redact or False,
        progress=progress,
        known=None if is_anew else known,
    )
    reports: list[FileReport] = []
    states = Counter[str]()
    for file in files:
        if file.is_known:
            states["unchanged"] += file.report.trajectories
            reports.append(file.report)
        else:
            reports.append(_add_file(db, file, states, episodic=episodic, adding=adding))
    counts = {name: states[name] for name in _STATES}
    return Ingested(files=tuple(reports), **counts)


def _known_report(db: Database, uri: str, stamp: Stamp, adding: Adding) -> FileReport | None:
    """Return the report on a file that was read in this state before; None where it was not."""
    found = known_file(db, uri, owner=adding.scope.owner, reader=adding.reader)
    if found is None or not (found[0] == stamp.text or found[1] == stamp.sha256):
        return None
    return msgspec.json.decode(found[2], type=FileReport)


def _add_file(
    db: Database, file: FileRead, states: Counter[str], *, episodic: Episodic, adding: Adding
) -> FileReport:
    """Store the trajectories of a file; return the report on it, with what became of their ids."""
    names: dict[str, str] = {}
    runs: dict[int, bool] = {}
    report = file.report
    for bundle in file.bundles:
        trajectory = renamed(bundle.trajectory, names)
        _check_bound(trajectory, adding.scope)
        with adding.lock, transaction(db):
            heard = Echoes(db=db, scope=adding.scope, own=trajectory.steps)
            trajectory = replace(trajectory, steps=tuple(map(heard.marked, trajectory.steps)))
            written = put_trajectory(
                db,
                trajectory,
                scope=adding.scope,
                origin=Origin(
                    uri=report.uri,
                    names=_is_by_path(trajectory.trajectory_id, report.uri),
                    told=frozenset(number for number, is_whole in runs.items() if is_whole),
                    again=adding.again,
                    session=adding.scope.session,
                ),
                blobs=bundle.blobs,
                now=adding.clock(),
            )
            if written.state == "added" and written.name != trajectory.trajectory_id:
                report = _beside(report, trajectory.trajectory_id, written.name)
                if adding.strict:
                    raise InvalidInputError(
                        f"{report.notices[-1].position}: {report.notices[-1].message}",
                        hint="Read it without strict, or forget the other run.",
                    )
            episodic.append(written.rowids, written.passages)
        if written.passages or written.state == "added":
            report = _noting(report, *echo_notices(trajectory, uri=report.uri))
        states[written.state] += 1
        if written.number:
            runs[written.number] = runs.get(written.number, False) or written.is_whole
            names[trajectory.trajectory_id] = written.name
    if runs and file.stamp is not None:
        with adding.lock, transaction(db):
            _note_file(db, file.stamp, report, runs, adding)
    return report


def _is_by_path(name: str, uri: str) -> bool:
    """Return whether an id is made from the file's path, or begins with such a one."""
    made = source_id(uri)
    return name == made or name.startswith((f"{made}#", f"{made}/"))


def _beside(report: FileReport, name: str, stored: str) -> FileReport:
    """Return a report with the notice that a run was stored under another id."""
    notice = Notice(
        position=report.uri,
        code="same-id",
        message=f"{name} is the id of another run, so this one is kept beside it as {stored}.",
    )
    return _noting(report, notice)


def _noting(report: FileReport, *notices: Notice) -> FileReport:
    warnings = report.warnings + len(notices)
    return replace(report, warnings=warnings, notices=(*report.notices, *notices))


def _note_file(
    db: Database, stamp: Stamp, report: FileReport, runs: Iterable[int], adding: Adding
) -> None:
    # Within a moment of its last change a file may change once more without another time.
    is_settled = stamp.changed_at + _SETTLED_SECONDS < adding.clock().timestamp()
    read = (stamp.text if is_settled else "", stamp.sha256, adding.reader, encode_value(report))
    put_file(db, report.uri, owner=adding.scope.owner, read=read, runs=runs)


def _check_bound(trajectory: Trajectory, scope: Scope) -> None:
    if scope.trajectory is not None and trajectory.trajectory_id != scope.trajectory:
        raise ScopeError(
            f"This memory is bound to trajectory {scope.trajectory!r}, and the log holds "
            f"{trajectory.trajectory_id!r}.",
            hint="Read logs with a memory that is not bound to one trajectory.",
        )


def add_live(db: Database, value: object, *, episodic: Episodic, live: Live) -> str:
    """Append a live value, or join it to the step it answers, in one durable transaction.

    Returns:
        The citation of the step that holds it.

    Raises:
        InvalidInputError: The value has none of the accepted shapes.
    """
    answers = bool(live_result(value))
    with transaction(db):
        name, number, n_steps = _opened(db, live)
        first = max(0, n_steps - _LOOK_BACK) if answers else n_steps
        latest = list(load_steps(db, number, first=first)) if answers else []
        change = _redacted(live_change(value, steps=latest, index=n_steps, now=live.now), live)
        known = {step.index: step for step in latest}
        record = _raw(value, live)
        ref = append_raw(db, number, record)
        heard = Echoes(db=db, scope=live.scope)
        for changed in change.steps:
            step = heard.marked(replace(changed, raw_refs=(*changed.raw_refs, ref)))
            before = known.get(step.index)
            step = step if before is None else still_recalled(before, step)
            written = (
                append_step(db, number, step, record=record.sha256)
                if before is None
                else update_step(db, number, step, known=before)
            )
            episodic.append(written.rowids, written.passages)
        put_blobs(db, number, change.blobs)
    return f"{name}/s{change.steps[-1].index}"


def _redacted(change: LiveChange, live: Live) -> LiveChange:
    if live.redact is None:
        return change
    blobs, digests = redact_blobs(change.blobs, live.redact)
    steps = (redact_values(step, live.redact, digests=digests)[0] for step in change.steps)
    return replace(change, steps=tuple(steps), blobs=blobs)


def _opened(db: Database, live: Live) -> tuple[str, int, int]:
    """Return id, number and steps of the live trajectory, making it at its first step.

    What is added live to a run that was read from a log goes on from it: the log will tell it too.
    """
    found = find_live(db, live.trajectory_id, scope=live.scope)
    if found is not None:
        return found.trajectory_id, found.number, found.n_steps
    name = free_name(db, live.trajectory_id, live.scope.owner)
    trajectory = Trajectory(
        trajectory_id=name,
        session_id=live.scope.session or live.trajectory_id,
        source_format="live",
    )
    number = insert_head(db, trajectory, scope=live.scope, source_uri="", now=live.now)
    return name, number, 0


def _raw(value: object, live: Live) -> RawRecord:
    """Return the value as it was handed over, as JSON."""
    data = encode_value(value)
    record = RawRecord(
        source_uri="live",
        position=live.now.isoformat(),
        byte_offset=0,
        sha256=hashlib.sha256(data).hexdigest(),
        raw=data,
    )
    return redact_values(record, live.redact)[0] if live.redact else record
