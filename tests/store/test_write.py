"""Writing: only what is new is written, live steps and logs stay apart, titles and counts hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import StoreError
from stepwell.store.database import transaction
from stepwell.store.read import entries, load_head, load_media, load_steps, load_trajectory
from stepwell.store.rowids import MAX_STEPS, place_of, step_of
from stepwell.store.rows import microseconds, put_blobs
from stepwell.store.runs import Origin
from stepwell.store.scope import Scope
from stepwell.store.units import first_rewritten, progress_of
from stepwell.store.write import append_raw, append_step, put_trajectory, update_step
from stepwell.trajectory.model import Blob, RawRecord, Result
from support.stores import stored
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.trajectory.model import Step

LOG = [said(0, "hello"), turn(1, "ls", "alpha"), turn(2, "pwd", "beta")]


def only(db: Database) -> Entry:
    (entry,) = entries(db, Scope())
    return entry


def png(digest: str) -> Blob:
    return Blob(sha256=digest, media_type="image/png", data=digest.encode())


def test_a_new_log_is_added_whole(db: Database) -> None:
    written = stored(db, trajectory(LOG))
    assert (written.state, written.n_steps, len(written.rowids)) == ("added", 3, 5)
    assert [step_of(row) for row in written.rowids] == [0, 1, 1, 2, 2]
    assert [place_of(row) for row in written.rowids] == [0, 0, 1, 0, 1]
    assert [p.text for p in written.passages] == [
        "hello",
        "command: ls",
        "alpha",
        "command: pwd",
        "beta",
    ]
    assert (only(db).n_steps, only(db).n_passages) == (3, 5)


def test_an_empty_log_is_added_and_then_unchanged(db: Database) -> None:
    assert stored(db, trajectory([])).state == "added"
    assert stored(db, trajectory([])).state == "unchanged"
    assert only(db).n_steps == 0
    assert stored(db, trajectory(LOG)).state == "extended"


def test_a_grown_log_is_extended_without_a_rewrite(db: Database) -> None:
    number = stored(db, trajectory(LOG[:1])).number
    grown = stored(db, trajectory(LOG))
    assert (grown.number, grown.state, grown.n_steps) == (number, "extended", 2)
    assert [step_of(row) for row in grown.rowids] == [1, 1, 2, 2]
    assert (only(db).n_steps, only(db).n_passages) == (3, 5)
    progress = progress_of(db, number)
    assert progress is not None
    assert progress.revision == 0


def test_a_rewound_log_changes_nothing(db: Database) -> None:
    stored(db, trajectory(LOG))
    again = stored(db, trajectory(LOG[:2]))
    assert (again.state, again.n_steps, again.rowids, again.passages) == ("unchanged", 0, (), ())
    assert tuple(load_steps(db, again.number)) == tuple(LOG)
    other = stored(db, trajectory([said(0, "another start")]))
    assert (other.name, other.state) == ("run#2", "added")
    assert tuple(load_steps(db, again.number)) == tuple(LOG)


def test_a_change_of_one_step_rewrites_that_step(db: Database) -> None:
    stored(db, trajectory(LOG))
    changed = stored(db, trajectory([*LOG[:2], turn(2, "pwd", "gamma")]))
    assert (changed.state, changed.n_steps) == ("changed", 0)
    assert [p.text for p in changed.passages] == ["gamma"]
    progress = progress_of(db, changed.number)
    assert progress is not None
    assert (progress.revision, first_rewritten(db, changed.number, since=0)) == (1, 2)
    assert (only(db).n_steps, only(db).n_passages) == (3, 5)


def test_a_head_that_changed_is_stored_though_no_step_did(db: Database) -> None:
    stored(db, trajectory(LOG))
    written = stored(db, replace(trajectory(LOG), task="find it"))
    assert written.state == "unchanged"
    head = load_head(db, written.number)
    assert head is not None
    assert head.task == "find it"


def test_a_live_run_and_another_that_claims_its_id_stand_beside_each_other(db: Database) -> None:
    live = replace(trajectory([said(0, "live")]), source_format="live")
    stored(db, live)
    log = stored(db, trajectory(LOG))
    assert [e.trajectory_id for e in entries(db, Scope())] == ["run", "run#2"]
    assert stored(db, trajectory(LOG)).number == log.number
    assert stored(db, live).state == "unchanged"


@pytest.mark.parametrize("name", ["run", "log-of-it"])
def test_a_live_run_and_its_own_log_are_one_trajectory(db: Database, name: str) -> None:
    live = stored(db, replace(trajectory(LOG[:2]), source_format="live"))
    log = stored(db, trajectory(LOG, name=name), origin=Origin(uri="/a"))
    assert (log.number, log.state, log.n_steps) == (live.number, "extended", 1)
    assert (only(db).trajectory_id, only(db).source_format, only(db).source_uri) == (
        *("run", "test", "/a"),
    )


def test_owners_are_kept_apart_under_one_id(db: Database) -> None:
    one = stored(db, trajectory(LOG), scope=Scope(user_id="a"))
    two = stored(db, trajectory(LOG), scope=Scope(user_id="b", agent_id="x", run_id="y"))
    assert one.number != two.number
    assert stored(db, trajectory(LOG), scope=Scope(user_id="b")).state == "added"
    (entry,) = entries(db, Scope(run_id="y"))
    assert (entry.user_id, entry.agent_id, entry.run_id) == ("b", "x", "y")


def test_the_session_of_a_scope_goes_before_the_logs(db: Database) -> None:
    stored(db, trajectory(LOG, session="own"))
    assert only(db).session_id == "own"
    stored(db, trajectory(LOG, name="b", session="own"), scope=Scope(session="given"))
    assert [e.session_id for e in entries(db, Scope())] == ["own", "given"]


@pytest.mark.parametrize(
    ("scope", "uri", "source_format", "steps", "state"),
    [
        (Scope(), "/b", "test", LOG, "unchanged"),
        (Scope(), "/a", "test", LOG, "added"),
        (Scope(), "/b", "other", LOG, "added"),
        (Scope(), "/b", "test", LOG[:2], "unchanged"),
        (Scope(), "/b", "test", LOG[:1], "added"),  # a prompt alone makes no common run
        (Scope(user_id="u"), "/b", "test", LOG, "added"),
        (Scope(agent_id="u"), "/b", "test", LOG, "added"),
        (Scope(run_id="u"), "/b", "test", LOG, "added"),
    ],
)
def test_a_copy_is_the_same_content_of_one_owner_and_format_in_another_file(
    db: Database,
    scope: Scope,
    uri: str,
    source_format: str,
    steps: list[Step],
    state: str,
) -> None:
    first = stored(db, trajectory(LOG, name="a-1"), origin=Origin(uri="/a", names=True))
    copy = replace(trajectory(steps, name="b-2"), source_format=source_format)
    told = frozenset({first.number} if uri == "/a" else ())
    written = stored(db, copy, scope=scope, origin=Origin(uri=uri, names=True, told=told))
    assert written.state == state
    assert (written.number == first.number) == (state == "unchanged")


def test_empty_logs_are_no_copies_of_each_other(db: Database) -> None:
    stored(db, trajectory([], name="a"), origin=Origin(uri="/a", names=True))
    assert stored(db, trajectory([], name="b"), origin=Origin(uri="/b", names=True)).state == (
        "added"
    )


@pytest.mark.parametrize(
    ("task", "steps", "title"),
    [
        ("  do\n this ", LOG, "do this"),
        (None, [turn(0, "ls", "x"), said(1, "  first\twords ")], "first words"),
        (" ", [replace(turn(0, "ls", "x"), message="agent says")], "agent says"),
        (None, [turn(0, "ls", "x")], ""),
        ("x" * 121, LOG, "x" * 120),
    ],
)
def test_a_title_is_the_task_else_the_users_words_else_the_agents(
    db: Database, task: str | None, steps: list[Step], title: str
) -> None:
    stored(db, replace(trajectory(steps), task=task))
    assert only(db).title == title


def test_a_live_step_is_appended_and_titles_what_has_no_title(db: Database) -> None:
    number = stored(db, trajectory([turn(0, "ls", "x")])).number
    with transaction(db):
        written = append_step(db, number, said(1, " so\n what? "))
        append_step(db, number, said(2, "more"))
    assert (written.state, written.n_steps, [p.text for p in written.passages]) == (
        "extended",
        1,
        [" so\n what? "],
    )
    assert (only(db).title, only(db).n_steps, only(db).n_passages) == ("so what?", 3, 4)


def test_an_agents_live_step_gives_no_title(db: Database) -> None:
    number = stored(db, trajectory([])).number
    with transaction(db):
        append_step(db, number, replace(turn(0, "ls", "x"), message="mine"))
    assert only(db).title == ""


def test_a_result_that_comes_late_adds_its_passage_behind_the_others(db: Database) -> None:
    call = replace(turn(0, "make", ""), results=())
    number = stored(db, trajectory([call, said(1, "and?")])).number
    answer = Result(call_uid="k0", text="failed", is_error=True)
    late = replace(call, results=(answer,), t_end=NOW)
    with transaction(db):
        written = update_step(db, number, late, known=call)
    assert (written.state, written.n_steps) == ("changed", 0)
    assert [(step_of(row), place_of(row)) for row in written.rowids] == [(0, 1)]
    row = db.execute("SELECT has_error, t_end FROM steps ORDER BY id LIMIT 1").fetchone()
    assert row == (1, microseconds(NOW))
    assert first_rewritten(db, number, since=0) == 0
    assert only(db).n_passages == 3


def test_a_step_cannot_lose_text(db: Database) -> None:
    number = stored(db, trajectory(LOG)).number
    with pytest.raises(StoreError, match=r"Step 1 would lose text") as caught, transaction(db):
        update_step(db, number, replace(LOG[1], results=()), known=LOG[1])
    assert "append a new step instead" in str(caught.value.hint)
    assert tuple(load_steps(db, number)) == tuple(LOG)


def test_what_goes_on_live_is_still_the_run_of_its_copies(db: Database) -> None:
    number = stored(db, trajectory(LOG, name="a"), origin=Origin(uri="/a", names=True)).number
    with transaction(db):
        append_step(db, number, said(3, "more"))
    copy = stored(db, trajectory(LOG, name="b"), origin=Origin(uri="/b", names=True))
    assert (copy.number, copy.state) == (number, "unchanged")


def test_raw_records_are_appended_in_order_and_say_where_they_are_from(
    db: Database,
) -> None:
    number = stored(db, trajectory(LOG), origin=Origin(uri="test.jsonl")).number
    record = RawRecord(
        source_uri="live", position="now", byte_offset=7, sha256="ab" * 32, raw=b"x" * 3_000
    )
    with transaction(db):
        assert append_raw(db, number, record) == 3
        assert append_raw(db, number, replace(record, redacted=True)) == 4
        assert append_raw(db, number + 1, record) == 0  # of a trajectory that is none
    found = load_trajectory(db, number).raw_records
    assert found == (*trajectory(LOG).raw_records, record, replace(record, redacted=True))
    named = "SELECT count(*) FROM raw_records WHERE source_uri IS NULL"
    assert db.execute(named).get == 3  # those of the file itself name it but once


def test_a_raw_record_that_changed_is_replaced(db: Database) -> None:
    whole = trajectory(LOG)
    stored(db, whole)
    new = replace(whole.raw_records[1], sha256="f" * 64, raw=b"new", position="line:9")
    changed = replace(
        trajectory([LOG[0], turn(1, "ls", "other"), LOG[2]]),
        raw_records=(whole.raw_records[0], new, whole.raw_records[2]),
    )
    written = stored(db, changed)
    assert load_trajectory(db, written.number).raw_records == changed.raw_records


def test_media_are_kept_once_per_digest_and_trajectory(db: Database) -> None:
    one = stored(db, trajectory(LOG, name="one"), blobs=[png("aa"), png("ab"), png("aa")]).number
    two = stored(db, trajectory(LOG, name="two"), blobs=[png("aa")]).number
    with transaction(db):
        put_blobs(db, one, [png("ab"), png("b")])
        put_blobs(db, two + 1, [png("c")])  # of a trajectory that is none
    assert load_media(db, one) == [png("aa"), png("ab"), png("b")]
    assert load_media(db, two) == [png("aa")]
    assert load_media(db, one, sha256="a") == [png("aa"), png("ab")]
    assert load_media(db, one, sha256="ab") == [png("ab")]
    assert load_media(db, one, sha256="%") == []
    counts = db.execute("SELECT n_blobs FROM trajectories ORDER BY no").fetchall()
    assert counts == [(3,), (1,)]
    assert db.execute("SELECT count(*) FROM blobs").get == 4


def test_more_steps_than_row_ids_can_name_are_refused(db: Database) -> None:
    number = stored(db, trajectory(LOG)).number
    with pytest.raises(StoreError, match="at most 1048576 steps") as caught, transaction(db):
        append_step(db, number, said(MAX_STEPS, "one too many"))
    assert caught.value.hint == "Split the log into sessions."
    with transaction(db):
        append_step(db, number, said(MAX_STEPS - 1, "the last"))
    assert next(load_steps(db, number, first=MAX_STEPS - 1)).message == "the last"


def test_a_write_that_fails_leaves_nothing(db: Database) -> None:
    def fail() -> None:
        with transaction(db):
            put_trajectory(db, trajectory(LOG), scope=Scope(), now=NOW)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert entries(db, Scope()) == []
    assert db.execute("SELECT count(*) FROM steps").get == 0


@given(
    moment=st.datetimes(
        min_value=datetime(1971, 1, 1),  # noqa: DTZ001  (hypothesis adds the zone)
        max_value=datetime(2100, 1, 1),  # noqa: DTZ001
        timezones=st.just(UTC),
    )
)
@settings(max_examples=50)
def test_moments_are_stored_to_the_microsecond(moment: datetime) -> None:
    assert microseconds(moment) == (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )
