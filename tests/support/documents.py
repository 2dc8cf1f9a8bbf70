"""The keys of JSON documents, as docs/reference/documents.md describes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "documents.md"


def section(heading: str) -> str:
    """Return what the page says under a heading."""
    sections = dict(
        part.split("\n", maxsplit=1) for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    )
    return sections[heading]


def documented(heading: str) -> set[str]:
    """Return the keys in the first column of the table under a heading."""
    cells = re.findall(r"^\| (`.*?`) \|", section(heading), re.MULTILINE)
    return {key for cell in cells for key in re.findall(r"`([^`]+)`", cell)}


def paths(value: Any, *, at: str = "") -> Iterator[str]:
    """Yield the path of every key in a document, such as `files[].uri`."""
    if isinstance(value, dict):
        for key, inner in value.items():
            path = f"{at}.{key}" if at else str(key)
            yield path
            yield from paths(inner, at=path)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from paths(inner, at=f"{at}[]")


def undocumented(document: Any, heading: str) -> set[str]:
    """Return the paths of a document that the page does not describe under a heading."""
    known, words = documented(heading), set(re.findall(r"`(\w+)`", PAGE.read_text("utf-8")))
    return {path for path in paths(document) if not _is_known(path, known, words)}


def unwritten(document: Any, heading: str) -> set[str]:
    """Return the first parts of keys that the page describes and a document lacks."""
    return {_first(key) for key in documented(heading)} - {_first(path) for path in paths(document)}


def _first(path: str) -> str:
    return path.removeprefix("[].").partition(".")[0].removesuffix("[]")


def _is_known(path: str, known: set[str], words: set[str]) -> bool:
    parent, _, name = path.rpartition(".")
    is_inner = any(key.startswith((f"{path}.", f"{path}[]")) for key in known)
    # `signals.*` stands for any name below, dots in it included; a value that is described in a
    # sentence, such as an interval, has its own keys in backticks.
    is_any = any(path.startswith(key[:-1]) for key in known if key.endswith(".*"))
    is_told = parent.removesuffix(".parameters") in known and name in words
    return path in known or is_inner or is_any or is_told
