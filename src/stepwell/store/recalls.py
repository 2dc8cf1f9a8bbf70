"""The log of recalls: what was asked, what was read for it, and how good the answer was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import apsw

from stepwell.errors import StoreError
from stepwell.store.database import BUSY_SECONDS, transaction
from stepwell.store.usage import save_usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.store.usage import Access

__all__ = ["Recalled", "find_recall", "load_recalls", "save_feedback", "save_recalls"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_MOST = 10_000
"""Recalls kept; the oldest go, those with feedback last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A recall as it is logged.

    Attributes:
        id: Its id.
        asked_at: When, UTC.
        question: The question as asked.
        context: What the policy saw besides, as JSON.
        policy: Name of the policy.
        structures: The structures it chose.
        chance: How probable that choice was.
        budget: Tokens allowed.
        tokens: Tokens used.
        trajectories: Numbers of the trajectories quoted or told of; forgetting one of them forgets
            this recall.
        reward: How good the answer was, from 0 to 1, as far as anyone said.
        accesses: The steps it considered, and what became of them; `store.usage` reads them back.
    """

    id: str
    asked_at: datetime
    question: str
    context: bytes
    policy: str
    structures: tuple[str, ...]
    chance: float
    budget: int
    tokens: int
    trajectories: tuple[int, ...]
    reward: float | None = None
    accesses: tuple[Access, ...] = ()


def save_recalls(db: apsw.Connection, recalls: Sequence[Recalled], *, waits: bool = False) -> bool:
    """Log recalls; of a file that can only be read nothing is logged.

    A recall over trajectories that are forgotten by now is left out.

    Args:
        db: The database.
        recalls: What to log.
        waits: Whether to wait while another process writes; else they are logged at once or not.

    Returns:
        Whether they are logged.

    Raises:
        StoreError: They cannot be logged, however long one `waits`.
    """
    if db.in_transaction or db.readonly("main"):
        return False
    if waits:
        _save_all(db, recalls)
        return True
    try:
        db.set_busy_timeout(0)
        _save_all(db, recalls)
    except StoreError:
        return False  # a recall does not fail for its log
    finally:
        db.set_busy_timeout(BUSY_SECONDS * 1000)
    return True


def _save_all(db: apsw.Connection, recalls: Sequence[Recalled]) -> None:
    with transaction(db):
        for one in recalls:
            _save_or_set_aside(db, one)
        db.execute(
            "DELETE FROM recalls WHERE no IN (SELECT no FROM recalls LEFT JOIN feedback "
            "ON recall = no ORDER BY recall IS NULL, no DESC LIMIT -1 OFFSET ?)",
            (_MOST,),
        )
        for table in ("recall_trajectories", "feedback", "usage"):
            db.execute(
                f"DELETE FROM {table} WHERE recall NOT IN (SELECT no FROM recalls)"  # noqa: S608  (fixed names)
            )


def _save_or_set_aside(db: apsw.Connection, one: Recalled) -> None:
    """Log a recall; one that cannot be stored is dropped, so that it holds up no other for ever."""
    db.execute("SAVEPOINT one_recall")
    try:
        _save(db, one)
    except (OverflowError, TypeError, ValueError, apsw.TooBigError):
        db.execute("ROLLBACK TO one_recall")
    db.execute("RELEASE one_recall")


def _save(db: apsw.Connection, one: Recalled) -> None:
    numbers = list(one.trajectories)
    known = [
        number
        for number in numbers
        if db.execute("SELECT 1 FROM trajectories WHERE no = ?", (number,)).fetchone()
    ]
    if known != numbers:
        return
    db.execute(
        "INSERT OR REPLACE INTO recalls (recall_id, asked_at, question, context, policy, "
        "structures, chance, budget, tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            one.id,
            (one.asked_at - _EPOCH) // timedelta(microseconds=1),
            one.question.encode("utf-8", "replace").decode(),
            one.context,
            one.policy,
            " ".join(one.structures),
            one.chance,
            one.budget,
            one.tokens,
        ),
    )
    no = db.last_insert_rowid()
    db.executemany(
        "INSERT INTO recall_trajectories VALUES (?, ?)", [(no, number) for number in known]
    )
    save_usage(db, no, one.accesses)


def find_recall(db: apsw.Connection, recall_id: str, *, numbers: Sequence[int]) -> int | None:
    """Return the number of a logged recall all of whose trajectories are among these, else None."""
    row = db.execute("SELECT no FROM recalls WHERE recall_id = ?", (recall_id,)).fetchone()
    number = None if row is None else int(row[0])
    return number if number is None or set(numbers).issuperset(_read(db, number)) else None


def save_feedback(db: apsw.Connection, recall: int, reward: float, *, now: datetime) -> None:
    """Store how good the answer to a recall was; the last word counts."""
    with transaction(db):
        db.execute(
            "INSERT OR REPLACE INTO feedback VALUES (?, ?, ?)",
            (recall, reward, (now - _EPOCH) // timedelta(microseconds=1)),
        )


def load_recalls(db: apsw.Connection, *, numbers: Sequence[int]) -> Iterator[Recalled]:
    """Yield the logged recalls all of whose trajectories are among these, oldest first."""
    rows: list[tuple[Any, ...]] = db.execute(
        "SELECT no, recall_id, asked_at, question, context, policy, structures, chance, budget, "
        "tokens, reward FROM recalls LEFT JOIN feedback ON recall = no ORDER BY no"
    ).fetchall()
    allowed = set(numbers)
    for row in rows:
        read = _read(db, row[0])
        if allowed.issuperset(read):
            yield _recalled(row, read)


def _read(db: apsw.Connection, recall: int) -> tuple[int, ...]:
    found = db.execute("SELECT no FROM recall_trajectories WHERE recall = ?", (recall,))
    return tuple(sorted(int(number) for (number,) in found))


def _recalled(row: tuple[Any, ...], trajectories: tuple[int, ...]) -> Recalled:
    return Recalled(
        id=row[1],
        asked_at=_EPOCH + timedelta(microseconds=row[2]),
        question=row[3],
        context=row[4],
        policy=row[5],
        structures=tuple(row[6].split()),
        chance=row[7],
        budget=row[8],
        tokens=row[9],
        trajectories=trajectories,
        reward=row[10],
    )
