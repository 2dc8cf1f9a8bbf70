"""Readings that were measured, kept in a file of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from stepwell.store.sidefile import SideFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

__all__ = ["find_readings", "readings_file", "save_readings"]

_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS readings (code TEXT, case_id TEXT, budget INTEGER, selection TEXT, "
    "tokens INTEGER, evidence REAL, quoted REAL, literal REAL, literals REAL, violations TEXT, "
    "PRIMARY KEY (code, case_id, budget, selection)) WITHOUT ROWID"
)


def readings_file(path: Path) -> SideFile:
    """Return a file of readings, which is made when it is first used."""
    return SideFile(
        path=path,
        schema=_SCHEMA,
        trouble=f"The ledger {path} cannot be opened",
        hint="Delete it, or give another file.",
        can_be_made_again=True,
    )


def find_readings(
    file: SideFile, keys: Sequence[tuple[str, int, str]], *, code: str
) -> list[tuple[Any, ...]]:
    """Return what is known of these cases, budgets and selections, from case to violations.

    Args:
        file: The file of readings.
        keys: Case, budget and selection of each that is wanted.
        code: The code that they were measured with.
    """
    return file.rows(
        "SELECT case_id, budget, selection, tokens, evidence, quoted, literal, literals, "
        "violations FROM json_each(?) AS wanted CROSS JOIN readings ON code = ? "
        "AND case_id = wanted.value->>0 AND budget = wanted.value->>1 "
        "AND selection = wanted.value->>2",
        (json.dumps(list(dict.fromkeys(keys))), code),
    )


def save_readings(file: SideFile, rows: Iterable[tuple[Any, ...]]) -> None:
    """Keep readings, each a row from code to violations; a later one replaces an earlier."""
    file.write("INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
