"""Language models behind an endpoint that speaks OpenAI's chat protocol."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from stepwell.chat.completion import completion
from stepwell.chat.usage import Meter, Pace, Prices, Usage
from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.text.address import place
from stepwell.text.clean import readable
from stepwell.text.tokens import O200k

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.chat.base import Message, Reply

__all__ = ["CHAT_FORMS", "OPENAI_URL", "ChatLimits", "ChatModel", "Sampling", "endpoint"]

OPENAI_URL = "https://api.openai.com/v1"
CHAT_FORMS = ("openai:MODEL", "openai:MODEL@URL")

_NO_KEY = "none"  # local servers ask for none, the client for any
_DENIED = (401, 403)
_REFUSED = (400, 422)
_MANY_REQUESTS = 429
_FORM = re.compile(r"openai:(?P<model>.+?)(?:@(?P<url>https?://.*))?", re.DOTALL)
_BARE_ADDRESS = re.compile(r"@[^@]*[:/][^@]*\Z")
_PER_MESSAGE = 8
"""Tokens that a chat template puts around a message, roughly, and rather too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the model chooses its words.

    Attributes:
        temperature: 0 for the likeliest; None to leave it to endpoints that allow none.
        seed: For endpoints that sample by one; None to send none.
    """

    temperature: float | None = 0.0
    seed: int | None = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLimits:
    """How long to insist, how fast to ask, and how much to use.

    Attributes:
        timeout_seconds: The longest silence: to connect, or between parts of an answer.
        retries: After a timeout, a lost connection, or status 408, 409, 429 or 5xx; as late as
            `Retry-After` says, else after a pause that doubles.
        requests_per_minute: At most, evenly spaced; None for no limit.
        most_tokens: Tokens of all requests together; None for no cap.
    """

    timeout_seconds: float = 120.0
    retries: int = 3
    requests_per_minute: float | None = None
    most_tokens: int | None = None


class ChatModel:
    """Ask through `POST /chat/completions`; safe to share between threads.

    The key is sent to the endpoint and shown nowhere: not in messages, not in `repr`.
    """

    def __init__(
        self,
        spec: str,
        *,
        api_key: str | None = None,
        sampling: Sampling | None = None,
        limits: ChatLimits | None = None,
        prices: Prices | None = None,
        pace: Pace | None = None,
    ) -> None:
        """Prepare the client; nothing is sent yet.

        Args:
            spec: `openai:MODEL` or `openai:MODEL@URL`, the address up to and including `/v1`.
            api_key: May be left out for endpoints without authentication.
            sampling: Temperature and seed.
            limits: Timeouts, retries, requests and tokens.
            prices: What tokens cost, for `usage`.
            pace: Shared with other models, or with a clock of your own; by default one of this
                model alone, as fast as the limits allow.

        Raises:
            InvalidInputError: The specification has none of the forms, or a limit is none.
            ModelUnavailableError: The package openai is not installed.
        """
        limits = limits or ChatLimits()
        self._model, url = endpoint(spec)
        self._place = place(url)
        self._sampling = sampling or Sampling()
        self._meter = Meter(prices=prices, most_tokens=limits.most_tokens)
        self._pace = pace or Pace(limits.requests_per_minute)
        self._openai = _library()
        self._client = self._openai.OpenAI(
            api_key=api_key or _NO_KEY,
            base_url=url,
            timeout=limits.timeout_seconds,
            max_retries=limits.retries,
        )

    def __repr__(self) -> str:
        return f"ChatModel({self.model_id!r})"

    @property
    def model_id(self) -> str:
        """Model, place, temperature and seed."""
        sampling = self._sampling
        how = f"temperature={sampling.temperature},seed={sampling.seed}"
        return f"openai:{self._model}@{self._place}#{how}"

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._meter.usage

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
            InvalidInputError: There is no message, or no room for a reply.
            ModelUnavailableError: The endpoint cannot be reached, refuses, or answers nothing that
                can be used; or the cap on tokens is reached.
        """
        if not messages or max_tokens < 1:
            raise InvalidInputError(
                f"{len(messages)} messages, and a reply of {max_tokens} tokens, are no request.",
                hint="Give at least one of each.",
            )
        ready = [{"role": said.role, "content": readable(said.content)} for said in messages]
        n_sent = sum(O200k().count(said["content"]) + _PER_MESSAGE for said in ready)
        with self._meter.request(n_sent + max_tokens):
            self._pace.pause()
            body = self._sent(ready, self._options(max_tokens, schema))
            found = completion(body, is_json=schema is not None)
            reply = _counted(found.reply, n_sent)
            self._meter.add(reply)
            if found.wrong:
                raise ModelUnavailableError(
                    f"{self._place} gave no usable reply ({found.wrong}).", hint=found.hint
                )
        return reply

    def _options(self, max_tokens: int, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        # OpenAI's newer models refuse the old name of the limit, other servers know no other.
        own = self._place == place(OPENAI_URL)
        options: dict[str, Any] = {"max_completion_tokens" if own else "max_tokens": max_tokens}
        if self._sampling.temperature is not None:
            options["temperature"] = self._sampling.temperature
        if self._sampling.seed is not None:
            options["seed"] = self._sampling.seed
        if schema is not None:
            named = {"name": "reply", "schema": dict(schema), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": named}
        return options

    def _sent(self, messages: list[dict[str, str]], options: dict[str, Any]) -> bytes:
        try:
            # The raw body: the library hands on what it cannot read, and that is not seen early.
            answer = self._client.chat.completions.with_raw_response.create(
                model=self._model, messages=messages, **options
            )
            body: bytes = answer.content
        except (self._openai.OpenAIError, ValueError, TypeError) as error:
            # The cause is left out: servers echo what was sent, and that includes the key.
            raise self._unavailable(error) from None
        return body

    def _unavailable(self, error: Exception) -> ModelUnavailableError:
        status = getattr(error, "status_code", None)
        what = f"status {status}" if status else type(error).__name__
        return ModelUnavailableError(
            f"{self._place} gave no reply ({what}).", hint=_advice(status, self._model)
        )


def endpoint(spec: str) -> tuple[str, str]:
    """Return the model and the address that a specification names.

    Raises:
        InvalidInputError: It has none of `CHAT_FORMS`.

    >>> endpoint("openai:qwen@http://localhost:8080/v1")
    ('qwen', 'http://localhost:8080/v1')
    """
    found = _FORM.fullmatch(spec)
    url = (found and found["url"]) or OPENAI_URL
    # An address that lacks its scheme would be read as part of a model's name at OpenAI's.
    if found is None or not place(url) or _BARE_ADDRESS.search(found["model"]):
        raise InvalidInputError(
            "A language model needs a name, and an address that is one.",
            hint=f"Write it as {' or '.join(CHAT_FORMS)}, URL from http to /v1.",
        )
    return found["model"], url


def _library() -> Any:
    try:
        return import_module("openai")
    except ImportError as error:
        raise ModelUnavailableError(
            f"The package openai cannot be imported ({error}).",
            hint="Install it with: pip install 'stepwell[openai]'",
        ) from error


def _counted(reply: Reply, n_sent: int) -> Reply:
    """Return a reply with tokens counted here, where the endpoint gave none."""
    if not reply.estimated:
        return reply
    n_received = O200k().count(reply.text)
    return replace(reply, prompt_tokens=n_sent, completion_tokens=n_received)


def _advice(status: object, model: str) -> str:
    if status in _DENIED:
        return "Check the API key."
    if status in _REFUSED:
        return (
            f"Check that the messages fit the context of {model}, and that it takes a temperature, "
            "a seed and, where one is given, a JSON schema."
        )
    if status == _MANY_REQUESTS:
        return "Ask less often (requests_per_minute), or try again later."
    if isinstance(status, int):
        return f"Check that it serves the model {model}, or try again later."
    return "Check that the server runs and that the address ends in /v1."
