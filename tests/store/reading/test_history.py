"""Whatever becomes of a log, no step that was ever read is lost, moved, or kept twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.contents import GONE, HELD, load_contents
from stepwell.store.database import open_database
from stepwell.store.read import entries, load_steps
from stepwell.store.runs import Origin
from stepwell.store.scope import Scope
from support.stores import contents, stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from stepwell.store.database import Database
    from stepwell.trajectory.model import Step

LENGTH = 12
windows = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, LENGTH)).map(
    lambda pair: (min(pair[0], pair[1] - 1), max(pair[0] + 1, pair[1]))
)


def steps_of(texts: list[str]) -> list[Step]:
    """Return steps of texts, of which those that begin with an `a` are the agent's."""
    steps = [said(index, text) for index, text in enumerate(texts)]
    return [
        replace(step, kind="agent", actor="agent", uid=f"s{step.index}", raw_refs=(step.index,))
        if step.message.startswith("a")
        else replace(step, uid=f"s{step.index}", raw_refs=(step.index,))
        for step in steps
    ]


def turns(first: int, end: int) -> list[str]:
    return [f"{'ua'[at % 2]} turn {at}" for at in range(first, end)]


def read(db: Database, texts: list[str], *, uri: str = "/log", name: str = "run") -> str:
    return stored(db, trajectory(steps_of(texts), name=name), origin=Origin(uri=uri)).state


def runs(db: Database) -> dict[str, list[str]]:
    return {
        entry.trajectory_id: [step.message for step in load_steps(db, entry.number)]
        for entry in entries(db, Scope())
    }


@given(
    readings=st.lists(
        st.tuples(windows, st.booleans(), st.sampled_from(["/log", "/copy"])), max_size=7
    )
)
@settings(max_examples=150, deadline=None)
def test_no_history_of_a_log_loses_moves_or_doubles_a_step(
    readings: list[tuple[tuple[int, int], bool, str]],
) -> None:
    db = open_database(None)
    known: dict[tuple[str, int], str] = {}
    everything: set[str] = set()
    for (first, end), is_summarised, uri in readings:
        summary = [f"u summary {first}"] if is_summarised and first else []
        texts = [*summary, *turns(first, end)]
        read(db, texts, uri=uri)
        everything |= set(texts)
        now = {(name, at): text for name, run in runs(db).items() for at, text in enumerate(run)}
        assert now | known == now, "a citation names another step than before"
        known = now
        before = contents(db)
        assert read(db, texts, uri=uri) in {"unchanged", "changed"}
        assert contents(db)["passages"] == before["passages"]
    assert {text for run in runs(db).values() for text in run} == everything
    for run in runs(db).values():
        assert len(run) == len(set(run))
    db.close()


@given(texts=st.lists(st.sampled_from(["u ok", "a ok", "a go"]), max_size=12), data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_log_that_grows_is_kept_as_if_it_were_read_at_once(
    texts: list[str], data: st.DataObject
) -> None:
    db, whole = open_database(None), open_database(None)
    longest = 0
    for _ in range(data.draw(st.integers(1, 5))):
        n = data.draw(st.integers(0, len(texts)))
        longest = max(longest, n)
        read(db, texts[:n])
    read(db, texts[:longest])
    read(whole, texts[:longest])
    for table in ("steps", "passages", "raw_records", "contents"):
        assert contents(db)[table] == contents(whole)[table], table
    db.close()
    whole.close()


def test_a_window_that_came_late_stands_before_in_the_run_and_keeps_citations() -> None:
    db = open_database(None)
    read(db, turns(5, 8))
    read(db, turns(0, 6))
    assert read(db, turns(0, 10)) == "extended"
    assert runs(db) == {"run": [*turns(5, 8), *turns(0, 5), *turns(8, 10)]}
    assert load_contents(db, 1).order == [3, 4, 5, 6, 7, 0, 1, 2, 8, 9]
    assert read(db, turns(2, 10)) == "unchanged"
    db.close()


def test_what_a_log_no_longer_holds_is_marked_until_it_does_again() -> None:
    db = open_database(None)
    read(db, turns(0, 8))
    read(db, ["u summary", *turns(4, 10)])
    assert load_contents(db, 1).states == [GONE] * 4 + [HELD] * 7
    assert all(step.active for step in load_steps(db, 1))
    read(db, turns(0, 10))
    assert load_contents(db, 1).states == [HELD] * 8 + [GONE] + [HELD] * 2
    read(db, turns(6, 10), uri="/copy")  # a copy that lacks steps says nothing of the log
    assert load_contents(db, 1).states == [HELD] * 8 + [GONE] + [HELD] * 2
    db.close()


def test_a_file_that_goes_on_another_way_leaves_a_branch() -> None:
    db = open_database(None)
    read(db, turns(0, 4))
    assert read(db, [*turns(0, 2), "u other", "a other"]) == "changed"
    assert runs(db) == {"run": [*turns(0, 4), "u other", "a other"]}
    assert [step.active for step in load_steps(db, 1)] == [True, True, False, False, True, True]
    db.close()


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (turns(0, 6), "run"),
        (turns(2, 9), "run"),
        (["u summary", *turns(1, 9)], "run"),
        ([turns(0, 1)[0], *turns(3, 6)], "run"),
        ([*turns(0, 4), "u other", "a other"], "run#2"),
        ([turns(0, 1)[0], "a other"], "run#2"),
        (["u other", "a other", *turns(5, 6)], "run#2"),
        (["u other", "a other"], "run#2"),
    ],
)
def test_another_file_of_an_id_is_its_run_if_one_continues_the_other(
    texts: list[str], name: str
) -> None:
    db = open_database(None)
    read(db, turns(0, 6))
    written = stored(db, trajectory(steps_of(texts)), origin=Origin(uri="/other"))
    assert written.name == name
    assert stored(db, trajectory(steps_of(texts)), origin=Origin(uri="/other")).name == name
    db.close()


def test_a_step_that_was_cut_off_when_it_was_read_is_completed() -> None:
    db = open_database(None)
    read(db, ["u start", "a Hel"])
    assert read(db, ["u start", "a Hello world", "u and?"]) == "changed"
    assert runs(db) == {"run": ["u start", "a Hello world", "u and?"]}
    db.close()
