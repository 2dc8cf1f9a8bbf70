"""Detectors of a user's own: a file of them, each tried on its own samples."""

from __future__ import annotations

import pytest

from stepwell.errors import InvalidInputError
from stepwell.memory.memory import Memory
from stepwell.text.credentials.custom import read_detectors
from stepwell.text.redact import redactor

GOOD = r"""
[[detector]]
name = "acme"
kind = "acme-badge"
pattern = 'ACME-(\d{6}-[a-z]{4})'
near = "ACME-"
hit = "badge ACME-123456-wxyz"
miss = "badge ACME-12"
"""


def test_what_a_file_describes_is_found_beside_all_else() -> None:
    own = redactor(read_detectors(GOOD.encode(), where="mine.toml"))
    assert own("badge ACME-654321-abcd, password=hunter22") == (
        "badge ACME-[redacted:acme-badge], password=[redacted:password]",
        2,
    )
    assert own.version != redactor().version
    with Memory(encoder=None, redact=own) as memory:
        memory.add("badge ACME-654321-abcd")
        assert "[redacted:acme-badge]" in memory.recall("badge", 200).text


def test_an_empty_file_holds_none() -> None:
    assert read_detectors(b"", where="mine.toml") == ()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("[[detector]]", "[[detector", "is no list of detectors"),
        ('name = "acme"', "", "is no list of detectors"),
        ('name = "acme"', 'name = "acme"\nodd = 1', "is no list of detectors"),
        (r"-[a-z]{4})", r"-[a-z]{4}", "its pattern is none"),
        (r"\d{6}", r"\d{7}", "does not find `hit`"),
        (r"\d{6}-[a-z]{4}", r"\d+", "finds `miss`"),
        (r"'ACME-(\d{6}-[a-z]{4})'", "'(ACME-1[0-9]+-)?'", "finds `miss`"),
        ('near = "ACME-"', 'near = "A"', "`near` has to stand"),
        ('near = "ACME-"', 'near = "other"', "`near` has to stand"),
        ('kind = "acme-badge"', 'kind = "a b]"', "has to be a plain word"),
    ],
)
def test_what_cannot_be_used_is_refused_and_says_why(before: str, after: str, told: str) -> None:
    with pytest.raises(InvalidInputError, match=told) as raised:
        read_detectors(GOOD.replace(before, after).encode(), where="mine.toml")
    assert "mine.toml" in str(raised.value)
    assert raised.value.hint
