"""Known names in a text: the longest, by number, in the plural, by the end of a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.grammar.mentions import Names
from stepwell.structures.temporal.grammar.words.names import QUESTION_WORDS


def names_of(*given: str) -> Names:
    names = Names()
    for name in given:
        names.add(name)
    return names


KNOWN = names_of(
    "mug 1", "mug 2", "blue mug 1", "shelf 3", "src/app/main.py", "Öl 1", "knife", "berry",
    "old brass key 4", "box", "a.b.c", "http://x.org/page", "q", "ox", "wolf",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Where is the Blue Mug 1?", ("blue mug 1",)),
        ("mug_1 or mug 12?", ("mug 1",)),
        ("mug 1 then mug 1", ("mug 1",)),
        ("mug 2, mug 1", ("mug 2", "mug 1")),
        ("both mugs", ("mug 1", "mug 2")),
        ("the blue mug", ("blue mug 1",)),
        ("the mug 7", ()),
        ("the mug", ("mug 1", "mug 2")),
        ("the shelf", ("shelf 3",)),
        ("shelves", ("shelf 3",)),
        ("all knives", ("knife",)),
        ("berries", ("berry",)),
        ("boxes", ("box",)),
        ("wolves", ("wolf",)),
        ("old brass keys", ("old brass key 4",)),
        ("brass keys", ()),
        ("main.py", ("src app main py",)),
        ("app/main.py", ("src app main py",)),
        ("py", ()),
        ("src/app", ()),
        ("b.c", ("a b c",)),
        ("org/page", ("http x org page",)),
        ("ÖL 1", ("öl 1",)),
        ("q", ()),
        ("ox", ("ox",)),
        ("", ()),
    ],
)
def test_a_text_names_what_is_known(text: str, keys: tuple[str, ...]) -> None:
    assert KNOWN.mentioned(text) == keys


def test_a_key_is_returned_whether_new_or_known() -> None:
    names = Names()
    assert names.add("The Mug 1") == "mug 1"
    assert names.add("mug_1") == "mug 1"
    assert names.add("...") == ""
    assert names.shown == {"mug 1": "The Mug 1"}


@pytest.mark.parametrize("word", sorted(QUESTION_WORDS))
def test_a_word_of_questions_is_no_mention(word: str) -> None:
    assert names_of(word).mentioned(f"x {word} y") == ()


def test_a_path_is_also_named_by_its_last_two_parts_only() -> None:
    names = names_of("alpha/beta/gamma/delta")
    assert names.mentioned("delta") == ("alpha beta gamma delta",)
    assert names.mentioned("gamma/delta") == ("alpha beta gamma delta",)
    assert names.mentioned("beta gamma") == ()
    assert names_of("alpha beta/gamma").mentioned("gamma") == ()


def test_only_so_many_are_found() -> None:
    names = names_of(*(f"thing{chr(97 + n)} x" for n in range(26)))
    text = " ".join(f"thing{chr(97 + n)} x" for n in range(26))
    assert len(names.mentioned(text)) == 24
    many = names_of(*(f"mug {n}" for n in range(20)))
    assert len(many.mentioned("mugs")) == 12


def test_a_name_of_four_words_is_not_guessed_without_its_number() -> None:
    names = names_of("very old brass key 4", "old brass key 5")
    assert names.mentioned("very old brass key") == ("old brass key 5",)


@given(st.lists(st.sampled_from(["mug 1", "mug 2", "red box", "x/y.z", "shelf 3"]), max_size=6))
def test_what_was_added_is_mentioned(given: list[str]) -> None:
    names = names_of(*given)
    for name in given:
        assert names.add(name) in names.mentioned(f"say {name} now")


def test_the_words_of_a_name_are_told_with_its_key() -> None:
    assert KNOWN.found_in("Is the blue mug in main.py?") == (
        ("blue mug 1", "src app main py"),
        frozenset({"blue", "mug", "main", "py"}),
    )


def test_the_ending_of_a_file_names_none() -> None:
    names = Names()
    names.add("**/*.py")
    names.add("lib/tool.py")
    assert names.mentioned("settings.py or py") == ()
    assert names.mentioned("tool.py") == names.mentioned("lib/tool.py") == ("lib tool py",)
