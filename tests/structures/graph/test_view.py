"""A graph that grows: names that are one, triples that are merged, tokens that lead to both."""

from __future__ import annotations

from stepwell.structures.graph.model import Triple
from stepwell.structures.graph.view import GraphView

STEPS = [
    [Triple("Kelp 1", "on", "crate 2"), Triple("kelp 1", "on", "Crate 2")],
    [],
    [Triple("kelp 1", "taken from", "crate 2"), Triple("Kelp 1", "on", "crate 2")],
]


def view_of(*steps: list[Triple]) -> GraphView:
    view = GraphView()
    view.extend(steps)
    return view


def test_names_with_one_key_are_one_as_they_first_stood() -> None:
    view = view_of(*STEPS)
    assert view.names == ["Kelp 1", "crate 2"]
    assert view.nodes == {"kelp 1": 0, "crate 2": 1}


def test_equal_triples_are_one_with_all_their_steps_once_each() -> None:
    view = view_of(*STEPS)
    assert [triple.relation for triple in view.triples] == ["on", "taken from"]
    assert view.steps == [[0, 2], [2]]
    assert view.n_steps == 3
    assert view.edges.tolist() == [[0, 1], [0, 1]]


def test_the_same_names_the_other_way_round_are_another_triple() -> None:
    view = view_of([Triple("a b", "on", "c d"), Triple("c d", "on", "a b")])
    assert view.edges.tolist() == [[0, 1], [1, 0]]


def test_tokens_lead_to_names_and_relations() -> None:
    view = view_of(*STEPS)
    assert view.holders["kelp"] == [0]
    assert view.holders["crate"] == [1]
    assert [view.triples[at].relation for at in view.tellers["taken"]] == ["taken from"]


def test_a_word_twice_in_a_name_holds_it_once() -> None:
    assert view_of([Triple("kelp kelp", "is", "x y")]).holders["kelp"] == [0]


def test_edges_of_nothing_have_two_columns_and_no_rows() -> None:
    view = view_of()
    assert view.edges.shape == (0, 2)
    view.extend([[Triple("a b", "on", "c d")]])
    held = view.edges
    view.extend([[Triple("a b", "on", "e f")]])
    assert (held.tolist(), view.edges.tolist()) == ([[0, 1]], [[0, 1], [0, 2]])
