from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from stepwell.chat.base import Message, Reply, asked


def test_a_question_is_one_message_of_the_user() -> None:
    assert asked("Why?") == (Message(role="user", content="Why?"),)


def test_what_goes_before_all_questions_is_a_message_of_the_system() -> None:
    assert asked("Why?", system="Be brief.") == (
        Message(role="system", content="Be brief."),
        Message(role="user", content="Why?"),
    )


def test_a_reply_is_whole_and_counted_unless_it_says_otherwise() -> None:
    reply = Reply(text="x", prompt_tokens=1, completion_tokens=2)
    assert (reply.finish_reason, reply.model, reply.estimated) == ("stop", "", False)
    with pytest.raises(FrozenInstanceError):
        reply.text = "y"  # type: ignore[misc]
