"""What tools show: the page of a browser, and the files that they say they have written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.states import State

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["shown_states"]

_READ = 2_000
"""Characters read of what a tool returned."""

_TAB_WITHIN = 40
"""Characters within which a browser's list of tabs begins."""

_TITLE = re.compile(r"(?:Tab \d{1,4} \(current\)|Page Title|- Page Title|Title)\s*:\s*(\S.{0,160})")
_ROOT = re.compile(r"\bRootWebArea '([^'\n]{1,160})'")
"""The root of an accessibility tree, which has the page's title."""

_URL = re.compile(r"(?:^|\n)[- ]{0,4}(?:Page )?URL\s*:\s*(\S{4,200})")
_SAVED = re.compile(
    r"(?:saved|written|exported|created)\s+(?:successfully\s+)?(?:to|at|as)\s*:?\s*[\"'`]?"
    r"([\w./~-]{1,200}\.\w{1,8})\b"
)
"""Saved to out.csv."""


def shown_states(text: str) -> Iterator[State]:
    """Yield the page that a browser shows, and the files that a tool says it has written."""
    head = text[:_READ]
    for match in _SAVED.finditer(head):
        yield State(slot=match[1], aspect="", value="written", quote=match[0], is_event=True)
    if _is_page(head):
        yield from _page(head)


def _is_page(head: str) -> bool:
    return "RootWebArea" in head or "Tab " in head[:_TAB_WITHIN] or "URL" in head


def _page(head: str) -> Iterator[State]:
    title = _ROOT.search(head) or _TITLE.match(head)
    if title is not None:
        yield State(slot="page", aspect="title", value=title[1].strip(), quote=title[1].strip())
    if (url := _URL.search(head)) is not None:
        yield State(slot="page", aspect="url", value=url[1], quote=url[1])
