"""Log recalls, so that feedback on an answer can teach which structures to read."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from stepwell.errors import InvalidInputError, NotFoundError, StoreError
from stepwell.memory.accesses import accesses_of
from stepwell.store.read import entries
from stepwell.store.recalls import Recalled, find_recall, load_recalls, save_feedback, save_recalls
from stepwell.text.clean import readable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from stepwell.recall.evidence import Evidence
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope
    from stepwell.text.redact import Redactor

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
        scope: What the memory is bound to: feedback to recalls over more than that is refused.
        redact: What replaces credentials in questions before anything is stored; None for nothing.
        waiting: What is not written yet.
    """

    db: Database
    scope: Scope
    redact: Redactor | None
    waiting: list[Recalled] = field(default_factory=list[Recalled])
    _n: int = 0

    def note(self, evidence: Evidence, *, within: Sequence[Entry], now: datetime) -> Evidence:
        """Log a recall that quoted something, and return it with the id that feedback names."""
        numbers: dict[str, list[int]] = {}
        for entry in within:
            numbers.setdefault(entry.trajectory_id, []).append(entry.number)
        # Evidence does not say whose run it quotes where runs of several users share an id: it is
        # logged as if it quoted all of them, so that nobody sees what was asked of another's.
        named = {item.trajectory for item in evidence.items}
        named |= {note.trajectory for note in evidence.notes}
        read = sorted(number for trajectory in named for number in numbers[trajectory])
        if not read or evidence.context is None or self.db.readonly("main"):
            return evidence
        self._n += 1
        asked = f"{now.isoformat()} {self._n} {evidence.query}".encode("utf-8", "surrogatepass")
        one = Recalled(
            id=hashlib.sha256(asked + str(id(self)).encode()).hexdigest()[:_ID_CHARS],
            asked_at=now,
            question=self.redact(evidence.query)[0] if self.redact else evidence.query,
            context=msgspec.json.encode(evidence.context),
            policy=evidence.policy,
            structures=evidence.read,
            chance=evidence.chance,
            budget=evidence.budget,
            tokens=evidence.tokens,
            trajectories=tuple(read),
            accesses=accesses_of(
                evidence, {name: of[0] for name, of in numbers.items() if len(of) == 1}
            ),
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

    def finish(self) -> None:
        """Write what waits, for which another process is waited for; what cannot be is dropped."""
        with suppress(StoreError):
            self._write()
        self.waiting.clear()

    def _write(self) -> None:
        if self.waiting and save_recalls(self.db, self.waiting, waits=True):
            self.waiting.clear()

    def reward(self, recall_id: str, reward: float, *, now: datetime) -> None:
        """Store how good the answer to a recall was.

        Raises:
            NotFoundError: The recall is not, or no longer, logged, or it is out of scope.
            StoreError: It cannot be written.
        """
        self._write()
        numbers = [entry.number for entry in entries(self.db, self.scope)]
        recall = find_recall(self.db, readable(str(recall_id)), numbers=numbers)
        if recall is None:
            raise NotFoundError(
                f"There is no logged recall {recall_id!r}.",
                hint="Give the id of the evidence of a recall that quoted something, in this "
                "memory, whose trajectories are not forgotten.",
            )
        save_feedback(self.db, recall, reward, now=now)


def logged_recalls(db: Database, scope: Scope, *, log: RecallLog | None = None) -> list[Recalled]:
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
