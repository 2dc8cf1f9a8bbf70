"""What a model was used for: tokens, cost, a cap on both, and a pace."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError, ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from stepwell.chat.base import Reply

__all__ = ["Meter", "Pace", "Prices", "Usage"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What tokens cost, in US dollars per million.

    Attributes:
        prompt: Of the messages.
        completion: Of the replies.
    """

    prompt: float = 0.0
    completion: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What was used so far.

    Attributes:
        requests: Completions asked for; the library's own retries of one are not counted.
        failed: Those of them that gave no usable reply.
        prompt_tokens: Tokens sent to an endpoint that answered, usably or not.
        completion_tokens: Tokens received.
        estimated: Replies whose tokens were counted here, because the endpoint did not say.
        cost: US dollars, by the given prices.
    """

    requests: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens sent and received."""
        return self.prompt_tokens + self.completion_tokens


class Meter:
    """Adds up usage, and refuses what could pass a cap; safe to share between threads.

    Args:
        prices: What tokens cost.
        most_tokens: The cap; None for none. A request is refused if its messages, as counted here,
            and its longest reply would pass it together with all that was and is being asked.
    """

    def __init__(self, *, prices: Prices | None = None, most_tokens: int | None = None) -> None:
        self._prices = prices or Prices()
        self._most = most_tokens
        self._usage = Usage()
        self._held = 0
        self._lock = Lock()

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._usage

    @contextmanager
    def request(self, tokens: int) -> Generator[None]:
        """Hold tokens while a request runs; one that raises counts as failed.

        Args:
            tokens: The most that it can use.

        Raises:
            ModelUnavailableError: It could pass the cap; nothing is to be sent.
        """
        self._hold(tokens)
        failed = 1
        try:
            yield
            failed = 0
        finally:
            with self._lock:
                self._held -= tokens
                self._usage = replace(self._usage, failed=self._usage.failed + failed)

    def add(self, reply: Reply) -> None:
        """Add the tokens of one reply, usable or not."""
        prices = self._prices
        dollars = prices.prompt * reply.prompt_tokens + prices.completion * reply.completion_tokens
        with self._lock:
            used = self._usage
            self._usage = replace(
                used,
                prompt_tokens=used.prompt_tokens + reply.prompt_tokens,
                completion_tokens=used.completion_tokens + reply.completion_tokens,
                estimated=used.estimated + reply.estimated,
                cost=used.cost + dollars / _MILLION,
            )

    def _hold(self, tokens: int) -> None:
        with self._lock:
            used = self._usage.tokens
            if self._most is not None and used + self._held + tokens > self._most:
                raise ModelUnavailableError(
                    f"The cap of {self._most} tokens is reached: {used} are used, "
                    f"{self._held} are held by requests under way, this one could take {tokens}.",
                    hint="Raise the cap, or ask for less; what a cache holds costs nothing.",
                )
            self._held += tokens
            self._usage = replace(self._usage, requests=self._usage.requests + 1)


class Pace:
    """Spaces requests evenly; safe to share between threads.

    Args:
        per_minute: Requests in a minute; None for no pace.
        clock: Seconds from any point in time.
        wait: Waits for some seconds.

    Raises:
        InvalidInputError: The number of requests is not above 0.
    """

    def __init__(
        self,
        per_minute: float | None,
        *,
        clock: Callable[[], float] = monotonic,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        if per_minute is not None and not per_minute > 0:
            raise InvalidInputError(
                f"{per_minute} requests per minute are no pace.", hint="Give a number above 0."
            )
        self._seconds = 60 / per_minute if per_minute else 0.0
        self._clock = clock
        self._wait = wait
        self._next = -inf
        self._lock = Lock()

    def pause(self) -> None:
        """Wait until the next request may be sent."""
        if not self._seconds:
            return
        with self._lock:
            now = self._clock()
            turn = max(now, self._next)
            self._next = turn + self._seconds
        if turn > now:
            self._wait(turn - now)
