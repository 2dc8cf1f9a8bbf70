from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.chat.base import Reply
from stepwell.chat.usage import Meter, Pace, Prices
from stepwell.errors import InvalidInputError, ModelUnavailableError


def test_threads_lose_nothing() -> None:
    meter = Meter(prices=Prices(prompt=1.0))
    reply = Reply(text="a", prompt_tokens=5, completion_tokens=1)

    def use(_: int) -> None:
        with meter.request(10):
            meter.add(reply)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(400)))
    assert (meter.usage.requests, meter.usage.tokens, meter.usage.failed) == (400, 2400, 0)
    assert meter.usage.cost == pytest.approx(400 * 5 / 1_000_000)


def test_requests_under_way_hold_their_share_of_the_cap() -> None:
    meter = Meter(most_tokens=100)
    with meter.request(60):
        with pytest.raises(ModelUnavailableError, match="60 are held"), meter.request(50):
            pytest.fail("it was let through")
        with meter.request(40):
            pass
    with meter.request(100):
        pass
    assert (meter.usage.requests, meter.usage.failed) == (3, 0)


@given(sizes=st.lists(st.integers(1, 50)), cap=st.integers(0, 200))
def test_the_cap_is_never_passed(sizes: list[int], cap: int) -> None:
    meter = Meter(most_tokens=cap)
    for size in sizes:
        try:
            with meter.request(size):
                meter.add(Reply(text="a", prompt_tokens=size, completion_tokens=0))
        except ModelUnavailableError:
            assert meter.usage.tokens + size > cap
    assert meter.usage.tokens <= cap


@given(
    per_minute=st.floats(0.5, 1000),
    gaps=st.lists(st.floats(0, 30), min_size=1, max_size=20),
)
def test_requests_are_never_closer_than_the_pace(per_minute: float, gaps: list[float]) -> None:
    now, sent = 100.0, list[float]()

    def wait(seconds: float) -> None:
        nonlocal now
        now += seconds

    pace = Pace(per_minute, clock=lambda: now, wait=wait)
    for gap in gaps:
        now += gap
        pace.pause()
        sent.append(now)
    closest = min((b - a for a, b in pairwise(sent)), default=60 / per_minute)
    assert closest >= 60 / per_minute - 1e-6


@pytest.mark.parametrize("per_minute", [0, -1, float("nan")])
def test_no_pace_is_an_error(per_minute: float) -> None:
    with pytest.raises(InvalidInputError, match="above 0"):
        Pace(per_minute)
