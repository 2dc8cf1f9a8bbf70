"""Prepositions and particles, by what they say of a thing's place."""

from __future__ import annotations

from typing import Final

__all__ = ["BESIDE", "FROM", "INTO", "PARTICLES", "PREPOSITIONS", "RESULTS", "STANDING", "WHERE"]

PREPOSITIONS: Final = (
    "in/on", "out of", "next to", "on top of", "from", "into", "onto", "inside", "upon", "in", "on",
    "to", "at", "with", "using", "under", "behind", "off", "beneath", "within", "by", "@",
)  # fmt: skip
"""What parts the phrase of an action; a longer one stands before a shorter one it begins with."""

WHERE: Final = frozenset({
    "in/on", "into", "onto", "inside", "upon", "in", "on", "to", "at", "under", "behind",
    "next to", "on top of", "beneath", "within", "@",
})  # fmt: skip
"""What stands before the place where something is afterwards."""

FROM: Final = frozenset({"from", "out of", "off"})
"""What stands before the place where something was."""

INTO: Final = frozenset({"into", "onto", "inside", "to", "upon", "in/on"})
"""Those of `WHERE` that say that something has moved, whatever the verb."""

RESULTS: Final = {"open": "open", "shut": "closed", "closed": "closed"}
"""What is open or closed after "pry it open" or "slam it shut", whatever the verb."""

PARTICLES: Final = frozenset({
    "up", "down", "to", "at", "on", "off", "over", "back", "along", "away", "out", *RESULTS,
})  # fmt: skip
"""What may stand between a verb and what it acts upon."""

STANDING: Final = (
    "in/on", "on top of", "on", "in", "inside", "under", "underneath", "behind", "within", "upon",
    "at", "next to", "near", "atop", "beneath",
)  # fmt: skip
"""What stands before the place where something is seen; a longer one before a shorter one."""

BESIDE: Final = ("next to", "near", "behind", "looking around")
"""What begins a sentence that names what is beside a place, not in it."""
