from __future__ import annotations

from typing import Any

import pytest

from stepwell.formats.base import Notes
from stepwell.formats.claude_code.drafts import Drafts, is_result
from stepwell.formats.claude_code.graph import Graph


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "tool_result"}, True),
        ({"type": "web_search_tool_result"}, True),
        ({"type": "tool_result_part"}, False),
        ({"type": "tool_use"}, False),
        ({}, False),
        ("tool_result", False),
        (None, False),
    ],
)
def test_results_of_all_kinds_are_recognised(block: Any, *, expected: bool) -> None:
    assert is_result(block) is expected


def test_drafts_start_empty_and_apart() -> None:
    graph = Graph(entries=(), parents={}, branches={})
    one, two = (Drafts(graph=graph, notes=Notes("a"), agents={}) for _ in range(2))
    one.owner["a"] = "b"
    assert (two.by_uid, two.owner, two.callers, two.blobs) == ({}, {}, {}, [])
