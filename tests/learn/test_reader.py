from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.chat.client import ChatModel
from stepwell.errors import InvalidInputError, ModelUnavailableError, StoreError
from stepwell.learn.reader import AnswerReward, ByWords, Judge
from stepwell.learn.records import write_records
from stepwell.learn.rewards import NOTHING, EvidenceReward, LiteralReward, Read, Reward
from stepwell.store.replies import CachedChat
from stepwell.trajectory.questions import Question
from support.chat_server import ChatServer, last_said, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytest.importorskip("openai", reason="openai is not installed")

PORT = Question(text="Which port is free?", answer="port 5433", steps=(4,), kind="recall")
SHOWN = Read(text="[s4.o1] port 5433 is free", steps=frozenset({4}), tokens=9)


def replies(answer: str, verdict: str = "yes") -> Callable[[dict[str, Any]], str]:
    """Answer questions one way and judge them another."""
    return lambda body: verdict if "<predicted>" in last_said(body) else answer


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving() as found:
        found.answer = replies("Answer[1]: It is port 5433.")
        yield found


@pytest.fixture
def model(server: ChatServer) -> ChatModel:
    return ChatModel(f"openai:toy@{server.url}")


@pytest.mark.parametrize(("measure", "value"), [("exact", 0), ("f1", 2 / 3), ("locomo-f1", 2 / 3)])
def test_an_answer_is_compared_by_its_words(model: ChatModel, measure: str, value: float) -> None:
    reward = AnswerReward(model, ByWords(measure))
    assert reward.reward(PORT, SHOWN) == pytest.approx(value)
    assert reward.name == f"answer:{model.model_id}:{measure}"


@pytest.mark.parametrize(("verdict", "value"), [("yes", 1), ("No.", 0)])
def test_an_answer_is_judged(
    model: ChatModel, server: ChatServer, verdict: str, value: float
) -> None:
    server.answer = replies("Answer[1]: 5433", verdict)
    assert AnswerReward(model, Judge(model)).reward(PORT, SHOWN) == value
    judged = last_said(server.requests[1])
    assert "<reference>\nport 5433\n" in judged
    assert "<predicted>\n5433\n" in judged
    assert "[s4.o1]" not in judged  # a judge compares answers, and sees no evidence


def test_the_arm_without_evidence_is_asked_too(model: ChatModel, server: ChatServer) -> None:
    reward = AnswerReward(model)
    reward.reward(PORT, NOTHING)
    assert "(no evidence is given)" in last_said(server.requests[0])
    assert (reward.records[0].evidence, reward.records[0].evidence_tokens) == ("", 0)


def test_records_hold_all_that_another_judge_needs(model: ChatModel, tmp_path: Path) -> None:
    reward = AnswerReward(model, Judge(model))
    reward.reward(PORT, SHOWN)
    reward.reward(PORT, NOTHING)
    path = tmp_path / "deep" / "answers.jsonl"
    write_records(reward.records[:1], path)
    write_records(reward.records[1:], path)
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert first["raw"] == "Answer[1]: It is port 5433."
    assert (first["answer"], first["gold"]) == ("It is port 5433.", "port 5433")
    assert (first["verdict"], first["reward"]) == ("yes", 1.0)
    assert (first["evidence"], second["evidence"]) == (SHOWN.text, "")


def test_records_that_cannot_be_written_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="another file"):
        write_records([], tmp_path)


def test_a_judge_without_a_verdict_is_no_zero(model: ChatModel, server: ChatServer) -> None:
    server.answer = replies("Answer[1]: 5433", "The answer is fine.")
    reward = AnswerReward(model, Judge(model))
    with pytest.raises(ModelUnavailableError, match="no verdict"):
        reward.reward(PORT, SHOWN)
    assert reward.records[0].reward is None
    assert reward.records[0].verdict == "The answer is fine."


@pytest.mark.parametrize("reply", ["<think>Which port", "Answer[1]:"])
def test_a_reply_without_an_answer_is_no_zero(
    model: ChatModel, server: ChatServer, reply: str
) -> None:
    server.answer = replies(reply)
    with pytest.raises(ModelUnavailableError, match="gave no answer"):
        AnswerReward(model).reward(PORT, SHOWN)


def test_a_run_that_broke_off_asks_only_what_is_left(
    model: ChatModel, server: ChatServer, tmp_path: Path
) -> None:
    questions = [Question(text=f"Which port, {n}?", answer="5433") for n in range(4)]
    cache = CachedChat(model, tmp_path / "replies.sqlite")
    first = [AnswerReward(cache).reward(asked, SHOWN) for asked in questions[:2]]
    server.requests.clear()
    again = AnswerReward(cache)
    assert [again.reward(asked, SHOWN) for asked in questions][:2] == first
    assert len(server.requests) == 2
    assert len(again.records) == 4
    cache.close()


def test_threads_share_a_reward(model: ChatModel) -> None:
    reward = AnswerReward(model)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: reward.reward(PORT, SHOWN), range(12)))
    assert len(reward.records) == 12


def test_a_measure_nobody_knows_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="locomo-f1"):
        ByWords("bleu")


def test_rewards_can_be_exchanged(model: ChatModel) -> None:
    rewards: list[Reward] = [EvidenceReward(), LiteralReward(), AnswerReward(model)]
    assert all(0 < reward.reward(PORT, SHOWN) <= 1 for reward in rewards)
    assert len({reward.name for reward in rewards}) == 3
