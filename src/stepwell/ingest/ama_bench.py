"""AMA-Bench episodes: a long run of one agent as turns of one action and one observation.

An episode file also holds the questions asked about the run and their answers; those are gold,
and none of them enters the trajectory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.ingest.base import Bundle
from stepwell.ingest.documents import documents, first_value
from stepwell.ingest.fields import first_str, int_of, list_of, object_of, rest_of
from stepwell.ingest.members import member
from stepwell.text.clean import readable
from stepwell.trajectory.model import Agent, Call, Outcome, Part, Result, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.ingest.base import Notes, Source
    from stepwell.ingest.documents import Document
    from stepwell.trajectory.model import JsonObject

__all__ = ["AmaBench", "ama_step"]

_NAME = "ama-bench"
_EPISODE = frozenset({"episode_id", "task", "trajectory", "qa_pairs"})
_TURN = frozenset({"turn_idx", "action", "observation"})


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
                yield Bundle(trajectory=_trajectory(document, notes))
            else:
                document.note(
                    notes, "", "not-an-episode", "No AMA-Bench episode.", effect="skipped"
                )


def ama_step(turn: JsonObject, *, index: int, raw_refs: tuple[int, ...] = ()) -> Step:
    """Return the step of one turn: its action is the call, its observation the result."""
    action, observation = _text(turn.get("action")), _text(turn.get("observation"))
    uid = f"s{index}.c1"
    shown = readable(observation)
    parts = () if shown == observation else (Part(kind="text", text=observation),)
    turn_idx = turn.get("turn_idx")
    return Step(
        index=index,
        uid=f"s{index}",
        kind="agent",
        actor="agent",
        calls=(Call(uid=uid, name="action", args={"_value": readable(action)}, args_raw=action),),
        results=(Result(call_uid=uid, text=shown, parts=parts),),
        native_ids={} if turn_idx is None else {"turn_idx": str(turn_idx)},
        raw_refs=raw_refs,
        extra=rest_of(turn, _TURN),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _is_episode(value: Any) -> bool:
    episode = object_of(value)
    turns = episode.get("trajectory")
    if "episode_id" not in episode or not isinstance(turns, list):
        return False
    objects = [turn for turn in map(object_of, list_of(turns)) if turn]
    return not objects or "action" in objects[0]


def _trajectory(document: Document, notes: Notes) -> Trajectory:
    episode = object_of(document.value)
    turns = list_of(episode["trajectory"])
    _note_turns(document, turns, notes)
    raws = document.raw_elements(
        "/trajectory", member(document.raw, "trajectory"), count=len(turns)
    )
    trajectory_id = f"ama-{first_str(episode, 'episode_id') or 'unnamed'}"
    state = first_str(episode, "state")
    return Trajectory(
        trajectory_id=trajectory_id,
        session_id=trajectory_id,
        source_format=_NAME,
        agent=Agent(),
        task=first_str(episode, "task"),
        outcome=None if state is None else Outcome(exit_status=state),
        steps=tuple(
            ama_step(object_of(turn), index=index, raw_refs=(index,) if raws else ())
            for index, turn in enumerate(turns)
        ),
        raw_records=raws,
        extra=rest_of(episode, _EPISODE),
    )


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
