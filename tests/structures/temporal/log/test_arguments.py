"""Arguments of a call that is written as text."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.structures.temporal.log.arguments import arguments_of


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ('("mug 1", to=shelf 2)', {"_0": "mug 1", "to": "shelf 2"}),
        ("('a, b', c = 'd')", {"_0": "a, b", "c": "d"}),
        ("()", {}),
        ("(a,)", {"_0": "a"}),
        ("(a,,b)", None),
        (' {"a": 1} ', {"a": 1}),
        ('({"a": 1})', {"a": 1}),
        ("{'a': True}", {"a": True}),
        ("[1]", None),
        ("{a", None),
        ("(a", None),
        ("a)", None),
        ("a", None),
        ("", None),
        ("(" + "x" * 200 + ")", {"_0": "x" * 200}),
        ("(" + "x" * 201 + ")", None),
    ],
)
def test_arguments_are_read(text: str, args: dict[str, Any] | None) -> None:
    assert arguments_of(text) == args


def test_at_most_32_arguments_are_read() -> None:
    found = arguments_of("(" + ",".join(f"a{n}" for n in range(40)) + ")")
    assert found is not None
    assert len(found) == 32
    assert found["_31"] == "a31"
