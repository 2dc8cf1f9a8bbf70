"""A question names stretches of time: days, weeks, months, what is since or before them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.dates import periods_in

NOW = datetime(2026, 9, 24, 12, tzinfo=UTC)  # a Thursday


def named(question: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """Return the first and the last day of each time."""
    return [
        (one.start.date().isoformat(), (one.end - timedelta(days=1)).date().isoformat())
        for one in periods_in(question, now=now)
    ]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did I do on 2026-09-12?", "2026-09-12"),
        ("the 2026/9/2 build", "2026-09-02"),
        ("on 12 September 2026", "2026-09-12"),
        ("on the 3rd of September", "2026-09-03"),
        ("September 12th, 2025", "2025-09-12"),
        ("on sept 24", "2026-09-24"),
        ("on 25 September", "2025-09-25"),  # this year's has not begun
        ("12.9.2026", "2026-09-12"),
        ("9/24/2026", "2026-09-24"),
        ("yesterday?", "2026-09-23"),
        ("the day before yesterday", "2026-09-22"),
        ("this morning", "2026-09-24"),
        ("3 days ago", "2026-09-21"),
        ("a day ago", "2026-09-23"),
        ("on Thursday", "2026-09-17"),
        ("on Wednesday", "2026-09-23"),
        ("am 12. September 2026", "2026-09-12"),
        ("was war vorgestern", "2026-09-22"),
        ("le 12 septembre 2026", "2026-09-12"),
        ("que s'est-il passé hier ?", "2026-09-23"),
        ("¿qué pasó el 12 de septiembre de 2026?", "2026-09-12"),
        ("2026年9月12日", "2026-09-12"),
        ("9月12日", "2026-09-12"),
        ("昨天做了什么", "2026-09-23"),
        ("昨日何をした", "2026-09-23"),
    ],
)
def test_a_day_is_named(question: str, day: str) -> None:
    assert named(question) == [(day, day)]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("last week", "2026-09-14", "2026-09-20"),
        ("this week", "2026-09-21", "2026-09-27"),
        ("two weeks ago", "2026-09-07", "2026-09-13"),
        ("in the last 7 days", "2026-09-17", "2026-09-24"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("March 2024", "2024-03-01", "2024-03-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("last month", "2026-08-01", "2026-08-31"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("was war letzte Woche", "2026-09-14", "2026-09-20"),
        ("¿qué hicimos la semana pasada?", "2026-09-14", "2026-09-20"),
        ("上个月做了什么", "2026-08-01", "2026-08-31"),
        ("since yesterday", "2026-09-23", "9999-12-29"),
        ("after 2026-09-12", "2026-09-13", "9999-12-29"),
        ("before 12 September 2026", "0001-01-02", "2026-09-11"),
        ("between 2026-09-01 and 2026-09-05", "2026-09-01", "2026-09-05"),
        ("from 1 September to 5 September", "2026-09-01", "2026-09-05"),
    ],
)
def test_a_longer_time_is_named(question: str, first: str, last: str) -> None:
    assert named(question) == [(first, last)]


@pytest.mark.parametrize(
    "question",
    [
        "may I ask which port?",
        "did they march on?",
        "Was ist hier los?",  # "hier" is yesterday in French alone
        "31 February 2026",
        "2026-13-01",
        "version v2026.09.01-rc",
        "at 10.0.0.12",
        "step 12",
        "",
    ],
)
def test_no_time_is_named(question: str) -> None:
    assert named(question) == []


def test_a_day_that_can_be_read_in_two_ways_is_both() -> None:
    assert named("on 09/12/2026") == [("2026-12-09", "2026-12-09"), ("2026-09-12", "2026-09-12")]


def test_today_is_the_day_in_utc() -> None:
    late = datetime(2026, 9, 24, 23, tzinfo=timezone(-timedelta(hours=5)))
    assert named("today", late) == [("2026-09-25", "2026-09-25")]


@given(
    st.text(st.sampled_from("12 年月-/.septmayinlwkdo"), max_size=60),
    st.datetimes(datetime(2, 1, 1), datetime(9990, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_any_text_is_read(question: str, now: datetime) -> None:
    assert all(one.start < one.end for one in periods_in(question, now=now))


def test_a_long_question_is_read_at_its_ends() -> None:
    assert named("yesterday " + "x " * 50_000 + " today")[-1] == ("2026-09-24", "2026-09-24")
