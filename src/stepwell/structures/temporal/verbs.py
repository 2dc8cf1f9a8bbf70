"""Verbs of what agents do to things: their forms, their kin, and what is so after them."""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "CHANGES",
    "GOES",
    "NEUTRAL",
    "PUTS",
    "SWITCH",
    "TAKES",
    "base_of",
    "class_of",
    "is_idle",
    "is_known",
    "is_past",
    "participle_of",
    "root_of",
]

TAKES: Final = frozenset(
    {
        *("take", "grab", "get", "pick", "collect", "fetch", "retrieve", "lift"),
        *("pickup", "obtain", "acquire", "gather", "steal", "grasp", "seize", "clutch"),
    }
)
PUTS: Final = frozenset(
    {
        *("put", "place", "move", "drop", "set", "insert", "store", "stash", "leave"),
        *("transfer", "throw", "toss", "return", "deposit", "hang", "discard"),
        *("release", "lay", "give", "relocate", "push", "stack", "load"),
        *("deliver",),
    }
)
GOES: Final = frozenset(
    {
        *("go", "walk", "travel", "head", "run", "navigate", "enter", "teleport"),
        *("approach", "goto", "arrive", "step", "climb", "moveto"),
    }
)
SWITCH: Final = {
    "open": "open",
    "close": "closed",
    "shut": "closed",
    "lock": "locked",
    "unlock": "unlocked",
    "activate": "on",
    "deactivate": "off",
}
NEUTRAL: Final = frozenset(
    {
        *("look", "examine", "inspect", "read", "check", "view", "see", "search", "list"),
        *("find", "help", "inventory", "wait", "ask", "say", "talk", "listen", "think"),
        *("note", "describe", "consider", "observe", "use", "try", "show", "know"),
        *("watch", "stay", "noop", "face", "visit", "need", "have", "be", "want"),
        *("notice", "spot", "feel", "hear", "seem", "appear", "start", "begin"),
        *("continue", "do", "make", "can", "click", "type", "press", "scroll", "hover"),
        *("select", "submit", "stop", "finish", "answer", "execute", "call", "respond"),
        *("reply", "speak", "apologize", "agree", "refer", "thank", "scan"),
    }
)
_IRREGULAR: Final = {
    "took": "take", "taken": "take", "got": "get", "gotten": "get", "went": "go", "gone": "go",
    "left": "leave", "put": "put", "set": "set", "shut": "shut", "cut": "cut", "ate": "eat",
    "eaten": "eat", "drank": "drink", "broke": "break", "broken": "break", "threw": "throw",
    "thrown": "throw", "gave": "give", "given": "give", "laid": "lay", "hung": "hang", "ran": "run",
    "brought": "bring", "stole": "steal", "saw": "see", "has": "have", "had": "have",
    "is": "be", "are": "be", "was": "be", "were": "be", "made": "make", "stuck": "stick",
}  # fmt: skip
_PARTICIPLES: Final = {
    "heat": "hot", "cool": "cold", "chill": "cold", "clean": "clean", "freeze": "frozen",
    "wash": "clean", "rinse": "clean", "cut": "cut", "break": "broken", "eat": "eaten",
    "drink": "drunk", "wear": "worn", "burn": "burnt", "light": "lit", "tie": "tied", "dry": "dry",
}  # fmt: skip

CHANGES: Final = frozenset(
    {
        *("heat", "cool", "chill", "clean", "freeze", "wash", "rinse", "slice", "cut"),
        *("chop", "cook", "boil", "fry", "bake", "toast", "fill", "empty", "break"),
        *("eat", "drink", "wear", "burn", "light", "tie", "dry", "paint", "repair"),
        *("fix", "peel", "mix", "stir", "water", "plant", "harvest", "craft", "mine"),
        *("smelt", "melt", "crush", "grind", "fold", "wrap", "unwrap", "dirty", "polish"),
        *("sharpen",),
    }
)
_VERBS: Final = TAKES | PUTS | GOES | CHANGES | NEUTRAL | set(SWITCH) | {"turn", "switch"}


def base_of(word: str) -> str:
    """Return a verb in its base form, as far as it is known; else as it stands, in lower case.

    >>> base_of("Picked"), base_of("placing"), base_of("takes"), base_of("tidied")
    ('pick', 'place', 'take', 'tidied')
    """
    verb = word.casefold()
    if verb in _VERBS:
        return verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    for ending, put in _ENDINGS:
        if verb.endswith(ending) and (found := verb[: len(verb) - len(ending)] + put) in _VERBS:
            return found
    doubled = re.fullmatch(r"(.{1,30}(.))\2(?:ed|ing)", verb)
    return doubled[1] if doubled and doubled[1] in _VERBS else verb


_ENDINGS: Final = (
    ("ied", "y"), ("ies", "y"), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("es", ""),
    ("s", ""),
)  # fmt: skip


def is_known(verb: str) -> bool:
    """Return whether a verb in its base form is one that this grammar knows."""
    return verb in _VERBS


def is_idle(verb: str) -> bool:
    """Return whether doing it changes nothing: looking, waiting, asking."""
    return verb in NEUTRAL


def is_past(word: str) -> bool:
    """Return whether a word can be the participle of a known verb: "taken", "put", not "take"."""
    folded = word.casefold()
    return base_of(word) != folded or _IRREGULAR.get(folded) == folded or folded in {"put", "cut"}


def class_of(verb: str) -> str:
    """Return what verbs of one meaning share; empty for a word that is no known verb.

    >>> class_of("grab") == class_of("take"), class_of("mug")
    (True, '')
    """
    for name, verbs in (("take", TAKES), ("put", PUTS), ("go", GOES)):
        if verb in verbs:
            return name
    if verb in {"close", "shut"}:
        return "close"
    return verb if verb in _VERBS else ""


def root_of(verb: str) -> str:
    """Return the first word of a verb or of a tool's name, in its base form.

    >>> root_of("pick_up_item"), root_of("goTo"), root_of("look at")
    ('pick', 'go', 'look')
    """
    words = _WORDS.findall(verb)
    return base_of(words[0]) if words else verb.casefold()


_WORDS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+")


def participle_of(verb: str) -> str:
    """Return what a thing is after something was done to it.

    >>> participle_of("slice"), participle_of("heat"), participle_of("fry")
    ('sliced', 'hot', 'fried')
    """
    if verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"
