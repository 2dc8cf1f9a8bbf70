"""Verbs in their base form, by what doing them changes, and the forms that rules do not give."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CHANGES",
    "DOUBTFUL",
    "DROPS",
    "ENDINGS",
    "GOES",
    "IRREGULAR",
    "NEUTRAL",
    "PARTICIPLES",
    "PUTS",
    "SWITCHES",
    "TAKES",
    "TURNS",
]

TAKES: Final = frozenset({
    "take", "grab", "get", "pick", "collect", "fetch", "retrieve", "lift",
    "pickup", "obtain", "acquire", "gather", "steal", "grasp", "seize", "clutch",
})  # fmt: skip
"""The thing is in the inventory afterwards."""

PUTS: Final = frozenset({
    "put", "place", "move", "drop", "set", "insert", "store", "stash", "leave",
    "transfer", "throw", "toss", "return", "deposit", "hang", "discard",
    "release", "lay", "give", "relocate", "push", "stack", "load",
    "deliver",
})  # fmt: skip
"""The thing is afterwards where the phrase says."""

DROPS: Final = frozenset({"drop", "discard", "release", "leave"})
"""Those of `PUTS` that leave a thing where the agent is when the phrase names no place."""

GOES: Final = frozenset({
    "go", "walk", "travel", "head", "run", "navigate", "enter", "teleport",
    "approach", "goto", "arrive", "step", "climb", "moveto",
})  # fmt: skip
"""The agent is afterwards where the phrase says."""

SWITCHES: Final = {
    "open": "open",
    "close": "closed",
    "shut": "closed",
    "lock": "locked",
    "unlock": "unlocked",
    "activate": "on",
    "deactivate": "off",
}
"""The state of the thing afterwards."""

TURNS: Final = frozenset({"turn", "switch"})
"""The thing is afterwards what the particle says: turn on, switch off."""

CHANGES: Final = frozenset({
    "heat", "cool", "chill", "clean", "freeze", "wash", "rinse", "slice", "cut",
    "chop", "cook", "boil", "fry", "bake", "toast", "fill", "empty", "break",
    "eat", "drink", "wear", "burn", "light", "tie", "dry", "paint", "repair",
    "fix", "peel", "mix", "stir", "water", "plant", "harvest", "craft", "mine",
    "smelt", "melt", "crush", "grind", "fold", "wrap", "unwrap", "dirty", "polish",
    "sharpen",
})  # fmt: skip
"""The condition of the thing afterwards is the verb's participle."""

NEUTRAL: Final = frozenset({
    "look", "examine", "inspect", "read", "check", "view", "see", "search", "list",
    "find", "help", "inventory", "wait", "ask", "say", "talk", "listen", "think",
    "note", "describe", "consider", "observe", "use", "try", "show", "know",
    "watch", "stay", "noop", "face", "visit", "need", "have", "be", "want",
    "notice", "spot", "feel", "hear", "seem", "appear", "start", "begin",
    "continue", "do", "make", "can", "click", "type", "press", "scroll", "hover",
    "select", "submit", "stop", "finish", "answer", "execute", "call", "respond",
    "reply", "speak", "apologize", "agree", "refer", "thank", "scan", "ponder", "contemplate",
    "study", "peruse", "gaze", "stare", "glance", "peer", "squint", "survey", "scrutinize",
    "scrutinise",
    "appraise", "assess", "analyze", "analyse", "evaluate", "admire", "sense", "perceive", "smell",
    "sniff", "regard", "eye", "probe", "wonder", "count", "pray", "sing", "dance", "sleep", "rest",
})  # fmt: skip
"""Nothing is different afterwards."""

IRREGULAR: Final = {
    "took": "take", "taken": "take", "got": "get", "gotten": "get", "went": "go", "gone": "go",
    "left": "leave", "put": "put", "set": "set", "shut": "shut", "cut": "cut", "ate": "eat",
    "eaten": "eat", "drank": "drink", "broke": "break", "broken": "break", "threw": "throw",
    "thrown": "throw", "gave": "give", "given": "give", "laid": "lay", "hung": "hang", "ran": "run",
    "brought": "bring", "stole": "steal", "saw": "see", "has": "have", "had": "have",
    "is": "be", "are": "be", "was": "be", "were": "be", "made": "make", "stuck": "stick",
}  # fmt: skip
"""Forms that no rule gives, with their base form."""

ENDINGS: Final = (
    ("ied", "y"), ("ies", "y"), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("es", ""),
    ("s", ""),
)  # fmt: skip
"""Endings of regular forms and what the base form has in their place, the first that fits."""

PARTICIPLES: Final = {
    "heat": "hot", "cool": "cold", "chill": "cold", "clean": "clean", "freeze": "frozen",
    "wash": "clean", "rinse": "clean", "cut": "cut", "break": "broken", "eat": "eaten",
    "drink": "drunk", "wear": "worn", "burn": "burnt", "light": "lit", "tie": "tied", "dry": "dry",
}  # fmt: skip
"""What a thing is after a verb of `CHANGES`, where that is not the verb with -ed."""

DOUBTFUL: Final = frozenset({
    "do", "be", "have", "make", "can", "perform", "execute", "start",
    "begin", "continue", "show", "know", "list", "step", "need", "want",
    "try", "set", "get", "run", "place", "submit", "answer", "change",
    "notice", "become", "call", "find", "consider", "turn", "use", "press",
})  # fmt: skip
"""Verbs that belong to the asking when a question has them, not to what it asks about."""
