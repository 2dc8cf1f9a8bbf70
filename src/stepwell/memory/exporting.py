"""What of a memory is written elsewhere: a trajectory with its subagents, and their media."""

from __future__ import annotations

from mimetypes import guess_extension
from typing import TYPE_CHECKING

from stepwell.formats.chat.media import SHOWN_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stepwell.memory.memory import Memory
    from stepwell.trajectory.model import Trajectory

__all__ = ["media_files", "with_subagents"]


def with_subagents(memory: Memory, trajectory: str | None) -> list[Trajectory]:
    """Return a trajectory and all below it: its subagents, theirs, and so on.

    Args:
        memory: Where they are.
        trajectory: An id or its unambiguous beginning; None for the only one there is.

    Raises:
        NotFoundError: There is none.
        InvalidInputError: There are several.
    """
    first = memory.trajectory(trajectory)
    children: dict[str | None, list[str]] = {}
    for entry in memory.sessions():
        children.setdefault(entry.parent_id, []).append(entry.trajectory_id)
    found: list[str] = []
    queue = [first.trajectory_id]
    while queue:
        below = children.pop(queue.pop(), [])  # popped: a log may claim to be its own ancestor
        found += below
        queue += below
    return [first, *(memory.trajectory(name) for name in found)]


def media_files(memory: Memory, trajectories: Iterable[Trajectory]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each image and file that trajectories hold.

    A name begins with the digits that stand in the text where the image or file was.
    """
    for one in trajectories:
        for blob in memory.media(one.trajectory_id):
            ending = guess_extension(blob.media_type, strict=False) or ".bin"
            yield f"{blob.sha256[:SHOWN_DIGITS]}{ending}", blob.data
