"""The trajectories each scope may see, read again only after a change by anyone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stepwell.store.database import change_mark
from stepwell.store.read import entries

if TYPE_CHECKING:
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope

__all__ = ["Catalogue"]


@dataclass(slots=True)
class Catalogue:
    """The trajectories in a database, by scope; for one thread at a time."""

    db: Database
    _known: dict[Scope, list[Entry]] = field(default_factory=dict["Scope", "list[Entry]"])
    _seen: tuple[int, int] = (-1, -1)

    def of(self, scope: Scope) -> list[Entry]:
        """Return the trajectories in a scope, in the order they were added."""
        mark = change_mark(self.db)
        if mark != self._seen:
            self._known.clear()
            self._seen = mark
        if scope not in self._known:
            self._known[scope] = entries(self.db, scope)
        return self._known[scope]
