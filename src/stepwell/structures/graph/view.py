"""The triples of a trajectory as a graph that grows: names, what joins them, and the steps."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stepwell.structures.graph.model import key_of
from stepwell.text.search import search_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from stepwell.structures.graph.model import Triple

__all__ = ["GraphView"]


def _numbers() -> array[int]:
    return array("q")


@dataclass(slots=True)
class GraphView:
    """The names of a trajectory and its triples, equal ones of all steps merged.

    Names with one key (`key_of`) are one; they are shown as they first stood.

    Attributes:
        names: A name per node.
        nodes: Node of each name's key, in the order of `names`.
        holders: Nodes whose names hold a search token.
        tellers: Triples whose relations hold a search token.
        triples: Each triple as it first stood.
        subjects: Its subject's node.
        objects: Its object's node.
        steps: The steps that say it, ascending.
        n_steps: Steps taken in.
    """

    names: list[str] = field(default_factory=list[str])
    nodes: dict[str, int] = field(default_factory=dict[str, int])
    holders: dict[str, list[int]] = field(default_factory=dict[str, "list[int]"])
    tellers: dict[str, list[int]] = field(default_factory=dict[str, "list[int]"])
    triples: list[Triple] = field(default_factory=list["Triple"])
    subjects: array[int] = field(default_factory=_numbers)
    objects: array[int] = field(default_factory=_numbers)
    steps: list[list[int]] = field(default_factory=list["list[int]"])
    n_steps: int = 0
    _known: dict[tuple[int, str, int], int] = field(
        default_factory=dict[tuple[int, str, int], int], repr=False
    )

    def extend(self, values: Sequence[Iterable[Triple]]) -> None:
        """Take in the triples of the next steps, in order."""
        for triples in values:
            for triple in triples:
                self._add(triple, self.n_steps)
            self.n_steps += 1

    @property
    def edges(self) -> NDArray[np.int64]:
        """Subject and object of each triple, shape (m, 2)."""
        return np.column_stack((_copied(self.subjects), _copied(self.objects)))

    def _add(self, triple: Triple, step: int) -> None:
        key = (self._node(triple.subject), triple.relation, self._node(triple.object))
        known = self._known.get(key)
        if known is not None:
            if self.steps[known][-1] != step:
                self.steps[known].append(step)
            return
        self._known[key] = len(self.triples)
        for token in search_tokens(triple.relation):
            self.tellers.setdefault(token, []).append(len(self.triples))
        self.triples.append(triple)
        self.subjects.append(key[0])
        self.objects.append(key[2])
        self.steps.append([step])

    def _node(self, name: str) -> int:
        key = key_of(name)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = len(self.names)
            self.names.append(name)
            for token in dict.fromkeys(search_tokens(name)):
                self.holders.setdefault(token, []).append(node)
        return node


def _copied(numbers: array[int]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)  # a view would keep the array from growing
