"""Against a real language model, small enough for any machine; what it says is often wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from stepwell.chat.base import asked
from stepwell.chat.client import ChatLimits, ChatModel
from stepwell.learn.reader import AnswerReward
from stepwell.learn.rewards import NOTHING, Read
from stepwell.store.replies import CachedChat
from stepwell.trajectory.questions import Question
from support import local_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    bool(local_model.missing()),
    reason=f"not installed: {', '.join(local_model.missing())}; {local_model.INSTALL}",
)


@pytest.fixture(scope="module")
def model() -> Iterator[ChatModel]:
    with local_model.serving(local_model.smollm2()) as url:
        yield ChatModel(f"openai:smollm2@{url}", limits=ChatLimits(timeout_seconds=600))


def test_a_real_model_replies_and_counts(model: ChatModel) -> None:
    reply = model.complete(asked("Say hello."), max_tokens=4)
    assert reply.text.strip()
    assert (reply.finish_reason, reply.completion_tokens) == ("length", 4)
    assert reply.prompt_tokens > 4
    assert not reply.estimated


def test_a_real_model_keeps_to_a_schema(model: ChatModel) -> None:
    schema = {
        "type": "object",
        "properties": {"port": {"type": "integer"}},
        "required": ["port"],
        "additionalProperties": False,
    }
    reply = model.complete(asked("Port 5433 is free. Which port?"), max_tokens=40, schema=schema)
    assert isinstance(json.loads(reply.text)["port"], int)


def test_a_real_model_answers_from_evidence_and_without(model: ChatModel, tmp_path: Path) -> None:
    question = Question(text="Which port is free?", answer="5433")
    shown = Read(text="[s4.o1] port 5433 is free", steps=frozenset({4}), tokens=9)
    cache = CachedChat(model, tmp_path / "replies.sqlite", known_as="smollm2")
    reward = AnswerReward(cache, max_tokens=16)
    values = [reward.reward(question, evidence) for evidence in (shown, NOTHING, shown)]
    assert values[0] == values[2]
    assert all(0 <= value <= 1 for value in values)
    assert all(record.raw.strip() for record in reward.records)
    assert cache.n_asked == 2
    cache.close()
