"""Identifiers by part: what a short hash or the beginning of an id finds, and what it does not."""

from __future__ import annotations

import pytest

from stepwell.recall.find.identifiers import with_identifiers
from stepwell.recall.question import prepare
from stepwell.store.database import open_database
from stepwell.store.rowids import span
from stepwell.store.words import add_words
from stepwell.structures.base import Query, Within
from stepwell.trajectory.passages import Passage
from support.stores import stored
from support.trajectories import said, trajectory

ALL = Within(spans=(), n_passages=0, is_all=True)
UUID = "550e8400-e29b-41d4-a716-446655440000"
FULL = "9f3c2ab17d5e4f60718293a4b5c6d7e8f9012345"


def found(question: str, *texts: str) -> set[str]:
    """Return the terms that a question gains in a store of these texts."""
    db = open_database(None)
    passages = (Passage(step=0, part="m", label="user", text=text, first_line=1) for text in texts)
    add_words(db, enumerate(passages, start=1))
    query = prepare(question, encoder=None)
    gained = with_identifiers(db, query, ALL).terms[len(query.terms) :]
    assert len(set(gained)) == len(gained)
    db.close()
    return set(gained)


@pytest.mark.parametrize(
    ("question", "text", "whole"),
    [
        ("What did commit 9f3c2a do?", f"Merged {FULL}", FULL),
        ("What did commit 9F3C2AB do?", f"Merged {FULL.upper()}", FULL),
        (f"What did {FULL} do?", "9f3c2ab rotate the keys", "9f3c2ab"),
        ("Whose is 550e8400-e2?", *[UUID] * 2),
        ("What did toolu_01Ab return?", "TOOLU_01ABXYZ2F", "toolu_01abxyz2f"),
        ("And container 3f9d8a1b22?", "3f9d8a1b22c4d5 is up", "3f9d8a1b22c4d5"),
    ],
)
def test_part_of_an_identifier_finds_the_other(question: str, text: str, whole: str) -> None:
    assert whole in found(question, text)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("What of 9f3c2?", [FULL]),  # five digits
        ("Which facade?", ["facade0123456789"]),  # a word without a digit
        ("Use python3.11?", ["python3.11-venv python3.11"]),  # known by just this name
        ("Which 9f3c2ab?", [f"9f3c2ab{n}d" for n in range(4)]),  # too many to be meant
        ("Which 9f3c2ab?", ["9f3c2ab/readme.md"]),  # a path, found by its parts
        ("Which 9f3c2ac?", [FULL]),
    ],
)
def test_what_names_no_identifier_finds_none(question: str, texts: list[str]) -> None:
    assert not found(question, *texts)


def test_up_to_three_identifiers_with_one_beginning_are_all_meant() -> None:
    wholes = [f"9f3c2ab{n}d" for n in range(3)]
    assert found("Which 9f3c2ab?", *wholes) == set(wholes)


def test_identifiers_of_others_are_neither_found_nor_counted() -> None:
    db = open_database(None)
    mine = stored(db, trajectory([said(0, "9f3c2ab17d5e4f")], name="mine"))
    theirs = " ".join(f"9f3c2ab17d{n:02}" for n in range(90))
    stored(db, trajectory([said(0, f"{theirs} 9f3c2ab")], name="theirs"))
    query = Query(text="9f3c2ab?", terms=("9f3c2ab17d",))
    alone = Within(spans=(span(mine.number),), n_passages=1)
    assert with_identifiers(db, query, alone).terms == ("9f3c2ab17d", "9f3c2ab17d5e4f")
    assert with_identifiers(db, query, ALL).terms == ("9f3c2ab17d", "9f3c2ab")
