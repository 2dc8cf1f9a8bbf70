"""The fold over what steps say."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.structures.temporal.grammar.states import Listing, State
from stepwell.structures.temporal.log.facts import Act, Facts
from stepwell.structures.temporal.log.log import Log


def held(slot: str, value: str, aspect: str = "", **more: Any) -> State:
    return State(slot=slot, aspect=aspect, value=value, **more)


def at(thing: str, place: str, **more: Any) -> State:
    return held(thing, place, "location", **more)


def step(*states: State, acts: tuple[Act, ...] = (), **more: Any) -> Facts:
    return Facts(acts=acts, states=states, **more)


def log_of(*facts: Facts) -> Log:
    log = Log()
    log.extend(facts)
    return log


def line(log: Log, key: str, aspect: str = "") -> list[tuple[int, str, str, int]]:
    return [(one.step, one.before, one.value, one.done) for one in log.slots[key][aspect]]


OPEN = Act(text="open gate 1", verb="open", objects=("gate 1",))
LOOK = Act(text="look", verb="look")
GO = Act(text="go hall 1", verb="go", objects=("hall 1",), moves=True)


def test_a_slot_changes_when_its_value_does() -> None:
    log = log_of(step(held("Score", "1")), step(held("score", "1")), step(held("Score", "2")))
    assert line(log, "score") == [(0, "", "1", -1), (2, "1", "2", -1)]
    assert [one.slot for one in log.slots["score"][""]] == ["Score", "Score"]
    assert log.n_steps == 3


def test_an_event_counts_each_time() -> None:
    event = held("a.py", "edited", is_event=True)
    assert len(log_of(step(event), step(event)).slots["a py"][""]) == 2


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("the hall", "Hall", True),
        ("hall 1", "hall 2", False),
        ("4", "04", False),
        ("-4", "4", False),
        ("!", "!", True),
        ("a!", "b!", False),
    ],
)
def test_values_are_alike_by_name(one: str, other: str, *, alike: bool) -> None:
    log = log_of(step(held("x1", one)), step(held("x1", other)))
    assert (len(log.slots["x 1"][""]) == 1) is alike


def test_nothing_is_held_without_a_name_or_a_value() -> None:
    log = log_of(step(held("--", "1"), held("x1", "")))
    assert log.slots == {"x 1": {"": []}}


def test_values_are_cut() -> None:
    log = log_of(step(held("x1", "v" * 300)), step(at("y1", "p" * 300)))
    assert len(log.slots["x 1"][""][0].value) == 200
    assert len(log.slots["y 1"]["location"][0].value) == 200


def test_what_was_before_is_what_the_step_says_unless_it_is_known() -> None:
    log = log_of(step(at("mug 1", "box 1", before="desk 1")), step(at("mug 1", "hall", before="x")))
    assert line(log, "mug 1", "location") == [(0, "desk 1", "box 1", -1), (1, "box 1", "hall", -1)]


def test_here_is_where_the_agent_is() -> None:
    log = log_of(step(at("mug 1", "here")), step(at("agent", "hall 1"), at("pen 1", "here")))
    assert line(log, "mug 1", "location")[0][2] == "the floor"
    assert line(log, "pen 1", "location")[0][2] == "hall 1"
    assert line(log_of(step(held("x1", "here"))), "x 1") == [(0, "", "here", -1)]


def test_an_action_is_the_cause_of_what_it_says() -> None:
    log = log_of(step(acts=(LOOK,)), step(held("gate 1", "open", act=1), acts=(LOOK, OPEN)))
    assert line(log, "gate 1") == [(1, "", "open", 2)]
    assert log.changed == {2: log.slots["gate 1"][""]}


@pytest.mark.parametrize(
    ("states", "acts", "cause"),
    [
        ((held("gate 1", "open"),), (OPEN,), 1),
        ((held("gate 1", "open"),), (OPEN, OPEN), 2),
        ((held("gate 1", "open"),), (OPEN, LOOK), 1),
        ((held("gate 2", "open"),), (OPEN,), -1),
        ((held("gate 1", "open"),), (Act(text="x", objects=("gate 1",), failed=True),), -1),
        ((at("agent", "hall 1"),), (GO,), 1),
        ((at("agent", "hall 1"),), (OPEN,), -1),
        ((at("mug 1", "hall 1"),), (GO,), -1),
        ((held("score", "2"),), (OPEN,), 1),
        ((held("score", "2"),), (LOOK,), -1),
        ((held("score", "2"),), (OPEN, OPEN), -1),
        ((held("score", "2"),), (), -1),
        ((held("score", "2"),), (Act(text="x", verb="open", failed=True),), -1),
        ((held("score", "2"),), (OPEN, Act(text="x", verb="open", failed=True)), -1),
        ((at("cup 1", "hall 9"),), (OPEN,), -1),
    ],
)
def test_a_change_that_is_seen_goes_back_to_an_action(
    states: tuple[State, ...], acts: tuple[Act, ...], cause: int
) -> None:
    log = log_of(
        step(held("score", "1"), at("cup 1", "x1"), acts=(OPEN,)), step(*states, acts=acts)
    )
    (state,) = states
    key = state.slot
    assert log.slots[key][state.aspect][-1].done == cause


def test_actions_are_entered_with_their_objects() -> None:
    act = Act(text="x", verb="Opened", objects=("Gate 1", "gate_1", "--", "key 2"))
    log = log_of(step(acts=(act,)), step(acts=(act,)))
    assert log.done[0].objects == ("gate 1", "key 2")
    assert log.by_object == {"gate 1": [0, 1], "key 2": [0, 1]}
    assert log.verbs == {"open": 2}
    assert [one.step for one in log.done] == [0, 1]


def test_steps_without_text_are_silent() -> None:
    assert log_of(step(), step(has_text=False)).silent == {1}


def test_things_come_and_leave() -> None:
    log = log_of(
        step(at("mug 1", "box 1", before="desk 1")),
        step(at("pen 1", "box 1")),
        step(at("mug 1", "hall 1")),
    )
    assert log.held("box 1", 0) == ["mug 1"]
    assert log.held("box 1", 1) == ["mug 1", "pen 1"]
    assert log.held("box 1", 2) == ["pen 1"]
    assert log.held("hall 1", 2) == ["mug 1"]
    assert log.held("desk 1", 2) == []
    assert [one.comes for one in log.passings["box 1"]] == [True, True, False]
    assert [one.comes for one in log.passings["desk 1"]] == [False]
    assert "agent" not in str(log_of(step(at("agent", "hall 1"))).passings)


def test_what_is_not_seen_has_left() -> None:
    log = log_of(
        Facts(listings=(Listing(holder="box 1", items=("mug 1", "pen 1"), quote="q"),)),
        Facts(listings=(Listing(holder="The Box 1", items=("Pen_1",)),)),
        Facts(listings=(Listing(holder="--", items=("x1",)),)),
        Facts(listings=(Listing(holder="desk 1", items=()),)),
    )
    assert log.held("box 1", 0) == ["mug 1", "pen 1"]
    assert log.held("box 1", 1) == ["pen 1"]
    assert line(log, "mug 1", "location")[-1] == (1, "box 1", "no longer there", -1)
    assert "no longer there" not in log.passings
    assert "x 1" not in log.slots
    assert log.passings["desk 1"] == []
    assert log.slots["mug 1"]["location"][0].quote == "q"


def test_an_action_waits_for_its_answer() -> None:
    asks = step(held("gate 1", "open", act=0), held("x1", "1"), acts=(OPEN,), awaits=True)
    said = log_of(asks, Facts(answers=True))
    assert line(said, "gate 1") == [(0, "", "open", 0)]
    refused = log_of(asks, Facts(answers=True, failed=True))
    assert "gate 1" not in refused.slots
    assert refused.done[0].act.failed
    unheard = log_of(asks, Facts(), Facts(answers=True))
    assert "gate 1" not in unheard.slots
    assert not unheard.done[0].act.failed
    assert line(unheard, "x 1") == [(0, "", "1", -1)]


def test_values_are_looked_up_as_of_a_step() -> None:
    log = log_of(step(), step(held("x1", "1")), step(), step(held("x1", "2"), held("x1", "3", "b")))
    assert log.at("x 1", "", 0) is None
    assert [log.at("x 1", "", n).value for n in (1, 2, 3, 9)] == ["1", "1", "2", "2"]  # type: ignore[union-attr]
    assert log.at("x 1", "c", 9) is None
    assert log.at("y", "", 9) is None
    assert [one.value for one in log.changes("x 1", 1, 3)] == ["1", "2", "3"]
    assert [one.value for one in log.changes("x 1", 2, 2)] == []
    assert [one.value for one in log.changes("x 1", 1, 2)] == ["1"]
    assert log.changes("y", 0, 9) == []


def test_what_is_in_a_place_is_known_from_when_it_is_told() -> None:
    seen = Facts(listings=(Listing(holder="box 1", items=()),))
    log = log_of(step(), seen, step(at("mug 1", "desk 1")), step(at("mug 1", "box 1")))
    known = {
        holder: [log.knows_inside(holder, n) for n in range(4)]
        for holder in ("box 1", "desk 1", "lamp 4")
    }
    assert known == {
        "box 1": [False, True, True, True],
        "desk 1": [False, False, True, True],
        "lamp 4": [False] * 4,
    }
