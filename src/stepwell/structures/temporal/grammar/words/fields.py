"""Names of fields in objects and lines, by what their values say of a world."""

from __future__ import annotations

from typing import Final

__all__ = ["CARRIED", "ERRORS", "HELD", "IDENTITIES", "PLACES", "STATUSES"]

IDENTITIES: Final = ("name", "id", "object", "item", "label", "title")
"""The field says which thing the object is about; the first that is there."""

PLACES: Final = frozenset({
    "location", "locations", "at", "in", "on", "position", "room", "holder", "container",
    "place", "where", "parent", "placed", "places", "positions", "whereabouts",
})  # fmt: skip
"""The value is where the thing is."""

CARRIED: Final = frozenset({
    "inventory", "holding", "carrying", "hands", "hand", "held", "bag", "backpack", "carried",
    "in hand", "in hands", "pack", "pockets",
})  # fmt: skip
"""The value lists what the agent carries; as a place it is the inventory."""

HELD: Final = frozenset({"contents", "contains", "items", "holds", "objects"})
"""The value lists what lies in the thing."""

STATUSES: Final = frozenset({"status", "state"})
"""The value is a state of the thing."""

ERRORS: Final = frozenset({"error", "exception"})
"""The value counts each time, even when it is the same again."""
