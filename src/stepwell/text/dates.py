"""Read the times that a question names: days, weeks, months, "since", "between".

A grammar of our own, and small: what is needed is the stretch of time that words within a question
mean ("in March" is a month), not the moment that a lone string of a date stands for
(docs/decisions/0004-recall.md). Days are UTC, as everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from stepwell.text.languages import LANGUAGES, spoken, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stepwell.text.languages import Language

__all__ = ["Period", "periods_in", "without_times"]

_READ: Final = 500
"""Characters at each end of a question that are read, as cues are."""

_DAY: Final = timedelta(days=1)
_EARLIEST: Final = date(1, 1, 2)
_LATEST: Final = date(9999, 12, 30)

_ISO: Final = re.compile(r"(?<![\w.-])(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?![\d/.-]*\d)")
_WRITTEN: Final = re.compile(r"(?<![\w.-])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?!\w)")
_EAST_ASIAN: Final = re.compile(r"(?:(\d{4}) ?年 ?)?(\d{1,2}) ?月(?: ?(\d{1,2}) ?[日号])?")
_YEAR: Final = re.compile(r"\b(?:in|during|since|before|after|im jahr|en|año) ((?:19|20)\d\d)\b")
_OPENERS: Final = frozenset({"since", "until", "after", "before"})
_JOINED: Final = re.compile(r"\s*(?:and|to|until|till|through|-|\u2013|bis|und|au|et|al?|y)\s*")
_NUMBERS: Final = {
    word: number
    for number, words in {
        2: "two zwei deux dos",
        3: "three drei trois tres",
        4: "four vier",
        5: "five fünf",
        6: "six",
        7: "seven",
        10: "ten",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time.

    Attributes:
        start: Its first moment, UTC.
        end: The first moment behind it.
    """

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """Days that a question names, the last one not among them, and where."""

    first: date
    end: date
    at: tuple[int, int]


def periods_in(question: str, *, now: datetime) -> tuple[Period, ...]:
    """Return the stretches of time that a question names, in the order it names them.

    A day or month without a year is the latest one that has begun; a week begins on Monday.

    Args:
        question: The question.
        now: What "yesterday" is told from.

    >>> now = datetime(2026, 9, 24, tzinfo=UTC)
    >>> [str(one.start.date()) for one in periods_in("on 12 September, or last week?", now=now)]
    ['2026-09-12', '2026-09-14']
    """
    text = question if len(question) <= 2 * _READ else f"{question[:_READ]}\n{question[-_READ:]}"
    today = now.astimezone(UTC).date()
    found: list[_Said] = []
    for said in _all(text.lower(), today):
        if all(said.at[1] <= one.at[0] or one.at[1] <= said.at[0] for one in found):
            found.append(said)
    found.sort(key=lambda said: said.at)
    return tuple(
        Period(start=_midnight(one.first), end=_midnight(one.end)) for one in _joined(text, found)
    )


def without_times(question: str) -> str:
    """Return a short question without the times that it names, and what leads to them.

    >>> without_times("What did I ask first before 12 September 2026?")
    'What did I ask first ?'
    """
    openers = {word.end: word.start for word in words_in(question) if word.concept in _OPENERS}
    left, end = "", 0
    # Which year is meant tells nothing of where it stands.
    for said in sorted(_all(question.lower(), date(2000, 12, 31)), key=lambda said: said.at):
        if said.at[0] >= end:
            lead = question[end : said.at[0]].rstrip()
            opened = openers.get(end + len(lead))
            left += lead if opened is None else question[end:opened]
            left = re.sub(r"\s(?:on|in|am|im|le|el|en)$", "", left.rstrip()) + " "
            end = said.at[1]
    return left + question[end:].lstrip() if end else question


def _all(text: str, today: date) -> Iterator[_Said]:
    """Yield what is named, the surest readings first."""
    for match in _ISO.finditer(text):
        yield from _days(match.span(), (int(match[1]), int(match[2]), match[3]))
    for match in _WRITTEN.finditer(text):
        one, other, year = match[1], match[3], int(match[4])
        yield from _days(match.span(), (year, int(other), one))
        # 9/12 is a day of September in America; with a dot the day always stands first.
        if match[2] == "/" and one != other:
            yield from _days((match.end(), match.end()), (year, int(one), other))
    for match in _EAST_ASIAN.finditer(text):
        yield from _dated(match, int(match[2]), match[3], match[1], today)
    # Beside a number the name of a month is one in any language.
    has_number = any(map(str.isdigit, text))
    for language in LANGUAGES.values() if has_number else spoken(text):
        if language.months:
            yield from _by_name(text, language, today)
    yield from _relative(text, today)
    for match in _YEAR.finditer(text):
        year = int(match[1])
        yield _Said(first=date(year, 1, 1), end=date(year + 1, 1, 1), at=match.span(1))


def _by_name(text: str, language: Language, today: date) -> Iterator[_Said]:
    """Yield days and months that are named by a word."""
    dated, days, names = _patterns(language.months, language.weekdays)
    for match in dated.finditer(text):
        month = next(n for n, name in enumerate(names, start=1) if name.fullmatch(match["month"]))
        day, year = match["day"] or match["after"], match["year"]
        # "may" and "march" alone are more often verbs.
        if day or year or match["in"]:
            yield from _dated(match, month, day, year, today)
    for match in days.finditer(text):
        place = next(n for n in range(7) if match[f"d{n}"])
        day_before = today - timedelta(days=(today.weekday() - place - 1) % 7 + 1)
        yield _Said(first=day_before, end=day_before + _DAY, at=match.span())


@cache
def _patterns(
    months: str, weekdays: str
) -> tuple[re.Pattern[str], re.Pattern[str], tuple[re.Pattern[str], ...]]:
    """Return what finds dates, and weekdays, and each month, made when they are first needed."""
    joined = months.replace(" ", "|")
    dated = (
        r"(?<!\w)(?:(?P<in>in|during|of|since|last|this|im|seit|en|depuis|desde|de|au mois de) )?"
        r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)? ?(?:of |de )?)?"
        rf"(?P<month>{joined})\.?(?!\w)"
        r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?(?![\w:]))?"
        r"(?:,? (?:de |del )?(?P<year>\d{4})(?!\w))?"
    )
    named = "|".join(f"(?P<d{n}>{day})" for n, day in enumerate(weekdays.split()))
    return (
        re.compile(dated),
        re.compile(rf"(?<!\w)(?:{named})(?!\w)"),
        tuple(map(re.compile, months.split())),
    )


def _dated(
    match: re.Match[str], month: int, day: str | None, year: str | None, today: date
) -> Iterator[_Said]:
    """Yield a day or a month, the latest one where no year is named."""
    years = [int(year)] if year else [today.year, today.year - 1]
    for each in years:
        said = next(_days(match.span(), (each, month, day)), None)
        if said is not None and (year or said.first <= today):
            yield said
            return


def _days(at: tuple[int, int], named: tuple[int, int, str | None]) -> Iterator[_Said]:
    """Yield the days of a date, or of a month; none where there is no such date."""
    year, month, day = named
    try:
        first = date(year, month, int(day or 1))
    except ValueError:
        return
    if _EARLIEST <= first <= date(9998, 1, 1):
        yield _Said(first=first, end=first + _DAY if day else _month(first, 1), at=at)


def _relative(text: str, today: date) -> Iterator[_Said]:
    for word in words_in(text):
        named = _RELATIVE.get(word.concept)
        if named is not None:
            digits = re.search(r"\d+", word.text)
            spelled = (_NUMBERS[one] for one in word.text.split() if one in _NUMBERS)
            first, end = named(today, int(digits[0]) if digits else next(spelled, 1))
            yield _Said(first=first, end=end, at=(word.start, word.end))


def _week(today: date, n: int) -> tuple[date, date]:
    monday = _back(today, 7 * n + today.weekday())
    return monday, monday + 7 * _DAY


def _ago(today: date, n: int) -> tuple[date, date]:
    day = _back(today, n)
    return day, day + _DAY


def _back(today: date, days: int) -> date:
    return today - timedelta(days=min(days, (today - _EARLIEST).days))


def _month(day: date, n: int) -> date:
    """Return the first day of the month n months later, which may be before."""
    months = max(day.year * 12 + day.month - 1 + n, 12)
    return date(months // 12, months % 12 + 1, 1 if months > 12 else 2)  # noqa: PLR2004  (year 1)


_RELATIVE: Final[dict[str, Callable[[date, int], tuple[date, date]]]] = {
    "days_ago": _ago,
    "weeks_ago": _week,
    "months_ago": lambda today, n: (_month(today, -n), _month(today, 1 - n)),
    "last_days": lambda today, n: (_back(today, n), today + _DAY),
    "before_yesterday": lambda today, _: _ago(today, 2),
    "yesterday": lambda today, _: _ago(today, 1),
    "today": lambda today, _: _ago(today, 0),
    "last_week": lambda today, _: _week(today, 1),
    "last_month": lambda today, _: (_month(today, -1), _month(today, 0)),
    "last_year": lambda today, _: (date(today.year - 1, 1, 1), date(today.year, 1, 1)),
    "this_week": lambda today, _: _week(today, 0),
    "this_month": lambda today, _: (_month(today, 0), _month(today, 1)),
    "this_year": lambda today, _: (date(today.year, 1, 1), date(today.year + 1, 1, 1)),
}


def _joined(text: str, found: list[_Said]) -> Iterator[_Said]:
    """Open the times behind "since" and "before", and join those of "between … and …"."""
    openers = {word.end: word.concept for word in words_in(text.lower())}
    waiting = list(found)
    while waiting:
        said = waiting.pop(0)
        lead = text[: said.at[0]].rstrip()
        opener = openers.get(len(lead))
        if waiting and _JOINED.fullmatch(text[said.at[1] : waiting[0].at[0]]):
            is_span = re.search(
                r"\b(?:between|from|zwischen|von|vom|entre|de|du|desde)$", lead.lower()
            )
            if is_span:
                said = _Said(first=said.first, end=waiting.pop(0).end, at=said.at)
        if opener == "since":
            said = _Said(first=said.first, end=_LATEST, at=said.at)
        elif opener == "after":
            said = _Said(first=said.end, end=_LATEST, at=said.at)
        elif opener in {"before", "until"}:
            said = _Said(first=_EARLIEST, end=said.first, at=said.at)
        yield said


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
