"""A policy chooses, what it chose is searched, and runs far from the question are left aside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.policy.base import Context, Selection
from stepwell.recall.find.context import Backgrounds, Sources, UnitSource
from stepwell.recall.find.find import Found, find, look
from stepwell.recall.question import Question
from stepwell.store.database import open_database
from stepwell.store.rowids import rowid, span
from stepwell.structures.base import Query, Ranking, Traits, Within
from stepwell.structures.units.index import UnitIndex
from stepwell.text.tokens import counter
from support.entries import entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import apsw


QUERY = Query(text="which port?", terms=("port",))


@dataclass(kw_only=True)
class Fixed:
    """A structure that finds the same passages for every question, and notes what it is asked."""

    name: str
    traits: Traits
    tokens: int = 100
    rows: tuple[int, ...] = ()
    asked: list[tuple[Within, int]] = field(default_factory=list)

    def save(self) -> None:
        raise AssertionError

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        return {f"{self.name}.terms": float(len(query.terms) + len(within.spans))}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        assert query is QUERY
        self.asked.append((within, limit))
        return Ranking(
            structure=self.name,
            traits=self.traits,
            rowids=np.array(self.rows, dtype=np.int64),
            scores=np.arange(len(self.rows), 0, -1, dtype=np.float64),
            mean=1.0,
            deviation=0.5,
        )


@dataclass(kw_only=True)
class Chooses:
    """A policy that chooses the same structures for every question."""

    structures: tuple[str, ...]
    tokens: Mapping[str, int] = field(default_factory=dict)
    seen: list[Context] = field(default_factory=list)
    name: str = "fixed"

    def select(self, question: str, context: Context) -> Selection:
        assert question == QUERY.text
        assert context.signals["words.top"] >= 0
        self.seen.append(context)
        return Selection(structures=self.structures, tokens=self.tokens)


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


@dataclass(kw_only=True)
class Scene:
    """Structures over some runs of ten steps each."""

    db: apsw.Connection
    n_runs: int = 1
    n_steps: int = 10
    words: Fixed = field(
        default_factory=lambda: Fixed(
            name="episodic", traits=Traits(matches="words", is_wide=True), rows=(rowid(1, 3),)
        )
    )
    others: tuple[Fixed, ...] = ()

    def find(self, *structures: str, **tokens: int) -> Found:
        policy = Chooses(structures=structures, tokens=tokens)
        question = Question(
            text=QUERY.text,
            budget=300,
            form="text",
            before=None,
            counter=counter("o200k"),
            policy=policy,
        )
        found = find(question, QUERY, **self.where())
        assert [seen.budget for seen in policy.seen] == [300]
        return found

    def where(self) -> dict[str, Any]:
        runs = [entry(n, f"r{n}", n_steps=self.n_steps) for n in range(1, self.n_runs + 1)]
        sources = Sources(
            structures=(self.words, *self.others),
            units=UnitSource(index=UnitIndex(self.db)),
            backgrounds=Backgrounds(self.db),
        )
        spans = tuple(span(run.number) for run in runs)
        within = Within(spans=spans, n_passages=9 * self.n_runs, is_all=True, share=0.5)
        return {"entries": runs, "within": within, "sources": sources}


def quoting(name: str, **traits: bool) -> Fixed:
    return Fixed(name=name, traits=Traits(**traits))  # type: ignore[arg-type]


def names(found: Found) -> list[str]:
    return [ranking.structure for ranking in found.rankings]


def test_words_are_searched_once_whether_they_are_chosen_or_not(db: apsw.Connection) -> None:
    log = quoting("temporal")
    scene = Scene(db=db, others=(log,))
    assert names(scene.find("episodic")) == ["episodic"]
    assert len(scene.words.asked) == 1
    assert log.asked == []
    assert names(scene.find("temporal")) == ["temporal"]
    assert len(scene.words.asked) == 2
    assert len(log.asked) == 1


def test_rankings_stand_in_the_order_of_sections(db: apsw.Connection) -> None:
    scene = Scene(db=db, others=(quoting("mine"), quoting("temporal")))
    assert names(scene.find("mine", "episodic", "temporal")) == ["temporal", "episodic", "mine"]


def test_what_only_orders_is_not_searched_and_needs_words(db: apsw.Connection) -> None:
    units = quoting("units", orders=True)
    scene = Scene(db=db, others=(units, quoting("temporal")))
    alone = scene.find("units")
    assert names(alone) == ["episodic"]
    assert units.asked == []
    assert (alone.has_units, alone.has_units_alone, alone.reads_words) == (True, True, False)
    beside = scene.find("units", "temporal")
    assert names(beside) == ["temporal"]
    assert (beside.has_units, beside.has_units_alone) == (True, False)
    assert not scene.find("temporal").has_units


def test_a_structure_that_there_is_not_is_passed_over(db: apsw.Connection) -> None:
    found = Scene(db=db, others=(quoting("units", orders=True),)).find("units", "vector")
    assert set(found.most) == {"units"}
    assert set(found.chosen) == {"units"}
    assert not found.has_units_alone
    assert found.selection.structures == ("units", "vector")


def test_only_stating_structures_quote_nothing(db: apsw.Connection) -> None:
    scene = Scene(db=db, others=(quoting("summary", quotes=False), quoting("temporal")))
    assert not scene.find("summary").quotes
    assert scene.find("summary", "temporal").quotes
    assert scene.find("summary", "vector").quotes
    assert scene.find("episodic").reads_words


def test_a_structure_gives_its_own_most_unless_the_policy_says_otherwise(
    db: apsw.Connection,
) -> None:
    scene = Scene(db=db, others=(quoting("temporal"),))
    assert scene.find("episodic", "temporal", temporal=7).most == {"episodic": 100, "temporal": 7}


def test_every_passage_of_a_small_scope_is_asked_for(db: apsw.Connection) -> None:
    scene = Scene(db=db, n_steps=5_000)
    scene.find("episodic")
    assert scene.words.asked[-1][1] == 9
    scene = Scene(db=db, n_steps=5_001)
    scene.find("episodic")
    assert scene.words.asked[-1][1] == 200
    empty = Scene(db=db, n_runs=0)
    empty.find("episodic")
    assert empty.words.asked[-1][1] == 1


def test_few_runs_are_searched_by_all(db: apsw.Connection) -> None:
    log = quoting("temporal")
    scene = Scene(db=db, n_runs=8, others=(log,))
    scene.find("temporal")
    assert log.asked[0][0] == scene.where()["within"]


def test_of_many_runs_those_of_the_best_hits_and_the_latest_are_looked_at(
    db: apsw.Connection,
) -> None:
    log, near = quoting("temporal"), quoting("vector", is_wide=True)
    scene = Scene(db=db, n_runs=12, others=(log, near))
    scene.words.rows = (rowid(3, 0), rowid(1, 2), rowid(3, 5))
    scene.find("temporal", "vector")
    (looked, _), (wide, _) = log.asked[0], near.asked[0]
    assert wide == scene.where()["within"]
    assert looked.spans == tuple(span(n) for n in (1, 3, 7, 8, 9, 10, 11, 12))
    assert (looked.n_passages, looked.is_all) == (72, False)
    assert looked.share == pytest.approx(0.5 * 72 / 108)


def test_a_look_tells_how_far_words_stand_out(db: apsw.Connection) -> None:
    scene = Scene(db=db)
    scene.words.rows = (rowid(1, 3), rowid(1, 5), rowid(1, 6))
    seen = look(QUERY, 300, **scene.where())
    assert seen.context.signals["words.top"] == (3.0 - 1.0) / 0.5
    assert seen.context.signals["words.share"] == pytest.approx(3 / 9)
    scene.words.rows = ()
    nothing = look(QUERY, 300, **scene.where()).context.signals
    assert (nothing["words.top"], nothing["words.share"]) == (0.0, 0.0)
    empty = look(QUERY, 300, **Scene(db=db, n_runs=0).where()).context.signals
    assert empty["words.share"] == 0.0


def test_structures_are_asked_for_signals_of_runs_that_are_not_too_long(
    db: apsw.Connection,
) -> None:
    short = look(QUERY, 300, **Scene(db=db, n_steps=5_000).where())
    assert short.context.signals["episodic.terms"] == 2.0
    long = look(QUERY, 300, **Scene(db=db, n_steps=5_001).where())
    assert "episodic.terms" not in long.context.signals


def test_found_keeps_the_signals_that_were_looked_at(db: apsw.Connection) -> None:
    found = Scene(db=db).find("episodic")
    assert set(found.context.signals) == {"words.top", "words.share"}
