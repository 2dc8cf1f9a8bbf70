"""The log of recalls: it never waits unless asked to, and forgets with what it read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import StoreError
from stepwell.store import recalls
from stepwell.store.database import open_database, transaction
from stepwell.store.forget import delete_trajectories
from stepwell.store.recalls import (
    Recalled,
    find_recall,
    load_recalls,
    save_feedback,
    save_recalls,
)
from stepwell.store.usage import Access, load_usage
from support.stores import stored
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.store.database import Database


def put(db: Database, name: str) -> int:
    return stored(db, trajectory([said(0, name)], name=name)).number


def asked(id: str, *numbers: int) -> Recalled:  # noqa: A002  (the field's name)
    return Recalled(
        id=id,
        asked_at=NOW + timedelta(microseconds=7),
        question=f"what of {id}?",
        context=b'{"n": 1}',
        policy="plain",
        structures=("summary", "episodic"),
        chance=0.25,
        budget=800,
        tokens=123,
        trajectories=numbers,
    )


def ids(db: Database, *numbers: int) -> list[str]:
    return [one.id for one in load_recalls(db, numbers=numbers)]


def test_a_recall_comes_back_as_it_was_logged(db: Database) -> None:
    one, two = put(db, "one"), put(db, "two")
    logged = asked("r1", one, two)
    assert save_recalls(db, [logged])
    assert list(load_recalls(db, numbers=[two, one])) == [logged]


def test_moments_before_1970_and_structures_of_none_come_back(db: Database) -> None:
    number = put(db, "one")
    early = replace(asked("r", number), asked_at=datetime(1969, 1, 1, tzinfo=UTC), structures=())
    save_recalls(db, [early])
    assert list(load_recalls(db, numbers=[number])) == [early]


def test_recalls_are_read_oldest_first_and_only_by_who_sees_all_they_read(
    db: Database,
) -> None:
    one, two = put(db, "one"), put(db, "two")
    save_recalls(db, [asked("b", one), asked("a", one, two), asked("c")])
    assert ids(db, one, two) == ["b", "a", "c"]
    assert ids(db, one) == ["b", "c"]
    assert ids(db, two) == ["c"]
    assert ids(db) == ["c"]


def test_a_recall_is_found_only_by_who_sees_all_it_read(db: Database) -> None:
    one, two = put(db, "one"), put(db, "two")
    save_recalls(db, [asked("r", one, two)])
    assert find_recall(db, "r", numbers=[one]) is None
    assert find_recall(db, "R", numbers=[one, two]) is None
    assert find_recall(db, "r", numbers=[one, two, 99]) is not None


def test_the_last_feedback_counts(db: Database) -> None:
    number = put(db, "one")
    save_recalls(db, [asked("r", number), asked("s", number)])
    found = find_recall(db, "r", numbers=[number])
    assert found is not None
    save_feedback(db, found, 0.25, now=NOW)
    save_feedback(db, found, 0.75, now=NOW)
    rewards = {one.id: one.reward for one in load_recalls(db, numbers=[number])}
    assert rewards == {"r": 0.75, "s": None}


def test_a_recall_logged_twice_is_kept_once(db: Database) -> None:
    number = put(db, "one")
    save_recalls(db, [asked("r", number)])
    save_recalls(db, [replace(asked("r", number), tokens=5)])
    assert [one.tokens for one in load_recalls(db, numbers=[number])] == [5]


def test_a_recall_over_what_is_forgotten_by_now_is_left_out(db: Database) -> None:
    number = put(db, "one")
    assert save_recalls(db, [asked("gone", number, 99), asked("kept", number)])
    assert ids(db, number, 99) == ["kept"]


def test_text_that_is_no_unicode_is_logged_with_question_marks(db: Database) -> None:
    number = put(db, "one")
    save_recalls(db, [replace(asked("r", number), question="wh\ud800t? ä🦓")])
    assert [one.question for one in load_recalls(db, numbers=[number])] == ["wh?t? ä🦓"]


def test_forgetting_a_trajectory_forgets_the_recalls_that_read_it(db: Database) -> None:
    one, two = put(db, "one"), put(db, "two")
    access = Access(number=two, step=0, rank=1, fate="quoted", structure="episodic", tokens=9)
    both = replace(asked("both", one, two), accesses=(access,))
    save_recalls(db, [both, replace(asked("two", two), accesses=(access,))])
    found = find_recall(db, "both", numbers=[one, two])
    assert found is not None
    save_feedback(db, found, 1.0, now=NOW)
    with transaction(db):
        delete_trajectories(db, [one])
    assert ids(db, one, two) == ["two"]
    assert load_usage(db, numbers=[two]).recalls == ("two",)
    assert db.execute("SELECT count(*) FROM feedback").get == 0
    assert db.execute("SELECT count(*) FROM recall_trajectories").get == 1


def test_the_oldest_go_and_those_with_feedback_last(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalls, "_MOST", 3)
    number = put(db, "one")
    access = Access(number=number, step=0, rank=1, fate="cut", structure="episodic", tokens=9)
    save_recalls(db, [replace(asked(f"r{n}", number), accesses=(access,)) for n in range(3)])
    assert ids(db, number) == ["r0", "r1", "r2"]
    found = find_recall(db, "r0", numbers=[number])
    assert found is not None
    save_feedback(db, found, 0.0, now=NOW)
    save_recalls(db, [asked("r3", number)])
    assert ids(db, number) == ["r0", "r2", "r3"]
    assert load_usage(db, numbers=[number]).recalls == ("r0", "r2")
    assert db.execute("SELECT count(*) FROM recall_trajectories").get == 3
    assert db.execute("SELECT count(*) FROM feedback").get == 1


def test_nothing_is_logged_within_a_transaction(db: Database) -> None:
    number = put(db, "one")
    with transaction(db):
        assert not save_recalls(db, [asked("r", number)])
        assert not save_recalls(db, [asked("r", number)], waits=True)
    assert ids(db, number) == []


def test_another_writer_is_not_waited_for_and_waiting_may_fail(tmp_path: Path) -> None:
    one, two = open_database(tmp_path / "m.db"), open_database(tmp_path / "m.db")
    number = put(one, "one")
    with transaction(two):
        assert not save_recalls(one, [asked("r", number)])
        one.set_busy_timeout(0)
        with pytest.raises(StoreError, match="another process has held"):
            save_recalls(one, [asked("r", number)], waits=True)
    assert save_recalls(one, [asked("r", number)], waits=True)
    assert ids(two, number) == ["r"]
    one.close()
    two.close()


def test_a_recall_that_cannot_be_stored_holds_up_no_other(db: Database) -> None:
    number = put(db, "one")
    bad = replace(asked("b", number), budget=2**63)
    assert save_recalls(db, [asked("a", number), bad, asked("c", number)])
    assert ids(db, number) == ["a", "c"]
