"""Tokens follow chances, never exceed the room, and are saved where they would buy little."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepwell import Allocation, Evidence, Memory
from stepwell.errors import InvalidInputError
from stepwell.text.tokens import counter

COUNT = counter("o200k").count
FILL = Allocation(worth=math.inf)

scores = st.lists(st.floats(-5, 30), max_size=40).map(lambda x: np.array(sorted(x, reverse=True)))


def talk(n: int = 60) -> Memory:
    """Return a memory of a long talk, one message of which names the port."""
    memory = Memory(encoder=None)
    for number in range(n):
        memory.add(
            {
                "action": f"check valve {number}",
                "observation": f"valve {number} reads {number * 7} bar; "
                + "all is well there. " * 9
                + "i" * number,
            }
        )
    memory.add({"role": "user", "content": "The staging port is 5433, says Ada."})
    return memory


def quoted(evidence: Evidence) -> set[int]:
    return {item.step for item in evidence.items}


def named(evidence: Evidence) -> set[int]:
    return {step for line in evidence.tail for step in line.steps}


@given(scores, scores, st.floats(0, 3), st.floats(0, 1))
def test_chances_are_shares_of_all_steps_in_scope(
    found: np.ndarray, rest: np.ndarray, tau: float, lean: float
) -> None:
    chance = Allocation(tau=tau, score_weight=lean).chances(found, rest)
    assert len(chance) == len(found)
    assert (chance >= 0).all()
    assert chance.sum() <= 1 + 1e-9
    if len(found) and not len(rest):
        assert chance.sum() == pytest.approx(1)
    assert (np.diff(chance) <= 1e-12).all()


def test_without_lean_chances_are_the_paper_s_law() -> None:
    chance = Allocation(tau=1.0, score_weight=0.0).chances(
        np.array([9.0, 2.0, 1.0, 0.5]), np.zeros(0)
    )
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert chance == pytest.approx(
        [1 / harmonic, 1 / 2 / harmonic, 1 / 3 / harmonic, 0.25 / harmonic]
    )
    flat = Allocation(tau=0.0, score_weight=0.0).chances(np.array([9.0, 2.0]), np.zeros(2))
    assert flat == pytest.approx([0.25, 0.25])


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(1, 60), st.floats(1, 20)), min_size=1, max_size=40
    ),
    st.floats(0, 5_000),
    st.floats(0.05, 1),
    st.sampled_from([100.0, 60_000.0, math.inf]),
)
@example([(0.09469538855113348, 24.25, 1.0)], 0.0, 1.0, math.inf)
def test_grants_stay_in_the_room_and_between_outline_and_whole(
    steps: list[tuple[float, float, float]], room: float, depth: float, worth: float
) -> None:
    chance, outlines, more = (np.array(column) for column in zip(*steps, strict=True))
    wholes = outlines * more
    allocation = Allocation(concentration=depth, worth=worth)
    tokens, is_bound = allocation.grants(chance, outlines, wholes, room=room)
    assert tokens.sum() <= room + 1e-6
    shown = tokens > 0
    assert (tokens[shown] >= outlines[shown] - 1e-9).all()
    assert (tokens[shown] <= wholes[shown] + 1e-9).all()
    if not is_bound and math.isinf(worth):
        assert (tokens[chance > 1e-9] > 0).all()


def test_linear_depth_grants_by_the_paper_s_law() -> None:
    chance = np.array([0.5, 0.25, 0.125, 0.125])
    tokens, _ = Allocation(concentration=1.0).grants(
        chance, np.full(4, 10.0), np.full(4, 500.0), room=160
    )
    assert tokens == pytest.approx([80, 40, 20, 20], rel=1e-3)


def test_what_a_short_step_leaves_over_goes_to_the_others() -> None:
    tokens, is_bound = FILL.grants(
        np.array([0.5, 0.5]), np.full(2, 10.0), np.array([20.0, 400.0]), room=200
    )
    assert is_bound
    assert tokens == pytest.approx([20, 180], rel=1e-3)


@pytest.mark.parametrize("budget", [100, 200, 400, 800, 2_000])
def test_a_step_that_is_not_quoted_is_named_or_listed_as_cut(budget: int) -> None:
    with talk() as memory:
        evidence = memory.recall("which port does staging use?", budget, allocation=FILL)
        assert evidence.tokens == COUNT(evidence.text) <= budget
        assert not quoted(evidence) & named(evidence)
        cut = {int(one.id.rpartition("/s")[2]) for one in evidence.cut}
        assert named(evidence) <= cut
        assert 60 in quoted(evidence)


def test_the_tail_can_be_asked_for() -> None:
    with talk() as memory:
        evidence = memory.recall("what does valve 7 read?", 400, allocation=Allocation(tail=0.2))
        assert evidence.tail
        for line in evidence.tail:
            (written,) = [row for row in evidence.text.split("\n") if row.endswith(line.text)]
            assert written.startswith("[s")
            shown = memory.expand(written.partition(" ")[0])
            assert tuple(one.step.index for one in shown) == line.steps


def test_saved_tokens_are_those_that_would_buy_little() -> None:
    with talk() as memory:
        question = "which port does staging use?"
        thrifty = memory.recall(question, 2_000, allocation=Allocation(worth=2_000))
        filled = memory.recall(question, 2_000, allocation=FILL)
        assert thrifty.tokens < 0.6 * filled.tokens
        assert 60 in quoted(thrifty)
        assert quoted(thrifty) < quoted(filled)


def test_without_a_tail_nothing_is_named() -> None:
    with talk() as memory:
        none = memory.recall("what does valve 7 read?", 1_000, allocation=Allocation(tail=0.0))
        assert none.tail == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [({"lean": 0.5}, {"score_weight": 0.5}), ({"depth": 1.0}, {"concentration": 1.0})],
)
def test_the_old_names_work_and_warn(old: dict[str, float], new: dict[str, float]) -> None:
    with pytest.warns(DeprecationWarning, match=f"{next(iter(new))}="):
        renamed = Allocation(**old)
    assert renamed == Allocation(**new)


@pytest.mark.parametrize(
    "wrong",
    [
        {"tau": -1},
        {"tau": math.nan},
        {"score_weight": 11},
        {"concentration": 0},
        {"worth": 0},
        {"tail": -0.1},
    ],
)
def test_an_impossible_allocation_says_what_is_possible(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError, match=f"{next(iter(wrong))}=") as failure:
        Allocation(**wrong)  # type: ignore[arg-type]
    assert failure.value.hint


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("tau", 0.0, 10.0),
        ("score_weight", 0.0, 10.0),
        ("concentration", 0.05, 1.0),
        ("worth", 1.0, math.inf),
        ("tail", 0.0, 1.0),
    ],
)
def test_both_ends_of_a_range_can_be_used_and_nothing_beyond(
    name: str, least: float, most: float
) -> None:
    for value in (least, most):
        assert getattr(Allocation(**{name: value}), name) == value
    for value in (least - 1e-9, most + 1e-9) if math.isfinite(most) else (least - 1e-9,):
        with pytest.raises(InvalidInputError) as failure:
            Allocation(**{name: value})
        assert str(failure.value).startswith(f"{name}={value!r} cannot be used in an allocation.")
        assert failure.value.hint == f"Give a number from {least:g} to {most:g}."


def test_the_standard_allocation_shows_parts_of_steps() -> None:
    standard = Allocation()
    assert (standard.tau, standard.score_weight, standard.concentration) == (0.8, 0.19, 0.4)
    assert (standard.worth, standard.tail, standard.shows_parts) == (60_000, 0.05, True)


def test_scores_tell_besides_ranks() -> None:
    chance = Allocation(tau=0.5, score_weight=0.3).chances(np.array([2.0, 1.0]), np.array([-1.0]))
    weights = [math.exp(0.6), 2**-0.5 * math.exp(0.3), 3**-0.5 * math.exp(-0.3)]
    assert chance == pytest.approx([weight / sum(weights) for weight in weights[:2]])


def test_the_rest_counts_in_the_order_of_its_scores() -> None:
    allocation = Allocation(tau=1.0, score_weight=1.0)
    found = np.array([2.0])
    assert allocation.chances(found, np.array([0.0, 1.0])) == pytest.approx(
        allocation.chances(found, np.array([1.0, 0.0]))
    )
    assert len(allocation.chances(np.zeros(0), found)) == 0


def test_tokens_follow_the_chances_by_the_power_of_concentration() -> None:
    tokens, is_bound = Allocation(concentration=0.5, worth=1_000).grants(
        np.array([0.4, 0.1, 0.009]), np.full(3, 10.0), np.full(3, 500.0), room=1_000
    )
    assert tokens == pytest.approx([10 * math.sqrt(40), 10 * math.sqrt(10), 0.0])
    assert not is_bound


def test_a_step_is_in_the_tail_where_it_is_worth_less_than_its_outline() -> None:
    allocation = Allocation(worth=100.0)
    for chance, granted in ((0.1, 10.0), (0.099, 0.0)):
        tokens, _ = allocation.grants(
            np.array([chance]), np.array([10.0]), np.array([90.0]), room=1_000
        )
        assert tokens.tolist() == [pytest.approx(granted)]


def test_without_a_likely_step_nothing_is_granted() -> None:
    tokens, is_bound = FILL.grants(np.zeros(2), np.full(2, 10.0), np.full(2, 90.0), room=100)
    assert (tokens.tolist(), is_bound) == ([0.0, 0.0], False)
    tokens, is_bound = FILL.grants(np.ones(1), np.array([10.0]), np.array([90.0]), room=9)
    assert (tokens.tolist(), is_bound) == ([0.0], True)


def test_exactly_enough_room_does_not_bind() -> None:
    arrays = (np.array([0.7, 0.3]), np.full(2, 10.0), np.array([50.0, 40.0]))
    tokens, is_bound = FILL.grants(*arrays, room=90)
    assert (tokens.tolist(), is_bound) == ([50.0, 40.0], False)
    tokens, is_bound = FILL.grants(*arrays, room=89)
    assert is_bound
    assert tokens.sum() == pytest.approx(89, abs=1e-3)
