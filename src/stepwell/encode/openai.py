"""Encoders behind an endpoint that speaks OpenAI's embeddings protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stepwell.encode.adapt import model_texts, required, unit_rows
from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.text.address import place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["OPENAI_URL", "OpenAIEncoder", "RequestLimits"]

OPENAI_URL = "https://api.openai.com/v1"

_NO_KEY = "none"  # local servers ask for none, the client for any
_DENIED = (401, 403)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """How long to insist.

    Attributes:
        timeout_seconds: For one request.
        retries: After a timeout, a lost connection, or status 408, 409, 429 or 5xx.
        batch_size: Texts in one request.
    """

    timeout_seconds: float = 30.0
    retries: int = 3
    batch_size: int = 64


class OpenAIEncoder:
    """Encode through `POST /embeddings`; safe to share between threads.

    The key is sent to the endpoint and shown nowhere: not in messages, not in `repr`.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimension: int | None = None,
        limits: RequestLimits | None = None,
    ) -> None:
        """Prepare the client; nothing is sent yet.

        Args:
            model: As the endpoint names it.
            base_url: Up to and including `/v1`; OpenAI's own by default.
            api_key: May be left out for endpoints without authentication.
            dimension: Ask for vectors of this length; by default the model's own, learned from a
                first request.
            limits: Timeouts, retries and batches.

        Raises:
            InvalidInputError: The model is empty or the address is not one.
            ModelUnavailableError: The package openai is not installed.
        """
        self._place = place(base_url or OPENAI_URL)
        if not model or not self._place:
            raise InvalidInputError(
                "An endpoint needs a model and an address.",
                hint="Write it like openai:text-embedding-3-small@https://api.openai.com/v1",
            )
        self._limits = limits or RequestLimits()
        self._model = model
        self._asked_dimension = self._dimension = dimension
        self._openai = required("openai", extra="openai")
        self._client = self._openai.OpenAI(
            api_key=api_key or _NO_KEY,
            base_url=base_url or OPENAI_URL,
            timeout=self._limits.timeout_seconds,
            max_retries=self._limits.retries,
        )

    def __repr__(self) -> str:
        return f"OpenAIEncoder({self.encoder_id!r})"

    @property
    def encoder_id(self) -> str:
        """Model, place, and the length if one was asked for."""
        length = f"#{self._asked_dimension}" if self._asked_dimension else ""
        return f"openai:{self._model}@{self._place}{length}"

    @property
    def dimension(self) -> int:
        """Length of a vector; the first use asks the endpoint if no length was given."""
        if self._dimension is None:
            self._dimension = int(self._request(["dimension"], None).shape[1])
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), dimension).

        Raises:
            ModelUnavailableError: The endpoint cannot be reached, refuses, or answers nonsense.
        """
        batches = [np.zeros((0, self.dimension), dtype=np.float32)]
        ready, size = model_texts(texts), self._limits.batch_size
        batches += (
            self._request(ready[start : start + size], self.dimension)
            for start in range(0, len(ready), size)
        )
        return np.concatenate(batches)

    def _request(self, texts: list[str], dimension: int | None) -> NDArray[np.float32]:
        asked = {"dimensions": self._asked_dimension} if self._asked_dimension else {}
        try:
            reply = self._client.embeddings.create(
                model=self._model, input=texts, encoding_format="float", **asked
            )
        except (self._openai.OpenAIError, ValueError, TypeError) as error:
            # The cause is left out: servers echo what was sent, and that includes the key.
            raise self._unavailable(error) from None
        try:
            return unit_rows(_rows(reply, count=len(texts), dimension=dimension))
        except (AttributeError, TypeError, ValueError, OverflowError) as error:
            what = error if isinstance(error, _MalformedError) else type(error).__name__
            raise ModelUnavailableError(
                f"{self._place} answered with malformed embeddings ({what}).",
                hint="Check that the address ends in /v1 and serves this embedding model.",
            ) from None

    def _unavailable(self, error: Exception) -> ModelUnavailableError:
        status = getattr(error, "status_code", None)
        what = f"status {status}" if status else type(error).__name__
        hint = "Check that the server runs and that the address ends in /v1."
        if status in _DENIED:
            hint = "Check the API key."
        elif isinstance(status, int):
            hint = f"Check that it serves the model {self._model}, or try again later."
        return ModelUnavailableError(f"{self._place} gave no embeddings ({what}).", hint=hint)


class _MalformedError(ValueError):
    """What is wrong with a reply, in words of our own."""


def _rows(reply: Any, *, count: int, dimension: int | None) -> NDArray[np.float64]:
    """Return the vectors in the order of the request."""
    items = sorted(reply.data, key=lambda item: item.index)
    if [item.index for item in items] != list(range(count)):
        raise _MalformedError(f"{count} texts were sent, the indexes of the vectors do not match")
    rows = np.array([item.embedding for item in items], dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != (dimension or rows.shape[1]) or rows.size == 0:  # noqa: PLR2004 -- a matrix
        raise _MalformedError(f"shape {rows.shape}, expected {(count, dimension or 'd')}")
    if not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise _MalformedError("a vector is zero or not finite")
    return rows
