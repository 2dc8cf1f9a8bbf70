"""What `stepwell policy try` lets a policy see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.config import Settings
from stepwell.errors import InvalidInputError
from stepwell.memory.memory import Memory
from stepwell.policy.base import STRUCTURES
from stepwell.serve.contexts import Assumed, assumed_context, context_in_use

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_said_is_nothing_assumed() -> None:
    assert not Assumed().is_any
    for assumed in (
        Assumed(domain="x"),
        Assumed(kind="x"),
        Assumed(steps=1),
        Assumed(tokens=1),
        Assumed(signals=("a=0",)),
        Assumed(without=("graph",)),
    ):
        assert assumed.is_any


def test_what_is_assumed_is_what_the_policy_sees() -> None:
    assumed = Assumed(
        domain="shop",
        kind="count",
        steps=7,
        tokens=900,
        signals=(" temporal.slots =2", "a=-1e3"),
        without=("graph", "diary"),
    )
    context = assumed_context(assumed, 500)
    assert context.available == tuple(name for name in STRUCTURES if name != "graph")
    assert (context.domain, context.kind, context.budget) == ("shop", "count", 500)
    assert (context.n_steps, context.n_tokens) == (7, 900)
    assert dict(context.signals) == {"temporal.slots": 2.0, "a": -1000.0}


@pytest.mark.parametrize("signal", ["x", "=2", " =2", "x=", "x=y", "x=nan", "x=inf", "x=1=2"])
def test_a_signal_is_a_name_and_a_finite_number(signal: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^--signal {signal} is no name with a number"):
        assumed_context(Assumed(signals=(signal,)), 500)


def test_the_memory_there_is_is_seen_and_not_written_to(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "m.db", encoder="none")
    with Memory(settings.db, encoder=None) as memory:
        memory.add("The port is 80.")
        memory.add("The port is 81.")
    seen = context_in_use(settings, "which port?", 300, scope={})
    assert seen is not None
    assert (seen.n_steps, seen.budget) == (2, 300)
    with Memory(settings.db, encoder=None) as memory:
        assert memory.recalls() == []


def test_without_a_memory_there_is_nothing_to_see(tmp_path: Path) -> None:
    db = tmp_path / "none.db"
    assert context_in_use(Settings(db=db, encoder="none"), "x?", 300, scope={}) is None
    assert context_in_use(Settings(db=None, encoder="none"), "x?", 300, scope={}) is None
    assert not db.exists()
