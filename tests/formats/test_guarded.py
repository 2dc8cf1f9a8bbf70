"""A reader of an installed package raises where it would hang, and yields what it has read."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.errors import InvalidInputError
from stepwell.formats import guarded as module
from stepwell.formats.base import Notes, Source
from stepwell.formats.guarded import GuardedReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SOURCE = Source(uri="a.json", records=(), is_lines=False)


@dataclass
class Toy:
    """Sniffs and reads as a test says."""

    sniffs: Callable[[], Any] = lambda: 0.5
    reads: Callable[[], Any] = lambda: iter(())
    name: str = "toy"

    def sniff(self, source: Source) -> float:  # noqa: ARG002
        return self.sniffs()  # type: ignore[no-any-return]

    def read(self, source: Source, notes: Notes) -> Iterator[Any]:
        notes.add(1, "odd", source.uri)
        return self.reads()  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SNIFF_SECONDS", 0.2)
    monkeypatch.setattr(module, "READ_SECONDS", 0.2)


def test_what_works_is_passed_on() -> None:
    notes = Notes("a.json")
    one = GuardedReader(Toy(reads=lambda: iter(["x", "y"])))
    assert (one.name, one.sniff(SOURCE)) == ("toy", 0.5)
    found: list[Any] = list(one.read(SOURCE, notes))
    assert found == ["x", "y"]
    assert [notice.message for notice in notes.notices] == ["a.json"]


def test_a_look_that_takes_too_long_is_given_up() -> None:
    one = GuardedReader(Toy(sniffs=lambda: time.sleep(99)))
    with pytest.raises(InvalidInputError, match="The reader 'toy' did not come back"):
        one.sniff(SOURCE)


def test_what_was_read_before_it_hangs_or_fails_is_yielded() -> None:
    def hangs() -> Iterator[str]:
        yield "x"
        time.sleep(99)

    def fails() -> Iterator[str]:
        yield "x"
        raise KeyError("y")

    for reads, told in ((hangs, "did not come back"), (fails, r"failed: KeyError\('y'\)")):
        found: list[Any] = []
        with pytest.raises(InvalidInputError, match=f"The reader 'toy' {told}"):
            found.extend(GuardedReader(Toy(reads=reads)).read(SOURCE, Notes("a.json")))
        assert found == ["x"]


def test_one_that_reads_nothing_that_can_be_gone_through_fails() -> None:
    with pytest.raises(InvalidInputError, match="The reader 'toy' failed: TypeError"):
        list(GuardedReader(Toy(reads=lambda: 7)).read(SOURCE, Notes("a.json")))
