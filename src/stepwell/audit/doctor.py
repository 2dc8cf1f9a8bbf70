"""Check that everything works here: each check is a value, so that one failure hides no other."""

from __future__ import annotations

import platform
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

import stepwell
from stepwell.config import open_memory
from stepwell.encode.registry import default_encoder
from stepwell.errors import StepwellError
from stepwell.formats.registry import installed
from stepwell.store.backup import backups_of
from stepwell.store.health import health_of, sqlite_in_use
from stepwell.store.repair import repair
from stepwell.store.schema import MIGRATIONS
from stepwell.structures.registry import found
from stepwell.text.tokens import counter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from stepwell.config import Settings

__all__ = ["Check", "State", "diagnose", "mend"]

State: TypeAlias = Literal["ok", "note", "broken"]

_ROUNDING = 1e-3
"""How far the length of a unit vector may be off."""

_REPAIR = "stepwell doctor --repair"
_SHOWN = 5
"""Faults of a damaged file that are told one by one."""

_ENOUGH_BYTES = 200_000_000
"""Below this a day of long logs may not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The outcome of one check.

    Attributes:
        name: What was checked.
        state: `ok`, `note` (works, could be better) or `broken`.
        detail: What was found, and what to do about it.
    """

    name: str
    state: State
    detail: str


def mend(path: Path, *, now: datetime) -> Check:
    """Replace a damaged database by what can be read of it, and say what that was.

    Raises:
        StoreError: Nothing can be read of it, or the new file cannot be written.
    """
    if not path.exists():
        return _check("repair", "note", f"{path} is not there")
    if not health_of(path).damage:
        return _check("repair", "ok", f"{path} is intact, and was left as it is")
    done = repair(path, stamp=f"{now:%Y%m%d-%H%M%S}")
    detail = f"{done.n_runs} trajectories with {done.n_steps} steps are saved; the damaged file is "
    detail += f"kept as {done.kept}; `stepwell index` makes missing vectors"
    if done.lost:
        shown = ", ".join(f"{name}/s{index}" for name, index in done.lost[:_SHOWN])
        detail += f". {len(done.lost)} steps are lost, such as {shown}: add their logs again"
    if done.n_unreadable:
        detail += f". {done.n_unreadable} other rows could not be read"
    return _check("repair", "note" if done.lost or done.n_unreadable else "ok", detail)


def diagnose(settings: Settings) -> list[Check]:
    """Run every check: of this installation, and of the database that the settings name."""
    checks = [_python(), _sqlite(), _tokenizer(), _encoder(), *_plugins()]
    if settings.db is not None:
        checks += _database(settings, settings.db)
    return checks


def _check(name: str, state: State, detail: str) -> Check:
    return Check(name=name, state=state, detail=detail)


def _python() -> Check:
    detail = f"stepwell {stepwell.__version__}, Python {platform.python_version()} ({sys.platform})"
    return _check("versions", "ok", detail)


def _sqlite() -> Check:
    try:
        return _check("sqlite", "ok", f"{sqlite_in_use()}, FTS5 works")
    except StepwellError as error:
        return _check("sqlite", "broken", str(error))


def _tokenizer() -> Check:
    tokens = counter("o200k")
    n = tokens.count("hello world")
    if n == 2:  # noqa: PLR2004  (what this text is in o200k_base)
        return _check("tokenizer", "ok", f"{tokens.name} counts exactly, offline")
    return _check(
        "tokenizer",
        "broken",
        f"{tokens.name} counts {n}, not 2: pip install --force-reinstall toktok-rs",
    )


def _plugins() -> Iterator[Check]:
    """Check what installed packages bring, if they bring anything."""
    readers, structures = installed(), found()
    for kind, names, left_out in (
        ("readers", readers.usable, readers.left_out),
        ("structures", structures.usable, structures.left_out),
    ):
        if names:
            yield _check(kind, "ok", f"from packages: {', '.join(names)}")
        yield from (_check(kind, "broken", f"left out: {message}") for message in left_out)


def _encoder() -> Check:
    try:
        encoder, reason = default_encoder()
        if encoder is None:
            return _check("encoder", "note", f"vectors are off: {reason}")
        vector = encoder.encode(["hello world"])[0]
    except StepwellError as error:
        return _check("encoder", "broken", str(error))
    if vector.shape != (encoder.dimension,) or abs(float(np.linalg.norm(vector)) - 1) > _ROUNDING:
        return _check(
            "encoder", "broken", f"{encoder.encoder_id} gives no unit vector of its dimension"
        )
    detail = f"{encoder.encoder_id}: weights verified, {encoder.dimension} dimensions"
    return _check("encoder", "ok", detail)


def _database(settings: Settings, path: Path) -> Iterator[Check]:
    yield _disk(path)
    if not path.exists():
        yield _check("database", "note", f"{path} is not there yet: stepwell add PATH makes it")
        return
    integrity = _integrity(path)
    yield integrity
    if integrity.state != "broken":
        yield from _contents(settings)
    if kept := backups_of(path):
        names = ", ".join(str(one) for one in kept)
        why = "from before an upgrade, with what was forgotten since"
        detail = f"{names}: {why}; delete it when all is well"
        yield _check("backups", "note", detail)


def _disk(path: Path) -> Check:
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    free = shutil.disk_usage(folder).free
    state: State = "ok" if free >= _ENOUGH_BYTES else "note"
    return _check("disk", state, f"{free / 1e9:.1f} GB free at {folder}")


def _integrity(path: Path) -> Check:
    if path.is_dir():
        return _check("database", "broken", f"{path} is a folder: name a file")
    try:
        health = health_of(path)
    except StepwellError as error:
        return _check("database", "broken", str(error))
    if health.damage:
        told = "; ".join(health.damage[:_SHOWN])
        n_more = len(health.damage) - _SHOWN
        more = f"; and {n_more} more" if n_more > 0 else ""
        detail = f"{path}: {told}{more}. Restore a backup, or save what can be read: {_REPAIR}"
        return _check("database", "broken", detail)
    if not health.is_writable:
        detail = f"{path}: intact, read-only; to add, make the file and its folder writable"
        return _check("database", "note", detail)
    return _check("database", "ok", f"{path}: intact, writable")


def _contents(settings: Settings) -> Iterator[Check]:
    try:
        with open_memory(settings, must_exist=True) as memory:
            stats, n_missing = memory.stats(), memory.unindexed()
            owners = {(one.user_id, one.agent_id, one.run_id) for one in memory.sessions()}
    except StepwellError as error:
        yield _check("contents", "broken", str(error))
        return
    yield _check("schema", "ok", f"version {stats.schema_version} of {len(MIGRATIONS)}")
    detail = f"{stats.n_trajectories} trajectories, {stats.n_steps} steps"
    yield _check("contents", "ok", detail)
    if len(owners) > 1:
        told = f"{len(owners)} owners share it, and a memory without a scope, as here, sees all"
        yield _check(
            "scope", "note", f"{told}: bind it (--user, --agent, --run, Memory(scope=...))"
        )
    if stats.is_erasing:
        told = "bytes of what was forgotten are in the file while another process reads it"
        yield _check(
            "erasure", "note", f"{told}; the next command that finds no reader erases them"
        )
    if n_missing:
        yield _check("vectors", "note", f"{n_missing} passages have none: stepwell index")
    elif stats.encoder is not None:
        yield _check("vectors", "ok", f"all {stats.n_vectors} passages have one")
