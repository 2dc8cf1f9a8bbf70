"""The order of records that name their parents, and which of them are on a live path.

Files are appended to by several writers, records are rewritten, parents can be missing, clocks are
set back. The order is parents before children, then place in the file, whatever the clock says: a
file that grows keeps the order of the records it had.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.formats.claude_code.records import Entry

__all__ = ["Graph", "graph_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Records in order.

    Attributes:
        entries: The records, parents before children.
        parents: The uid of each record's parent; None for the root.
        branches: The first record of the abandoned branch each record is on; None on a live path.
    """

    entries: tuple[Entry, ...]
    parents: dict[str, str | None]
    branches: dict[str, str | None]


def graph_of(entries: Sequence[Entry], *, is_talk: Callable[[Entry], bool]) -> Graph:
    """Order records and find the live paths.

    Of the records that continue the same one, those are abandoned that had come to their end when
    another one began: the talk was rewound. Where they go on side by side, several windows work on
    one session, and all are live.

    A record whose parent is missing, and any root but the first, continues the record before it
    in the file: a broken line or a fresh context is no branch.

    Args:
        entries: The records of one agent, in file order, no two with the same uid.
        is_talk: Whether a record is a turn. What follows without a turn abandons nothing, and is
            live where the record it continues is.
    """
    ordered, parents = _ordered(entries, _linked(entries))
    spans = _spans(ordered, parents, is_talk)
    newest: dict[str | None, int] = {}
    for uid, (first, _) in spans.items():
        newest[parents[uid]] = max(first, newest.get(parents[uid], first))
    branches: dict[str, str | None] = {}
    for entry in ordered:
        above = parents[entry.uid]
        branch = branches[above] if above is not None else None
        is_left = entry.uid in spans and spans[entry.uid][1] < newest[above]
        branches[entry.uid] = branch or (entry.uid if is_left else None)
    return Graph(entries=tuple(ordered), parents=parents, branches=branches)


def _spans(
    ordered: Sequence[Entry], parents: dict[str, str | None], is_talk: Callable[[Entry], bool]
) -> dict[str, tuple[int, int]]:
    """Return the places of the first and the last turn from each record on, if there is any."""
    spans: dict[str, tuple[int, int]] = {}
    for entry in reversed(ordered):
        own = [(entry.place, entry.place)] if is_talk(entry) else []
        for uid in (entry.uid, parents[entry.uid]):
            found = own + [spans[each] for each in {entry.uid, uid} if each in spans]
            if uid is not None and found:
                spans[uid] = min(begin for begin, _ in found), max(end for _, end in found)
    return spans


def _linked(entries: Sequence[Entry]) -> dict[str, str | None]:
    known = {entry.uid for entry in entries}
    parents: dict[str, str | None] = {}
    previous: str | None = None
    is_first_root = True
    for entry in entries:
        if entry.parent in known and entry.parent != entry.uid:
            parents[entry.uid] = entry.parent
        else:
            parents[entry.uid] = None if is_first_root else previous
            is_first_root = False
        previous = entry.uid
    return parents


def _ordered(
    entries: Sequence[Entry], parents: dict[str, str | None]
) -> tuple[list[Entry], dict[str, str | None]]:
    """Return the records in order, and their parents.

    A heap holds the records whose parent is placed already. Records whose parents form a cycle
    never get there, so the cycle is cut at its first record.
    """
    by_uid = {entry.uid: entry for entry in entries}
    children: dict[str | None, list[Entry]] = {}
    for entry in entries:
        children.setdefault(parents[entry.uid], []).append(entry)
    ordered: list[Entry] = []
    placed: set[str] = set()
    parents = dict(parents)
    ready = [(entry.place, entry.uid) for entry in children.get(None, [])]
    heapq.heapify(ready)
    waiting = iter(entries)
    while len(ordered) < len(entries):
        if not ready:
            cut = next(entry for entry in waiting if entry.uid not in placed)
            parents[cut.uid] = ordered[-1].uid if ordered else None
            ready = [(cut.place, cut.uid)]
        uid = heapq.heappop(ready)[1]
        if uid in placed:
            continue
        placed.add(uid)
        ordered.append(by_uid[uid])
        for child in children.get(uid, []):
            if child.uid not in placed:
                heapq.heappush(ready, (child.place, child.uid))
    return ordered, parents
