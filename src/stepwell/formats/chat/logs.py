"""Where chat messages lie in a log: lists, documents, logged requests, and lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from stepwell.formats.files.documents import documents_of, whole_of
from stepwell.formats.files.members import member
from stepwell.trajectory.fields import is_list, list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Record, Source
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import JsonObject, RawRecord

__all__ = ["Chat", "Message", "chat_of", "chats", "is_message", "peek"]

_PROBE = 10
"""Elements looked at to tell what a list or a source holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A value in the place of a message, with the document and the pointer where it stands."""

    value: Any
    document: Document
    pointer: str

    def note(
        self,
        notes: Notes,
        code: str,
        message: str,
        *,
        effect: Literal["skipped", "warning"] = "warning",
    ) -> None:
        """Note something about the message."""
        self.document.note(notes, self.pointer, code, message, effect=effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One conversation.

    Attributes:
        messages: Its messages in order.
        raws: The raw record of each, or none when their bytes cannot be told apart.
        head: The fields that stand beside the messages.
    """

    messages: tuple[Message, ...]
    raws: tuple[RawRecord, ...] = ()
    head: JsonObject = field(default_factory=dict[str, Any])


def is_message(value: Any) -> bool:
    """Return whether a value is an object with a role."""
    return isinstance(object_of(value).get("role"), str)


def chats(source: Source, notes: Notes) -> Iterator[Chat]:
    """Yield the conversations of a source.

    All lines that are single messages are one conversation together, which comes last.
    """
    lines: list[Document] = []
    for record in source.records:
        if _holds_messages(record.value):
            yield chat_of(whole_of(source, record), "", record.value, record.raw)
        else:
            yield from _chats_of(source, record, lines, notes)
    if lines:
        yield Chat(
            messages=tuple(Message(value=line.value, document=line, pointer="") for line in lines),
            raws=tuple(line.raw_record("", line.raw) for line in lines),
        )


def chat_of(
    document: Document, pointer: str, values: Any, raw: bytes, *, head: JsonObject | None = None
) -> Chat:
    """Return the conversation that a list of messages in a document is.

    Args:
        document: The document.
        pointer: JSON pointer of the list within it.
        values: The messages; what is no list holds none.
        raw: The list's bytes.
        head: What stands beside the list: `system` comes first, a `response` last.
    """
    head = head or {}
    messages = [
        Message(value=value, document=document, pointer=f"{pointer}/{at}")
        for at, value in enumerate(list_of(values))
    ]
    raws = document.raw_elements(pointer, raw, count=len(messages))
    if system := head.get("system"):
        if len(raws) == len(messages):
            raws = (document.raw_record("/system", member(document.raw, "system")), *raws)
        value = {"role": "system", "content": system}
        messages.insert(0, Message(value=value, document=document, pointer="/system"))
    response = _response(head)
    if response and not (messages and _is_same(response, messages[-1].value)):
        name = "response" if "response" in head else "choices"
        if len(raws) == len(messages):
            raws = (*raws, document.raw_record(f"/{name}", member(document.raw, name)))
        messages.append(Message(value=response, document=document, pointer=f"/{name}"))
    return Chat(messages=tuple(messages), raws=raws, head=head)


def peek(source: Source) -> list[Any] | None:
    """Return the raw messages of the first conversation; None when the source holds none.

    Only the beginning of the source is looked at.
    """
    values = [record.value for record in source.records[:_PROBE]]
    found: list[Any] | None = None
    for value in values:
        whole = [value] if not is_list(value) else [{"messages": value}, *value[:_PROBE]]
        for each in map(object_of, whole):
            messages = each.get("messages", object_of(each.get("request")).get("messages"))
            if is_message(each):
                return [each]
            if any(map(is_message, list_of(messages)[:_PROBE])):
                return list_of(messages)
            found = [] if messages == [] and value != [] else found
    return found


def _holds_messages(value: Any) -> bool:
    """Return whether a list holds messages, for the most part: some may be broken."""
    first = list_of(value)[:_PROBE]
    return sum(map(is_message, first)) * 2 > len(first)


def _chats_of(
    source: Source, record: Record, lines: list[Document], notes: Notes
) -> Iterator[Chat]:
    for document in documents_of(source, record):
        value = object_of(document.value)
        request = object_of(value.get("request"))
        if is_list(value.get("messages")):
            raw = member(document.raw, "messages")
            yield chat_of(document, "/messages", value["messages"], raw, head=value)
        elif is_list(request.get("messages")):
            raw = member(member(document.raw, "request"), "messages")
            head = request | value
            yield chat_of(document, "/request/messages", request["messages"], raw, head=head)
        elif is_message(value):
            lines.append(document)
        else:
            document.note(notes, "", "not-a-chat", "No chat messages here.", effect="skipped")


def _response(head: JsonObject) -> JsonObject:
    """Return the message that answered a logged request, with what the response says beside it."""
    response = object_of(head.get("response")) or head
    choice = next(map(object_of, list_of(response.get("choices"))), response)
    message = object_of(choice.get("message"))
    if not message and is_message(choice):
        message = choice
    if not message:
        return {}
    beside = {name: response.get(name) for name in ("id", "model", "created", "usage")}
    return (
        {"role": "assistant"}
        | beside
        | {"finish_reason": choice.get("finish_reason"), "cost": head.get("cost")}
        | message
    )


def _is_same(response: JsonObject, last: Any) -> bool:
    """Return whether the log has the response among its messages already."""
    message = object_of(last)
    names = ("role", "content", "tool_calls", "function_call")
    return all(response.get(name) == message.get(name) for name in names)
