"""Which names a question speaks of: exactly, nearly, or by a word they share."""

from __future__ import annotations

import pytest

from stepwell.structures.graph.linking import exact_links, links
from stepwell.structures.graph.model import Triple
from stepwell.structures.graph.view import GraphView


def view_of(*names: str) -> GraphView:
    view = GraphView()
    view.extend([[Triple(name, "is", "zz")] for name in names])
    return view


def named(question: str, *names: str) -> dict[str, tuple[int, int]]:
    view = view_of(*names)
    return {view.names[node]: words for node, words in exact_links(question, view).items()}


@pytest.mark.parametrize(
    ("question", "names", "expected"),
    [
        ("Where is kelp 1?", ["kelp 1", "kelp"], {"kelp 1": (2, 4)}),
        ("KELP 1, or pier 2?", ["kelp 1", "pier 2"], {"kelp 1": (0, 2), "pier 2": (3, 5)}),
        ("kelp kelp", ["kelp"], {"kelp": (0, 1)}),
        ("see src/app/main.py.", ["/home/src/app/main.py"], {"/home/src/app/main.py": (1, 2)}),
        ("what is the step", ["what", "step", "the"], {}),
        ("is 12 or x there", ["12", "x"], {}),
        (
            "b1 b2 b3 b4 b5 b6",
            ["b1 b2 b3 b4 b5 b6"],
            {"b1 b2 b3 b4 b5 b6": (0, 6)},
        ),
        ("a1 a2 a3 a4 a5 a6 a7", ["a1 a2 a3 a4 a5 a6 a7"], {}),
        ("", ["kelp"], {}),
    ],
)
def test_the_longest_names_of_up_to_six_words_count(
    question: str, names: list[str], expected: dict[str, tuple[int, int]]
) -> None:
    assert named(question, *names) == expected


def test_a_name_behind_the_sixtieth_word_is_not_looked_for() -> None:
    assert named("go " * 59 + "kelp", "kelp") == {"kelp": (59, 60)}
    assert named("go " * 60 + "kelp", "kelp") == {}


def linked(question: str, *names: str) -> dict[str, float]:
    view = view_of(*names)
    return {view.names[node]: sure for node, sure in links(question, view).items()}


def test_an_exact_name_counts_one() -> None:
    assert linked("Where is kelp 1?", "kelp 1") == {"kelp 1": 1.0}


def test_a_misspelt_name_counts_its_likeness() -> None:
    (sure,) = linked("Where is the barnacel?", "barnacle").values()
    assert 0.85 <= sure < 1
    assert linked("Where is the banana?", "barnacle") == {}


def test_names_that_share_a_word_share_a_half() -> None:
    names = [f"old harbour wall {n}" for n in range(4)]
    assert linked("What of the harbour?", *names) == pytest.approx(dict.fromkeys(names, 0.125))


def test_a_word_of_more_than_24_names_points_at_none() -> None:
    names = [f"dock {n}" for n in range(24)]
    assert len(linked("Which dock?", *names)) == 24
    assert linked("Which dock?", *names, "dock 24") == {}


def test_words_of_a_name_that_is_linked_point_nowhere_else() -> None:
    assert linked("Where is kelp 1?", "kelp 1", "kelp bed") == {"kelp 1": 1.0}
