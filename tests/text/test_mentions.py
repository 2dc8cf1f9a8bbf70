"""What a question is about: names, words and numbers, in several languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.mentions import Mention, is_about_run, mentions_in


def kinds(question: str) -> dict[str, str]:
    return {mention.text: mention.kind for mention in mentions_in(question)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does the user like aubergines?", {"aubergines": "word"}),
        ("Where did Anna and Jo meet?", {"Anna": "name", "Jo": "name", "meet": "word"}),
        ("Anna left. Explain it to Bob.", {"Anna": "word", "left": "word", "Bob": "name"}),
        (
            "Which ID has the SQL of api_server?",
            {"ID": "word", "SQL": "word", "api_server": "name"},
        ),
        ("Is 9f3c2ab in v1.2?", {"9f3c2ab": "name", "v1.2": "name"}),
        (
            "Did order 10443 ship 3 boxes?",
            {"10443": "name", "3": "number"} | dict.fromkeys(("order", "ship", "boxes"), "word"),
        ),
        (
            "Were reads/writes SymPy-specific?",
            {"SymPy": "name"} | dict.fromkeys(("reads", "writes"), "word"),
        ),
        ("What is the 'Net Growth' of Oslo?", {"Net": "word", "Growth": "word", "Oslo": "name"}),
        (
            "Did Anna's 2's and 16s last 30s, e.g. in Aug?",
            {"Anna": "name"} | dict.fromkeys(("2", "16s", "30s"), "number"),
        ),
        ("What is it?", {}),
        ("How many commands failed in step 12 of the 31-turn run (turn_idx)?", {}),
    ],
)
def test_names_and_words_are_told_apart(question: str, expected: dict[str, str]) -> None:
    assert kinds(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welchen Port nutzt das Gateway jetzt?", ["Port", "nutzt", "Gateway"]),
        ("¿Qué puerto usa la pasarela?", ["puerto", "usa", "pasarela"]),
        ("Quel port utilise la passerelle ?", ["port", "utilise", "passerelle"]),
        ("Какой порт для шлюза?", ["порт", "шлюза"]),
        ("网关的端口是多少?", ["网关", "端口"]),
        ("ゲートウェイのポートは何番ですか", ["ゲートウェイ", "ポート", "番"]),
        ("포트는 무엇입니까?", ["포트는"]),
    ],
)
def test_words_of_any_question_are_left_out_in_other_languages(
    question: str, expected: list[str]
) -> None:
    assert list(kinds(question)) == expected


def test_capitals_of_german_nouns_make_no_names() -> None:
    assert set(kinds("Welchen Port nutzt das Gateway?").values()) == {"word"}


def test_a_word_without_blanks_around_it_is_held_by_its_pairs() -> None:
    (gateway,) = mentions_in("网关呢?")
    assert (gateway.whole, gateway.parts) == ("", ("网关",))


@pytest.mark.parametrize(
    ("whole", "beginning"),
    [("auberg", "aube"), ("анна", ""), ("шлюза", "шлюз"), ("port80", ""), ("rain", "")],
)
def test_an_ending_is_one_letter_of_five_and_two_of_more(whole: str, beginning: str) -> None:
    assert Mention(text=whole, whole=whole, parts=(), kind="word").beginning == beginning


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("Why did the agent stop?", True),
        ("Which steps came first?", True),
        ("Was war die Aufgabe?", True),
        ("Why did the build stop?", False),
        ("Who turned it off in interaction 3?", False),
    ],
)
def test_a_question_about_the_run_speaks_of_its_agent_or_steps(
    question: str, *, is_so: bool
) -> None:
    assert is_about_run(question) is is_so


@given(st.text(max_size=300))
def test_any_question_is_read_and_nothing_stands_twice(question: str) -> None:
    found = mentions_in(question)
    assert len({(one.whole, *one.parts) for one in found}) == len(found)
    assert all(one.whole or one.parts for one in found)
