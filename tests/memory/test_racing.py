"""What other processes write while a memory reads: each reading sees one state, and answers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import NotFoundError
from stepwell.memory.memory import Memory
from stepwell.recall.question import MODES
from stepwell.store.blanks import forget_steps
from stepwell.store.database import open_database, transaction
from stepwell.store.forget import delete_trajectories
from stepwell.store.vectors import encoder_number
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.recall.question import Mode


def forget(db: apsw.Connection) -> None:
    with transaction(db):
        delete_trajectories(db, [1])


def rewrite(db: apsw.Connection) -> None:
    with transaction(db):
        forget_steps(db, 1, range(1, 40))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "a.db"
    with Memory(path, encoder=HashEncoder()) as memory:
        for at in range(40):
            memory.add({"action": f"book seat_{at % 5}", "observation": f"walrus {at}"})
        memory.index()
    return path


def copied(path: Path, folder: Path) -> Path:
    return Path(shutil.copy(path, folder))


def at_statement(
    monkeypatch: pytest.MonkeyPatch, path: Path, part: str, act: Callable[[apsw.Connection], None]
) -> list[object]:
    """Let another connection act just before a statement that holds a text, once; empty then."""
    other = open_database(path)
    left: list[object] = [act]

    def watch(_: apsw.Cursor, statement: str, __: object) -> bool:
        if part in statement and left:
            left.clear()
            act(other)
        return True

    def hook(db: apsw.Connection) -> None:
        db.exec_trace = watch

    monkeypatch.setattr(apsw, "connection_hooks", [hook])
    return left


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("act", [forget, rewrite])
@pytest.mark.parametrize("part", ["passages_fts MATCH", "n_steps, revision FROM"])
def test_a_recall_answers_whatever_is_written_meanwhile(
    tmp_path: Path,
    filled: Path,
    monkeypatch: pytest.MonkeyPatch,
    mode: Mode,
    act: Callable[[apsw.Connection], None],
    part: str,
) -> None:
    path = copied(filled, tmp_path)
    left = at_statement(monkeypatch, path, part, act)
    with Memory(path, encoder=HashEncoder()) as memory:
        evidence = memory.recall("which seat has the walrus?", 400, mode=mode)
        assert len(evidence.items) > 2
        if not left:
            again = memory.recall("which seat has the walrus?", 400, mode=mode)
            assert len(again.items) <= 2


@pytest.mark.parametrize(
    "read",
    [
        lambda memory: memory.trajectory(),
        lambda memory: memory.timeline(),
        lambda memory: memory.get("s3", context=2),
    ],
    ids=["trajectory", "timeline", "get"],
)
def test_other_readings_see_one_state_as_well(
    tmp_path: Path,
    filled: Path,
    monkeypatch: pytest.MonkeyPatch,
    read: Callable[[Memory], object],
) -> None:
    path = copied(filled, tmp_path)
    at_statement(monkeypatch, path, "BETWEEN", forget)
    with Memory(path, encoder=None) as memory:
        assert read(memory)
        with pytest.raises(NotFoundError):
            read(memory)


def test_a_recall_keeps_the_annotations_it_made(tmp_path: Path, filled: Path) -> None:
    path = copied(filled, tmp_path)
    with Memory(path, encoder=None) as memory:
        memory.recall("who booked seat_3, walrus 7?", mode="plus")
    ((n,),) = open_database(path).execute("SELECT count(*) FROM derived WHERE structure = 'units'")
    assert n == 40


def test_two_processes_may_use_an_encoder_first_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    numbers: list[int] = []

    def first(db: apsw.Connection) -> None:
        numbers.append(encoder_number(db, "toy", dimension=8))

    open_database(path).close()
    at_statement(monkeypatch, path, "INSERT INTO encoders", first)
    assert encoder_number(open_database(path), "toy", dimension=8) == numbers[0]
