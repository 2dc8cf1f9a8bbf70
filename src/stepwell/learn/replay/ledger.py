"""The ledger of readings: one SQLite file, by question, budget, selection and code."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import apsw

from stepwell.errors import StoreError
from stepwell.recall.find.context import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stepwell.policy.base import Selection

__all__ = ["Key", "Ledger", "Reading", "selection_key", "selection_of_key"]

Key: TypeAlias = tuple[str, int, str]
"""Case, budget and selection."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one selection for one question.

    Attributes:
        case: The question.
        budget: Tokens allowed.
        selection: What was read, as `selection_key` writes it.
        tokens: Tokens of the payload.
        evidence: Share of the gold steps that it shows.
        quoted: Share that quotations alone show.
        literal: Weighted share of the answer's words that it holds; None for an answer without.
        literals: Share of the answer's literals that it holds; None for an answer without.
        violations: Rules broken, separated by blanks; empty for none.
    """

    case: str
    budget: int
    selection: str
    tokens: int
    evidence: float
    quoted: float
    literal: float | None
    literals: float | None
    violations: str = ""


def selection_key(selection: Selection) -> str:
    """Return a selection in one word, equal for equal readings.

    >>> from stepwell.policy.base import Selection
    >>> selection_key(Selection(structures=("episodic", "temporal"), tokens={"temporal": 900}))
    'temporal:900+episodic'
    """
    return "+".join(
        f"{name}:{selection.tokens[name]}" if name in selection.tokens else name
        for name in in_order(selection.structures)
    )


def selection_of_key(key: str) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the structures and limits that a key writes.

    >>> selection_of_key("temporal:900+episodic")
    (('temporal', 'episodic'), {'temporal': 900})
    """
    parts = [part.partition(":") for part in key.split("+")]
    return (
        tuple(name for name, _, _ in parts),
        {name: int(limit) for name, _, limit in parts if limit},
    )


@dataclass(slots=True)
class Ledger:
    """Readings in a file.

    Attributes:
        path: The file.
        code: Readings of other code are not found: what is measured is the code as it stands.
    """

    path: Path
    code: str
    _db: apsw.Connection | None = field(default=None, repr=False)

    def find(self, keys: Sequence[Key]) -> dict[Key, Reading]:
        """Return the readings that are known."""
        rows = self._open().execute(
            "SELECT case_id, budget, selection, tokens, evidence, quoted, literal, literals, "
            "violations FROM json_each(?) AS wanted CROSS JOIN readings ON code = ? "
            "AND case_id = wanted.value->>0 AND budget = wanted.value->>1 "
            "AND selection = wanted.value->>2",
            (json.dumps(list(dict.fromkeys(keys))), self.code),
        )
        found = (Reading(*row) for row in rows)
        return {(one.case, one.budget, one.selection): one for one in found}

    def keep(self, readings: Iterable[Reading]) -> None:
        """Keep readings for good."""
        db = self._open()
        with db:
            db.executemany(
                "INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(self.code, *astuple(one)) for one in readings],
            )

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _open(self) -> apsw.Connection:
        if self._db is None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                db = apsw.Connection(str(self.path))
                db.set_busy_timeout(30_000)
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")  # it can always be read again
                db.execute(
                    "CREATE TABLE IF NOT EXISTS readings (code TEXT, case_id TEXT, budget INTEGER, "
                    "selection TEXT, tokens INTEGER, evidence REAL, quoted REAL, literal REAL, "
                    "literals REAL, violations TEXT, "
                    "PRIMARY KEY (code, case_id, budget, selection)) WITHOUT ROWID"
                )
            except (OSError, apsw.Error) as error:
                raise StoreError(
                    f"The ledger {self.path} cannot be opened: {error}.",
                    hint="Delete it, or give another file.",
                ) from error
            self._db = db
        return self._db
