"""Steps of a Claude Code conversation in the making."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stepwell.formats.base import Notes
    from stepwell.formats.claude_code.graph import Graph
    from stepwell.formats.claude_code.records import Entry
    from stepwell.trajectory.model import Blob, Result, Step

__all__ = ["Draft", "Drafts", "is_result"]

_RESULT = "tool_result"


@dataclass(slots=True)
class Draft:
    """A step in the making.

    Attributes:
        step: The step so far.
        entries: The records of its own, the first one giving its place.
        blocks: Content blocks of a response, repeats left out.
        results: Results by the uid of their call, or by native id when the call is unknown.
        answers: The records that hold its results.
    """

    step: Step
    entries: list[Entry]
    blocks: list[Any] = field(default_factory=list[Any])
    results: dict[str | None, Result] = field(default_factory=dict[str | None, "Result"])
    answers: list[Entry] = field(default_factory=list["Entry"])


@dataclass(slots=True)
class Drafts:
    """All steps of an agent in the making.

    Attributes:
        graph: The agent's records in order.
        notes: Takes what is odd.
        agents: Trajectory ids of subagents, by agent id or by the id of the call.
        outputs: Results that were too large for the log, by the name of their file.
        by_uid: The drafts by the uid of their step.
        owner: The step each record belongs to, by their uids.
        callers: The uids of step and call by native call id; some servers reuse ids.
        blobs: Media bytes.
    """

    graph: Graph
    notes: Notes
    agents: Mapping[str, str]
    outputs: Mapping[str, str] = field(default_factory=dict[str, str])
    by_uid: dict[str, Draft] = field(default_factory=dict[str, Draft])
    owner: dict[str, str] = field(default_factory=dict[str, str])
    callers: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict[str, list[tuple[str, str]]]
    )
    blobs: list[Blob] = field(default_factory=list["Blob"])


def is_result(block: Any) -> bool:
    """Return whether a content block is a tool result, the server's own kinds included."""
    return is_object(block) and str(block.get("type")).endswith(_RESULT)
