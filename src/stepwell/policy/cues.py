"""Lexical cues: what a question seems to demand, read off its words.

Cues are what conditions and programs ask about instead of the words themselves, so that a policy
stays short, and one learned on some questions says something about others. They are guesses: a
question may show several, or none. Words are English, with the question words of a few other
languages where a word alone tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["CUES", "Cue", "cues_of"]

_READ: Final = 500
"""Characters at each end of a question that are read: what is pasted between them is a log."""

_LONG: Final = 40
_SHORT: Final = 12
"""Words of a question that is long, from here on, or short, up to here."""

_KEPT: Final = 1_024
"""Questions whose cues are kept: policies compared on the same questions pay for them once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One sign of what a question demands.

    Attributes:
        name: As conditions write it: `asks count`.
        example: A question that shows it.
        words: Any of these words shows it, in lower case.
        pattern: Or a match of this in the question, in lower case unless `cased`; '' for none.
        cased: Whether the pattern is to see capitals.
    """

    name: str
    example: str
    words: frozenset[str] = frozenset()
    pattern: str = ""
    cased: bool = False


def _cue(
    name: str, example: str, words: str = "", pattern: str = "", *, cased: bool = False
) -> Cue:
    return Cue(
        name=name, example=example, words=frozenset(words.split()), pattern=pattern, cased=cased
    )


_TABLE: Final = (
    _cue(
        "count",
        "How many times was the test suite run?",
        "count counts number combien cuántos cuántas wieviel wieviele quanti quante quantos"
        " сколько",
        r"\bhow (?:many|often)\b|\bwie (?:viele|oft)\b|\bnumber of\b|\btotal (?:of|number)\b"
        r"|多少|几次|何回|いくつ",
    ),
    _cue(
        "state",
        "What is the current status of the ticket?",
        "state status current currently still now remaining remains latest",
        r"\b(?:final|end|resulting) (?:state|value|status|position|location|version|result)"
        r"|\bat (?:this|that) point\b|\bend(?:s|ed)? up\b|\bby the end\b",
    ),
    _cue(
        "history",
        "How did the pool size change over time?",
        "history evolve evolved evolution changed changes change progress progressed progression"
        " transition transitions timeline trajectory",
        r"\bover time\b|\bso far\b|\bfrom [^.?!]{1,60} to\b|\ball (?:the )?(?:values|versions)\b",
    ),
    _cue(
        "actions",
        "Which commands did the agent run?",
        "action actions command commands tool tools call calls called executed performed invoked"
        " move moves edit edits edited click clicked attempt attempts tried",
        r"\bwhat (?:did|does|has) (?:the )?(?:agent|assistant|model|it|he|she|they|user)\b"
        r"|\b(?:steps|measures) (?:were |was )?(?:taken|did)\b",
    ),
    _cue(
        "inventory",
        "What is the player carrying?",
        "inventory carrying carried carry holding holds possession possess items contents contains"
        " owned owns",
        r"\b(?:picked|pick) up\b|\bin (?:its|his|her|their|the) (?:hands?|bag|cart|basket)\b",
    ),
    _cue(
        "list",
        "List all files that were edited.",
        "list enumerate name all every each",
        r"\bwhich (?:\w+ ){0,2}\w+s (?:were|are|did|have|has)\b",
    ),
    _cue("before", "What was run before the deploy?", "before prior previous preceding until"),
    _cue("after", "What happened after the crash?", "after following afterwards subsequent since"),
    _cue(
        "between",
        "What happened between the two commits?",
        "between",
        r"\bfrom (?:steps?|turns?) \d|\b(?:steps?|turns?) \d{1,9} ?(?:-|\u2013|to|through) ?\d",
    ),
    _cue("first", "What was the first error?", "first initial initially earliest original start"),
    _cue("last", "Which file was edited last?", "last final finally latest recent end ended"),
    _cue(
        "throughout",
        "Which tool was used throughout the session?",
        "throughout overall entire whole always consistently",
        r"\bover the course\b|\bduring the (?:whole|entire)\b|\bin total\b",
    ),
    _cue(
        "repeat",
        "Why did the agent run the same query again?",
        "again repeat repeated repeatedly repeats loop loops twice same another retry retried",
    ),
    _cue(
        "pattern",
        "What is the main strategy of the agent?",
        "pattern patterns strategy strategies approach summarize summarise summary overview"
        " behavior behaviour trend generally typically main",
    ),
    _cue(
        "why",
        "Why was the migration rolled back?",
        "why reason reasons cause caused causes because explain warum wieso weshalb pourquoi perché"
        " porque почему",
        r"\bled to\b|\bpor ?qu[eé]\b|\bwhat made\b|为什么|为何|なぜ|どうして|왜",
    ),
    _cue("how", "How was the port freed?", "how wie comment cómo come как", r"怎么|如何"),
    _cue(
        "purpose",
        "What was the goal of the second query?",
        "purpose goal goals intent intention intended aim objective plan planned rationale",
        r"\bin order to\b|\btrying to\b",
    ),
    _cue(
        "outcome",
        "What did the search return?",
        "result results outcome output response returned return observed observation effect"
        " consequence succeed succeeded success",
    ),
    _cue(
        "quote",
        "What was the exact message?",
        "exact exactly verbatim literal literally quote quoted precise precisely wording",
        r"\bword for word\b|\bfull text\b",
    ),
    _cue(
        "where",
        "Where is the red key?",
        "where location located position room place folder directory où dónde dove wo где",
        r"哪里|どこ",
    ),
    _cue(
        "when",
        "When did the build start to fail?",
        "when date time moment quand cuándo wann quando когда",
        r"\b(?:at|in) (?:which|what) (?:steps?|turns?|point|time|year|month|day)\b|什么时候|いつ",
    ),
    _cue("who", "Who approved the refund?", "who whom whose qui quién wer chi кто", r"谁|誰"),
    _cue("which", "Which branch was merged?", "which welche welcher welches quel quelle cuál"),
    _cue(
        "compare",
        "Compare the two configurations.",
        "compare compared comparing comparison difference differences differ different differs"
        " versus vs contrast",
        r"\b(?:more|less|fewer|rather|better|worse|faster|slower|larger|smaller) than\b",
    ),
    _cue(
        "counterfactual",
        "What would have happened if the test had passed?",
        "hypothetically",
        r"\bwhat if\b|\bwould (?:have|not have|it|the)\b|\bif [^.?!]{1,80}\b(?:had|were)\b"
        r"|\bhad (?:not|the|it)\b[^.?!]{1,80}\bwould\b|\bcould have\b",
    ),
    _cue(
        "steps",
        "What was done at step 42?",
        pattern=r"\b(?:steps?|turns?) ?[:#]? ?\(?(?:#|no\.? ?|number )?\d"
        r"|\bs\d{1,9}(?:\.[mtco]\d*)?\b",
    ),
    _cue(
        "names",
        "What does `load_config` read?",
        pattern=r"[\"“„«`][^\"“”„«»`]{1,80}[\"”»“`]|(?<![\w'])'[^']{2,80}'(?!\w)"
        r"|\b[A-Za-z]\w*_\w+|\b[a-z][a-z0-9]*[A-Z]\w+|\w[/\\]\w|\b\w+\.[a-z]{1,5}\b(?! [A-Z])",
        cased=True,
    ),
    _cue(
        "code",
        "Which function parses the header?",
        "code function functions class method script sql query queries file files import variable"
        " column table module commit branch test tests repository",
        r"\w\(\)|```",
    ),
    _cue(
        "error",
        "Which exception stopped the run?",
        "error errors exception exceptions traceback fail fails failed failure failures failing bug"
        " bugs crash crashed crashes invalid wrong mistake issue",
    ),
    _cue(
        "numeric",
        "How much did the ticket cost?",
        "price cost costs amount percentage percent score average sum total value duration size",
        r"\bhow (?:much|long|far|large|big|old|high|fast)\b",
    ),
    _cue(
        "yes_no",
        "Did the agent open the fridge?",
        pattern=r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b"
        r"|\bwhether\b|\b(?:yes or no|true or false)\b",
    ),
    _cue("long", "word " * _LONG),
    _cue("short", "Which port was used?"),
)

CUES: Final = {cue.name: cue for cue in _TABLE}
"""Every cue by its name, in the order of the documentation."""

_WORD: Final = re.compile(r"\w+")
_PATTERNS: Final = tuple(
    (cue, re.compile(cue.pattern, re.MULTILINE)) for cue in _TABLE if cue.pattern
)
_OF_WORD: Final = {
    word: frozenset(cue.name for cue in _TABLE if word in cue.words)
    for word in {word for cue in _TABLE for word in cue.words}
}


@lru_cache(maxsize=_KEPT)
def cues_of(question: str) -> frozenset[str]:
    """Return the names of the cues that a question shows.

    Linear in what is read of it: the first and the last 500 characters.

    >>> sorted(cues_of("How many times was pytest run before step 42?"))
    ['before', 'count', 'how', 'short', 'steps']
    >>> sorted(cues_of("Warum?"))
    ['short', 'why']
    """
    text = _read(question)
    lower = text.lower()
    words = _WORD.findall(lower)
    found = {name for word in words for name in _OF_WORD.get(word, ())}
    found.update(
        cue.name for cue, pattern in _PATTERNS if pattern.search(text if cue.cased else lower)
    )
    if len(words) >= _LONG or len(question) > 2 * _READ:
        found.add("long")
    elif len(words) <= _SHORT:
        found.add("short")
    return frozenset(found)


def _read(question: str) -> str:
    """Return what is read, each end on one line with single spaces."""
    if len(question) <= 2 * _READ:
        return " ".join(question.split())
    ends = (question[:_READ], question[-_READ:])
    return "\n".join(" ".join(end.split()) for end in ends)
