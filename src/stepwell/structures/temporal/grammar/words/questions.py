"""Words by which a question says which steps it is about and what it wants to know of them.

A blank stands for any white space, and `*` at the end of a phrase for any ending.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BECOMING",
    "CARRYING",
    "DURATIONS",
    "EXPLAINING",
    "FIRST",
    "HISTORIES",
    "LAST",
    "MOMENTS",
    "PLACES",
    "REACHING",
    "SIDES",
    "STATES",
    "STATES_OF",
    "SUCCESS",
    "UNITS",
]

UNITS: Final = ("steps", "step", "turns", "turn")
"""What a run is counted in."""

SIDES: Final = {
    "until": (
        "until", "till", "up to", "up to and including", "through", "by", "by the end of",
        "no later than", "not later than", "not after",
    ),
    "since": (
        "since", "from", "starting at", "starting from", "starting with", "no earlier than",
        "not earlier than", "not before",
    ),
    "before": ("before", "prior to", "preceding", "earlier than"),
    "after": ("after", "following", "later than"),
}  # fmt: skip
"""What stands before a step that bounds the others, by the side on which they are.

A side whose words hold those of another stands before it: "no later than" is not "later than".
"""

FIRST: Final = (
    "first", "initial", "initially", "at the start", "at the beginning", "earliest", "originally",
)  # fmt: skip
LAST: Final = (
    "last", "final", "finally", "latest", "most recent", "most recently", "in the end",
    "at the end",
)  # fmt: skip
"""Only the first or the last is wanted."""

DURATIONS: Final = ("how long", "how many steps", "how many turns")
CARRYING: Final = (
    "inventory", "carry", "carrying", "carried", "holding",
    "in its hand", "in its hands", "in their hand", "in their hands", "in the agent's hand",
    "in the agent's hands",
)  # fmt: skip
HISTORIES: Final = (
    "chang*", "history*", "histories*", "evol*", "transition*", "over time", "timeline", "trace",
    "throughout",
)  # fmt: skip
MOMENTS: Final = (
    "when", "which step", "which steps", "which turn", "which turns", "what step", "what steps",
    "what turn", "what turns",
)  # fmt: skip
PLACES: Final = ("where", "locat*", "position*")
STATES: Final = (
    *PLACES, "state", "status", "value", "contain*", "hold*", "inside", "what is", "what was",
    "what were", "what are", "what did", "which", "how much", "how many", "is", "was",
)  # fmt: skip
"""What is wanted, where a word or two say it."""

STATES_OF: Final = (
    *PLACES, "state of", "status of", "value of", "content of", "contents of", "contain*", "hold",
    "holds", "inside", "open or", "closed or", "on or off",
)  # fmt: skip
"""What asks for a state and for nothing else."""

EXPLAINING: Final = (
    "why", "explain*", "reason", "reasons", "counterfactual*", "hypothe*", "infer*", "would have",
    "critical*", "strateg*",
)  # fmt: skip
"""What asks for more than a log holds."""

BECOMING: Final = (
    "chang*", "modif*", "edit*", "updat*", "reach*", "exceed*", "become*", "became*", "turn to",
    "turn into", "turned to", "turned into", "written", "creat*", "delet*", "remov*",
)  # fmt: skip
"""What asks when something came to be so."""

REACHING: Final = (
    "reach", "exceed", "hit", "equal", "become", "became", "turn", "drop", "fall", "rise", "go",
    "be", "get",
)  # fmt: skip
"""Verbs, in any form, before the value that something came to."""

SUCCESS: Final = ("successful", "successfully", "succeed*", "manage to", "managed to")
"""Only what succeeded is wanted."""
