"""Controls of allocation give the same chances to other ranks, or quote steps whole."""

from __future__ import annotations

from itertools import product

import numpy as np

from stepwell import Allocation, Evidence, Memory
from stepwell_bench.ctmc.orders import Reordered, WholeSteps

SCORES, REST = np.array([5.0, 3.0, 1.0, 0.0]), np.zeros(6)


def quoted(evidence: Evidence) -> set[int]:
    return {item.step for item in evidence.items}


def test_the_controls_give_the_same_chances_to_other_ranks() -> None:
    own = Allocation().chances(SCORES, REST)
    assert Reordered(order="reversed").chances(SCORES, REST).tolist() == own[::-1].tolist()
    drawn = [
        Reordered(order="shuffled", seed=seed).chances(SCORES, REST).tolist() for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1]
    assert drawn[2] != drawn[0]
    assert sorted(drawn[2]) == sorted(own.tolist())


def test_flat_packing_quotes_whole_steps() -> None:
    with Memory(encoder=None) as memory:
        for letters in product("bdfgklmnprst", "aeiou"):
            name = "".join(letters)
            seen = f"valve {name} reads {ord(name[0])} bar; " + "all is well there. " * 9
            memory.add({"action": f"check valve {name}", "observation": seen})
        evidence = memory.recall("what does valve du read?", 600, allocation=WholeSteps())
        texts = {memory.get(f"s{step}.o1").text.strip() for step in quoted(evidence)}
        assert {item.text for item in evidence.items if item.part == "o1"} <= texts
        assert len(quoted(evidence)) < len(quoted(memory.recall("what does valve du read?", 600)))


def test_whole_steps_are_granted_in_order_while_the_room_lasts() -> None:
    tokens, is_bound = WholeSteps().grants(
        np.ones(3), np.full(3, 5.0), np.array([40.0, 30.0, 50.0]), room=100
    )
    assert tokens.tolist() == [40, 30, 0]
    assert is_bound
