"""Which stored run a reading is of: its id says it, and what was said in it confirms or denies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.store.database import transaction
from stepwell.store.runs import NOWHERE, Origin, claimed, find_run, free_name
from stepwell.store.scope import Scope
from stepwell.store.write import append_step
from stepwell.trajectory.contents import contents_of
from support.stores import stored
from support.trajectories import said, trajectory, turn

if TYPE_CHECKING:
    from stepwell.store.contents import Owner
    from stepwell.store.database import Database
    from stepwell.store.runs import Match
    from stepwell.trajectory.model import Step

NOBODY = ("", "", "")
RUN = [said(0, "go"), turn(1, "ls", "x"), said(2, "and?"), turn(3, "pwd", "y")]
OTHER = [said(0, "stop"), turn(1, "make", "z")]


def find(
    db: Database,
    steps: list[Step],
    *,
    name: str = "run",
    origin: Origin = NOWHERE,
    owner: Owner = NOBODY,
    **head: Any,
) -> Match | None:
    run = replace(trajectory(steps, name=name), **head)
    return find_run(db, run, contents_of(run.steps, run.raw_records), owner=owner, origin=origin)


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("run", "run"),
        ("run#2", "run"),
        ("run#12/a1", "run/a1"),
        ("run#2/a#3", "run/a"),
        ("run#x", "run#x"),
        ("run#2b", "run#2b"),
        ("issue #12", "issue "),
        ("#", "#"),
        ("run#1#2", "run"),
    ],
)
def test_the_number_that_a_store_gave_is_no_part_of_the_id_a_log_claims(
    name: str, claims: str
) -> None:
    assert claimed(name) == claims


@given(st.text(alphabet="ab#/12", max_size=12))
def test_claiming_is_done_once_and_for_all(name: str) -> None:
    assert claimed(claimed(name)) == claimed(name)
    assert claimed(f"{name}#2") == claimed(name)


def test_a_name_that_is_taken_gets_the_first_number_that_is_free(db: Database) -> None:
    assert free_name(db, "run", NOBODY) == "run"
    for name in ("run", "run#2", "run#4", "run2", "run/a1"):
        stored(db, trajectory([], name=name))
    assert free_name(db, "run", NOBODY) == "run#3"
    assert free_name(db, "run#2", NOBODY) == "run#2#2"
    assert free_name(db, "ru", NOBODY) == "ru"
    assert free_name(db, "run", ("ann", "", "")) == "run"


def test_a_reading_is_of_the_run_of_its_id_if_one_goes_on_from_the_other(db: Database) -> None:
    number = stored(db, trajectory(RUN), origin=Origin(uri="/log")).number
    for steps, places in (
        (RUN, [0, 1, 2, 3]),
        (RUN[:2], [0, 1]),
        ([*RUN, said(4, "more")], [0, 1, 2, 3, None]),
        ([replace(RUN[2], index=0), replace(RUN[3], index=1)], [2, 3]),
    ):
        match = find(db, steps)
        assert match is not None
        assert (match.number, match.name, match.source_format) == (number, "run", "test")
        assert match.places == places
        assert not match.is_own
    match = find(db, RUN, origin=Origin(uri="/log"))
    assert match is not None
    assert match.is_own
    assert find(db, OTHER) is None
    assert find(db, OTHER, origin=Origin(uri="/log")) is None


@pytest.mark.parametrize("name", ["run", "run#1", "run#1/a1", "#"])
def test_a_run_beside_others_of_its_id_is_found_again(db: Database, name: str) -> None:
    stored(db, trajectory(RUN, name=name))
    beside = stored(db, trajectory(OTHER, name=name))
    assert beside.name == f"{name}#2"
    match = find(db, OTHER, name=name)
    assert match is not None
    assert (match.number, match.name) == (beside.number, f"{name}#2")


def test_one_owner_s_run_is_never_another_s(db: Database) -> None:
    stored(db, trajectory(RUN), scope=Scope(user_id="ann"))
    assert find(db, RUN) is None
    assert find(db, RUN, owner=("ann", "", "")) is not None
    assert find(db, RUN, owner=("ann", "x", "")) is None


@pytest.mark.parametrize(
    ("origin", "source_format", "parent", "is_found"),
    [
        (Origin(uri="/b", names=True), "test", None, True),
        (Origin(uri="/b", names=False), "test", None, False),
        (Origin(uri="/b", names=True), "other", None, False),
        (Origin(uri="/b", names=True), "test", "run", False),
    ],
)
def test_a_run_under_another_id_is_the_same_only_where_ids_are_made_of_paths(
    db: Database, origin: Origin, source_format: str, parent: str | None, *, is_found: bool
) -> None:
    stored(db, trajectory(RUN, name="a"), origin=Origin(uri="/a", names=True))
    found = find(
        db, RUN, name="b", origin=origin, source_format=source_format, parent_trajectory_id=parent
    )
    assert (found is not None) == is_found


def test_the_same_once_more_in_one_file_is_another_run_and_one_that_goes_on_is_not(
    db: Database,
) -> None:
    origin = Origin(uri="/a", names=True)
    number = stored(db, trajectory(RUN, name="a"), origin=origin).number
    told = replace(origin, told=frozenset({number}))
    assert find(db, RUN, name="b", origin=origin) is not None
    assert find(db, RUN, name="b", origin=told) is None
    assert find(db, [*RUN, said(4, "more")], name="b", origin=told) is not None


def test_a_log_is_found_to_be_of_the_run_that_was_added_live(db: Database) -> None:
    live = stored(db, replace(trajectory(RUN[:2], name="live"), source_format="live")).number
    match = find(db, RUN, name="log")
    assert match is not None
    assert (match.number, match.source_format) == (live, "live")
    assert find(db, RUN[:1], name="log") is None  # a question alone is anybody's


def test_what_was_added_live_beside_a_log_does_not_make_it_another_s(db: Database) -> None:
    number = stored(db, trajectory(RUN[:2])).number
    with transaction(db):
        append_step(db, number, said(2, "a note of mine"))
    match = find(db, RUN)
    assert match is not None
    assert match.places == [0, 1, None, None]


def test_a_last_step_that_was_cut_off_is_the_one_whose_text_goes_on(db: Database) -> None:
    stored(db, trajectory([RUN[0], said(1, "Hel")]))
    match = find(db, [RUN[0], said(1, "Hello"), RUN[2]])
    assert match is not None
    assert match.places == [0, 1, None]
