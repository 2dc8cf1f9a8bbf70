"""A structure of an installed package fails in any way, and the recall goes on without it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.errors import InvalidInputError
from stepwell.store.rowids import rowid
from stepwell.structures import guarded as module
from stepwell.structures.base import Note, Query, Ranking, Traits, Within
from stepwell.structures.guarded import guarded

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED = Query(text="walrus", terms=("walrus",))
ROWS = [rowid(1, 0), rowid(1, 1)]
WITHIN = Within(spans=((rowid(1, 0), rowid(1, 9)), (rowid(3, 0), rowid(3, 9))), n_passages=20)


def ranking(rows: Any = ROWS, scores: Any = (2.0, 1.0), **given: Any) -> Ranking:
    rowids, values = np.asarray(rows), np.asarray(scores)
    return Ranking(structure="other", rowids=rowids, scores=values, **given)


@dataclass
class Toy:
    """Does in every method what a test says."""

    does: Callable[[], Any]
    name: str = "toy"
    tokens: int = 100
    traits: Any = field(default_factory=Traits)

    def save(self) -> None:
        self.does()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:  # noqa: ARG002
        return self.does()  # type: ignore[no-any-return]

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:  # noqa: ARG002
        return self.does()  # type: ignore[no-any-return]


def raises() -> None:
    raise RuntimeError("no varnish")


def search(does: Callable[[], Any], *, limit: int = 10) -> Ranking:
    return guarded("toy", lambda: Toy(does)).search(ASKED, within=WITHIN, limit=limit)


def test_what_works_is_passed_on_under_its_own_name() -> None:
    note = Note(number=3, text="a line", steps=(2,))
    found = search(lambda: ranking(notes=(note,), comment="so"))
    assert (found.structure, found.failure, found.comment) == ("toy", "", "so")
    assert found.rowids.tolist() == ROWS
    assert found.scores.tolist() == [2.0, 1.0]
    assert found.notes == (note,)


@pytest.mark.parametrize(
    ("does", "told"),
    [
        (raises, "RuntimeError('no varnish')"),
        (lambda: None, "NoneType, not a Ranking"),
        (lambda: ranking(scores=(float("nan"), 1.0)), "no finite number"),
        (lambda: ranking(scores=(float("inf"), 1.0)), "no finite number"),
        (lambda: ranking(mean=float("nan")), "no finite number"),
        (lambda: ranking(scores=(1.0,)), "different shapes"),
        (lambda: ranking(rows=[0.5, 1.5]), "no whole numbers"),
        (lambda: ranking(rows=[ROWS]), "different shapes"),
        (lambda: ranking(rows=["a", "b"]), "no whole numbers"),
        (lambda: ranking(scores=("a", "b")), "could not convert"),
    ],
    ids=range(10),
)
def test_what_cannot_be_used_is_left_out_and_told(does: Callable[[], Any], told: str) -> None:
    found = search(does)
    assert (len(found.rowids), len(found.scores), found.notes) == (0, 0, ())
    assert found.failure.startswith("The structure 'toy', which an installed package brings, fail")
    assert told in found.failure


def test_what_is_out_of_scope_is_dropped() -> None:
    rows = [rowid(2, 0), rowid(1, 9), rowid(3, 0), rowid(1, 0) - 1, rowid(3, 9) + 1, 0, -5]
    notes = (Note(number=2, text="x", steps=(0,)), Note(number=1, text="y", steps=()))
    found = search(lambda: ranking(rows=rows, scores=range(7, 0, -1), notes=notes))
    assert found.rowids.tolist() == [rowid(1, 9), rowid(3, 0)]
    assert found.scores.tolist() == [6.0, 5.0]
    assert found.notes == ()


def test_no_more_than_was_asked_for_is_taken() -> None:
    assert search(ranking, limit=1).rowids.tolist() == ROWS[:1]


def test_what_hangs_is_left_out_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.2)
    toy = guarded("toy", lambda: Toy(lambda: time.sleep(99)))
    for told in ("did not come back within 0.2 s", "has not come back from an earlier call"):
        assert told in toy.search(ASKED, within=WITHIN, limit=10).failure


def test_what_a_structure_could_not_save_the_next_search_tells() -> None:
    inner = Toy(raises)
    toy = guarded("toy", lambda: inner)
    toy.save()
    inner.does = ranking
    first, second = (toy.search(ASKED, within=WITHIN, limit=10) for _ in range(2))
    assert "no varnish" in first.failure
    assert first.rowids.tolist() == ROWS
    assert second.failure == ""


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ({"a": 1, "b": float("nan"), 3: 1.0, "c": "x"}, {"a": 1.0}),
        (None, {}),
        ([1], {}),
    ],
)
def test_of_signals_the_numbers_are_taken(told: Any, kept: dict[str, float]) -> None:
    assert guarded("toy", lambda: Toy(lambda: told)).signals(ASKED, within=WITHIN) == kept


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (raises, "no varnish"),
        (lambda: Toy(raises, name="else"), "calls itself 'else'"),
        (lambda: Toy(raises, traits=None), "does not say what it is"),
        (object, "calls itself None"),
    ],
)
def test_what_is_no_structure_is_refused(make: Callable[[], Any], told: str) -> None:
    with pytest.raises(InvalidInputError, match=told):
        guarded("toy", make)
