"""Repair: read what can be read of a damaged file into a new one, and build every index anew.

Only what was read from logs or logged of recalls is copied; passages, the full-text index, counts
and what structures derived follow from it. The damaged file is kept beside the new one.
"""

from __future__ import annotations

import json
import shutil
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import apsw

from stepwell.errors import StoreError
from stepwell.store.codec import decode_head, decode_step, encode_head, encode_step, unpack
from stepwell.store.contents import fill_contents
from stepwell.store.damage import UNREADABLE, is_unit
from stepwell.store.database import atomic, connect_reading, open_database
from stepwell.store.rowids import number_of, rowid, span, step_of
from stepwell.store.rows import insert_steps
from stepwell.store.usage import is_usage
from stepwell.store.vectors import recount
from stepwell.store.words import index_anew
from stepwell.trajectory.model import Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from stepwell.store.database import Database

__all__ = ["LOST", "Repaired", "repair"]

LOST = "[lost: what stood here could not be read when the database was repaired]"
"""What a step says that could not be read."""

_HEADER, _LARGEST_PAGE, _MOST_MISSING = 100, 65_536, 2**40
"""Bytes of SQLite's file header and of its largest page; more cannot be missing."""

_MOST_LOST = 100_000
"""Steps beyond the last one read that a run's own count is believed: it may be damaged too."""

_COPIED = (
    *("raw_records", "blobs", "contents", "tombstones", "encoders", "settings"),
    *("recalls", "recall_trajectories", "feedback", "usage"),
)
"""Tables that are copied row by row. What is noted of files is not: a log that is added again heals
what is lost here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What a repair saved.

    Attributes:
        kept: Where the damaged file is by now.
        n_runs: Runs in the new file.
        n_steps: Steps in the new file, those that are lost among them.
        lost: Steps that could not be read: id of the run, and index.
        n_unreadable: Rows of other tables that could not be read.
    """

    kept: Path
    n_runs: int
    n_steps: int
    lost: tuple[tuple[str, int], ...]
    n_unreadable: int


def repair(path: Path, *, stamp: str, told: Callable[[str], None] = lambda _: None) -> Repaired:
    """Replace a damaged file by what can be read of it; nobody else may have it open.

    Args:
        path: The file.
        stamp: What the damaged file is called after, such as a time.
        told: Called with what is being done.

    Raises:
        StoreError: Not even its runs can be read, or the new file cannot be written.
    """
    kept, made = (path.with_name(f"{path.name}.{what}") for what in (f"damaged-{stamp}", "part"))
    made.unlink(missing_ok=True)
    whole = path.with_name(f"{path.name}.whole")
    with closing(_opened(path, whole)) as old, closing(open_database(made)) as new:
        told("reading")
        with atomic(new):
            done = _Repair(old=old, new=new)
            done.copy_runs()
            for table in _COPIED:
                done.copy(table)
            told("indexing")
            done.complete()
    for end in ("", "-wal", "-shm"):
        whole.with_name(whole.name + end).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(kept.with_name(kept.name + end))
    made.rename(path)
    return Repaired(
        kept=kept,
        n_runs=done.n_runs,
        n_steps=done.n_steps,
        lost=tuple(done.lost),
        n_unreadable=done.n_unreadable,
    )


def _opened(path: Path, whole: Path) -> Database:
    """Open a damaged file; SQLite refuses one that lacks its end until that is filled up."""
    try:
        return connect_reading(path)
    except apsw.Error:
        shutil.copyfile(path, whole)
    with whole.open("r+b") as stream:
        header = stream.read(_HEADER)
        size = int.from_bytes(header[16:18], "big")  # of a page; 1 stands for 65,536
        n_pages = int.from_bytes(header[28:32], "big")
        missing = (_LARGEST_PAGE if size == 1 else size) * n_pages - whole.stat().st_size
        if 0 < missing < _MOST_MISSING:
            stream.truncate(whole.stat().st_size + missing)
    try:
        return connect_reading(whole)
    except apsw.Error as error:
        whole.unlink()
        raise StoreError(
            f"Not even the list of its tables can be read of {path} ({error}).",
            hint="Restore the file from a backup, or add the logs again to a new one.",
            reason="damaged",
        ) from error


@dataclass(slots=True)
class _Repair:
    """A repair under way, within a transaction of the new database."""

    old: Database
    new: Database
    n_runs: int = 0
    n_steps: int = 0
    n_unreadable: int = 0
    lost: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    def copy_runs(self) -> None:
        """Copy the runs whose rows can be read, with all their steps; lost ones say so."""
        steps: dict[int, dict[int, Step]] = {}
        for row in self.rows("steps"):
            with suppress(*UNREADABLE):
                step = decode_step(row["body"])
                if step.index == step_of(row["id"]):
                    steps.setdefault(number_of(row["id"]), {})[step.index] = step
        for row in self.rows("trajectories"):
            with suppress(*UNREADABLE):
                self._copy_run(row, steps.get(row["no"], {}))

    def _copy_run(self, row: dict[str, Any], found: dict[int, Step]) -> None:
        n_steps = max(found, default=-1) + 1
        if n_steps <= row["n_steps"] <= n_steps + _MOST_LOST:
            n_steps = row["n_steps"]
        counts = dict.fromkeys(("n_steps", "n_passages", "n_raw", "n_blobs"), 0)
        head = encode_head(_head(row))
        if not self._insert("trajectories", {**row, **counts, "head": head}):
            return
        missing = [index for index in range(n_steps) if index not in found]
        steps = [found.get(index) or _lost(index) for index in range(n_steps)]
        insert_steps(self.new, row["no"], steps, [encode_step(step) for step in steps])
        self.lost += [(row["trajectory_id"], index) for index in missing]
        self.n_runs += 1
        self.n_steps += n_steps

    def copy(self, table: str) -> None:
        """Copy the rows of a table that can be read and are what they say."""
        check = _CHECKS.get(table)
        for row in self.rows(table):
            try:
                is_good = check is None or check(row)
            except UNREADABLE:
                is_good = False
            if not (is_good and self._insert(table, row)):
                self.n_unreadable += 1

    def complete(self) -> None:
        """Drop what belongs to no run by now, and fill in what every run has."""
        for table in ("raw_records", "blobs", "contents"):
            self.new.execute(
                f"DELETE FROM {table} WHERE id / ? NOT IN (SELECT no FROM trajectories)",  # noqa: S608  (fixed names)
                (rowid(1, 0),),
            )
        for table in ("recall_trajectories", "usage"):
            self.new.execute(
                f"DELETE FROM {table} WHERE no NOT IN (SELECT no FROM trajectories) "  # noqa: S608
                "OR recall NOT IN (SELECT no FROM recalls)"
            )
        self.new.execute("DELETE FROM feedback WHERE recall NOT IN (SELECT no FROM recalls)")
        numbers = [int(number) for (number,) in self.new.execute("SELECT no FROM trajectories")]
        for number in numbers:
            self._fill_gaps(number)
        index_anew(self.new)
        self._copy_vectors(numbers)

    def _fill_gaps(self, number: int) -> None:
        """Keep raw records at the indices that steps refer to, and tell every step apart."""
        first, last = span(number)
        ids = {row for (row,) in self.new.execute(_RAW_IDS, (first, last))}
        n_raw = max(ids, default=first - 1) - first + 1
        gaps = [(first + at,) for at in range(n_raw) if first + at not in ids]
        self.new.executemany(_NO_RECORD, gaps)
        self.new.execute(
            "UPDATE trajectories SET n_raw = ?, n_blobs = (SELECT coalesce(max(id) - ? + 1, 0) "
            "FROM blobs WHERE id BETWEEN ? AND ?) WHERE no = ?",
            (n_raw, first, first, last, number),
        )
        ((n_untold,),) = self.new.execute(_UNTOLD, (first, last))
        if n_untold:
            self.new.execute("DELETE FROM contents WHERE id BETWEEN ? AND ?", (first, last))
            fill_contents(self.new, number)

    def _copy_vectors(self, numbers: Sequence[int]) -> None:
        """Copy the vectors of passages that are what they were."""
        encoders: set[int] = {number for (number,) in self.new.execute("SELECT no FROM encoders")}
        for row in self.rows("vectors"):
            with suppress(*UNREADABLE):
                is_good = row["encoder"] in encoders and is_unit(row["vector"])
                if is_good and self._is_same_passage(row["id"]):
                    self._insert("vectors", row)
        for number in numbers:
            recount(self.new, number)

    def _is_same_passage(self, row: int) -> bool:
        one = "SELECT part, label, line, col, text FROM passages WHERE id = ?"
        now = self.new.execute(one, (row,)).fetchone()
        return now is not None and now == self.old.execute(one, (row,)).fetchone()

    def _insert(self, table: str, row: dict[str, Any]) -> bool:
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        try:
            self.new.execute(
                f"{_INSERT[table == 'settings']} INTO {table} ({names}) VALUES ({marks})",
                tuple(row.values()),
            )
        except apsw.ConstraintError:  # a row that is there twice, or lacks a value
            return False
        return True

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table that can be read, by column.

        It is gone through from its start; behind what cannot be read from the next row on, as far
        as that can be found, and then from its end.
        """
        info = list(self.new.execute(f"PRAGMA table_info({table})"))
        names = [str(name) for _, name, *_ in info]
        key = ", ".join(str(name) for _, name, _, _, _, place in info if place)
        seen = set[tuple[Any, ...]]()
        for order in ("", " DESC"):
            order_by = ", ".join(f"{name}{order}" for name in key.split(", "))
            read = f"SELECT {', '.join(names)} FROM {table} ORDER BY {order_by}"  # noqa: S608
            try:
                for row in self.old.execute(read):
                    if row in seen:
                        break
                    seen.add(row)
                    yield dict(zip(names, row, strict=True))
                else:
                    return
            except UNREADABLE:
                self.n_unreadable += 1
        if "," not in key:
            yield from self._rows_between(table, key, names, seen)

    def _rows_between(
        self, table: str, key: str, names: Sequence[str], seen: set[tuple[Any, ...]]
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows between two that cannot be read, each asked for by its key."""
        at = names.index(key)
        known = {row[at] for row in seen}
        keys = set[Any]()
        for index in ("", f" ORDER BY {key} DESC"):
            with suppress(*UNREADABLE):
                keys.update(
                    value
                    for (value,) in self.old.execute(f"SELECT {key} FROM {table}{index}")  # noqa: S608
                )
        one = f"SELECT {', '.join(names)} FROM {table} WHERE {key} = ?"  # noqa: S608
        for value in sorted(keys - known, key=str):
            with suppress(*UNREADABLE):
                if (row := self.old.execute(one, (value,)).fetchone()) is not None:
                    yield dict(zip(names, row, strict=True))


def _head(row: dict[str, Any]) -> Trajectory:
    """Return the head of a run; one that cannot be read is made of what its row says."""
    with suppress(*UNREADABLE):
        return decode_head(row["head"])
    return Trajectory(
        trajectory_id=row["trajectory_id"],
        session_id=row["session_id"],
        source_format=row["source_format"],
        parent_trajectory_id=row["parent_id"],
    )


def _lost(index: int) -> Step:
    return Step(index=index, uid=f"lost-{index}", kind="context", actor="harness", message=LOST)


def _is_record(row: dict[str, Any]) -> bool:
    return bool(row["redacted"]) or sha256(unpack(row["raw"])).digest() == row["sha256"]


def _is_usage(row: dict[str, Any]) -> bool:
    return is_usage(row["body"])


_CHECKS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "raw_records": _is_record,
    "blobs": lambda row: sha256(row["data"]).hexdigest() == row["sha256"],
    "recalls": lambda row: json.loads(row["context"]) is not None,
    "usage": _is_usage,
    "contents": lambda row: row["state"] in range(4),
}
_INSERT = ("INSERT", "INSERT OR REPLACE")
"""A new file has settings of its own, which give way."""

_RAW_IDS = "SELECT id FROM raw_records WHERE id BETWEEN ? AND ?"
_NO_RECORD = "INSERT INTO raw_records VALUES (?, NULL, '', 0, zeroblob(32), 1, x'30')"
_UNTOLD = (
    "SELECT count(*) FROM steps s LEFT JOIN contents c ON c.id = s.id "
    "WHERE s.id BETWEEN ? AND ? AND c.id IS NULL"
)
