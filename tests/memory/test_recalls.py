"""Logging recalls: ids, what is written when, and who may reward."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory import recalls
from stepwell.memory.memory import Memory
from stepwell.memory.recalls import check_reward
from stepwell.store.database import open_database, transaction
from stepwell.store.recalls import load_recalls
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


def logged(path: Path) -> list[str]:
    db = open_database(path)
    found = [one.question for one in load_recalls(db, numbers=range(9))]
    db.close()
    return found


@pytest.mark.parametrize(
    ("value", "reward"), [(0, 0.0), (1, 1.0), (0.25, 0.25), (True, 1.0), (False, 0.0)]
)
def test_a_reward_is_a_number_from_nought_to_one(value: object, reward: float) -> None:
    found = check_reward(value)
    assert (found, type(found)) == (reward, float)


@pytest.mark.parametrize("value", [-0.001, 1.001, "1", None, float("nan"), float("inf"), 2])
def test_anything_else_is_no_reward(value: object) -> None:
    with pytest.raises(InvalidInputError, match=r"reward=.* cannot be used") as caught:
        check_reward(value)
    assert "from 0 (wrong) to 1 (right)" in str(caught.value.hint)


def test_recalls_are_written_together_and_the_rest_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalls, "_AT_ONCE", 3)
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
        for n in (1, 2):
            memory.recall(f"zebra {n}", 200)
        assert logged(path) == []
        memory.recall("zebra 3", 200)
        assert logged(path) == ["zebra 1", "zebra 2", "zebra 3"]
        memory.recall("zebra 4", 200)
        assert len(logged(path)) == 3
    assert logged(path)[3:] == ["zebra 4"]


def test_of_what_waits_for_a_busy_file_the_latest_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalls, "_AT_ONCE", 2)
    monkeypatch.setattr(recalls, "_MOST_WAITING", 3)
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
        other = open_database(path)
        with transaction(other):
            for n in range(6):
                memory.recall(f"zebra {n}", 200)
        other.close()
    assert logged(path) == ["zebra 3", "zebra 4", "zebra 5"]


def test_what_quotes_nothing_is_not_logged_and_has_no_id() -> None:
    with Memory(encoder=None) as memory:
        assert memory.recall("zebra", 200).id == ""
        memory.add("The zebra lives in the yard.")
        assert memory.recall("zebra", 200).id != ""
        assert [one.question for one in memory.recalls()] == ["zebra"]


def test_a_memory_that_logs_nothing_gives_no_ids() -> None:
    with Memory(encoder=None, log_recalls=False) as memory:
        memory.add("The zebra lives in the yard.")
        assert memory.recall("zebra", 200).id == ""
        assert list(memory.recalls()) == []


def test_the_same_question_twice_is_two_recalls() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Memory(encoder=None, clock=lambda: now) as memory:
        memory.add("The zebra lives in the yard.")
        one, two = memory.recall("zebra", 200), memory.recall("zebra", 200)
        assert one.id != two.id
        assert [len(one.id), len(two.id)] == [16, 16]
        assert [found.id for found in memory.recalls()] == [one.id, two.id]


def test_only_who_sees_what_was_read_may_reward(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=None, scope={"user_id": "a"}) as memory:
        memory.add("The zebra lives in the yard.")
        id_ = memory.recall("zebra", 200).id
    with Memory(path, encoder=None, scope={"user_id": "b"}) as stranger:
        with pytest.raises(NotFoundError, match="no logged recall") as caught:
            stranger.feedback(id_, 1)
        assert "quoted something, in this memory" in str(caught.value.hint)
    with Memory(path, encoder=None, scope={"user_id": "a"}) as owner:
        owner.feedback(id_, 0.5)
        assert [one.reward for one in owner.recalls()] == [0.5]
        owner.forget(everything=True)
        with pytest.raises(NotFoundError, match="no logged recall"):
            owner.feedback(id_, 1)


TOKEN = "ghp_" + "Ab3dE" * 8


def holds(folder: Path, text: str) -> bool:
    return any(text.encode() in file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    "question",
    [
        f"why does the zebra refuse the token {TOKEN}?",
        'does the zebra take password="correct-horse9"?',
        "which zebra is behind postgres://app:hunter2x@db.test/zoo?",
    ],
)
def test_a_credential_in_a_question_is_never_stored(tmp_path: Path, question: str) -> None:
    secret = next(s for s in (TOKEN, "correct-horse9", "hunter2x") if s in question)
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
        evidence = memory.recall(question, 200)
        assert secret not in repr(evidence)
        (one,) = memory.recalls()
        assert "[redacted:" in one.question
        assert "zebra" in one.question
    assert not holds(tmp_path, secret)


@dataclass(frozen=True, slots=True)
class Overhearing(HashEncoder):
    """An encoder that keeps what it was given, as one behind an address could."""

    heard: list[str] = field(default_factory=list[str])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.heard.extend(texts)
        return HashEncoder.encode(self, texts)


def test_an_encoder_sees_no_credential_of_a_question_or_step() -> None:
    encoder = Overhearing()
    with Memory(encoder=encoder) as memory:
        memory.add(f"The zebra takes {TOKEN}.")
        memory.index()
        memory.recall(f"who takes the token {TOKEN}?", 200)
    assert any("who takes" in text for text in encoder.heard)
    assert not any(TOKEN in text for text in encoder.heard)


def test_a_memory_that_redacts_nothing_keeps_questions_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=None, redact=False) as memory:
        memory.add("The zebra lives in the yard.")
        memory.recall(f"zebra {TOKEN}", 200)
    assert logged(path) == [f"zebra {TOKEN}"]
