"""What passing a text on changes is folded away, and every character knows where it stood."""

from __future__ import annotations

import json
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.folding import fold, folded_text

TEXT = 'one "two" C:\\dir\n  three \u00e9 \U0001f600 </x>\n\n4: five'
texts = st.text(alphabet='ab "\\\n>|1:\u2192\u00e9\U0001f600\tnu', max_size=40)


@pytest.mark.parametrize(
    "passed_on",
    [
        json.dumps(TEXT),
        json.dumps(json.dumps(TEXT)),
        json.dumps(TEXT, ensure_ascii=False),
        TEXT.replace("\n", "\r\n"),
        TEXT.replace(" ", "\n"),
        textwrap.fill(TEXT, 9),
    ],
)
def test_a_text_that_was_passed_on_folds_to_the_same(passed_on: str) -> None:
    assert fold(passed_on.strip('"')).text.replace("4:", "") == fold(TEXT).text.replace("4:", "")


@pytest.mark.parametrize("prefix", ["> ", ">> ", "| ", "  12\u2192", "12: ", "   7\t", " 3|"])
def test_marks_of_quoted_and_numbered_lines_go(prefix: str) -> None:
    quoted = "".join(f"\n{prefix}{line}" for line in TEXT.split("\n"))
    assert fold(quoted).text == fold(f"\n{TEXT}").text
    assert fold(json.dumps(quoted)).text == fold(quoted).text


@given(texts)
def test_each_character_stands_where_it_stood(text: str) -> None:
    folded = fold(text)
    assert folded.text == folded_text(text)
    for place, character in enumerate(folded.text):
        start, end = folded.span(place, place + 1)
        assert text[start:end] == character
        assert folded.index(start) == place
    assert folded.index(len(text)) == len(folded.text)


@given(texts, st.integers(0, 40))
def test_a_place_between_is_that_of_the_next_character(text: str, place: int) -> None:
    folded = fold(text)
    kept = [folded.span(at, at + 1)[0] for at in range(len(folded.text))]
    assert folded.index(place) == sum(start < place for start in kept)


def test_escapes_of_json_are_their_characters() -> None:
    folded = fold("a\\u00e9\\\\u00e9\\ud83d\\ude00b\\ud83d")
    assert folded.text == "a\u00e9\u00e9\U0001f600b\ufffd"
    assert folded.span(1, 2) == (1, 7)
    assert folded.span(3, 5) == (14, 27)
