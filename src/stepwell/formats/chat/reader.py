"""OpenAI chat-completions logs: message lists, requests with their response, and lines of either.

A list of messages, `{"messages": [...]}` with whatever stands beside it, and a request with its
`response` are one trajectory each; lines that are single messages are one trajectory together.
Anthropic messages are read as well: their blocks are calls, results and text of chat messages.

A document's own id names its trajectory. Without one the name is made of the file's: the same
messages under another path get another name here, and are recognised by what they hold when they
are stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.formats.base import Bundle
from stepwell.formats.chat.anthropic_messages import chat_messages
from stepwell.formats.chat.conversation import conversation_steps
from stepwell.formats.chat.logs import chats, peek
from stepwell.formats.files.documents import source_id
from stepwell.trajectory.fields import first_str, is_object, list_of, object_of, rest_of
from stepwell.trajectory.model import Agent, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.chat.logs import Chat
    from stepwell.trajectory.model import JsonObject

__all__ = ["OpenAIChat"]

_NAME = "openai-chat"
_IDS = ("trajectory_id", "id", "session_id", "conversation_id", "thread_id", "trace_id")
_REQUEST = frozenset({"request", "response", "choices"})
_PLACED = frozenset(
    {"messages", "request", "response", "choices", "tools", "functions", "model", "system"}
)
_FOREIGN_PARTS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})
_SAYING = frozenset({"content", "parts", "text", "refusal", "tool_calls", "function_call"})
"""Fields of which a message has at least one, if this reader can read it."""

_PROBE = 50
"""Messages looked at for parts of other formats."""


class OpenAIChat:
    """Reads logs of the OpenAI chat-completions API and of the many servers that speak it."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the source holds chat messages.

        Messages get 0.6, since richer formats hold messages too, and 0.3 when their parts are of
        another format. Documents that could hold messages and hold none get 0.2, and messages that
        keep what they say in fields this reader does not know get 0.
        """
        messages = peek(source)
        if not messages:
            return 0.0 if messages is None else 0.2
        if not any(_SAYING & _unwrapped(object_of(each)).keys() for each in messages[:_PROBE]):
            return 0.0
        types = {
            first_str(object_of(part), "type")
            for message in messages[:_PROBE]
            for part in list_of(object_of(message).get("content"))
        }
        return 0.3 if _FOREIGN_PARTS & types else 0.6

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per conversation."""
        taken: set[str] = set()
        for number, chat in enumerate(chats(source, notes)):
            own = _own_id(chat.head)
            is_repeat = number > 0 if own is None else own in taken
            name = (own or source_id(source.uri)) + (f"#{number}" if is_repeat else "")
            taken.add(name)
            yield _bundle(chat, name, notes)


def _own_id(head: JsonObject) -> str | None:
    # The id of a logged request is its own: the next request of the conversation has another.
    names = [name for name in _IDS if name != "id"] if _REQUEST & head.keys() else _IDS
    return first_str(head, *names) or first_str(object_of(head.get("metadata")), *names)


def _bundle(chat: Chat, name: str, notes: Notes) -> Bundle:
    first_notice = len(notes.notices)
    steps, blobs = conversation_steps(chat, notes, pieces=_pieces)
    head = chat.head
    tools = (*list_of(head.get("tools")), *list_of(head.get("functions")))
    trajectory = Trajectory(
        trajectory_id=name,
        session_id=first_str(head, "session_id") or name,
        source_format=_NAME,
        agent=Agent(
            model=first_str(head, "model"),
            tool_definitions=tuple(tool for tool in map(object_of, tools) if tool),
        ),
        task=first_str(head, "task"),
        steps=steps,
        raw_records=chat.raws,
        warnings=tuple(notes.notices[first_notice:]),
        extra=rest_of(head, _PLACED),
    )
    return Bundle(trajectory=trajectory, blobs=blobs)


def _pieces(message: JsonObject) -> list[JsonObject]:
    return chat_messages(_unwrapped(message))


def _unwrapped(value: JsonObject) -> JsonObject:
    """Return the message in a value; some logs, such as Cursor's, nest it one level down."""
    inner = value.get("message")
    if "content" in value or not is_object(inner):
        return value
    return {name: item for name, item in value.items() if name != "message"} | inner
