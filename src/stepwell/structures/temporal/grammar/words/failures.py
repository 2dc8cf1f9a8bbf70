"""Words by which an observation says that what was tried did not work, and questions ask for it."""

from __future__ import annotations

from typing import Final

__all__ = ["FAILING", "FAILURES", "FIXING"]

FAILURES: Final = (
    # Nothing came of it.
    "nothing happen*", "no effect", "in vain", "without success", "to no avail",
    "give up", "gives up", "gave up",
    "nothing comes", "nothing came", "no luck", "no use", "stays shut", "stays closed", "stays put",
    "remains shut", "remains closed", "won't budge", "conflict", "blocked", "unsuccessful*",
    # It is not possible.
    "can't", "can\u2019t", "cannot", "unable", "impossible", "out of reach", "not possible",
    "not able", "not enough", "not reachable", "not open", "is locked", "is stuck",
    "won't", "wont", "isn't", "isnt", "aren't", "arent", "didn't", "didnt", "doesn't", "doesnt",
    "couldn't", "couldnt", "could not",
    # It is not there, or not understood.
    "no such", "not found", "not here", "not available", "not valid", "not recognised",
    "not recognized", "don't understand", "dont understand", "don't know", "dont know",
    "don't see", "dont see", "don't have", "dont have", "unknown command", "unknown action",
    # It is not allowed.
    "not allowed", "denied", "denies", "deny", "refuse", "refuses", "refused", "refusing",
    "rejected", "illegal", "invalid", "nope", "you must", "you need to",
    # Programs and persons.
    "fail", "fails", "failed", "failure", "error", "errors", "traceback", "sorry", "regret",
)  # fmt: skip
"""In lower case; `*` at the end stands for any ending, and a blank for one blank."""

FAILING: Final = ("fail*", "error*", "exception*", "unsuccessful*")
"""By which a question asks for what did not work."""

FIXING: Final = ("fix", "fixed", "fixes", "solved", "solves", "resolved", "resolves", "repaired")
"""By which it asks for what made it work again."""
