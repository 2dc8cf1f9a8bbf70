"""The graph structure: what it finds near the names of a question, and what it may see."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import rowid, span, step_of
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory
from stepwell.structures.base import Query, Within
from stepwell.structures.graph.extract import triples_of
from stepwell.structures.graph.index import Graph
from stepwell.structures.graph.linking import exact_links, links
from stepwell.structures.graph.model import Triple
from stepwell.structures.graph.view import GraphView
from stepwell.text.search import query_tokens
from support.trajectories import NOW, said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from stepwell.structures.base import Ranking
    from stepwell.trajectory.model import Step

HARBOUR = [
    turn(0, "look", "On the crate 2, you see a kelp 1, and a rope 4."),
    turn(1, "take it", "You take the kelp 1 from the crate 2."),
    turn(2, "wait", "Gulls pass."),
    turn(3, "put it", "You put the kelp 1 in the barrel 9."),
    turn(4, "look", "On the crate 2, you see a rope 4."),
]


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection, steps: list[Step], name: str = "run") -> int:
    with transaction(db):
        written = put_trajectory(db, trajectory(steps, name=name), scope=Scope(), now=NOW)
    return written.number


def within(*numbers: int, end: int | None = None, hidden: frozenset[int] = frozenset()) -> Within:
    spans = tuple(span(number, end=end) for number in numbers)
    return Within(spans=spans, n_passages=10, unanswered=hidden)


def query(question: str) -> Query:
    return Query(text=question, terms=tuple(query_tokens(question)))


def ask(graph: Graph, question: str, where: Within) -> Ranking:
    return graph.search(query(question), within=where, limit=50)


def texts(ranking: Ranking) -> list[str]:
    return [note.text for note in ranking.notes]


def test_triples_around_the_named_things_come_first(db: apsw.Connection) -> None:
    number = put(db, HARBOUR)
    ranking = ask(Graph(db), "Where is kelp 1?", within(number))
    assert "kelp 1 -in-> barrel 9" in texts(ranking)[:4]
    assert ranking.rowids.tolist()[0] in {rowid(number, step) for step in (0, 1, 3)}
    assert step_of(ranking.rowids.tolist()[-1]) == 2
    assert ranking.scores.tolist() == sorted(ranking.scores.tolist(), reverse=True)


def test_equal_triples_of_several_steps_are_one(db: apsw.Connection) -> None:
    ranking = ask(Graph(db), "Where is rope 4?", within(put(db, HARBOUR)))
    (note,) = [note for note in ranking.notes if note.text == "rope 4 -on-> crate 2"]
    assert note.steps == (0, 4)


def test_the_latest_place_is_shown_before_earlier_ones(db: apsw.Connection) -> None:
    ranking = ask(Graph(db), "Where is kelp 1?", within(put(db, HARBOUR)))
    places = {note.text: note.place for note in ranking.notes}
    assert places["kelp 1 -in-> barrel 9"] < places["kelp 1 -on-> crate 2"]


def test_later_steps_and_hidden_results_are_out_of_sight(db: apsw.Connection) -> None:
    number, graph = put(db, HARBOUR), Graph(db)
    before = ask(graph, "Where is kelp 1?", within(number, end=3))
    assert not any("barrel" in text for text in texts(before))
    hidden = frozenset({rowid(number, 3) >> 16})
    unanswered = ask(graph, "Where is kelp 1?", within(number, end=4, hidden=hidden))
    assert not any("barrel" in text for text in texts(unanswered))


def test_a_misspelt_name_is_linked() -> None:
    view = GraphView()
    view.extend([triples_of(said(0, "We sailed with Grace Hopper to Reykjavik."))])
    assert exact_links("What did Grace Hopper do?", view)
    misspelt = links("What happened in Reykjavic?", view)
    assert [view.names[node] for node in misspelt] == ["Reykjavik"]
    assert 0.85 <= next(iter(misspelt.values())) < 1


def test_the_longest_name_is_meant() -> None:
    view = GraphView()
    view.extend([[Triple("crate", "in", "hold"), Triple("crate 2", "in", "hold")]])
    assert [view.names[node] for node in exact_links("what is in crate 2?", view)] == ["crate 2"]


def test_a_path_is_found_by_its_last_parts() -> None:
    view = GraphView()
    view.extend(
        [[Triple("view", "path", "/home/ada/sea/tide.py")], [Triple("run", "on", "sea/tide.py")]]
    )
    assert len(view.names) == 3
    assert exact_links("Who changed sea/tide.py?", view)


def test_signals_count_the_names_of_a_question(db: apsw.Connection) -> None:
    number, graph = put(db, HARBOUR), Graph(db)
    asked = query("Is kelp 1 in barrel 9 or crate 2?")
    assert graph.signals(asked, within=within(number)) == {"graph.entities": 3.0}
    assert graph.signals(query("Why?"), within=within()) == {"graph.entities": 0.0}


def test_quotations_stand_in_the_first_step(db: apsw.Connection) -> None:
    ranking = ask(
        Graph(db), "sail", within(put(db, [said(0, "I sailed past the old lighthouse.")]))
    )
    quotes = [note.quote for note in ranking.notes if note.quote]
    assert "past the old lighthouse" in quotes


def test_a_further_step_is_read_by_the_next_search(db: apsw.Connection) -> None:
    number, graph = put(db, HARBOUR[:3]), Graph(db)
    assert "kelp 1 -in-> barrel 9" not in texts(ask(graph, "kelp 1", within(number)))
    with db:
        append_step(db, number, HARBOUR[3])
    assert "kelp 1 -in-> barrel 9" in texts(ask(graph, "kelp 1", within(number)))


def test_only_the_latest_of_many_trajectories_are_read(db: apsw.Connection) -> None:
    numbers = [put(db, HARBOUR[:1], name=f"run{n}") for n in range(20)]
    ranking = ask(Graph(db), "kelp 1", within(*numbers))
    assert {note.number for note in ranking.notes} == set(numbers[-16:])
    assert ranking.coverage == 16 / 20
    assert "16 of 20" in ranking.comment


@given(step_lists(), st.lists(st.integers(0, 8), max_size=3))
@settings(max_examples=50, deadline=None)
def test_a_view_grows_to_what_it_is_at_once(steps: list[Step], cuts: list[int]) -> None:
    values = [triples_of(step) for step in steps]
    at_once, grown = GraphView(), GraphView()
    at_once.extend(values)
    for first, end in pairwise([0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]):
        grown.extend(values[first:end])
        assert len(grown.edges) == len(grown.triples)
    assert (grown.names, grown.triples, grown.steps) == (
        at_once.names,
        at_once.triples,
        at_once.steps,
    )
    assert grown.edges.tolist() == at_once.edges.tolist()
