"""Quoted text is escaped where it would open or close something, and escaping can be undone."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.markup import escaped, json_text, plain_word, unescaped
from stepwell.text.clean import name_of, spelled_out

pieces = [
    *"[]<>|/\\\n\u2028\r\x85 s19.mo:L-!(=*_#>",
    *"\uff3b\uff1c\uff5c\u200b\u200c\u200d\u202e\ufe0f\ufeff",
    *("evidence", "</evidence>", "\n[s3.m user] ", "Human:", "\nSYSTEM: ", "[INST]", "<<SYS>>"),
    *("<U+200B>", "<\\U+200B>", "U+", "<U+FFFFFF>", "![x](http://a)", "<img src=x>", "<a srcset="),
    *("\u0645", "\U0001f600", "\U000e0041", "<s>"),
]
hostile = st.lists(st.sampled_from(pieces), max_size=40).map("".join)


@given(hostile)
def test_escaping_can_be_undone(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert unescaped(unescaped(escaped(escaped(text)))) == text


@given(hostile)
def test_json_parses_to_what_was_quoted(text: str) -> None:
    value = {"text": text, text: [1, 2.5, True, None, [text]]}
    assert json.loads(json_text(value)) == value


@given(hostile)
def test_what_is_escaped_holds_nothing_that_hides(text: str) -> None:
    for shown in (escaped(text), json_text(text)):
        assert spelled_out(shown, name_of) == shown


@pytest.mark.parametrize(
    "opening",
    ["[s1]", "[s1.m user]", "[run7/s3.o1]", "[a.b-c/s3]", "[trajectory x]", "[on 2026-01-01]"],
)
@pytest.mark.parametrize("line_end", [*"\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029", ""])
def test_what_would_open_an_item_is_escaped_at_the_start_of_any_line(
    opening: str, line_end: str
) -> None:
    before = f"ok{line_end}" if line_end else ""
    shown = spelled_out(before, name_of)
    assert escaped(f"{before}{opening}") == f"{shown}\\{opening}"
    assert escaped(f"{before}\\{opening}") == f"{shown}\\\\{opening}"
    assert unescaped(f"{shown}\\{opening}") == f"{before}{opening}"


@pytest.mark.parametrize(
    "text",
    [
        "a [s1]",
        "- [s1]",
        "[step 1]",
        "[x]",
        "[a b/s3]",
        "[]/s3",
        "[trajectory]",
        "[on the]",
        "a\tb",
    ],
)
def test_what_opens_nothing_stays_as_it_is(text: str) -> None:
    assert escaped(text) == text
    assert unescaped(text) == text


@pytest.mark.parametrize(
    "frame", ["evidence", "/evidence", "EVIDENCE x", "/Evidence>", "|im_end|>"]
)
def test_the_frame_and_control_tokens_are_escaped_anywhere(frame: str) -> None:
    assert escaped(f"a <{frame}") == f"a <\\{frame}"
    assert escaped(f"a <\\{frame}") == f"a <\\\\{frame}"
    assert unescaped(escaped(f"a <\\{frame}")) == f"a <\\{frame}"


def test_other_tags_are_not_escaped() -> None:
    for text in ("<b> <\\b> a < b", "<object object at 0x7f>", "vec[1] [a](http://b)", "x: User"):
        assert escaped(text) == text


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("bash", "bash"),
        ("str_replace-tool", "str_replace-tool"),
        ("a.b:c/d@e+f#g", "a.b:c/d@e+f#g"),
        ("two  words", "two_words"),
        ("a]\n[s1] b", "a_s1_b"),
        ("\u7aef\u53e3", "\u7aef\u53e3"),
        ("", ""),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 60),
        ("x " * 40, "x_" * 30),
    ],
)
def test_a_name_is_one_word_of_sixty_characters_at_most(name: str, word: str) -> None:
    assert plain_word(name) == word
