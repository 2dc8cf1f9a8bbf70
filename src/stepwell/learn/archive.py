"""The archive of a search: every candidate with all its rewards, stored as soon as it is known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeAlias

import apsw
import numpy as np

from stepwell.errors import StoreError
from stepwell.learn.cases import Evaluation
from stepwell.policy.files import PolicyFile, digest, dumps, loads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from stepwell.learn.cases import Case
    from stepwell.learn.ucb import Direction
    from stepwell.policy.kinds import Kind

__all__ = ["Archive", "Candidate", "Role", "key_of"]

Role: TypeAlias = Literal["start", "exploit", "explore", "repair"]
"""Why a candidate was proposed: to go on in a good direction, to try another, or to repair."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS candidates (
  run TEXT NOT NULL,           -- what was asked of the search, as a hash
  iteration INTEGER NOT NULL,  -- 0: the policy at the start
  role TEXT NOT NULL,          -- start, exploit, explore, repair
  direction TEXT NOT NULL,     -- empty for none
  policy TEXT NOT NULL,        -- a policy file; empty where none was proposed
  description TEXT NOT NULL,
  refused TEXT NOT NULL,       -- why it has no evaluation; empty where it has one
  model_tokens INTEGER NOT NULL,
  reward REAL,                 -- J: weighted mean of the rewards
  cost REAL,                   -- C: weighted mean of evidence tokens
  chosen TEXT,                 -- structures of each case, JSON
  rewards BLOB, tokens BLOB, weights BLOB,  -- of each case, float64, little-endian
  PRIMARY KEY (run, iteration, role)
) WITHOUT ROWID
"""
_BUSY_MS: Final = 5_000
_FLOATS: Final = np.dtype("<f8")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A policy that a search tried, and what came of it.

    Attributes:
        iteration: When; 0 is the start.
        role: Why it was proposed.
        direction: How it was changed; None where in no particular way.
        policy: The policy; None where none was proposed.
        description: What was changed.
        evaluation: What it is worth on validation cases; None where it was refused.
        refused: Why it was not evaluated; empty where it was.
        model_tokens: Tokens of a language model it took.
    """

    iteration: int
    role: Role
    direction: Direction | None
    policy: Kind | None
    description: str
    evaluation: Evaluation | None
    refused: str = ""
    model_tokens: int = 0

    def objective(self, penalty: float) -> float:
        """Return J - λ·C on validation cases; -inf where it was refused."""
        return -np.inf if self.evaluation is None else self.evaluation.objective(penalty)


class Archive:
    """The candidates of searches in one SQLite file, one commit each.

    Args:
        path: The file; it is made where it is missing. None keeps all in memory.

    Raises:
        StoreError: It cannot be opened.
    """

    def __init__(self, path: Path | None = None) -> None:
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = apsw.Connection(":memory:" if path is None else str(path))
            self._db.set_busy_timeout(_BUSY_MS)
            self._db.execute(_SCHEMA)
        except (OSError, apsw.Error) as error:
            raise StoreError(
                f"The state of the search cannot be kept in {path}: {error}.",
                hint="Give another file with --state.",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def add(self, run: str, candidate: Candidate) -> None:
        """Store a candidate; durable when this returns.

        Raises:
            StoreError: It cannot be written.
        """
        marks = ", ".join("?" * 14)
        try:
            self._db.execute(
                f"INSERT OR IGNORE INTO candidates VALUES ({marks})",  # noqa: S608  (marks alone)
                (
                    run,
                    candidate.iteration,
                    candidate.role,
                    candidate.direction or "",
                    "" if candidate.policy is None else _written(candidate, candidate.policy),
                    candidate.description,
                    candidate.refused,
                    candidate.model_tokens,
                    *_row_of(candidate.evaluation),
                ),
            )
        except apsw.Error as error:
            raise StoreError(
                f"A candidate cannot be stored: {error}.", hint="Make room, or close what locks it."
            ) from error

    def load(self, run: str, cases: Sequence[Case]) -> list[Candidate]:
        """Return the stored candidates of a run, in the order they were proposed.

        Args:
            run: The run.
            cases: Its validation cases.

        Raises:
            StoreError: What is stored is not of these cases.
            PolicyError: A stored policy cannot be read.
        """
        rows = self._db.execute(
            "SELECT iteration, role, direction, policy, description, refused, model_tokens, "
            "chosen, rewards, tokens, weights FROM candidates WHERE run = ? ORDER BY iteration, "
            "CASE role WHEN 'start' THEN 0 WHEN 'exploit' THEN 1 WHEN 'explore' THEN 2 ELSE 3 END",
            (run,),
        ).fetchall()
        return [_candidate(row, cases) for row in rows]


def key_of(policy: Kind) -> str:
    """Return the same text for the same policy."""
    return digest(PolicyFile(name="candidate", policy=policy))


def _written(candidate: Candidate, policy: Kind) -> str:
    name = f"{candidate.role}-{candidate.iteration}"
    return dumps(PolicyFile(name=name, policy=policy, description=candidate.description))


def _row_of(evaluation: Evaluation | None) -> tuple[Any, ...]:
    if evaluation is None:
        return (None,) * 6
    arrays = (evaluation.rewards, evaluation.tokens, evaluation.weights)
    return (
        evaluation.reward,
        evaluation.cost,
        json.dumps(evaluation.chosen),
        *(array.astype(_FLOATS).tobytes() for array in arrays),
    )


def _candidate(row: tuple[Any, ...], cases: Sequence[Case]) -> Candidate:
    iteration, role, direction, policy, description, refused, model_tokens, *found = row
    return Candidate(
        iteration=iteration,
        role=role,
        direction=direction or None,
        policy=loads(policy, where=f"candidate {iteration} {role}").policy if policy else None,
        description=description,
        evaluation=None if refused else _evaluation(found, cases),
        refused=refused,
        model_tokens=model_tokens,
    )


def _evaluation(found: list[Any], cases: Sequence[Case]) -> Evaluation:
    rewards, tokens, weights = (np.frombuffer(blob, dtype=_FLOATS) for blob in found[1:])
    chosen: list[tuple[str, ...]] = [tuple(names) for names in json.loads(found[0])]
    if not len(chosen) == len(rewards) == len(cases):
        raise StoreError(
            f"{len(rewards)} stored rewards are not of these {len(cases)} cases.",
            hint="Give another file with --state.",
        )
    return Evaluation(cases=cases, chosen=chosen, rewards=rewards, tokens=tokens, weights=weights)
