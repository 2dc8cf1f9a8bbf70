"""Where chat messages lie in a log, and which bytes are theirs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stepwell.formats.base import Notes
from stepwell.formats.chat.logs import Chat, chats, is_message, peek
from stepwell.formats.files.decode import decode

HI = {"role": "user", "content": "hi"}
YO = {"role": "assistant", "content": "yo"}


def read(*values: Any, indent: int | None = None) -> tuple[list[Chat], Notes]:
    data = "\n".join(json.dumps(value, indent=indent) for value in values).encode()
    notes = Notes("log.json")
    source = decode(data, notes=notes)
    return list(chats(source, notes)), notes


def said(chat: Chat) -> list[Any]:
    return [message.value for message in chat.messages]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"role": "user"}, True),
        ({"role": ""}, True),
        ({"role": None}, False),
        ({"content": "x"}, False),
        (["role"], False),
        (None, False),
    ],
)
def test_a_message_is_an_object_with_a_role(value: Any, *, expected: bool) -> None:
    assert is_message(value) is expected


def test_a_list_of_messages_is_one_chat_with_one_raw_record_each() -> None:
    (chat,), notes = read([HI, YO])
    assert said(chat) == [HI, YO]
    assert [json.loads(raw.raw) for raw in chat.raws] == [HI, YO]
    assert [raw.position for raw in chat.raws] == ["/0", "/1"]
    assert chat.head == {}
    assert notes.notices == []


def test_a_list_is_messages_when_more_than_half_of_its_beginning_is() -> None:
    assert [said(chat) for chat in read([HI, 7, YO])[0]] == [[HI, 7, YO]]
    found, notes = read([HI, 7])
    assert [said(chat) for chat in found] == [[HI]]
    assert [notice.code for notice in notes.notices] == ["not-a-chat"]


def test_only_the_first_ten_values_say_what_a_list_holds() -> None:
    (whole,), _ = read([*[HI] * 6, *[7] * 20])
    assert len(whole.messages) == 26
    found, notes = read([*[7] * 6, *[HI] * 20])
    assert [len(chat.messages) for chat in found] == [20]
    assert len(notes.notices) == 6


def test_lines_of_single_messages_are_one_chat_the_last() -> None:
    found, _ = read(HI, {"messages": [YO]}, YO)
    assert [said(chat) for chat in found] == [[YO], [HI, YO]]
    assert [raw.position for raw in found[1].raws] == ["line:1", "line:3"]
    assert [message.pointer for message in found[1].messages] == ["", ""]


def test_what_stands_beside_the_messages_is_the_head() -> None:
    (chat,), _ = read({"id": "c1", "messages": [HI], "model": "m"})
    assert chat.head == {"id": "c1", "messages": [HI], "model": "m"}
    assert [message.pointer for message in chat.messages] == ["/messages/0"]
    assert [raw.position for raw in chat.raws] == ["/messages/0"]


def test_a_system_prompt_beside_the_messages_comes_first() -> None:
    (chat,), _ = read({"messages": [HI], "system": "Be brief."})
    assert said(chat) == [{"role": "system", "content": "Be brief."}, HI]
    assert [message.pointer for message in chat.messages] == ["/system", "/messages/0"]
    assert [raw.raw for raw in chat.raws] == [b'"Be brief."', json.dumps(HI).encode()]


def test_an_empty_system_prompt_is_none() -> None:
    (chat,), _ = read({"messages": [HI], "system": ""})
    assert said(chat) == [HI]


def test_a_logged_request_gets_its_response_last() -> None:
    (chat,), _ = read(
        {
            "request": {"messages": [HI], "model": "asked"},
            "response": {
                "id": "r1",
                "model": "m",
                "created": 5,
                "usage": {"prompt_tokens": 3},
                "choices": [{"message": YO, "finish_reason": "stop"}, {"message": HI}],
            },
            "cost": 0.5,
        }
    )
    assert said(chat) == [
        HI,
        {
            "role": "assistant",
            "id": "r1",
            "model": "m",
            "created": 5,
            "usage": {"prompt_tokens": 3},
            "finish_reason": "stop",
            "cost": 0.5,
            "content": "yo",
        },
    ]
    assert [message.pointer for message in chat.messages] == ["/request/messages/0", "/response"]
    assert [raw.position for raw in chat.raws] == ["/request/messages/0", "/response"]
    assert chat.head["model"] == "asked"
    assert json.loads(chat.raws[1].raw)["id"] == "r1"


def test_choices_may_stand_without_a_response_around_them() -> None:
    (chat,), _ = read({"messages": [HI], "choices": [{"message": YO}]})
    assert said(chat)[1]["content"] == "yo"
    assert chat.messages[1].pointer == "/choices"
    assert chat.raws[1].position == "/choices"


def test_a_response_that_is_the_message_itself_is_read() -> None:
    (chat,), _ = read({"messages": [HI], "response": YO})
    assert said(chat)[1]["content"] == "yo"


def test_a_response_that_is_among_the_messages_already_is_not_repeated() -> None:
    response = {"choices": [{"message": YO}]}
    (chat,), _ = read({"messages": [HI, YO], "response": response})
    assert said(chat) == [HI, YO]
    (chat,), _ = read({"messages": [HI, YO | {"content": "other"}], "response": response})
    assert len(chat.messages) == 3


@pytest.mark.parametrize("name", ["content", "tool_calls", "function_call", "role"])
def test_a_response_is_the_last_message_only_if_all_it_says_is_the_same(name: str) -> None:
    response = {"choices": [{"message": YO | {name: "changed"}}]}
    (chat,), _ = read({"messages": [HI, YO], "response": response})
    assert len(chat.messages) == 3


def test_a_response_without_a_message_adds_none() -> None:
    (chat,), _ = read({"messages": [HI], "response": {"error": "overloaded"}})
    assert said(chat) == [HI]


def test_documents_without_messages_are_noted_with_their_place() -> None:
    found, notes = read({"messages": [HI]}, {"n": 1})
    assert len(found) == 1
    (notice,) = notes.notices
    assert (notice.code, notice.effect, notice.position) == ("not-a-chat", "skipped", "log.json:2")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[HI, YO]], [HI, YO]),
        ([{"messages": [HI, YO]}], [HI, YO]),
        ([{"request": {"messages": [HI, YO]}}], [HI, YO]),
        ([HI, YO], [HI]),
        ([[{"messages": [YO]}]], [YO]),
        ([{"n": 1}, {"messages": [YO]}], [YO]),
        ([{"messages": []}], []),
        ([{"messages": []}, {"messages": [HI]}], [HI]),
        ([{"n": 1}], None),
        ([{"messages": ["x"]}], None),
    ],
)
def test_the_first_conversation_can_be_looked_at(values: list[Any], expected: Any) -> None:
    data = "\n".join(map(json.dumps, values)).encode()
    assert peek(decode(data, notes=Notes("a"))) == expected


def test_only_the_first_ten_records_are_looked_at() -> None:
    for n_before, expected in ((9, [HI]), (10, None)):
        data = "\n".join(map(json.dumps, [{"n": 1}] * n_before + [HI])).encode()
        assert peek(decode(data, notes=Notes("a"))) == expected
