"""An encoder of a caller's own fails in any way, and that is always the same kind of error."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.encode import guarded as module
from stepwell.encode.base import encoded
from stepwell.encode.guarded import GuardedEncoder
from stepwell.errors import ModelUnavailableError
from stepwell.memory.memory import Memory
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass
class Odd:
    """Does what a test says where it should say who it is, or encode."""

    encodes: Callable[[Sequence[str]], Any] = HashEncoder().encode
    names: Callable[[], Any] = lambda: "odd"
    measures: Callable[[], Any] = lambda: 32

    @property
    def encoder_id(self) -> Any:
        return self.names()

    @property
    def dimension(self) -> Any:
        return self.measures()

    def encode(self, texts: Sequence[str]) -> Any:
        return self.encodes(texts)


def raises(*_: object) -> None:
    raise ConnectionResetError("cut off")


def hangs(*_: object) -> None:
    time.sleep(99)


def unlike(*_: object) -> Any:
    return np.array([["a"] * 32])


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.2)
    monkeypatch.setattr(module, "SECONDS_A_TEXT", 0.0)


def test_what_works_is_passed_on() -> None:
    one = GuardedEncoder(HashEncoder())
    assert (one.encoder_id, one.dimension) == ("test-hash", 32)
    assert (encoded(["a", "b"], encoder=one) == HashEncoder().encode(["a", "b"])).all()


@pytest.mark.parametrize(
    "names", [raises, hangs, lambda: 7, lambda: "", lambda: None], ids=range(5)
)
def test_one_without_an_id_is_refused(names: Callable[[], Any]) -> None:
    with pytest.raises(ModelUnavailableError, match="The encoder Odd"):
        GuardedEncoder(Odd(names=names))


@pytest.mark.parametrize(
    "measures", [raises, hangs, lambda: 0, lambda: -3, lambda: "x"], ids=range(5)
)
def test_one_without_a_dimension_says_so_when_it_is_asked(measures: Callable[[], Any]) -> None:
    with pytest.raises(ModelUnavailableError, match="The encoder odd"):
        _ = GuardedEncoder(Odd(measures=measures)).dimension


@pytest.mark.parametrize(
    "encodes", [raises, hangs, unlike, lambda _: None, lambda _: [[1, 2]]], ids=range(5)
)
def test_what_it_gives_instead_of_vectors_is_refused(encodes: Callable[[Any], Any]) -> None:
    with pytest.raises(ModelUnavailableError, match="The encoder odd"):
        encoded(["text"], encoder=GuardedEncoder(Odd(encodes=encodes)))


BROKEN = {
    "raises": Odd(encodes=raises),
    "hangs": Odd(encodes=hangs),
    "gives no numbers": Odd(encodes=unlike),
    "gives nothing": Odd(encodes=lambda _: None),
    "has no dimension": Odd(measures=raises),
    "hangs when asked for its dimension": Odd(measures=hangs),
    "has no id": Odd(names=raises),
    "hangs when asked for its id": Odd(names=hangs),
}


@pytest.mark.parametrize("encoder", BROKEN.values(), ids=BROKEN)
def test_a_memory_works_by_words_with_any_of_them_and_says_so(encoder: Odd) -> None:
    memory = Memory(encoder=encoder)
    memory.add("the walrus sleeps in dock 4")
    evidence = memory.recall("where does the walrus sleep?", 200)
    assert [item.text for item in evidence.items] == ["the walrus sleeps in dock 4"]
    assert any("vectors" in notice for notice in evidence.notices)
    with pytest.raises(ModelUnavailableError):
        memory.index()
    started = time.monotonic()
    memory.close()
    assert time.monotonic() - started < 10  # a guard against hanging, no measure
