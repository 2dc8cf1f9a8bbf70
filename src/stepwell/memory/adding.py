"""Write what was read from files, and what a running agent does, with their indexes."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.errors import ScopeError
from stepwell.formats.files.documents import source_id
from stepwell.formats.files.mend import encode_value
from stepwell.formats.live import live_change, live_result
from stepwell.formats.redaction import redact_values
from stepwell.formats.report import IngestReport
from stepwell.store.database import transaction
from stepwell.store.read import find_trajectory, load_steps
from stepwell.store.write import (
    Origin,
    append_raw,
    append_step,
    put_blobs,
    put_trajectory,
    update_step,
)
from stepwell.trajectory.model import RawRecord, Step, Trajectory

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from stepwell.formats.live import LiveChange
    from stepwell.formats.report import FileRead, FileReport
    from stepwell.store.database import Database
    from stepwell.store.scope import Scope
    from stepwell.structures.episodic import Episodic

__all__ = ["Ingested", "Live", "add_live", "add_read", "joined"]

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
    """

    added: int = 0
    extended: int = 0
    changed: int = 0
    unchanged: int = 0

    def __str__(self) -> str:
        """Return the reading report and one line on what was new."""
        # No super(): a slotted dataclass is a new class, which the zero-argument form misses.
        states = {
            "new": self.added,
            "grown": self.extended,
            "changed": self.changed,
            "known already": self.unchanged,
        }
        said = ", ".join(f"{n} {name}" for name, n in states.items() if n) or "nothing new"
        return f"{IngestReport.__str__(self)}\nTrajectories: {said}."


def joined(reports: Iterable[Ingested]) -> Ingested:
    """Return the reports on several ingests as one, their files in order."""
    each = tuple(reports)
    return Ingested(
        files=tuple(file for one in each for file in one.files),
        added=sum(one.added for one in each),
        extended=sum(one.extended for one in each),
        changed=sum(one.changed for one in each),
        unchanged=sum(one.unchanged for one in each),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """How live values are written.

    Attributes:
        scope: What is written on them.
        trajectory_id: Where they go.
        now: The time, UTC.
        redact: Whether credentials are replaced.
    """

    scope: Scope
    trajectory_id: str
    now: datetime
    redact: bool


def add_read(
    db: Database,
    files: Iterable[FileRead],
    *,
    episodic: Episodic,
    scope: Scope,
    lock: threading.RLock,
    clock: Callable[[], datetime],
) -> Ingested:
    """Store the trajectories of files, each in a transaction of its own, index included."""
    reports: list[FileReport] = []
    states = Counter[str]()
    for file in files:
        for bundle in file.bundles:
            _check_bound(bundle.trajectory, scope)
            with lock, transaction(db):
                written = put_trajectory(
                    db,
                    bundle.trajectory,
                    scope=scope,
                    origin=_origin(bundle.trajectory, file.report.uri),
                    blobs=bundle.blobs,
                    now=clock(),
                )
                episodic.append(written.rowids, written.passages)
            states[written.state] += 1
        reports.append(file.report)
    return Ingested(
        files=tuple(reports),
        added=states["added"],
        extended=states["extended"],
        changed=states["changed"],
        unchanged=states["unchanged"],
    )


def _check_bound(trajectory: Trajectory, scope: Scope) -> None:
    if scope.trajectory is not None and trajectory.trajectory_id != scope.trajectory:
        raise ScopeError(
            f"This memory is bound to trajectory {scope.trajectory!r}, and the log holds "
            f"{trajectory.trajectory_id!r}.",
            hint="Read logs with a memory that is not bound to one trajectory.",
        )


def _origin(trajectory: Trajectory, uri: str) -> Origin:
    return Origin(uri=uri, names=trajectory.trajectory_id.partition("#")[0] == source_id(uri))


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
        change = live_change(value, steps=latest, index=n_steps, now=live.now)
        known = {step.index: step for step in latest}
        ref = append_raw(db, number, _raw(value, live))
        for changed in _redacted(change, live):
            step = replace(changed, raw_refs=(*changed.raw_refs, ref))
            before = known.get(step.index)
            written = (
                append_step(db, number, step)
                if before is None
                else update_step(db, number, step, known=before)
            )
            episodic.append(written.rowids, written.passages)
        put_blobs(db, number, change.blobs)
    return f"{name}/s{change.steps[-1].index}"


def _redacted(change: LiveChange, live: Live) -> Sequence[Step]:
    if not live.redact:
        return change.steps
    return [redact_values(step)[0] for step in change.steps]


def _opened(db: Database, live: Live) -> tuple[str, int, int]:
    """Return id, number and steps of the live trajectory, making it at its first step.

    A trajectory that was read from a log is left to its log; what is added live goes beside it.
    """
    scope = live.scope
    owner = (scope.user_id or "", scope.agent_id or "", scope.run_id or "")
    for name in (live.trajectory_id, f"{live.trajectory_id}/live"):
        found = find_trajectory(db, name, owner=owner)
        if found is not None and found.source_format == "live":
            return name, found.number, found.n_steps
        if found is None:
            break
    trajectory = Trajectory(
        trajectory_id=name,
        session_id=scope.session or live.trajectory_id,
        source_format="live",
    )
    return name, put_trajectory(db, trajectory, scope=scope, now=live.now).number, 0


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
    return redact_values(record)[0] if live.redact else record
