"""Evidence on a terminal: the same payload, with its citations dimmed and its steps apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["print_styled", "styled"]

_HEADER: Final = re.compile(r"\[(?P<address>(?:\S+/)?s\d+[^\]\s.:]*)[^\]]*\]")
"""A citation with its label, as it stands before a quotation."""

_GROUP: Final = re.compile(r"\[(?:trajectory|on) [^\]]+\]")
_FRAME: Final = re.compile(r"</?evidence\b[^>]*>")


def print_styled(text: str) -> None:
    """Print a payload that is fit for a terminal; `NO_COLOR` is respected."""
    console = Console(highlight=False, markup=False, emoji=False)
    for line in styled(text):
        console.print(line, soft_wrap=True)


def styled(text: str) -> Iterator[Text]:
    r"""Yield the lines of a payload, and a blank one where another step begins.

    >>> [str(line) for line in styled("[s1.c1 ls] -la\n[s1.o1] a.py\n[s2.m] Done.")]
    ['[s1.c1 ls] -la', '[s1.o1] a.py', '', '[s2.m] Done.']
    """
    step = ""
    for line in text.split("\n"):
        shown = Text(line)
        if header := _HEADER.match(line):
            if step not in {"", header["address"]}:
                yield Text()
            step = header["address"]
            shown.stylize("dim cyan", 0, header.end())
        elif _GROUP.fullmatch(line):
            if step:
                yield Text()
            step = ""
            shown.stylize("bold")
        elif _FRAME.fullmatch(line):
            shown.stylize("dim")
        yield shown
