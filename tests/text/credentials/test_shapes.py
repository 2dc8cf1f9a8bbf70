"""Tokens that tell what they are, wherever they stand."""

from __future__ import annotations

import json

import pytest

from stepwell.text.credentials.shapes import SHAPES
from stepwell.text.redact import redact

TOKEN = "ghp_" + "aB3" * 12
GONE = "[redacted:github-token]"


@pytest.mark.parametrize(
    "around",
    ["{}", "x={}", '"{}"', "({})", "[{}]", "<{}>", "a,{},b", "https://h.test/{}/x", "\x1b[1m{}\x1b[0m", "a\n{}"],
)  # fmt: skip
def test_a_token_is_found_in_any_punctuation_and_in_json(around: str) -> None:
    assert redact(around.format(TOKEN)) == (around.format(GONE), 1)
    assert redact(json.dumps(around.format(TOKEN))) == (json.dumps(around.format(GONE)), 1)


@pytest.mark.parametrize("before", ["a", "7", "_"])
def test_within_a_longer_word_it_is_none(before: str) -> None:
    assert redact(f"{before}{TOKEN}") == (f"{before}{TOKEN}", 0)


def test_every_shape_says_where_it_is_looked_for() -> None:
    assert all(len(head) in {1, 2} for one in SHAPES for head in one.heads)
    assert all(one.within in one.hit for one in SHAPES)
