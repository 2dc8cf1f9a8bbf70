"""AMA-Bench episodes: a long run of one agent as turns of one action and one observation.

An episode file also holds the questions asked about the run and their answers; those are gold,
and none of them enters the trajectory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Bundle
from stepwell.formats.chat.turns import step_of_turn
from stepwell.formats.files.documents import documents, first_value
from stepwell.formats.files.members import member
from stepwell.trajectory.fields import first_str, int_of, list_of, object_of, rest_of
from stepwell.trajectory.model import Outcome, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.files.documents import Document

__all__ = ["AmaBench"]

_NAME = "ama-bench"
_EPISODE = frozenset({"episode_id", "task", "trajectory", "qa_pairs"})


class AmaBench:
    """Reads AMA-Bench episodes: one object, a list of them, or one a line."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return 1 for an episode with an id and a list of action and observation turns."""
        return 0.98 if _is_episode(first_value(source)) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per episode, `ama-<episode_id>`."""
        for document in documents(source):
            if _is_episode(document.value):
                yield _bundle(document, notes)
            else:
                document.note(
                    notes, "", "not-an-episode", "No AMA-Bench episode.", effect="skipped"
                )


def _is_episode(value: Any) -> bool:
    episode = object_of(value)
    turns = episode.get("trajectory")
    if "episode_id" not in episode or not isinstance(turns, list):
        return False
    objects = [turn for turn in map(object_of, list_of(turns)) if turn]
    return not objects or "action" in objects[0]


def _bundle(document: Document, notes: Notes) -> Bundle:
    first_notice = len(notes.notices)
    episode = object_of(document.value)
    turns = list_of(episode["trajectory"])
    _note_turns(document, turns, notes)
    raw = member(document.raw, "trajectory")
    raws = document.raw_elements("/trajectory", raw, count=len(turns))
    read = [
        step_of_turn(object_of(turn), index=index, raw_refs=(index,) if raws else ())
        for index, turn in enumerate(turns)
    ]
    trajectory_id = f"ama-{first_str(episode, 'episode_id') or 'unnamed'}"
    state = first_str(episode, "state")
    trajectory = Trajectory(
        trajectory_id=trajectory_id,
        session_id=trajectory_id,
        source_format=_NAME,
        task=first_str(episode, "task"),
        outcome=None if state is None else Outcome(exit_status=state),
        steps=tuple(step for step, _ in read),
        raw_records=raws,
        warnings=tuple(notes.notices[first_notice:]),
        extra=rest_of(episode, _EPISODE),
    )
    return Bundle(trajectory=trajectory, blobs=tuple(blob for _, found in read for blob in found))


def _note_turns(document: Document, turns: list[Any], notes: Notes) -> None:
    for index, turn in enumerate(turns):
        pointer = f"/trajectory/{index}"
        if not isinstance(turn, dict):
            document.note(notes, pointer, "not-a-turn", "A turn is no object; it is kept empty.")
        elif (said := object_of(turn).get("turn_idx")) is not None and int_of(said) != index:
            document.note(
                notes,
                pointer,
                "turn-renumbered",
                f"turn_idx {said!r} at position {index}: the position is its step number.",
                effect="repaired",
            )
