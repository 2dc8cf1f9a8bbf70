"""The log of recalls: what is logged, when it is written, whose feedback counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import InvalidInputError, NotFoundError, ScopeError
from stepwell.memory.memory import Memory
from stepwell.memory.recalls import check_reward
from stepwell.store.database import open_database

if TYPE_CHECKING:
    from pathlib import Path


def filled(path: Path | None = None, **scope: str) -> Memory:
    memory = Memory(path, scope=scope, encoder=None)
    memory.add({"role": "user", "content": "The staging port is 5433."})
    return memory


def ask(memory: Memory, times: int = 1) -> list[str]:
    return [memory.recall(f"which port? {number}", 200).id for number in range(times)]


def written(path: Path) -> int:
    db = open_database(path)
    n = int(db.execute("SELECT count(*) FROM recalls").get)
    db.close()
    return n


@pytest.mark.parametrize(
    ("given", "reward"), [(True, 1.0), (False, 0.0), (0, 0.0), (1, 1.0), (0.25, 0.25)]
)
def test_a_reward_is_a_number_from_nought_to_one(given: object, reward: float) -> None:
    found = check_reward(given)
    assert (found, type(found)) == (reward, float)


@pytest.mark.parametrize("given", [-0.01, 1.01, 2, float("nan"), float("inf"), "1", None, [1]])
def test_any_other_reward_is_refused_with_what_to_give(given: object) -> None:
    with pytest.raises(InvalidInputError) as caught:
        check_reward(given)
    assert str(caught.value) == (
        f"reward={given!r} cannot be used. "
        "Give a number from 0 (wrong) to 1 (right), or True or False."
    )


def test_a_recall_is_logged_as_it_was_asked_and_answered() -> None:
    with filled() as memory:
        evidence = memory.recall("which port? ßé日", 200, policy=["episodic"])
        (logged,) = memory.recalls()
        assert (logged.id, logged.question) == (evidence.id, "which port? ßé日")
        assert (logged.budget, logged.tokens) == (200, evidence.tokens)
        assert (logged.policy, logged.structures) == (evidence.policy, ("episodic",))
        assert (logged.chance, logged.reward) == (1.0, None)
        assert logged.trajectories == (memory.sessions()[0].number,)


def test_ids_differ_even_for_one_question_asked_twice_at_once() -> None:
    with filled() as memory:
        ids = [memory.recall("which port?", 200).id for _ in range(40)]
        assert len(set(ids)) == 40
        assert {len(one) for one in ids} == {16}
        assert [one.id for one in memory.recalls()] == ids


def test_a_recall_that_quotes_nothing_has_no_id_and_is_not_logged() -> None:
    with Memory(encoder=None) as memory:
        assert memory.recall("which port?", 200).id == ""
        assert memory.recalls() == []


def test_a_memory_that_logs_nothing_gives_no_ids_and_takes_no_feedback() -> None:
    with Memory(encoder=None, log_recalls=False) as memory:
        memory.add("The port is 5433.")
        assert ask(memory) == [""]
        assert memory.recalls() == []
        with pytest.raises(InvalidInputError, match=r"does not log .* without log_recalls=False"):
            memory.feedback("x", 1)


def test_recalls_are_written_thirty_two_at_a_time_or_on_closing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with filled(path) as memory:
        ask(memory, 31)
        assert written(path) == 0
        ask(memory)
        assert written(path) == 32
        ask(memory)
        assert written(path) == 32
        assert len(memory.recalls()) == 33
        assert written(path) == 33
        ask(memory)
    assert written(path) == 34


def test_a_recall_waits_for_no_other_writer_and_is_logged_later(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with filled(path) as memory:
        busy = open_database(path)
        busy.execute("BEGIN IMMEDIATE")
        ids = ask(memory, 33)
        assert all(ids)
        assert memory.recalls() == []
        busy.execute("ROLLBACK")
        busy.close()
        assert [one.id for one in memory.recalls()] == ids


def test_of_what_waits_too_long_the_latest_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepwell.memory.recalls._MOST_WAITING", 10)
    path = tmp_path / "m.db"
    with filled(path) as memory:
        busy = open_database(path)
        busy.execute("BEGIN IMMEDIATE")
        ids = ask(memory, 15)
        assert memory.recalls() == []
        busy.execute("ROLLBACK")
        busy.close()
        assert [one.id for one in memory.recalls()] == ids[-10:]


def test_a_file_that_can_only_be_read_logs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with filled(path) as memory:
        ask(memory)
    path.chmod(0o444)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with filled() as memory:
        reader = apsw.Connection(f"file:{path}?mode=ro", flags=flags)
        log = memory._recalls
        assert log is not None
        log.db = reader
        assert ask(memory) == [""]
        assert log.waiting == []
        log.db = memory._db
        reader.close()


def test_the_last_reward_counts() -> None:
    with filled() as memory:
        first, second = ask(memory, 2)
        memory.feedback(second, 1)
        memory.feedback(second, 0.25)
        assert [(one.id, one.reward) for one in memory.recalls()] == [(first, None), (second, 0.25)]


def test_a_wrong_reward_changes_nothing() -> None:
    with filled() as memory:
        (id_,) = ask(memory)
        memory.feedback(id_, 0.5)
        with pytest.raises(InvalidInputError):
            memory.feedback(id_, 7)
        assert memory.recalls()[0].reward == 0.5


@pytest.mark.parametrize("id_", ["", "nothing", "日" * 16, "\ud800", "x' OR 1 --"])
def test_feedback_on_what_is_not_logged_says_which_ids_there_are(id_: str) -> None:
    with filled() as memory:
        ask(memory)
        with pytest.raises(NotFoundError, match=r"no logged recall .* Give the id of the evidence"):
            memory.feedback(id_, 1)


def test_feedback_on_a_forgotten_trajectory_is_refused() -> None:
    with filled() as memory:
        (id_,) = ask(memory)
        memory.forget(everything=True)
        assert memory.recalls() == []
        with pytest.raises(NotFoundError):
            memory.feedback(id_, 1)


def test_feedback_may_come_from_another_process(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with filled(path) as memory:
        (id_,) = ask(memory)
    with Memory(path, encoder=None) as other:
        other.feedback(id_, 1)
        assert [one.reward for one in other.recalls()] == [1.0]


def test_one_user_neither_sees_nor_rewards_recalls_over_anothers(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with filled(path, user_id="ana") as ana:
        (hers,) = ask(ana)
    with filled(path, user_id="bo") as bo:
        (his,) = ask(bo)
        assert [one.id for one in bo.recalls()] == [his]
        with pytest.raises(NotFoundError):
            bo.feedback(hers, 0)
        with pytest.raises(ScopeError, match="bound to user_id='bo'"):
            bo.recalls(scope={"user_id": "ana"})
    with Memory(path, encoder=None) as everyone:
        assert [one.id for one in everyone.recalls()] == [hers, his]
        assert [one.id for one in everyone.recalls(scope={"user_id": "bo"})] == [his]


def test_a_recall_over_one_id_of_two_users_is_shown_to_neither(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path, user_id="ana").close()
    filled(path, user_id="bo").close()
    with Memory(path, encoder=None) as everyone:
        ask(everyone)
        assert len(everyone.recalls()[0].trajectories) == 2
    for user in ("ana", "bo"):
        with Memory(path, scope={"user_id": user}, encoder=None) as memory:
            assert memory.recalls() == []
