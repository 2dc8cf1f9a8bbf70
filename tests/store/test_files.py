"""A file is known to its owner and its reader, until a run of it is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.blanks import forget_steps
from stepwell.store.database import transaction
from stepwell.store.files import known_file, put_file
from stepwell.store.forget import delete_trajectories
from support.stores import stored, table_rows
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell.store.contents import Owner
    from stepwell.store.database import Database

ANN, BEN = ("ann", "", ""), ("ben", "", "")


def read(
    db: Database,
    uri: str = "/log",
    *,
    owner: Owner = ANN,
    stamp: str = "7 1",
    report: bytes = b"one",
    runs: Iterable[int] = (),
) -> None:
    with transaction(db):
        put_file(db, uri, owner=owner, read=(stamp, "ab" * 32, "v1", report), runs=runs)


def known(
    db: Database, uri: str = "/log", *, owner: Owner = ANN, reader: str = "v1"
) -> tuple[str, str, bytes] | None:
    return known_file(db, uri, owner=owner, reader=reader)


def test_a_file_comes_back_as_it_was_read(db: Database) -> None:
    assert known(db) is None
    read(db)
    assert known(db) == ("7 1", "ab" * 32, b"one")


@pytest.mark.parametrize(
    ("uri", "owner", "reader"),
    [
        ("/log2", ANN, "v1"),
        ("/LOG", ANN, "v1"),
        ("/log", BEN, "v1"),
        ("/log", ("ann", "agent", ""), "v1"),
        ("/log", ("ann", "", "run"), "v1"),
        ("/log", ANN, "v2"),
    ],
)
def test_another_file_owner_or_reader_knows_nothing_of_it(
    db: Database, uri: str, owner: Owner, reader: str
) -> None:
    read(db)
    assert known(db, uri, owner=owner, reader=reader) is None


def test_the_last_reading_counts_and_each_owner_has_its_own(db: Database) -> None:
    read(db, owner=BEN)
    read(db)
    read(db, stamp="8 2", report=b"two")
    assert known(db) == ("8 2", "ab" * 32, b"two")
    assert known(db, owner=BEN) == ("7 1", "ab" * 32, b"one")
    assert len(table_rows(db, "files")) == 2


@pytest.mark.parametrize("way", ["whole", "a step"])
def test_what_is_forgotten_of_a_run_forgets_every_file_it_is_in_and_no_other(
    db: Database, way: str
) -> None:
    one, two = (
        stored(db, trajectory([said(0, name)], name=name)).number for name in ("one", "two")
    )
    for uri, runs in (("/one", [one]), ("/both", [one, two]), ("/two", [two, two])):
        read(db, uri, runs=runs)
    with transaction(db):
        if way == "whole":
            delete_trajectories(db, [one])
        else:
            assert forget_steps(db, one, {0}) == 1
    assert [known(db, uri) is None for uri in ("/one", "/both", "/two")] == [True, True, False]
    assert [number for _, number in table_rows(db, "file_runs")] == [two]


def test_a_run_that_a_file_told_of_once_stays_bound_to_it(db: Database) -> None:
    one, two = (
        stored(db, trajectory([said(0, name)], name=name)).number for name in ("one", "two")
    )
    read(db, runs=[one])
    read(db, runs=[two])
    with transaction(db):
        delete_trajectories(db, [one])
    assert known(db) is None
