"""Damage: read everything that calls read, and tell of each table what cannot be trusted.

SQLite keeps no checksums, so a page may be changed and still be a page. What is stored twice is
compared therefore: raw records and media with their digests, passages with the steps they are cut
from, the full-text index with the passages.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np

from stepwell.errors import StoreError
from stepwell.store.codec import decode_head, decode_step, unpack
from stepwell.store.rowids import number_of, rowid, span, step_of
from stepwell.store.schema import MIGRATIONS
from stepwell.store.usage import load_usage
from stepwell.store.words import index_text
from stepwell.text.search import search_tokens
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["UNREADABLE", "damage_in", "is_unit"]

UNREADABLE = (
    *(apsw.Error, StoreError, zlib.error),
    *(ValueError, TypeError, AttributeError, LookupError, ArithmeticError),
)
"""What reading a damaged table may raise: SQLite's own errors, and those of bytes that are no text,
no JSON, no number that is meant."""

_MOST = 20
"""Faults told of one table: a torn page holds many."""

_ROUNDING = 0.002
"""How far the length of a unit vector of sixteen bits a value may be off."""


def damage_in(db: apsw.Connection) -> Iterator[str]:
    """Yield what is damaged in a database, a line each that begins with the table; none if intact.

    It takes about as long as adding what the database holds.
    """
    checks: dict[str, Callable[[apsw.Connection], Iterator[str]]] = {
        "file": _file,
        "schema": _schema,
        "trajectories": _trajectories,
        "steps": _steps,
        "passages": _passages,
        "passages_fts": _words,
        "raw_records": _raw_records,
        "blobs": _blobs,
        "vectors": _vectors,
        "recalls": _recalls,
        "others": _others,
    }
    for table, check in checks.items():
        n = 0
        try:
            for fault in check(db):
                n += 1
                if n <= _MOST:
                    yield f"{table}: {fault}"
        except UNREADABLE as error:
            yield f"{table}: {_said(error)}"
        if n > _MOST:
            yield f"{table}: {n - _MOST} more faults"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


def _file(db: apsw.Connection) -> Iterator[str]:
    roots = {
        root: name for name, root in db.execute("SELECT name, rootpage FROM sqlite_master") if root
    }
    for (line,) in db.execute(f"PRAGMA integrity_check({_MOST})"):
        for told in str(line).splitlines():
            if told != "ok" and not told.startswith("***"):
                words = told.split()
                is_tree = words[:1] == ["Tree"] and words[1].isdecimal()
                table = roots.get(int(words[1]), "") if is_tree else ""
                yield f"{table}: {told}" if table else told


def _schema(db: apsw.Connection) -> Iterator[str]:
    wanted = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
    with closing(apsw.Connection(":memory:")) as fresh:
        for script in MIGRATIONS:
            fresh.execute(script)
        made: Any = fresh.execute(wanted)
        expected = dict(made)
    stored: Any = db.execute(wanted)
    found = dict(stored)
    for name, sql in expected.items():
        if name not in found:
            yield f"{name} is missing"
        elif found[name] != sql:
            yield f"{name} is not what it was made as"


def _trajectories(db: apsw.Connection) -> Iterator[str]:
    columns = "no, trajectory_id, head, n_steps, n_passages, n_raw"
    for number, name, head, *counts in db.execute(f"SELECT {columns} FROM trajectories"):  # noqa: S608
        try:
            decode_head(head)
        except UNREADABLE as error:
            yield f"{name}: {_said(error)}"
        for table, count in zip(("steps", "passages", "raw_records"), counts, strict=True):
            ((n,),) = db.execute(
                f"SELECT count(*) FROM {table} WHERE id BETWEEN ? AND ?",  # noqa: S608  (fixed names)
                span(number),
            )
            if n != count:
                yield f"{name} has {n} {table}, and should have {count}"
    for table in ("steps", "passages", "raw_records", "blobs", "contents"):
        ((n,),) = db.execute(
            f"SELECT count(*) FROM {table} "  # noqa: S608  (fixed names)
            f"WHERE id / {rowid(1, 0)} NOT IN (SELECT no FROM trajectories)"
        )
        if n:
            yield f"{n} rows of {table} belong to no run"


def _steps(db: apsw.Connection) -> Iterator[str]:
    number = expected = -1
    facts = "kind, actor, status, active, has_error, t_start, t_end"
    for row, body, *stored in db.execute(f"SELECT id, body, {facts} FROM steps ORDER BY id"):  # noqa: S608
        if number_of(row) != number:
            number, expected = number_of(row), 0
        if step_of(row) != expected:
            yield f"step {expected} of run {number} is missing"
        expected = step_of(row) + 1
        try:
            step = decode_step(body)
        except UNREADABLE as error:
            yield f"step {step_of(row)} of run {number}: {_said(error)}"
            continue
        if [step.index, step.kind, step.actor, step.status] != [step_of(row), *stored[:3]]:
            yield f"step {step_of(row)} of run {number} is not what its row says"


def _passages(db: apsw.Connection) -> Iterator[str]:
    """Compare the passages with the steps that they are cut from."""
    key, atoms = -1, dict[str, str]()
    for row, part, label, text in db.execute(
        "SELECT id, part, label, text FROM passages ORDER BY id"
    ):
        if row >> 16 != key:
            key = row >> 16
            atoms = _atoms(db, key)
        if _bare(text) not in atoms.get(f"{part} {label}", ""):
            yield (
                f"a passage of step {step_of(row)} of run {number_of(row)} is not in the step; "
                "damage, or made by an older version"
            )


def _atoms(db: apsw.Connection, key: int) -> dict[str, str]:
    row = db.execute("SELECT body FROM steps WHERE id = ?", (key << 16,)).fetchone()
    if row is None:
        return {}
    try:
        return {f"{atom.part} {atom.label}": atom.text for atom in atoms_of(decode_step(row[0]))}
    except UNREADABLE:  # told of the steps
        return {}


def _bare(text: str) -> str:
    return text.removesuffix("…")


def _words(db: apsw.Connection) -> Iterator[str]:
    """Compare how many passages hold each word, and how often, with the index."""
    counted: Counter[str] = Counter()
    held: Counter[str] = Counter()
    rows = db.execute("SELECT id, part, label, line, col, text FROM passages")
    for row, part, label, line, column, text in rows:
        passage = Passage(
            step=step_of(row),
            part=part,
            label=label,
            first_line=line,
            first_column=column,
            text=text,
        )
        words = Counter(search_tokens(index_text(passage)))
        counted.update(words)
        held.update(words.keys())
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, passages_fts, row)"
    )
    n_wrong = sum(
        (held.pop(term, 0), counted[term]) != (n_rows, n)
        for term, n_rows, n in db.execute("SELECT term, doc, cnt FROM temp.terms")
    )
    if n_wrong or held:
        yield f"{n_wrong + len(held)} words are indexed otherwise than they stand in the passages"
    # A word that is everywhere in the index is looked up, so that every list is read.
    ((n,),) = db.execute("SELECT count(*) FROM passages_fts_docsize")
    ((n_passages,),) = db.execute("SELECT count(*) FROM passages")
    if n != n_passages:
        yield f"{n} passages are indexed of {n_passages}"


def _raw_records(db: apsw.Connection) -> Iterator[str]:
    rows = db.execute("SELECT id, position, redacted, sha256, raw FROM raw_records")
    for row, _position, redacted, digest, raw in rows:
        try:
            data = unpack(raw)
        except UNREADABLE as error:
            yield f"a record of run {number_of(row)}: {_said(error)}"
            continue
        if not redacted and sha256(data).digest() != digest:
            yield f"a record of run {number_of(row)} is not what was read"


def _blobs(db: apsw.Connection) -> Iterator[str]:
    for row, digest, data in db.execute("SELECT id, sha256, data FROM blobs"):
        if sha256(data).hexdigest() != digest:
            yield f"an image or file of run {number_of(row)} is not what was read"


def _vectors(db: apsw.Connection) -> Iterator[str]:
    encoders: Any = db.execute("SELECT no, dimension FROM encoders")
    dimensions = dict(encoders)
    found: Counter[tuple[Any, int]] = Counter()
    rows: Any = db.execute("SELECT encoder, id, vector FROM vectors")
    for encoder, row, vector in rows:
        found[encoder, number_of(row)] += 1
        if len(vector) != 2 * dimensions.get(encoder, -1) or not is_unit(vector):
            yield f"a vector of run {number_of(row)} is none of length 1"
    states: Any = db.execute("SELECT encoder, no, n_vectors FROM vector_states")
    counted = {(encoder, number): n for encoder, number, n in states}
    for key in sorted(found.keys() | counted.keys()):
        if found[key] != counted.get(key, 0):
            yield f"run {key[1]} has {found[key]} vectors, and should have {counted.get(key, 0)}"


def is_unit(vector: bytes) -> bool:
    """Tell whether a stored vector has length 1, or holds nothing and has no direction."""
    length = float(np.linalg.norm(np.frombuffer(vector, dtype="<f2").astype(float)))
    return abs(length - 1) < _ROUNDING or length == 0


def _recalls(db: apsw.Connection) -> Iterator[str]:
    numbers = {int(number) for (number,) in db.execute("SELECT no FROM trajectories")}
    load_usage(db, numbers=numbers)
    for recall_id, context in db.execute("SELECT recall_id, context FROM recalls"):
        try:
            json.loads(context)
        except UNREADABLE as error:
            yield f"{recall_id}: {_said(error)}"


def _others(db: apsw.Connection) -> Iterator[str]:
    """Read the tables that hold nothing to compare: their values must be such as they declare."""
    for table in _PLAIN:
        types = {
            name: declared for _, name, declared, *_ in db.execute(f"PRAGMA table_info({table})")
        }
        for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608  (fixed names)
            wrong = [
                name
                for (name, declared), value in zip(types.items(), row, strict=True)
                if value is not None and not isinstance(value, _TYPES[declared])
            ]
            if wrong:
                yield f"{', '.join(wrong)} of a row of {table} is of another type"
    for (state,) in db.execute("SELECT DISTINCT state FROM contents"):
        if state not in range(4):
            yield f"contents: there is no state {state}"
    ((n,),) = db.execute("SELECT count(*) FROM steps WHERE id NOT IN (SELECT id FROM contents)")
    if n:
        yield f"contents: {n} steps are not told apart by what was said in them"


_PLAIN = (
    *("contents", "derived", "rewrites", "tombstones", "files", "file_runs", "feedback"),
    "settings",
)

_TYPES: dict[str, type | tuple[type, ...]] = {
    "INTEGER": int,
    "REAL": float,
    "TEXT": str,
    "BLOB": bytes,
}
