"""Gold: the steps that questions and answers name, and the literals only few steps hold."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.text.search import query_tokens, search_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "Marks",
    "answer_words",
    "dialogue_ids",
    "holds",
    "holds_answer",
    "literals",
    "marks",
    "named_steps",
    "without_steps",
    "words_shown",
]

_LONGEST_RANGE = 500
"""Steps; a longer "range" is two numbers that happen to stand together."""

_WORD = r"(?:steps?|turns?)"
_AND = r"-|–|—|to|through|,\s*and|,\s*or|and|or|,|&|/|vs\.?|versus"  # noqa: RUF001  (dashes in data)
_LIST = rf"\d+(?:\s*(?:{_AND})\s*(?:{_WORD}\s*)?#?\d+)*"
_REFERENCE = re.compile(rf"\b{_WORD}(?:-|\s*[#(]?\s*)({_LIST})", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"\bbetween\s+{_WORD}\s*#?(\d+)\s+and\s+(?:{_WORD}\s*)?#?(\d+)", re.IGNORECASE
)
_LIST_PART = re.compile(r"\d+|-|–|—|\bto\b|\bthrough\b|,|\band\b|\bor\b|&|/", re.IGNORECASE)  # noqa: RUF001
_RANGE_SIGNS = frozenset({"-", "–", "—", "to", "through"})  # noqa: RUF001

_DIALOGUE_ID = re.compile(r"\bD\s*:?\s*(\d+)\s*:\s*(\d+)", re.IGNORECASE)

_QUOTED = re.compile(
    r"`([^`\n]{2,80})`|\"([^\"\n]{2,80})\"|(?<![A-Za-z])'([^'\n]{2,80})'(?![A-Za-z])"
)
_IDENTIFIER = re.compile(
    r"(?<![\w/.])(?:/[\w./-]{3,}"  # an absolute path
    r"|[A-Za-z]\w*(?:[_./-]\w+)+"  # snake_case, kebab-case, dotted, a relative path
    r"|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*"  # camelCase, PascalCase
    r"|\w*\d\w*[A-Za-z_]\w*|[A-Za-z_]\w*\d\w*)"  # an id: letters and digits
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")

_MOST_STEPS = 3

_ARTICLES = frozenset({"a", "an", "the"})


def named_steps(*texts: str, n_steps: int) -> tuple[int, ...]:
    """Return the steps that texts name, ranges expanded, those that do not exist left out.

    Args:
        texts: A question and its answer; steps (or turns) count from 0.
        n_steps: Steps of the episode.

    >>> named_steps("Between steps 3 and 6?", "In turns 8/9, and step 40.", n_steps=20)
    (3, 4, 5, 6, 8, 9)
    """
    found = {step for text in texts for step in _steps_in(text) if step < n_steps}
    return tuple(sorted(found))


def _steps_in(text: str) -> Iterator[int]:
    for reference in _REFERENCE.finditer(text):
        yield from _listed(reference[1])
    for first, last in _BETWEEN.findall(text):
        yield from _between(int(first), int(last))


def _listed(text: str) -> Iterator[int]:
    previous, is_range = -1, False
    for part in _LIST_PART.findall(text):
        if part.isdigit():
            step = int(part)
            yield from _between(previous, step) if is_range else (step,)
            previous, is_range = step, False
        else:
            is_range = part.lower() in _RANGE_SIGNS


def _between(first: int, last: int) -> Iterable[int]:
    return range(first, last + 1) if first < last <= first + _LONGEST_RANGE else (last,)


def without_steps(text: str) -> str:
    """Return a text with every step reference taken out.

    >>> without_steps("At step 7, what did the agent run?")
    'At , what did the agent run?'
    """
    return " ".join(_REFERENCE.sub(" ", text).split())


def dialogue_ids(evidence: Iterable[object]) -> tuple[tuple[int, int], ...]:
    """Return session and turn of each dialogue id, however several are run together.

    >>> dialogue_ids(["D8:6; D9:17", "D:11:26", "D30:05", "D"])
    ((8, 6), (9, 17), (11, 26), (30, 5))
    """
    found = (match for entry in evidence for match in _DIALOGUE_ID.findall(str(entry)))
    return tuple((int(session), int(turn)) for session, turn in found)


def literals(answer: str, *, steps: Sequence[str]) -> tuple[str, ...]:
    """Return the literals of an answer that one to three steps of the episode hold.

    Literals are quoted strings, paths, identifiers, ids and numbers, lower-cased, step references
    left out. One that many steps hold says nothing about which were shown.

    Args:
        answer: The gold answer.
        steps: The text of each step, lower-cased.
    """
    found = marks(without_steps(answer))
    cleaned = {one for kind in (found.quoted, found.identifiers, found.numbers) for one in kind}
    return tuple(sorted(literal for literal in cleaned if _is_rare(literal, steps)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What a text says that is more than words, lower-cased; `rest` is the text without names."""

    quoted: frozenset[str]
    identifiers: frozenset[str]
    numbers: frozenset[str]
    rest: str


def marks(text: str) -> Marks:
    """Return the quoted strings, the identifiers (paths and ids too) and the numbers of a text.

    >>> found = marks('Run `make all` in db_pool, 12 times.')
    >>> sorted(found.quoted), sorted(found.identifiers), sorted(found.numbers)
    (['make all'], ['db_pool'], ['12'])
    """
    return Marks(
        quoted=_cleaned("".join(groups) for groups in _QUOTED.findall(text)),
        identifiers=_cleaned(_IDENTIFIER.findall(text)),
        numbers=_cleaned(_NUMBER.findall(text)),
        rest=_IDENTIFIER.sub(" ", text),
    )


def _cleaned(found: Iterable[str]) -> frozenset[str]:
    return frozenset(one.strip().strip(".,;:").lower() for one in found) - {""}


def _is_rare(literal: str, steps: Sequence[str]) -> bool:
    n = 0
    for step in steps:
        n += holds(step, literal)
        if n > _MOST_STEPS:
            return False
    return n > 0


def holds(text: str, literal: str) -> bool:
    """Return whether a lower-cased text holds a literal as whole words.

    >>> holds("port 5433 is free", "5433"), holds("port 54331", "5433")
    (True, False)
    """
    if literal not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(literal)}(?!\w)", text) is not None


def answer_words(answer: str, question: str) -> frozenset[str]:
    """Return the content words of an answer that its question does not say already.

    Words are the tokens of the search index: case-folded, English ones stemmed, scripts without
    blanks in characters and pairs. English stop words and step references are left out.

    >>> sorted(answer_words("At step 4 she moved to Lisbon.", "Where did she move?"))
    ['lisbon']
    """
    return frozenset(query_tokens(without_steps(answer))) - frozenset(search_tokens(question))


def words_shown(words: frozenset[str], text: str) -> float | None:
    """Return the share of words that a text holds; None when there are none to hold.

    >>> words_shown(frozenset({"lisbon", "june"}), "My flight to Lisbon")
    0.5
    """
    return len(words & set(search_tokens(text))) / len(words) if words else None


def holds_answer(text: str, answer: str) -> bool | None:
    """Return whether a text holds a whole answer; None when the answer has no words.

    Both are normalised as for SQuAD: case, punctuation, English articles and blanks make no
    difference. An answer of ASCII letters has to stand as whole words.

    >>> holds_answer("It was the Golden-Retriever, 3 years old.", "a golden retriever")
    True
    """
    wanted, held = _normalised(answer), _normalised(text)
    if not wanted:
        return None
    return f" {wanted} " in f" {held} " or (not wanted.isascii() and wanted in held)


def _normalised(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in folded)
    return " ".join(word for word in plain.split() if word not in _ARTICLES)
