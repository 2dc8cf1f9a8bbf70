"""What structures say of themselves and of what they find, when they say nothing else."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from stepwell.structures.base import Note, Query, Ranking, Structure, Traits, Within


def test_a_structure_that_says_nothing_finds_steps_that_may_be_quoted() -> None:
    assert Traits() == Traits(matches="", is_wide=False, quotes=True, orders=False, why="")


def test_a_ranking_covers_all_and_says_nothing_by_itself() -> None:
    ranking = Ranking(structure="mine", rowids=np.empty(0, np.int64), scores=np.empty(0))
    assert (ranking.mean, ranking.deviation, ranking.coverage) == (0.0, 1.0, 1.0)
    assert (ranking.notes, ranking.comment, ranking.traits) == ((), "", Traits())
    assert ranking.is_sparse


def test_a_note_is_context_unless_it_is_an_answer() -> None:
    note = Note(number=1, text="a line", steps=(3,))
    assert (note.is_answer, note.quote, note.place) == (False, "", 0)


def test_a_scope_is_a_part_of_the_store_unless_it_says_so() -> None:
    within = Within(spans=(), n_passages=0)
    assert (within.is_all, within.share, within.unanswered) == (False, 1.0, frozenset())
    assert hash(within) == hash(Within(spans=(), n_passages=0))


@pytest.mark.parametrize(
    "value", [Traits(), Query(text="", terms=()), Within(spans=(), n_passages=0)]
)
def test_values_cannot_be_changed(value: object) -> None:
    for one in fields(value):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(value, one.name, None)


def test_the_protocol_has_three_methods() -> None:
    members = {name for name in vars(Structure) if not name.startswith("_")}
    methods = {name for name in members if callable(vars(Structure)[name])}
    assert methods == {"save", "search", "signals"}
    assert members - methods == {"name", "tokens", "traits"}
