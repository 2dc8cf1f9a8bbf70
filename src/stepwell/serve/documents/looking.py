"""What is looked up in a memory, as JSON: citations, timelines, lists of trajectories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.memory.looking import Moment, Shown
    from stepwell.store.read import Entry
    from stepwell.trajectory.model import Step

__all__ = ["expanded_document", "sessions_document", "shown_document", "timeline_document"]


def shown_document(shown: Sequence[Shown]) -> dict[str, Any] | list[dict[str, Any]]:
    """Return cited texts: one by itself, several as a list."""
    return _one_or_all(
        [{"id": one.id, "trajectory": one.trajectory, "text": one.text} for one in shown]
    )


def expanded_document(shown: Sequence[Shown]) -> dict[str, Any] | list[dict[str, Any]]:
    """Return what surrounds citations, step by step: of one by itself, of several as a list."""
    return _one_or_all(
        [
            {
                "id": one.id,
                "trajectory": one.trajectory,
                "steps": [_step(step) for step in one.context],
            }
            for one in shown
        ]
    )


def timeline_document(moments: Sequence[Moment]) -> list[dict[str, Any]]:
    """Return the steps of a trajectory, each with one line that says what it was."""
    return [
        {**_head(moment.step), "summary": moment.summary, "is_gone": moment.is_gone}
        for moment in moments
    ]


def sessions_document(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return trajectories as they are listed."""
    rows: list[dict[str, Any]] = msgspec.to_builtins(entries)
    for row in rows:
        del row["number"]  # it holds for this file only; the id is what names a trajectory
    return rows


def _one_or_all(documents: list[dict[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
    return documents[0] if len(documents) == 1 else documents


def _head(step: Step) -> dict[str, Any]:
    return {
        "step": step.index,
        "kind": step.kind,
        "actor": step.actor,
        "status": step.status,
        "active": step.active,
        "time": msgspec.to_builtins(step.t_start),
    }


def _step(step: Step) -> dict[str, Any]:
    atoms = [
        {"id": f"s{atom.step}.{atom.part}", "label": atom.label, "text": atom.text}
        for atom in atoms_of(step)
    ]
    return {**_head(step), "atoms": atoms}
