"""The full-text index: what matches where, how well, and how many passages hold a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database
from stepwell.store.words import (
    add_words,
    best_matches,
    count_words,
    matches_within,
    matching_rows,
    n_holding,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

TEXTS = {3: "kelp kelp gull", 5: "kelp", 8: "gull walrus anchor rope", 9: "anchor", 12: "rope"}


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    add_words(connection, TEXTS.items())
    yield connection
    connection.close()


def test_matches_are_found_in_the_order_of_their_rows(db: apsw.Connection) -> None:
    assert list(matching_rows(db, '"kelp"')) == [3, 5]
    assert list(matching_rows(db, '"kelp" OR "anchor"')) == [3, 5, 8, 9]
    assert list(matching_rows(db, '"gull" AND "rope"')) == [8]
    assert list(matching_rows(db, '"whale"')) == []


def test_both_ends_of_a_span_are_within_it(db: apsw.Connection) -> None:
    expression = '"kelp" OR "anchor"'
    assert list(matching_rows(db, expression, span=(5, 8))) == [5, 8]
    assert list(matching_rows(db, expression, span=(4, 7))) == [5]
    assert list(matching_rows(db, expression, span=(6, 7))) == []
    assert matches_within(db, expression, [(3, 3), (9, 20)]).keys() == {3, 9}
    assert matches_within(db, expression, []) == {}


def test_no_more_matches_than_asked_for(db: apsw.Connection) -> None:
    expression = '"kelp" OR "anchor"'
    assert list(matching_rows(db, expression, most=2)) == [3, 5]
    assert list(matching_rows(db, expression, span=(4, 20), most=2)) == [5, 8]
    assert list(matching_rows(db, expression, most=0)) == []


def test_the_best_matches_score_above_zero_and_as_they_do_in_a_span(db: apsw.Connection) -> None:
    expression = '"kelp" OR "walrus"'
    best = best_matches(db, expression, limit=2)
    every = matches_within(db, expression, [(0, 100)])
    assert list(best) == sorted(every, key=lambda row: -every[row])[:2]
    assert all(best[row] == pytest.approx(every[row]) for row in best)
    assert min(every.values()) > 0
    assert best_matches(db, expression, limit=0) == {}


def test_passages_that_hold_a_word_are_counted_once_each(db: apsw.Connection) -> None:
    count_words(db)
    counts = {word: n_holding(db, word) for word in ("kelp", "gull", "walrus", "whale")}
    assert counts == {"kelp": 2, "gull": 2, "walrus": 1, "whale": 0}
    add_words(db, [(20, "whale")])
    count_words(db)
    assert n_holding(db, "whale") == 1
