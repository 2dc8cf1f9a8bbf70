"""The order of records that name their parents, and which of them are on the live path.

Files are appended to by several writers, records are rewritten, parents can be missing. The order
is parents before children, then time, then place in the file: a file that grows by later records
keeps the order of those it had.
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
        branches: The first record of the abandoned branch each record is on; None on the live
            path.
    """

    entries: tuple[Entry, ...]
    parents: dict[str, str | None]
    branches: dict[str, str | None]


def graph_of(entries: Sequence[Entry], *, is_leaf: Callable[[Entry], bool]) -> Graph:
    """Order records and find the live path, which ends at the newest record that may end one.

    A record whose parent is missing, and any root but the first, continues the record before it
    in the file: a broken line or a fresh context is no branch.

    Args:
        entries: The records of one agent, in file order, no two with the same uid.
        is_leaf: Whether a record may end the live path.
    """
    ordered, parents = _ordered(entries, _linked(entries))
    at = _newest(ordered, parents, is_leaf)
    live: set[str] = set()
    while at is not None:
        live.add(at)
        at = parents[at]
    branches: dict[str, str | None] = {}
    for entry in ordered:
        above = parents[entry.uid]
        branch = branches[above] if above is not None else None
        branches[entry.uid] = None if entry.uid in live else branch or entry.uid
    return Graph(entries=tuple(ordered), parents=parents, branches=branches)


def _newest(
    ordered: Sequence[Entry], parents: dict[str, str | None], is_leaf: Callable[[Entry], bool]
) -> str | None:
    times: dict[str | None, float] = {None: float("-inf")}
    newest: tuple[float, int, str] | None = None
    for entry in ordered:
        own = _seconds(entry) if entry.time is not None else times[parents[entry.uid]]
        times[entry.uid] = own
        if is_leaf(entry) and (newest is None or (own, entry.place) > newest[:2]):
            newest = own, entry.place, entry.uid
    return newest[2] if newest is not None else None


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
    ready = [(_seconds(entry), entry.place, entry.uid) for entry in children.get(None, [])]
    heapq.heapify(ready)
    waiting = iter(entries)
    while len(ordered) < len(entries):
        if not ready:
            cut = next(entry for entry in waiting if entry.uid not in placed)
            parents[cut.uid] = ordered[-1].uid if ordered else None
            ready = [(_seconds(cut), cut.place, cut.uid)]
        uid = heapq.heappop(ready)[2]
        if uid in placed:
            continue
        placed.add(uid)
        ordered.append(by_uid[uid])
        for child in children.get(uid, []):
            if child.uid not in placed:
                heapq.heappush(ready, (_seconds(child), child.place, child.uid))
    return ordered, parents


def _seconds(entry: Entry) -> float:
    """Return the record's time; a record without one sorts first, right after its parent."""
    return entry.time.timestamp() if entry.time is not None else float("-inf")
