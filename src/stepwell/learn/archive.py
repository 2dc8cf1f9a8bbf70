"""The archive of a search: every candidate with all its rewards, stored as soon as it is known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias, cast

import numpy as np

from stepwell.errors import StoreError
from stepwell.learn.cases import Evaluation
from stepwell.policy.files import PolicyFile, digest, dumps, loads
from stepwell.store.candidates import (
    CandidateRow,
    candidates_file,
    load_candidates,
    save_candidate,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from numpy.typing import NDArray

    from stepwell.learn.cases import Case
    from stepwell.learn.ucb import Direction
    from stepwell.policy.kinds import Kind

__all__ = ["Archive", "Candidate", "Role", "key_of"]

Role: TypeAlias = Literal["start", "exploit", "explore", "repair"]
"""Why a candidate was proposed: to go on in a good direction, to try another, or to repair."""

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
        self._file = candidates_file(path)
        self._file.open()

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
        self._file.close()

    def add(self, run: str, candidate: Candidate) -> None:
        """Store a candidate; durable when this returns.

        Raises:
            StoreError: It cannot be written.
        """
        save_candidate(self._file, _row_of(run, candidate))

    def load(self, run: str, cases: Sequence[Case]) -> list[Candidate]:
        """Return the stored candidates of a run, in the order they were proposed.

        Args:
            run: The run.
            cases: Its validation cases.

        Raises:
            StoreError: What is stored is not of these cases.
            PolicyError: A stored policy cannot be read.
        """
        return [_candidate(row, cases) for row in load_candidates(self._file, run)]


def key_of(policy: Kind) -> str:
    """Return the same text for the same policy."""
    return digest(PolicyFile(name="candidate", policy=policy))


def _written(candidate: Candidate, policy: Kind) -> str:
    name = f"{candidate.role}-{candidate.iteration}"
    return dumps(PolicyFile(name=name, policy=policy, description=candidate.description))


def _row_of(run: str, candidate: Candidate) -> CandidateRow:
    found = candidate.evaluation
    return CandidateRow(
        run=run,
        iteration=candidate.iteration,
        role=candidate.role,
        direction=candidate.direction or "",
        policy="" if candidate.policy is None else _written(candidate, candidate.policy),
        description=candidate.description,
        refused=candidate.refused,
        model_tokens=candidate.model_tokens,
        reward=None if found is None else found.reward,
        cost=None if found is None else found.cost,
        chosen=None if found is None else json.dumps(found.chosen),
        rewards=None if found is None else _bytes_of(found.rewards),
        tokens=None if found is None else _bytes_of(found.tokens),
        weights=None if found is None else _bytes_of(found.weights),
    )


def _bytes_of(numbers: NDArray[np.float64]) -> bytes:
    return numbers.astype(_FLOATS).tobytes()


def _candidate(row: CandidateRow, cases: Sequence[Case]) -> Candidate:
    where = f"candidate {row.iteration} {row.role}"
    return Candidate(
        iteration=row.iteration,
        role=cast("Role", row.role),
        direction=cast("Direction | None", row.direction or None),
        policy=loads(row.policy, where=where).policy if row.policy else None,
        description=row.description,
        evaluation=None if row.refused else _evaluation(row, cases),
        refused=row.refused,
        model_tokens=row.model_tokens,
    )


def _evaluation(row: CandidateRow, cases: Sequence[Case]) -> Evaluation:
    rewards, tokens, weights = (
        np.frombuffer(blob or b"", dtype=_FLOATS) for blob in (row.rewards, row.tokens, row.weights)
    )
    chosen: list[tuple[str, ...]] = [tuple(names) for names in json.loads(row.chosen or "[]")]
    if not len(chosen) == len(rewards) == len(cases):
        raise StoreError(
            f"{len(rewards)} stored rewards are not of these {len(cases)} cases.",
            hint="Give another file with --state.",
        )
    return Evaluation(cases=cases, chosen=chosen, rewards=rewards, tokens=tokens, weights=weights)
