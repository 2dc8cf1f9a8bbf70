"""What changed in a memory, as JSON: what was read, encoded, forgotten or written to files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.memory.adding import Ingested
    from stepwell.memory.forgetting import Doomed

__all__ = [
    "encoded_document",
    "folder_document",
    "forgotten_document",
    "ingested_document",
    "reencoded_document",
]

_COUNTED = (
    "trajectories",
    "added",
    "extended",
    "changed",
    "unchanged",
    "steps",
    "skipped",
    "repaired",
    "warnings",
    "redacted",
    "forgotten",
)


def ingested_document(report: Ingested, *, n_missing: int | None = None) -> dict[str, Any]:
    """Return what an ingest read: the sums, then file by file.

    Args:
        report: What was read.
        n_missing: Passages without a vector; None where that is not asked.
    """
    sums = {name: getattr(report, name) for name in _COUNTED}
    missing = {} if n_missing is None else {"missing": n_missing}
    return {**sums, "files": msgspec.to_builtins(report.files), **missing}


def encoded_document(n_encoded: int, n_missing: int) -> dict[str, Any]:
    """Return how many passages were encoded, and how many have no vector still."""
    return {"encoded": n_encoded, "missing": n_missing}


def reencoded_document(encoder: str | None, n_encoded: int, n_dropped: int) -> dict[str, Any]:
    """Return what was encoded by which encoder, and how many vectors of others were dropped."""
    return {"encoder": encoder, "encoded": n_encoded, "dropped": n_dropped}


def feedback_document(recall: str, reward: float) -> dict[str, Any]:
    """Return what was said of the answer to a recall."""
    return {"recall": recall, "reward": reward}


def forgotten_document(what: Doomed) -> dict[str, Any]:
    """Return the ids of trajectories that were deleted, and the citations of single steps."""
    return {
        "forgotten": [entry.trajectory_id for entry in what.runs],
        "steps": [f"{run.trajectory_id}/s{at}" for run, steps in what.steps for at in steps],
    }


def folder_document(folder: Path) -> dict[str, Any]:
    """Return the folder that something was written to."""
    return {"folder": str(folder)}
