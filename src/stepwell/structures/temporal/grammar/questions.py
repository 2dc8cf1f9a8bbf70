"""What a question asks of a log: which things, between which steps, and what about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.bounds import (
    ALWAYS,
    Bounds,
    bounds_of,
    without_bounds,
)
from stepwell.structures.temporal.grammar.kinds import QueryKind, kind_of
from stepwell.structures.temporal.grammar.mentions import Names
from stepwell.structures.temporal.grammar.names import is_file, key_of, words_of
from stepwell.structures.temporal.grammar.patterns import any_of, phrases
from stepwell.structures.temporal.grammar.usage import unused_words
from stepwell.structures.temporal.grammar.verbs import base_of, class_of, is_idle, stems_of
from stepwell.structures.temporal.grammar.words.asking import ASKING
from stepwell.structures.temporal.grammar.words.failures import FAILING, FIXING
from stepwell.structures.temporal.grammar.words.names import ARTICLES
from stepwell.structures.temporal.grammar.words.questions import (
    BECOMING,
    EXPLAINING,
    PLACES,
    REACHING,
    STATES_OF,
    SUCCESS,
)
from stepwell.structures.temporal.grammar.words.sentences import CONDITIONS
from stepwell.structures.temporal.grammar.words.verbs import DOUBTFUL

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["LogQuery", "read_question"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """A question as it is put to a log.

    Attributes:
        kind: What is wanted; None when nothing can be computed.
        bounds: The steps it is about.
        keys: Keys of the things it names, in order.
        verbs: Verbs it names that the log knows, in their base form.
        quoted: Texts in quotation marks: actions, as a rule.
        with_moves: Whether the agent's own moves count as actions.
        only_successful: Whether only what succeeded counts.
        only_place: Whether only locations are wanted.
        only_condition: Whether only what is neither place nor content is wanted: open or closed.
        is_sure: Whether what is computed is what was asked, not only near it: no line of a log
            gives reasons by itself, and a word such as "change" may be about anything.
        only_telling: Whether only actions that changed something are wanted.
        value: A number or word that a slot is to reach; may be empty.
        programs: Keys of the tools and programs it names that the log knows.
        only_failed: Whether only what failed counts.
        unused: Words that name something which nothing above has used.
        changing: The verb by which it asks for changes of files, folded; may be empty.
        files: Keys of the files it names.
        unknown: Files it names that the log does not know, as they are written.
        unrun: A program it names that no command runs; may be empty.
        of_failure: Words that say which failure it means.
    """

    kind: QueryKind | None = None
    bounds: Bounds = ALWAYS
    keys: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    with_moves: bool = True
    only_successful: bool = False
    only_place: bool = False
    only_condition: bool = False
    is_sure: bool = True
    only_telling: bool = False
    value: str = ""
    programs: tuple[str, ...] = ()
    only_failed: bool = False
    unused: tuple[str, ...] = ()
    changing: str = ""
    files: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unrun: str = ""
    of_failure: tuple[str, ...] = ()

    @property
    def is_answerable(self) -> bool:
        """Return whether what is computed answers the question, all of it."""
        return self.is_sure and not self.unused


_READ = 4_000
"""Characters read of a question: what is longer holds a pasted log."""

_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`\n]{2,120})`")
_WITHOUT_MOVES = re.compile(
    r"\b(?:exclud\w*|without|except(?:ing)?|other\s+than|ignoring|not\s+counting|apart\s+from)\b"
    r"[^.?!]{0,20}?\b(?:go(?:ing)?(?:[\s_]?to)?|moves?\b|movement|navigat\w*|walk\w*)",
    re.IGNORECASE,
)
"""Excluding 'go to' actions."""

_TELLING = re.compile(
    r"\b(?:key|critical|crucial|important|significant|main)\s+(?:\w+\s+)?actions?\b", re.IGNORECASE
)
"""The key actions."""

_REACHED = re.compile(
    rf"\b{any_of(REACHING)}\w*\s+(?:to\s+|above\s+|below\s+|over\s+)?(-?\d[\d.,]*|(?!the\b|an?\b)\w{{2,20}})\b",
    re.IGNORECASE,
)
"""(When did the score) exceed 40?"""

_WHAT_IS = re.compile(
    r"\bwhat\s+(?:is|was|were|are)\s+(?:the|its|their)\s+((?:\S{1,40}\s+){0,3}\S{1,40})",
    re.IGNORECASE,
)
"""What was the score?"""

_WORLD_CHANGED = re.compile(
    r"\b(?:environment|world|state)\b[^?.]{0,30}\bchang"
    r"|\bchang\w*\s+(?:in\s+|to\s+)?(?:the\s+)?(?:environment|world|state)"
    r"|\bwhat\s+(?:has\s+|have\s+)?(?:changed|changes)\b"
    r"|\b(?:what|which)\s+actions?\s+(?:\w+\s+){0,2}chang",
    re.IGNORECASE,
)
"""Which actions changed the environment?"""

_BEEN_RUN: Final = r"(?:run|executed|called|invoked|launched|used)\b"
_RUNS: Final = r"(?:run|execute|call|invoke|launch|use)"
_FILE = re.compile(r"(?<![\w./~-])[\w./~-]{0,120}[\w-]\.[A-Za-z]\w{0,5}(?![\w/])(?!\.\w)")
"""README.md, src/app.py"""

_RUN = re.compile(
    rf"\b(?:how\s+many\s+times|how\s+often)\s+(?:was|were|is)\s+(?:the\s+)?(\S+(?:\s+\S+)?)\s+{_BEEN_RUN}"
    rf"|\b(?:how\s+many\s+times|how\s+often)\s+did\s+.{{1,30}}?\b{_RUNS}\s+(?:the\s+)?(\S+(?:\s+\S+)?)\s*\?",
    re.IGNORECASE,
)
"""How many times was pytest run?"""

_CHANGING = re.compile(
    r"\b(?:edit|chang|modif|writ|wrote|creat|delet|remov|updat|alter)\w*", re.IGNORECASE
)
_KIND_WORDS: Final = {
    QueryKind.STATE: re.compile(
        r"\b(?:open|closed|on)(?=\s+or\b)|(?<=\bor\s)(?:open|closed|off)\b", re.IGNORECASE
    ),
    QueryKind.DURATION: re.compile(phrases(CONDITIONS), re.IGNORECASE),
    QueryKind.FILES: re.compile(rf"\bfiles?\b|{_CHANGING.pattern}", re.IGNORECASE),
    QueryKind.FAILURES: re.compile(rf"{phrases((*FAILING, 'failure*'))}\w*", re.IGNORECASE),
    QueryKind.FIX: re.compile(
        rf"{phrases((*FIXING, *FAILING, 'failure*'))}\w*|\bedits?\b", re.IGNORECASE
    ),
}
"""Words that say what a kind of question wants, and name no thing."""

_OWN_CONTENT: Final = frozenset({
    QueryKind.FILES, QueryKind.FAILURES, QueryKind.FIX, QueryKind.INVENTORY, QueryKind.OBJECTS,
    QueryKind.SUPPOSE,
})  # fmt: skip
"""Kinds of questions that are about something without naming it."""

_BY_VERB: Final = frozenset({QueryKind.COUNT, QueryKind.WHEN})
_BY_PROGRAM: Final = _BY_VERB | {QueryKind.FAILURES, QueryKind.ACTIONS}
"""Kinds of questions whose actions are picked by their verbs, and by what they run."""

_OF_RUNS: Final = frozenset({QueryKind.COUNT, QueryKind.FREQUENCY})
_FAILED = re.compile(rf"{phrases(('fail*', 'unsuccessful*'))}\w*", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow\s+(?:many|much)\b", re.IGNORECASE)
_PLACE = re.compile(phrases(PLACES), re.IGNORECASE)
_SUCCESS = re.compile(phrases(SUCCESS), re.IGNORECASE)
_EXPLAINS = re.compile(phrases(EXPLAINING), re.IGNORECASE)
_STATE_OF = re.compile(phrases(STATES_OF), re.IGNORECASE)
_BECOMES = re.compile(phrases(BECOMING), re.IGNORECASE)


def read_question(
    question: str,
    names: Names,
    verbs: Collection[str],
    *,
    programs: Names | None = None,
    acts: Collection[str] = (),
) -> LogQuery:
    """Return what a question asks of a log.

    Args:
        question: As it was asked.
        names: The things the log knows.
        verbs: The verbs of its actions.
        programs: Its tools, and the programs that its commands run.
        acts: Keys of the texts of its actions.
    """
    text = question[:_READ]
    keys, named = names.found_in(text)
    run, called = _programs_in(text, programs or Names())
    done = _verbs_in(_WITHOUT_MOVES.sub(" ", text), verbs, keys)
    quoted = tuple("".join(groups).strip() for groups in _QUOTED.findall(text))
    reached, changing = _REACHED.search(text), _CHANGING.search(text)
    query = LogQuery(
        bounds=bounds_of(text),
        keys=keys,
        verbs=tuple(dict.fromkeys(verb for found in done.values() for verb in found)),
        quoted=quoted,
        with_moves=_WITHOUT_MOVES.search(text) is None,
        only_successful=_SUCCESS.search(text) is not None and "fail" not in text.casefold(),
        only_place=_PLACE.search(text) is not None,
        only_condition=_KIND_WORDS[QueryKind.STATE].search(text) is not None,
        only_telling=_TELLING.search(text) is not None,
        value=reached[1] if reached else "",
        programs=run,
        only_failed=_FAILED.search(text) is not None,
        changing=changing[0].casefold() if changing else "",
        files=tuple(key for key in keys if is_file(names.shown[key])),
    )
    is_of_actions = not set(verbs).isdisjoint(query.verbs)
    kind = kind_of(
        text, names_things=bool(keys), names_actions=bool(quoted or is_of_actions or run)
    )
    is_sure = _is_sure(text, kind, query, names)
    query = replace(query, kind=kind, is_sure=is_sure)
    found = {*named, *(word for one in quoted if key_of(one) in acts for word in words_of(one))}
    found |= called if kind in _BY_PROGRAM else set[str]()
    found |= set(done) if kind in _BY_VERB else set[str]()
    return _accounted(query, text, frozenset(found))


def _accounted(query: LogQuery, text: str, used: frozenset[str]) -> LogQuery:
    """Return a question with the words that it has not used, if it can be about the rest at all.

    Args:
        query: What was read of it so far.
        text: The question.
        used: Words that were found in the log.
    """
    told = without_bounds(_WITHOUT_MOVES.sub(" ", text))
    has_content = any((used, query.bounds.said, query.kind in _OWN_CONTENT))
    unknown = _unknown_files(told, used) if query.changing else ()
    missing = (word for name in unknown for word in words_of(name))
    query = replace(query, unknown=unknown)
    unused = unused_words(told, used.union(_words_of_kind(query, text), missing))
    if unknown:
        return replace(query, unused=unused, is_sure=_EXPLAINS.search(text) is None)
    if query.kind is QueryKind.FIX:
        # Whatever is named tells which failure is meant, also what the log knows.
        return replace(query, of_failure=unused_words(told, _words_of_kind(query, text)))
    if query.kind in _OF_RUNS and (unrun := _unrun(told, unused)):
        return replace(query, kind=QueryKind.COUNT, is_sure=True, unrun=unrun)
    query = replace(query, unused=unused)
    return query if has_content or not unused else replace(query, kind=None, is_sure=False)


def _unknown_files(told: str, used: frozenset[str]) -> tuple[str, ...]:
    found = dict.fromkeys(name for name in _FILE.findall(told) if is_file(name))
    return tuple(name for name in found if not used.issuperset(words_of(name)))


def _programs_in(text: str, programs: Names) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the programs a question names, and the words that name them.

    A word of asking, such as "find", is a program only where it is asked how often it was run.
    """
    keys, used = programs.found_in(text)
    run = words_of(_run_name(text))
    found = tuple(key for key in keys if set(key.split(" ")) - ASKING or key == " ".join(run))
    return found, frozenset(word for word in used if word not in ASKING or word in run)


def _run_name(text: str) -> str:
    match = _RUN.search(text)
    return (match[1] or match[2]).strip("'\"`") if match else ""


def _unrun(told: str, unused: tuple[str, ...]) -> str:
    """Return the program of which a question asks how often it was run, if that is all it names."""
    name = _run_name(told)
    return name if name and set(words_of(name)) == set(unused) else ""


def _words_of_kind(query: LogQuery, text: str) -> frozenset[str]:
    """Return the words by which a question says what it wants of what it names."""
    own = _KIND_WORDS.get(query.kind) if query.kind is not None else None
    forms = [own] if own is not None else []
    forms += [_FAILED] if query.only_failed else []
    forms += [_REACHED] if query.value and query.kind is QueryKind.WHEN else []
    forms += [_TELLING] if query.only_telling else []
    forms += [_CHANGING] if query.changing and (query.files or query.unknown) else []
    found = (match for form in forms for match in form.finditer(text))
    return frozenset(word for match in found for word in words_of(match[0]))


def _is_sure(text: str, kind: QueryKind | None, query: LogQuery, names: Names) -> bool:
    if kind is None or _EXPLAINS.search(text):
        return False
    if kind is QueryKind.STATE:
        if query.changing and query.files:
            return _HOW_MANY.search(text) is None
        named = (names.mentioned(match[1]) for match in _WHAT_IS.finditer(text))
        return any((_STATE_OF.search(text), *named))
    if kind is QueryKind.CHANGES:
        return any((query.keys, _WORLD_CHANGED.search(text)))
    if kind is QueryKind.WHEN:
        return any((query.verbs, query.quoted, _BECOMES.search(text)))
    return True


def _verbs_in(text: str, known: Collection[str], keys: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the words of a question that are verbs and no part of a name, as the log has each."""
    named = {word for key in keys for word in key.split(" ")}
    words = words_of(text)
    found: dict[str, list[str]] = {}
    for before, word in zip(("", *words), words, strict=False):
        is_noun = before in ARTICLES or word in ARTICLES
        if word not in named and not is_noun and (verbs := _verbs_meant(word, known)):
            found[word] = verbs
    return found


def _verbs_meant(word: str, known: Collection[str]) -> list[str]:
    """Return the verbs of the log that a word means, "picked up" for `take`; none for no verb."""
    verb = base_of(word)
    if verb in DOUBTFUL or not class_of(verb):
        own = set(known) - DOUBTFUL
        return [form for form in (word, *stems_of(word)) if form in own][:1]
    if verb in known:
        return [verb]
    alike = [other for other in sorted(known) if class_of(other) == class_of(verb)]
    # What no verb of the log means may still be seen by what has changed, if it changes anything.
    return alike or ([] if is_idle(verb) else [verb])
