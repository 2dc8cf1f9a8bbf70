"""The payload is counted whole: what binds is filled, and what is over goes from the end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell import Allocation
from stepwell.recall.evidence import Noted
from stepwell.recall.rank.candidates import Candidate
from stepwell.recall.show.compose import CLOSE, OPEN
from stepwell.recall.show.fit import PayloadPlan, fit
from stepwell.recall.show.items import ItemMaker
from stepwell.text.tokens import counter
from support.entries import entry
from support.views import block, view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.recall.evidence import Format
    from stepwell.recall.show.fit import Payload
    from stepwell.recall.show.texts import StepText

COUNTER = counter("o200k")
FRAME = COUNTER.count(f"{OPEN}\n") + COUNTER.count(CLOSE)
FILL = Allocation(worth=math.inf)
NOTE = Noted(structure="log", trajectory="run", steps=(1,), text="the port is 5433")


def long(step: int, words: int = 200) -> StepText:
    text = " ".join(f"word{step}x{n}" for n in range(words))
    return view(block("c1", text), step=step)


def maker(views: Sequence[StepText], *, form: Format = "text", n_notes: int = 0) -> ItemMaker:
    return ItemMaker(
        entries={1: entry(1, "run")},
        candidates={
            one.key: Candidate(key=one.key, score=1.0, structure="s", parts={}, why="")
            for one in views
        },
        form=form,
        counter=COUNTER,
        dated=False,
        notes=(NOTE,) * n_notes,
    )


def fitted(
    views: Sequence[StepText],
    limit: int,
    *,
    room: int | None = None,
    allocation: Allocation = FILL,
    form: Format = "text",
    n_notes: int = 0,
) -> Payload:
    plan = PayloadPlan(
        views=views,
        chance=np.full(len(views), 1 / max(len(views), 1)),
        weights={},
        allocation=allocation,
        limit=limit,
        room=limit - FRAME if room is None else room,
    )
    payload = fit(plan, maker(views, form=form, n_notes=n_notes))
    assert COUNTER.count(payload.text) <= limit
    return payload


@pytest.mark.parametrize("limit", [240, 400, 800])
def test_a_budget_that_binds_is_filled(limit: int) -> None:
    views = [long(step) for step in range(6)]
    payload = fitted(views, limit)
    assert payload.is_bound
    assert COUNTER.count(payload.text) > 0.8 * limit


def test_what_needs_less_than_the_budget_is_whole() -> None:
    views = [long(0, 8), long(1, 8)]
    payload = fitted(views, 500)
    assert [item.text for item in payload.items] == [one.blocks[0].text for one in views]
    assert (payload.tail, payload.is_bound) == ((), False)


def test_steps_that_are_not_quoted_are_named_in_the_tail_s_share() -> None:
    views = [long(step) for step in range(40)]
    payload = fitted(views, 300, allocation=replace(FILL, tail=0.2))
    quoted = {one.view.step for one in payload.packed}
    named = {step for line in payload.tail for step in line.steps}
    assert quoted
    assert named
    assert not quoted & named
    assert "tail]" in payload.text
    assert fitted(views, 300, allocation=replace(FILL, tail=0.0)).tail == ()


def test_what_the_tail_does_not_need_goes_to_quotations() -> None:
    views = [long(step) for step in range(4)]
    payload = fitted(views, 400, allocation=replace(FILL, tail=1.0))
    assert [one.view.step for one in payload.packed] == [0, 1, 2, 3]
    assert payload.tail == ()
    assert COUNTER.count(payload.text) > 300


def test_a_room_that_is_priced_too_high_is_taken_back() -> None:
    views = [long(step) for step in range(6)]
    payload = fitted(views, 200, room=2_000)
    assert payload.packed
    assert COUNTER.count(payload.text) > 100


def test_notes_stay_and_what_is_over_goes_from_the_end() -> None:
    payload = fitted([long(0)], 60, room=0, n_notes=1)
    assert payload.notes == (NOTE,)
    assert NOTE.text in payload.text
    assert payload.packed == ()


def test_notes_go_last_and_one_after_the_other() -> None:
    line = COUNTER.count("[s1 log] the port is 5433\n")
    payload = fitted([long(0, 3)], FRAME + 2 * line, n_notes=5, room=0)
    assert payload.notes == (NOTE, NOTE)
    assert payload.items == ()


def test_a_limit_of_the_frame_alone_leaves_nothing() -> None:
    payload = fitted([long(0)], FRAME + 9, room=9, n_notes=3)
    assert (payload.items, payload.notes, payload.tail) == ((), (), ())


@pytest.mark.parametrize("limit", [150, 300, 900])
def test_json_is_counted_whole_too(limit: int) -> None:
    views = [long(step) for step in range(12)]
    payload = fitted(views, limit, form="json", n_notes=1, allocation=replace(FILL, tail=0.2))
    assert payload.items
    assert '"said"' in payload.text


def test_packed_steps_stand_in_the_order_of_rank_and_items_by_step() -> None:
    views = [long(7, 6), long(2, 6), long(5, 6)]
    payload = fitted(views, 400)
    assert [one.view.step for one in payload.packed] == [7, 2, 5]
    assert [item.step for item in payload.items] == [2, 5, 7]
