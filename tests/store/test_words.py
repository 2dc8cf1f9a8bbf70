"""The full-text index: what matches where, how well, and how many passages hold a word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.memory.memory import Memory
from stepwell.store.database import open_database
from stepwell.store.words import (
    add_words,
    best_matches,
    completions,
    count_words,
    index_anew,
    index_text,
    matches_within,
    matching_rows,
    n_holding,
    rows_within,
)
from stepwell.trajectory.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw

TEXTS = {3: "kelp kelp gull", 5: "kelp", 8: "gull walrus anchor rope", 9: "anchor", 12: "rope"}


def passage(text: str, label: str = "", *, line: int = 1, column: int = 1) -> Passage:
    return Passage(step=0, part="o1", label=label, text=text, first_line=line, first_column=column)


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    add_words(connection, ((row, passage(text)) for row, text in TEXTS.items()))
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
    add_words(db, [(20, passage("whale"))])
    count_words(db)
    assert n_holding(db, "whale") == 1


def test_tool_or_actor_is_indexed_once_at_the_start_of_an_atom() -> None:
    assert index_text(passage("kelp", "bash")) == "bash kelp"
    assert index_text(passage("kelp", "bash", column=2)) == "kelp"
    assert index_text(passage("kelp", "bash", line=2)) == "kelp"


def test_what_begins_so_is_found_but_not_the_beginning_itself(db: apsw.Connection) -> None:
    add_words(db, [(30, passage("9f3c2ab 9f3c2ab17d 9f3c2ac kelpie"))])
    count_words(db)
    assert completions(db, "9f3c2ab", spans=None, most=9) == ["9f3c2ab17d"]
    assert completions(db, "9f3c", spans=None, most=2) == ["9f3c2ab", "9f3c2ab17d"]
    assert completions(db, "kelp", spans=None, most=9) == ["kelpi"]


def test_indexing_anew_gives_what_indexing_at_once_gave(tmp_path: Path) -> None:
    log = tmp_path / "chat.jsonl"
    texts = ["Ødegaard moved the kelp", "x = " + "gull " * 600, "端口5433"]
    log.write_text("".join(json.dumps({"role": "user", "content": text}) + "\n" for text in texts))
    with Memory(tmp_path / "memory.db", encoder=None) as memory:
        memory.ingest(log)
    db = open_database(tmp_path / "memory.db")
    words = ("odegaard", "gull", "user", "端口", "kelp")
    before = [list(matching_rows(db, f'"{word}"')) for word in words]
    assert all(before)
    db.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
    index_anew(db)
    assert [list(matching_rows(db, f'"{word}"')) for word in words] == before
    index_anew(db)  # twice is once
    assert [list(matching_rows(db, f'"{word}"')) for word in words] == before
    db.close()


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), min_size=1, max_size=14),
    st.sampled_from(['"kelp"', '"gull"', '"kelp" OR "gull"']),
    st.integers(1, 70),
)
@settings(max_examples=80, deadline=None)
def test_rows_within_spans_are_those_a_look_at_each_would_find_unless_too_many(
    drawn: list[tuple[int, int]], expression: str, most: int
) -> None:
    spans: list[tuple[int, int]] = []
    for first, length in sorted(drawn):
        if not spans or first > spans[-1][1]:
            spans.append((first, first + length))
    db = open_database(None)
    words = ("kelp", "gull", "kelp gull", "rope")
    add_words(db, ((row, passage(words[row % 4])) for row in range(64)))
    each = [row for span in spans for row in matching_rows(db, expression, span=span)]
    found = rows_within(db, expression, spans, most=most)
    assert found in (each, None)
    if len(list(matching_rows(db, expression))) < most:
        assert found == each
    if len(each) >= most:
        assert found is None
    db.close()
