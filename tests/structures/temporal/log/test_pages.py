"""What tools show of pages and of files they have written."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.pages import shown_states


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Saved to: out.csv", [("out.csv", "", "written")]),
        ("File created successfully at: '/x/y.py'", [("/x/y.py", "", "written")]),
        ("exported as a.json and written to b.txt", [("a.json", "", "written"),
                                                      ("b.txt", "", "written")]),
        ("saved to disk", []),
        ("Tab 0 (current): Home", [("page", "title", "Home")]),
        ("Page Title: Home\nPage URL: http://x", [("page", "title", "Home"),
                                                  ("page", "url", "http://x")]),
        ("- Page Title: X\n- Page URL: http://x", [("page", "title", "X"),
                                                   ("page", "url", "http://x")]),
        ("Title: Home", []),
        ("[1] RootWebArea 'My page' focused", [("page", "title", "My page")]),
        ("URL: http", [("page", "url", "http")]),
        ("URL: abc", []),
        ("x" * 37 + "Tab ", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_page_has_title_and_address(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = list(shown_states(text.replace("Saved", "saved")))
    assert [(one.slot, one.aspect, one.value) for one in found] == expected
    assert all(one.quote in text.replace("Saved", "saved") and one.quote for one in found)
    assert all(one.is_event == (one.slot != "page") for one in found)


def test_only_the_beginning_is_read() -> None:
    assert list(shown_states(" " * 1_980 + "saved to abcdef.txt!"))
    assert not list(shown_states(" " * 2_000 + "saved to abcdef.txt!"))
