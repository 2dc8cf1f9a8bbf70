"""Words that belong to the asking of a question: they name nothing that a log could hold."""

from __future__ import annotations

from typing import Final

__all__ = ["ASKING"]

_RUNNING: Final = frozenset({
    "run", "runs", "ran", "running", "execute", "executed", "executes", "use", "used", "uses",
    "using", "call", "calls", "called", "invoke", "invoked", "launch", "launched", "perform",
    "performed", "issued", "issue", "started", "start", "tried", "try", "press", "pressed",
})  # fmt: skip
"""Verbs that say of an action only that it was done."""

ASKING: Final = _RUNNING | frozenset({
    # Function words.
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "they", "them", "their",
    "he", "she", "his", "her", "we", "you", "i", "me", "my", "our", "your", "us", "there",
    "here", "and", "or", "but", "as", "so", "then", "if", "than", "of", "in", "on", "at", "to",
    "from", "by", "with", "within", "into", "onto", "for", "about", "up", "until", "till",
    "before", "after", "since", "between", "through", "throughout", "during", "over", "per",
    "via", "inside", "prior", "preceding", "following", "excluding", "earlier", "later",
    "including", "included", "inclusive", "s", "e", "g",
    # Auxiliary verbs.
    "is", "was", "were", "are", "be", "been", "being", "do", "did", "does", "done", "doing",
    "has", "have", "had", "having", "can", "could", "will", "may", "might", "should", "please",
    # What is asked, and in which order.
    "what", "which", "when", "where", "how", "who", "whose", "whether", "many", "much", "often",
    "long", "times", "time", "number", "count", "counts", "counted", "list", "name", "names",
    "show", "give", "tell", "find", "say", "answer", "all", "any", "each", "every", "both",
    "some", "other", "others", "total", "overall", "far", "exact", "exactly", "specific",
    "respective", "respectively", "corresponding", "also", "only", "just", "still", "ever",
    "together", "order", "different", "various",
    # Who acted, and what a log is made of.
    "agent", "agents", "assistant", "action", "actions", "command", "commands", "step", "steps",
    "turn", "turns", "trajectory", "run's", "session", "log", "history", "histories",
    "sequence", "moment", "point", "whole", "entire", "environment", "world", "interact",
    "interacted", "interaction", "interactions", "object", "objects", "item", "items", "thing",
    "things", "receptacle", "receptacles", "entity", "entities", "tool", "tools", "operation",
    "operations", "frequently", "frequency", "frequencies", "occur", "occurs", "occurred",
    "occurring", "happen", "happened", "happens", "take", "took", "taken", "make", "made",
    "makes", "undergo", "underwent",
    # What is wanted of them.
    "location", "locations", "located", "position", "positions", "place", "places", "state",
    "states", "status", "value", "values", "content", "contents", "contain", "contains",
    "contained", "hold", "held", "holds", "inventory", "carry", "carries", "carried",
    "carrying", "holding", "change", "changes", "changed", "changing", "become", "became",
    "transition", "transitions", "evolve", "evolved", "timeline", "trace", "first", "last",
    "final", "finally", "initial", "initially", "latest", "most", "recent", "recently",
    "originally", "earliest", "start", "beginning", "end", "current", "currently", "now",
    "successful", "successfully", "succeed", "succeeded", "manage", "managed", "add", "added",
    "removed", "down", "off", "away", "out", "back",
})  # fmt: skip
"""Words that a question may have without naming anything."""
