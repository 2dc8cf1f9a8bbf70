"""What the machine can do at best: a plain full-text table and a raw log, both durable."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Self

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType

__all__ = ["PlainFts", "RawLog", "peak_megabytes"]

_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes per unit of `ru_maxrss`."""


class PlainFts:
    """One SQLite FTS5 table of texts: WAL, `synchronous=FULL`, stemmed, nothing else."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path))
        self._db.transaction_mode = "IMMEDIATE"
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._db.close()

    def put(self, texts: Iterable[str]) -> None:
        """Insert texts in one durable transaction."""
        with self._db:
            self._db.executemany("INSERT INTO texts (text) VALUES (?)", ((text,) for text in texts))

    def search(
        self, expression: str, *, rows: tuple[int, int] | None = None, limit: int = 10
    ) -> list[tuple[int, str]]:
        """Return row id and text of the best matches, of a range of rows if one is given."""
        condition, extra = ("", ()) if rows is None else (" AND rowid BETWEEN ? AND ?", rows)
        query = (
            f"SELECT rowid, text FROM texts WHERE texts MATCH ?{condition} ORDER BY rank LIMIT ?"  # noqa: S608  (fixed texts)
        )
        return [
            (int(row), str(text))
            for row, text in self._db.execute(query, (expression, *extra, limit))
        ]


class RawLog:
    """A file to which texts are appended, each one synced to the disk."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        os.close(self._file)

    def put(self, text: str) -> None:
        """Append one text and wait until it is on the disk."""
        os.write(self._file, text.encode() + b"\n")
        # Where there is no fdatasync (macOS, Windows), fsync does the same and a little more.
        getattr(os, "fdatasync", os.fsync)(self._file)


def peak_megabytes() -> float | None:
    """Return the most memory this process ever held, in MB; None where the system cannot say."""
    if find_spec("resource") is None:  # Windows
        return None
    resource = import_module("resource")
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * _UNIT / 1e6
