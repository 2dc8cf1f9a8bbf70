"""Echoes: what this memory recalled, where it comes back in a log; it is no new evidence.

A part of a text is an echo if it is a payload that bears this database's mark (`recall.marks`), or
a quotation: a citation and behind it, character by character but for what passing it on changes
(`text.folding`), what the cited step holds. Nothing else is: not the name of a tool, nor a text
that looks like a payload.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from stepwell.recall.marks import marked_spans
from stepwell.recall.markup import escaped
from stepwell.text.folding import fold, folded_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from stepwell.text.folding import Folded

    Cited: TypeAlias = Callable[[str, str], Iterable[str]]
    """Returns the texts that a citation may name, given what stands for its run, or nothing."""

__all__ = ["echoes"]

_PART = r"s\d{1,7}\.(?:m|t|task|[co]\d{1,4})(?::[LC]\d[\dLC-]{0,40})?"
_QUOTE = r"\\{0,15}\""
_OPENING = re.compile(
    r"\[trajectory (?P<run>[^\s\[\]\\\"]{1,80})[^\[\]]{0,24}\]"
    rf"|\[(?:(?P<word>[^\s\[\]\\\"]{{1,80}})/)?(?P<part>{_PART})(?:\s[^\[\]\"]{{0,120}})?\]"
    # Escapes are few: a run of a million backslashes is no level of JSON.
    rf"|\"id{_QUOTE}:\s*{_QUOTE}(?P<id>[^\"\\]{{1,400}})/(?P<row>{_PART}){_QUOTE},[^{{}}]{{0,400}}?"
    rf"\"text{_QUOTE}:\s*{_QUOTE}"
)
_MAY_ECHO = re.compile(rf"[\[/]{_PART}")
_MOST = 500
"""Quotations of one text that are looked up; what comes behind them is taken as it is."""

_MOST_CHARS = 200_000
"""Characters of what a citation names that are compared."""

_LEAST, _LEAST_AT_END = 40, 8
"""Characters of a quotation that is cut off, below which it may be chance: by something else, and
where the text ends."""

_FRAME = re.compile(
    r"(?:<evidencesource=stepwell(?:mark=\d{12})?note=quotedlogdata,notinstructions>|</evidence>"
    r"|\{?source:stepwell,(?:mark:\d{12},)?note:quotedlogdata,notinstructions,|items:\[|tail:\["
    r"|\[trajectory[^\[\]]{1,80}\]|\[on\d{4}-\d\d-\d\d\]|[{}\],]"
    r"|\[[^\[\]]{0,400}tail\]\d+more[\w.:/@+#-]{0,60}?steps?(?:maymatter;expand(?:it|them))?)+"
)
_BEFORE = 400


def echoes(text: str, *, key: bytes | None, cited: Cited) -> tuple[tuple[int, int], ...]:
    """Return the parts of a text that are echoes, in order and apart from each other.

    Args:
        text: Readable text.
        key: The secret of the database; None where it has none.
        cited: Looks up what citations name.
    """
    may_be_marked = key is not None and "stepwell" in text
    if not may_be_marked and not _MAY_ECHO.search(text):
        return ()
    folded = fold(text)
    spans = [*marked_spans(folded.text, key), *_quotations(text, folded, cited)]
    return tuple(folded.span(start, end) for start, end in _joined(sorted(spans), folded.text))


def _quotations(text: str, folded: Folded, cited: Cited) -> Iterator[tuple[int, int]]:
    """Yield quotations, each with its citation, as parts of the folded text."""
    run = ""
    for opening in islice(_OPENING.finditer(text), _MOST):
        if opening["run"]:
            run = opening["run"]
            continue
        start = folded.index(opening.end())
        texts = cited(opening["id"] or opening["word"] or run, opening["row"] or opening["part"])
        ends = (_quoted_to(folded.text, start, one[:_MOST_CHARS]) for one in texts)
        end = max(ends, default=start)
        if end > start:
            yield folded.index(opening.start()), end


def _quoted_to(text: str, start: int, original: str) -> int:
    """Return where a quotation of a text ends that begins at a place, the place for none."""
    found = start
    for written in {folded_text(escaped(original)), folded_text(original)} - {""}:
        begin = start + (text.startswith("…", start) and not written.startswith("…"))
        shared = _n_shared(text, begin, written)
        if shared == len(written):
            end = begin + shared
            found = max(found, end + text.startswith("…", end))
        elif shared >= (_LEAST_AT_END if begin + shared == len(text) else _LEAST):
            found = max(found, begin + shared)
    return found


def _n_shared(text: str, start: int, other: str) -> int:
    """Return how many characters at a place are those another text begins with, by halving."""
    low, high = 0, min(len(other), len(text) - start)
    while low < high:
        middle = (low + high + 1) // 2
        is_same = text[start + low : start + middle] == other[low:middle]
        low, high = (middle, high) if is_same else (low, middle - 1)
    return low


def _joined(spans: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Return spans joined where they meet or only the frame of a payload stands between them."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        before = joined[-1][1] if joined else max(0, start - _BEFORE)
        if joined and (start <= before or _FRAME.fullmatch(text, before, start)):
            joined[-1] = (joined[-1][0], max(before, end))
        else:
            joined.append((start, end))
    return [_framed(text, start, end) for start, end in joined]


def _framed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span with the frame around it."""
    behind = _FRAME.match(text, end)
    for place in range(max(0, start - _BEFORE), start):
        if text[place] in "<{[" and _FRAME.fullmatch(text, place, start):
            start = place
            break
    return start, behind.end() if behind else end
