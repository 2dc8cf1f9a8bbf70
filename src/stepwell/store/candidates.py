"""Candidates of a search for a policy, kept in a file of their own, one commit each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from stepwell.store.sidefile import SideFile

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CandidateRow", "candidates_file", "load_candidates", "save_candidate"]

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS candidates (
  run TEXT NOT NULL,
  iteration INTEGER NOT NULL,
  role TEXT NOT NULL,
  direction TEXT NOT NULL,
  policy TEXT NOT NULL,
  description TEXT NOT NULL,
  refused TEXT NOT NULL,
  model_tokens INTEGER NOT NULL,
  reward REAL,
  cost REAL,
  chosen TEXT,
  rewards BLOB, tokens BLOB, weights BLOB,
  PRIMARY KEY (run, iteration, role)
) WITHOUT ROWID
"""


class CandidateRow(NamedTuple):
    """A candidate as it is stored.

    Attributes:
        run: What was asked of the search, as a hash.
        iteration: When; 0 is the policy at the start.
        role: `start`, `exploit`, `explore` or `repair`.
        direction: How it was changed; empty for none.
        policy: A policy file; empty where none was proposed.
        description: What was changed.
        refused: Why it has no evaluation; empty where it has one.
        model_tokens: Tokens of a language model it took.
        reward: J, the weighted mean of the rewards; None where it was refused, as all below.
        cost: C, the weighted mean of evidence tokens.
        chosen: Structures of each case, JSON.
        rewards: Of each case, float64, little-endian.
        tokens: Likewise.
        weights: Likewise.
    """

    run: str
    iteration: int
    role: str
    direction: str
    policy: str
    description: str
    refused: str
    model_tokens: int
    reward: float | None
    cost: float | None
    chosen: str | None
    rewards: bytes | None
    tokens: bytes | None
    weights: bytes | None


def candidates_file(path: Path | None) -> SideFile:
    """Return a file of candidates; None keeps them in memory."""
    return SideFile(
        path=path,
        schema=_SCHEMA,
        trouble=f"The state of the search cannot be kept in {path}",
        hint="Give another file with --state.",
    )


def save_candidate(file: SideFile, row: CandidateRow) -> None:
    """Store a candidate, unless the run has one of this iteration and role."""
    file.write(
        "INSERT OR IGNORE INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [row]
    )


def load_candidates(file: SideFile, run: str) -> list[CandidateRow]:
    """Return the candidates of a run, in the order they were proposed."""
    rows = file.rows(
        "SELECT * FROM candidates WHERE run = ? ORDER BY iteration, "
        "CASE role WHEN 'start' THEN 0 WHEN 'exploit' THEN 1 WHEN 'explore' THEN 2 ELSE 3 END",
        (run,),
    )
    return [CandidateRow(*row) for row in rows]
