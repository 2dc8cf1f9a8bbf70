"""A forgotten step leaves its place, and nothing of what it held."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.blanks import forget_steps
from stepwell.store.contents import FORGOTTEN, HELD, load_contents
from stepwell.store.database import open_database, transaction
from stepwell.store.read import entries, load_media, load_steps, load_trajectory
from stepwell.store.runs import Origin
from stepwell.store.scope import Scope
from stepwell.store.units import first_rewritten
from stepwell.trajectory.merging import forgotten, is_forgotten
from stepwell.trajectory.model import Blob, Media, Part
from support.stores import contents, stored
from support.trajectories import said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from stepwell.store.database import Database
    from stepwell.trajectory.model import Step

RUN = [said(0, "the walrus"), turn(1, "ls", "kelp"), said(2, "and?")]


def forget(db: Database, number: int, *indices: int) -> int:
    with transaction(db):
        return forget_steps(db, number, indices)


@given(steps=step_lists(), data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_others_stay_as_they_were_and_no_reading_of_the_log_brings_one_back(
    steps: list[Step], data: st.DataObject
) -> None:
    db = open_database(None)
    run = trajectory([replace(step, raw_refs=(step.index,)) for step in steps])
    number = stored(db, run).number
    doomed = data.draw(st.sets(st.integers(0, 9)))
    here = {index for index in doomed if index < len(steps)}
    left = [forgotten(step) if step.index in here else step for step in run.steps]
    assert forget(db, number, *doomed) == len(here)
    assert list(load_steps(db, number)) == left
    assert stored(db, run).state == "unchanged"
    assert list(load_steps(db, number)) == left
    assert forget(db, number, *doomed) == 0
    states = load_contents(db, number).states
    assert states == [FORGOTTEN if at in here else HELD for at in range(len(steps))]
    stored(db, run, origin=Origin(again=True))
    assert list(load_steps(db, number)) == list(run.steps)
    db.close()


def test_where_nothing_is_to_be_forgotten_nothing_is_written(db: Database) -> None:
    number = stored(db, trajectory(RUN)).number
    before = contents(db)
    assert forget(db, number) == 0
    assert forget(db, number, 3, -1) == 0
    assert forget(db, number + 1, 0) == 0
    assert contents(db) == before


def test_the_title_no_longer_tells_it(db: Database) -> None:
    number = stored(db, trajectory(RUN)).number
    forget(db, number, 0)
    (entry,) = entries(db, Scope())
    assert (entry.title, entry.n_steps, entry.n_passages) == ("and?", 3, 3)
    forget(db, number, 2, 1)
    (entry,) = entries(db, Scope())
    assert (entry.title, entry.n_steps, entry.n_passages) == ("", 3, 0)
    assert all(is_forgotten(step) for step in load_steps(db, number))


def test_a_task_that_the_log_states_outside_its_steps_stays_the_title(db: Database) -> None:
    number = stored(db, replace(trajectory(RUN), task="find it")).number
    forget(db, number, 0, 1, 2)
    assert [entry.title for entry in entries(db, Scope())] == ["find it"]


def test_raw_records_are_blanked_and_keep_their_places(db: Database) -> None:
    run = trajectory([replace(step, raw_refs=(step.index,)) for step in RUN])
    number = stored(db, run).number
    forget(db, number, 0)
    first, *others = load_trajectory(db, number).raw_records
    assert others == list(run.raw_records[1:])
    assert (first.raw, first.sha256, first.redacted) == (b"", "00" * 32, True)


def test_media_go_unless_a_step_that_stays_shows_them(db: Database) -> None:
    shown = [
        Part(kind="media", text="[png]", media=Media(media_type="image/png", sha256=digest))
        for digest in ("aa", "bb")
    ]
    steps = [replace(RUN[0], parts=tuple(shown)), RUN[1], replace(RUN[2], parts=(shown[1],))]
    blobs = [Blob(sha256=digest, media_type="image/png", data=b"x") for digest in ("aa", "bb")]
    number = stored(db, trajectory(steps), blobs=blobs).number
    other = stored(db, trajectory(steps, name="other"), blobs=blobs).number
    forget(db, number, 0)
    assert load_media(db, number) == blobs[1:]
    assert load_media(db, other) == blobs


def test_readers_of_the_run_are_told_from_where_to_start_again(db: Database) -> None:
    number = stored(db, trajectory(RUN)).number
    forget(db, number, 2, 1)
    assert first_rewritten(db, number, since=0) == 1
