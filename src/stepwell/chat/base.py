"""What a language model is: messages in, one reply out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Chat", "Message", "Reply", "asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation.

    Attributes:
        role: Who speaks.
        content: What is said; any text.
    """

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered; never blank.

    Attributes:
        text: The answer, as it came.
        prompt_tokens: Tokens of the messages.
        completion_tokens: Tokens of the answer, and of what the model thought before it.
        finish_reason: `stop`, or `length` when `max_tokens` cut it off; whatever the endpoint says.
        model: The model that answered, as the endpoint names it.
        estimated: Whether the endpoint gave no token counts, and these are counted here.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    finish_reason: str = "stop"
    model: str = ""
    estimated: bool = False


class Chat(Protocol):
    """Answers messages; safe to share between threads."""

    @property
    def model_id(self) -> str:
        """The model, its place and how it samples; replies of different ids are kept apart."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return the reply to a conversation.

        Args:
            messages: At least one, oldest first.
            max_tokens: The longest reply.
            schema: JSON schema that the reply is to follow; then its text is JSON.

        Raises:
            ModelUnavailableError: There is no reply, or none that can be used.
        """
        ...


def asked(user: str, *, system: str = "") -> tuple[Message, ...]:
    """Return the messages of one question, with what goes before all questions.

    >>> [message.role for message in asked("Why?", system="Be brief.")]
    ['system', 'user']
    """
    first = (Message(role="system", content=system),) if system else ()
    return (*first, Message(role="user", content=user))
