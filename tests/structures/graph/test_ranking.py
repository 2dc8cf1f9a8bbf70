"""Scores of triples: near the question's names, and by the words they share with it."""

from __future__ import annotations

import numpy as np
import pytest

from stepwell.structures.base import Query
from stepwell.structures.graph.model import Triple
from stepwell.structures.graph.ranking import score_triples
from stepwell.structures.graph.view import GraphView
from stepwell.text.search import query_tokens


def scores(question: str, *steps: list[Triple]) -> list[float]:
    view = GraphView()
    view.extend(steps)
    found = score_triples(Query(text=question, terms=tuple(query_tokens(question))), view)
    return [float(score) for score in found]


CHAIN = [
    Triple("kelp 1", "near", "crate 2"),
    Triple("crate 2", "near", "barrel 3"),
    Triple("barrel 3", "near", "pier 4"),
    Triple("pier 4", "near", "quay 5"),
]


def test_the_nearer_a_triple_is_to_the_name_the_more_it_scores() -> None:
    found = scores("Where is kelp 1?", CHAIN)
    assert found[0] > found[1] > 0
    assert found[2:] == [0.0, 0.0]


def test_without_any_name_or_word_of_the_question_nothing_scores() -> None:
    assert scores("Why?", CHAIN) == [0.0] * 4


def test_the_share_of_the_question_s_words_counts_by_how_rare_they_are() -> None:
    triples = [
        Triple("alpha one", "saw", "walrus"),
        Triple("beta two", "saw", "gull"),
        Triple("gamma three", "saw", "gull"),
    ]
    (first, *others) = scores("saw walrus?!", triples)
    assert first > max(others)
    assert others[0] == pytest.approx(others[1])


def test_what_is_said_of_more_steps_counts_more() -> None:
    once, often = Triple("kelp 1", "near", "crate 2"), Triple("kelp 1", "near", "crate 3")
    found = scores("Where is kelp 1?", [once, often], [often], [often])
    assert found[1] > found[0]


def test_two_names_that_only_stand_together_count_half() -> None:
    (weak,) = scores("walrus", [Triple("alpha one", "mentions", "walrus")])
    (strong,) = scores("walrus", [Triple("alpha one", "saw", "walrus")])
    assert weak == pytest.approx(strong - 0.5)


def test_the_best_score_of_a_named_triple_is_at_most_two() -> None:
    found = np.array(scores("kelp 1 near crate 2", CHAIN))
    assert found.max() <= 2.0
    assert found.argmax() == 0
