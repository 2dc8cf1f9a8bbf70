"""Names: plain, compared, listed, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.grammar.names import (
    is_name,
    key_of,
    listed,
    plain_name,
    words_of,
)
from stepwell.structures.temporal.grammar.words.names import ARTICLES, NO_NAMES, QUOTES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Lamp_1", ("the", "lamp", "1")),
        ("lamp12b", ("lamp", "12", "b")),
        ("src/app.py", ("src", "app", "py")),
        ("ÖL 1 茶碗", ("öl", "1", "茶碗")),
        ("\uff11\uff12", ("12",)),
        ("...", ()),
        ("", ()),
    ],
)
def test_words_are_letters_or_digits(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The Lamp_1", "lamp 1"),
        ("a the lamp", "lamp"),
        ("these lamps", "lamps"),
        ("Anthem", "anthem"),
        ("the", "the"),
        ("src/app.py", "src app py"),
        ("-!-", ""),
    ],
)
def test_a_key_has_no_article(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize("article", ARTICLES)
def test_every_article_is_left_out(article: str) -> None:
    assert plain_name(f"{article} mug 1") == "mug 1"
    assert plain_name(f"{article.upper()}  mug   1 ") == "mug 1"
    assert key_of(f"{article} mug 1") == "mug 1"


@pytest.mark.parametrize(("opening", "closing"), QUOTES.items())
def test_quotes_around_a_name_are_left_out(opening: str, closing: str) -> None:
    assert plain_name(f"the {opening}mug 1{closing}.") == "mug 1"
    assert plain_name(f"{opening}mug 1") == f"{opening}mug 1"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (" mug 1;", "mug 1"),
        ("'", "'"),
        ("''", ""),
        ("Theo", "Theo"),
        ("mug\t1?!", "mug 1"),
        ("'mug'' ", "mug'"),
    ],
)
def test_a_plain_name_has_nothing_around_it(text: str, plain: str) -> None:
    assert plain_name(text) == plain


@pytest.mark.parametrize("word", sorted(NO_NAMES))
def test_function_words_are_no_names(word: str) -> None:
    assert not is_name(word)
    assert not is_name(word.capitalize())


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("mug 1", True),
        ("7", True),
        ("x" * 60, True),
        ("x" * 61, False),
        ("a1 b c d e", True),
        ("a1 b c d e f", False),
        ("", False),
        ("--", False),
        ("a = b", False),
        ("a; b", False),
        ("<b>", False),
        ("no mug", False),
        ("nothing", False),
        ("mug no 3", True),
        ("two\nlines", False),
    ],
)
def test_a_clause_is_no_name(text: str, *, is_one: bool) -> None:
    assert is_name(text) is is_one


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a lamp 2, and a lamp 1.", ("lamp 2", "lamp 1")),
        ("lamp 2 and lamp 1", ("lamp 2", "lamp 1")),
        ("lamp 2; lamp 1", ("lamp 2", "lamp 1")),
        ("lamp 2 AND lamp 1", ("lamp 2", "lamp 1")),
        ("a lamp", ("lamp",)),
        ("sand", ("sand",)),
        ("Nothing.", ()),
        ("none", ()),
        ("no items", ()),
        ("nothing else!", ()),
        ("empty", ()),
        ("  ", ()),
        ("that it is over now, I", None),
        ("a lamp, it", None),
        ("a lamp,, a mug", None),
    ],
)
def test_a_list_is_read_whole_or_not_at_all(text: str, names: tuple[str, ...] | None) -> None:
    assert listed(text) == names


@given(st.text(max_size=80))
def test_a_plain_name_keeps_the_key(text: str) -> None:
    assert plain_name(text) == plain_name(text).strip()
    assert key_of(text) == " ".join(key_of(text).split())
