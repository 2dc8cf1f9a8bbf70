"""Vectors within a scope: nobody else's text is handed to an encoder, nobody else's vector goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from stepwell import Memory
from stepwell.config import Settings
from stepwell.serve.contexts import context_in_use
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

FIELDS = ("user_id", "agent_id", "run_id")


@dataclass(slots=True)
class Endpoint:
    """An encoder that keeps what it is handed, as an endpoint could."""

    encoder_id: str
    dimension: int = 32
    handed: list[str] = field(default_factory=list[str])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.handed += texts
        return HashEncoder(self.encoder_id, self.dimension).encode(texts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


def opened(path: Path, name: str, value: str, encoder: Endpoint | None = None) -> Memory:
    return Memory(path, scope={name: value}, encoder=encoder)


@pytest.mark.parametrize("name", FIELDS)
def test_an_encoder_is_handed_the_text_of_its_own_scope_alone(path: Path, name: str) -> None:
    with opened(path, name, "a") as memory:
        memory.add("The needle of a.", trajectory="one")
        memory.add("What both say.", trajectory="one")
    mine = Endpoint("mine")
    with opened(path, name, "b", mine) as memory:
        memory.add("The text of b.", trajectory="one")
        memory.add("What both say.", trajectory="one")
        assert memory.unindexed() == 2
        memory.index()
        assert memory.unindexed() == 0
        assert memory.stats().n_vectors == 2
        memory.reindex()
    assert sorted(mine.handed) == ["agent: The text of b.", "agent: What both say."]


@pytest.mark.parametrize("name", FIELDS)
def test_that_others_have_encoded_a_text_is_not_seen(path: Path, name: str) -> None:
    theirs, mine = Endpoint("same"), Endpoint("same")
    with opened(path, name, "a", theirs) as memory:
        memory.add("What both say.", trajectory="one")
        memory.index()
    with opened(path, name, "b", mine) as memory:
        memory.add("What both say.", trajectory="one")
        memory.add("What both say.", trajectory="two")
        memory.index()
    assert mine.handed == ["agent: What both say."]


@pytest.mark.parametrize("name", FIELDS)
def test_reindexing_drops_the_vectors_of_its_own_scope_alone(path: Path, name: str) -> None:
    for value, encoder in (("a", "first"), ("b", "second"), ("a", "third")):
        with opened(path, name, value, Endpoint(encoder)) as memory:
            memory.add(f"Added with {encoder}.", trajectory="one")
            memory.index()
    with opened(path, name, "a", Endpoint("third")) as memory:
        assert memory.reindex() == (0, 1)
        assert memory.recall("what was added?", 300).notices == ()
    with opened(path, name, "b", Endpoint("second")) as memory:
        assert (memory.unindexed(), memory.stats().n_vectors) == (0, 1)
    with Memory(path, encoder=Endpoint("third")) as memory:  # an unbound memory has all
        assert memory.reindex() == (1, 1)
        assert memory.unindexed() == 0


@pytest.mark.parametrize("name", FIELDS)
def test_bytes_are_those_of_the_scope(path: Path, name: str) -> None:
    with opened(path, name, "b") as memory:
        memory.add("The text of b.", trajectory="one")
        before = memory.stats()
    with opened(path, name, "a") as memory:
        memory.add("needle " * 10_000, trajectory="one")
    with opened(path, name, "b") as memory:
        assert memory.stats() == before
        assert 0 < before.bytes_on_disk < 2_000
    with opened(path, name, "c") as memory:
        assert memory.stats().bytes_on_disk == 0
    with Memory(path, encoder=None) as memory:
        assert memory.stats().bytes_on_disk == path.stat().st_size


def test_what_a_policy_sees_is_in_scope(path: Path) -> None:
    with opened(path, "user_id", "a") as memory:
        memory.add({"role": "user", "content": "needle " * 20})
    with opened(path, "user_id", "b") as memory:
        memory.add({"role": "user", "content": "nothing of the kind"})
    settings = Settings(db=path, encoder="none")
    mine = context_in_use(settings, "needle?", 300, scope={"user_id": "b"})
    all_of_it = context_in_use(settings, "needle?", 300, scope={})
    assert mine is not None
    assert all_of_it is not None
    assert (mine.n_steps, mine.signals["words.share"]) == (1, 0)
    assert (all_of_it.n_steps, all_of_it.signals["words.share"]) == (2, 0.5)
