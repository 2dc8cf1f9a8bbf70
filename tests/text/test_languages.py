"""The table of words is whole, and a language is read only where its marks stand."""

from __future__ import annotations

import pytest

from stepwell.text.languages import LANGUAGES, in_english_steps, spoken, words_in


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_knows_no_concept_that_english_lacks(code: str) -> None:
    assert set(LANGUAGES[code].words) <= set(LANGUAGES["en"].words)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_that_names_months_names_all_of_them(code: str) -> None:
    language = LANGUAGES[code]
    counts = (len(language.months.split()), len(language.weekdays.split()))
    assert counts == ((12, 7) if language.is_spaced else (0, 0))


def test_a_language_is_read_where_its_marks_stand() -> None:
    assert len(spoken("What happened then?")) == 1
    assert spoken("Was geschah dann?") == (LANGUAGES["en"], LANGUAGES["de"])


def test_words_are_whole_and_do_not_overlap() -> None:
    assert [word.concept for word in words_in("the day before yesterday")] == ["before_yesterday"]
    assert words_in("the firsthand commander") == ()
    assert [word.text for word in words_in("Was war die letzte Aufgabe?")] == [
        "was", "war", "die", "letzte", "aufgabe",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("in Schritt 4", "in step 4"),
        ("l'étape 7", "l' step 7 "),
        ("el paso 3", "el step 3"),
        ("第12步", " step 12 "),
        ("第12章", "第12章"),
        ("Fortschritt 4", "Fortschritt 4"),
    ],
)
def test_steps_are_named_in_any_language(question: str, read: str) -> None:
    assert in_english_steps(question) == read
