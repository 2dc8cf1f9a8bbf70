"""Log recalls, so that feedback on an answer can teach which structures to read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory.accesses import accesses_of
from stepwell.store.read import entries
from stepwell.store.recalls import Recalled, find_recall, load_recalls, save_feedback, save_recalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import apsw

    from stepwell.retrieval.evidence import Evidence
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope

__all__ = ["RecallLog", "check_reward", "logged_recalls"]

_AT_ONCE = 32
"""Recalls that are written together: a recall waits for no write, and a crash loses these few."""

_MOST_WAITING = 1_024
"""Recalls kept for a file that another process keeps busy."""

_ID_CHARS = 16


@dataclass(slots=True)
class RecallLog:
    """The log of recalls of one memory; for one thread at a time.

    Attributes:
        db: The database; of one that can only be read nothing is logged.
        waiting: What is not written yet.
    """

    db: apsw.Connection
    waiting: list[Recalled] = field(default_factory=list[Recalled])
    _n: int = 0

    def note(self, evidence: Evidence, *, entries: Sequence[Entry], now: datetime) -> Evidence:
        """Log a recall that quoted something, and return it with the id that feedback names."""
        numbers = {entry.trajectory_id: entry.number for entry in entries}
        read = sorted(
            {numbers[item.trajectory] for item in evidence.items}
            | {numbers[note.trajectory] for note in evidence.notes}
        )
        if not read or evidence.context is None or self.db.readonly("main"):
            return evidence
        self._n += 1
        named = f"{now.isoformat()} {self._n} {evidence.query}".encode("utf-8", "surrogatepass")
        one = Recalled(
            id=hashlib.sha256(named + str(id(self)).encode()).hexdigest()[:_ID_CHARS],
            asked_at=now,
            question=evidence.query,
            context=msgspec.json.encode(evidence.context),
            policy=evidence.policy,
            structures=evidence.read,
            chance=evidence.chance,
            budget=evidence.budget,
            tokens=evidence.tokens,
            trajectories=tuple(read),
            accesses=accesses_of(evidence, numbers),
        )
        self.waiting.append(one)
        if len(self.waiting) % _AT_ONCE == 0:
            self.flush()
        return replace(evidence, id=one.id)

    def flush(self) -> None:
        """Write what waits, if that can be done at once."""
        if self.waiting and save_recalls(self.db, self.waiting):
            self.waiting.clear()
        del self.waiting[:-_MOST_WAITING]

    def reward(self, recall_id: str, reward: float, *, now: datetime) -> None:
        """Store how good the answer to a recall was.

        Raises:
            NotFoundError: The recall is not, or no longer, logged.
        """
        self.flush()
        recall = find_recall(self.db, recall_id)
        if recall is None:
            raise NotFoundError(
                f"There is no logged recall {recall_id!r}.",
                hint="Give the id of the evidence of a recall that quoted something, in this "
                "memory, whose trajectories are not forgotten.",
            )
        save_feedback(self.db, recall, reward, now=now)


def logged_recalls(
    db: apsw.Connection, scope: Scope, *, log: RecallLog | None = None
) -> list[Recalled]:
    """Return the logged recalls over trajectories in a scope, oldest first; what waits is written.

    Args:
        db: The database.
        scope: What may be seen.
        log: What may hold recalls that are not written yet.
    """
    if log is not None:
        log.flush()
    return list(load_recalls(db, numbers=[entry.number for entry in entries(db, scope)]))


def check_reward(value: object) -> float:
    """Return a reward from 0 to 1; True is 1 and False 0.

    Raises:
        InvalidInputError: It is no such number.
    """
    if isinstance(value, bool | int | float) and 0 <= value <= 1:
        return float(value)
    raise InvalidInputError(
        f"reward={value!r} cannot be used.",
        hint="Give a number from 0 (wrong) to 1 (right), or True or False.",
    )
