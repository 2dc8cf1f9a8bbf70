"""A policy sees what runs are about, and asks structures for signals only when it looks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.recall.find.context import (
    Background,
    Backgrounds,
    Signals,
    Sources,
    UnitSource,
    context_of,
    in_order,
)
from stepwell.store.database import open_database, transaction
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Query, Ranking, Traits, Within
from stepwell.structures.units.index import UnitIndex
from support.entries import entry
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw


WHERE = Within(spans=((0, 9),), n_passages=3)
QUESTION = Query(text="which port?", terms=("port",))


@dataclass(kw_only=True)
class Counted:
    """A structure that counts how often it is asked for signals."""

    name: str
    traits: Traits = field(default_factory=Traits)
    tokens: int = 100
    told: dict[str, float] = field(default_factory=dict)
    asked: list[tuple[Query, Within]] = field(default_factory=list)

    def save(self) -> None:
        raise AssertionError

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        self.asked.append((query, within))
        return self.told

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        raise AssertionError(query, within, limit)


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection, name: str, text: str, **head: Any) -> None:
    run = replace(trajectory([said(0, text)], name=name), **head)
    with transaction(db):
        put_trajectory(db, run, scope=Scope(), now=NOW)


def two() -> tuple[Counted, Counted, Signals]:
    first = Counted(name="log", told={"log.slots": 2.0})
    second = Counted(name="map", told={"map.nodes": 3.0, "map.edges": 4.0})
    seen = {"words.top": 1.5}
    signals = Signals(structures=(first, second), query=QUESTION, within=WHERE, seen=seen)
    return first, second, signals


def test_a_structure_is_asked_when_its_signal_is_first_looked_at() -> None:
    first, second, signals = two()
    assert signals["log.slots"] == 2.0
    assert signals["log.slots"] == 2.0
    assert first.asked == [(QUESTION, WHERE)]
    assert second.asked == []
    assert signals.seen == {"words.top": 1.5, "log.slots": 2.0}


def test_what_is_known_without_a_structure_asks_none() -> None:
    first, second, signals = two()
    assert signals["words.top"] == 1.5
    assert first.asked == second.asked == []


def test_a_signal_that_nothing_tells_is_missing() -> None:
    _, second, signals = two()
    with pytest.raises(KeyError):
        signals["map.depth"]
    assert signals.get("web.pages") is None
    assert len(second.asked) == 1


def test_looking_at_all_signals_asks_every_structure_once() -> None:
    first, second, signals = two()
    assert list(signals) == ["words.top", "log.slots", "map.nodes", "map.edges"]
    assert len(signals) == 4
    assert dict(signals)["map.edges"] == 4.0
    assert len(first.asked) == len(second.asked) == 1


def test_names_are_ordered_by_section_those_of_users_behind() -> None:
    assert in_order(["zeta", "episodic", "mine", "summary", "episodic"]) == (
        "summary",
        "episodic",
        "mine",
        "zeta",
    )
    assert in_order([]) == ()


def test_a_background_is_what_the_log_says_and_a_fourth_of_its_characters(
    db: apsw.Connection,
) -> None:
    put(db, "a", "x" * 43, task="book a seat", extra={"domain": "airline"})
    (one,) = entries(db, Scope())
    assert Backgrounds(db).of(one) == Background(domain="airline", task="book a seat", n_tokens=10)


def test_a_log_that_says_nothing_has_an_empty_background(db: apsw.Connection) -> None:
    put(db, "a", "xxx", extra={"domain": 7})
    (one,) = entries(db, Scope())
    assert Backgrounds(db).of(one) == Background(domain="", task="", n_tokens=0)
    assert Backgrounds(db).of(entry(99)) == Background(domain="", task="", n_tokens=0)


def test_a_background_is_read_once_while_its_run_does_not_grow(db: apsw.Connection) -> None:
    put(db, "a", "x" * 40)
    (one,) = entries(db, Scope())
    backgrounds = Backgrounds(db)
    first = backgrounds.of(one)
    assert backgrounds.of(one) is first
    assert backgrounds.of(replace(one, n_passages=one.n_passages + 1)) is not first


def test_the_backgrounds_last_asked_for_are_kept(db: apsw.Connection) -> None:
    backgrounds = Backgrounds(db)
    kept = [backgrounds.of(entry(number)) for number in range(1, 257)]
    assert backgrounds.of(entry(1)) is kept[0]
    backgrounds.of(entry(257))
    assert backgrounds.of(entry(1)) is kept[0]
    assert backgrounds.of(entry(3)) is kept[2]
    assert backgrounds.of(entry(2)) is not kept[1]


def sources(db: apsw.Connection, *structures: Counted) -> Sources:
    return Sources(
        structures=structures,
        units=UnitSource(index=UnitIndex(db)),
        backgrounds=Backgrounds(db),
    )


def test_the_structure_that_matches_words_is_searched_for_every_question(
    db: apsw.Connection,
) -> None:
    words = Counted(name="mine", traits=Traits(matches="words"))
    near = Counted(name="near", traits=Traits(matches="meaning"))
    assert sources(db, near, words).words is words


def test_a_context_sums_up_the_runs(db: apsw.Connection) -> None:
    put(db, "a", "x" * 40, task="one", extra={"domain": "airline"})
    put(db, "b", "y" * 80, task="two", extra={"domain": "airline"})
    put(db, "c", "z" * 80, task="two", extra={"domain": "retail"})
    runs = sorted(entries(db, Scope()), key=lambda one: one.number)
    known = sources(db, Counted(name="mine"), Counted(name="episodic"))
    _, _, signals = two()
    both = context_of(signals, budget=300, entries=runs[:2], sources=known)
    assert both.available == ("episodic", "mine")
    assert (both.budget, both.n_steps, both.n_tokens) == (300, 2, 30)
    assert (both.domain, both.task) == ("airline", "")
    assert both.signals is signals
    one = context_of(signals, budget=300, entries=runs[:1], sources=known)
    assert (one.domain, one.task) == ("airline", "one")
    every = context_of(signals, budget=300, entries=runs, sources=known)
    assert (every.domain, every.task) == ("", "")
    none = context_of(signals, budget=300, entries=[], sources=known)
    assert (none.domain, none.task, none.n_steps, none.n_tokens) == ("", "", 0, 0)


def test_units_come_without_vectors_where_there_are_none(db: apsw.Connection) -> None:
    put(db, "a", "x" * 40)
    (one,) = entries(db, Scope())
    assert UnitSource(index=UnitIndex(db)).of(one).n_steps == 1
    assert np.asarray(UnitSource(index=UnitIndex(db)).of(one).members).tolist() == []
