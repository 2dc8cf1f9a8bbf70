"""Words of the sentences in which an environment says what holds."""

from __future__ import annotations

from typing import Final

__all__ = ["ADVERBS", "BARRED", "CONDITIONS", "HANDS", "OFFERED", "OFFERS", "SUBJECTS", "UNSAID"]

SUBJECTS: Final = frozenset({"you", "i", "we", "he", "she", "they", "agent", "robot"})
"""Who has done what a sentence says was done."""

ADVERBS: Final = frozenset({"have", "just", "now", "successfully", "carefully", "also"})
"""What may stand between the subject and its verb."""

HANDS: Final = frozenset({"hand", "hands", "bag", "inventory", "pack", "backpack", "possession"})
"""Places that are the inventory."""

CONDITIONS: Final = {
    "open": "open",
    "opened": "open",
    "closed": "closed",
    "shut": "closed",
    "locked": "locked",
    "unlocked": "unlocked",
    "on": "on",
    "off": "off",
}
"""Words for the state of a thing, and the one by which it is kept."""

UNSAID: Final = ("a ", "an ", "the ", "not ", "no ")
"""What begins a value that says what a thing is, or is not, but nothing that may change."""

OFFERED: Final = ("available", "possible", "valid", "legal", "admissible", "allowed")
OFFERS: Final = ("actions", "action", "commands", "command", "moves", "move")
"""Together they begin a list of what could be done: "Available actions: look, wait"."""

BARRED: Final = frozenset("{}=;<>[]|\t")
"""Characters of programs, tables and trees; a sentence about a world has none."""
