"""Each step is shown as far as its grant goes, what is left is spent, and the room is kept."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell import Allocation
from stepwell.recall.show.excerpt import Excerpt
from stepwell.recall.show.pack import Cutter, Packed, pack
from support.views import block, view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.show.pack import Core
    from stepwell.recall.show.texts import StepText

HEADER = 8
FILL = Allocation(worth=math.inf)


class Fourths:
    """A price of a fourth of the characters and a header for each excerpt, and of runs' lines."""

    def __init__(self, *, line: int = 0) -> None:
        self.line = line

    def price(self, view: StepText, excerpts: Sequence[Excerpt]) -> int:
        assert all(excerpt.block in view.blocks for excerpt in excerpts)
        return sum(HEADER + math.ceil((e.end - e.start) / 4) for e in excerpts)

    def groups(self, view: StepText) -> Mapping[str, int]:
        return {f"{view.number}": self.line} if self.line else {}


def long(step: int, n: int = 400, *, number: int = 1) -> StepText:
    return view(block("c1", "0" * n), step=step, number=number)


def packed(
    views: Sequence[StepText],
    room: int,
    *,
    chance: Sequence[float] = (),
    allocation: Allocation = FILL,
    line: int = 0,
) -> Core:
    share = np.array(chance or [1 / len(views)] * len(views))
    cutter = Cutter(weights={}, price=Fourths(line=line), header=HEADER)
    return pack(views, chance=share, allocation=allocation, room=room, cutter=cutter)


def shown(core: Core) -> dict[int, int]:
    """Return the characters that are shown of each step."""
    return {
        one.view.step: sum(excerpt.end - excerpt.start for excerpt in one.excerpts)
        for one in core.packed
    }


def test_without_a_step_nothing_is_packed() -> None:
    cutter = Cutter(weights={}, price=Fourths())
    core = pack([], chance=np.zeros(0), allocation=FILL, room=100, cutter=cutter)
    assert core.packed == ()
    assert not core.is_bound


def test_a_packed_step_tells_what_it_costs() -> None:
    core = packed([long(0, 80), long(1, 40)], 1_000)
    assert [one.tokens for one in core.packed] == [28, 18]


def test_steps_are_whole_where_there_is_room_for_all() -> None:
    core = packed([long(0), long(1), long(2)], 324)
    assert shown(core) == {0: 400, 1: 400, 2: 400}
    assert not core.is_bound


def test_a_room_that_is_too_small_for_all_binds() -> None:
    core = packed([long(0), long(1), long(2)], 300)
    assert core.is_bound
    assert sum(one.tokens for one in core.packed) <= 300
    assert shown(core).keys() == {0, 1, 2}


def test_a_likelier_step_is_shown_further() -> None:
    n_chars = shown(packed([long(0), long(1), long(2)], 230, chance=[0.6, 0.3, 0.1]))
    assert n_chars[0] > n_chars[1] > n_chars[2] >= 96


def test_a_step_without_a_chance_is_not_shown_while_others_take_the_room() -> None:
    assert shown(packed([long(0), long(1)], 40, chance=[0.0, 1.0])).keys() == {1}


def test_the_order_of_rank_is_kept_whatever_the_chances() -> None:
    core = packed([long(4), long(1), long(9)], 300, chance=[0.1, 0.3, 0.6])
    assert [one.view.step for one in core.packed] == [4, 1, 9]


def test_a_grant_of_little_more_than_an_outline_is_an_outline() -> None:
    # An outline is 96 characters: 32 tokens with its header; below 41.6 it is not worth a cut.
    for worth, n_chars in ((83.0, 96), (84.0, 136)):
        flat = Allocation(concentration=1.0, worth=worth)
        core = packed([long(0), long(1)], 1_000, allocation=flat, chance=[0.5, 0.01])
        assert shown(core) == {0: n_chars}


@pytest.mark.parametrize(("worth", "n_chars"), [(39.9, 24), (40.0, 101)])
def test_an_excerpt_has_room_for_a_phrase_and_is_cut_once_more_if_it_costs_too_much(
    worth: float, n_chars: int
) -> None:
    step = view(block("c1", "0" * 24), block("o1", "0" * 900))
    flat = Allocation(concentration=1.0, worth=worth)
    assert shown(packed([step], 1_000, allocation=flat, chance=[1.0])) == {0: n_chars}


def test_what_is_worth_too_little_is_saved() -> None:
    core = packed([long(0), long(1)], 1_000, allocation=Allocation(worth=60.0), chance=[0.9, 0.4])
    assert shown(core).keys() == {0}
    assert not core.is_bound


def test_what_is_left_is_spent_on_the_outline_of_the_next_then_on_depth() -> None:
    views = [long(0), long(1), long(2)]
    core = packed(views, 95, chance=[0.98, 0.01, 0.01])
    assert sum(one.tokens for one in core.packed) > 95 - 2 * (32 + HEADER)
    assert 0 in shown(core)


def test_a_step_of_no_chance_gets_no_outline_of_what_is_left() -> None:
    core = packed([long(0, 40), long(1)], 45, chance=[1.0, 0.0])
    assert shown(core) == {0: 40}


def test_the_line_of_a_run_is_paid_once() -> None:
    views = [long(0, 40), long(1, 40)]
    assert shown(packed(views, 41, line=5)) == {0: 40, 1: 40}
    assert len(packed(views, 40, line=5).packed) == 1
    apart = [long(0, 40), long(0, 40, number=2)]
    assert len(packed(apart, 46, line=5).packed) == 2
    assert len(packed(apart, 45, line=5).packed) == 1


@pytest.mark.parametrize(
    ("room", "n_chars"),
    [(38, 96), (32, 96), (31, 48), (20, 48), (19, 18), (13, 18), (12, 6), (10, 6), (9, 3)],
)
def test_something_is_shown_of_a_step_whose_outline_does_not_fit(room: int, n_chars: int) -> None:
    assert shown(packed([long(0)], room)) == {0: n_chars}


def test_the_first_part_of_a_step_is_shown_where_its_outline_is_too_long() -> None:
    both = view(block("m", "0" * 400), block("c1", "0" * 400))
    assert shown(packed([both], 38)) == {0: 120}
    assert shown(packed([both], 37)) == {0: 48}


class Wholes(Allocation):
    """Quotes steps whole while they fit."""

    @property
    def shows_parts(self) -> bool:
        return False


def test_more_room_would_be_used_where_steps_are_quoted_whole() -> None:
    core = packed([long(0), long(1)], 110, allocation=Wholes())
    assert shown(core) == {0: 400}
    assert core.is_bound


def test_half_of_what_is_left_goes_to_the_depth_of_each_in_turn() -> None:
    n_chars = shown(packed([long(0, 4_000), long(1, 4_000)], 400, chance=[0.9, 0.1]))
    assert n_chars == {0: 1270, 1: 180}
    both = view(block("m", "0" * 400), block("c1", "0" * 400))
    assert shown(packed([both], 60)) == {0: 88}


@pytest.mark.parametrize("tokens", [0, 1])
def test_a_rate_is_not_learned_from_headers_alone(tokens: int) -> None:
    class Free(Fourths):
        def price(self, view: StepText, excerpts: Sequence[Excerpt]) -> int:
            return super().price(view, excerpts) * 0 + HEADER * len(excerpts) + tokens

    cutter = Cutter(weights={}, price=Free(), header=HEADER)
    core = pack([long(0, 900)], chance=np.ones(1), allocation=FILL, room=400, cutter=cutter)
    assert shown(core) == {0: 900}


@pytest.mark.parametrize("room", [8, 1, 0, -5])
def test_nothing_is_shown_where_nothing_fits(room: int) -> None:
    assert packed([long(0)], room).packed == ()


def test_the_first_step_that_fits_at_all_is_shown() -> None:
    assert shown(packed([long(0), long(1, 3)], 9, chance=[0.5, 0.5])) == {1: 3}


def test_outlines_are_made_once_for_all_tries() -> None:
    cutter = Cutter(weights={}, price=Fourths())
    step = long(3)
    first = cutter.outlined(step)
    assert cutter.outlined(step) is first
    assert cutter.outlines == {step.key: first}
    assert (first.view, first.tokens) == (step, 32)


def test_no_excerpt_has_no_price() -> None:
    cutter = Cutter(weights={}, price=Fourths())
    step = long(3)
    assert cutter.priced(step, []) == Packed(view=step, excerpts=(), tokens=0)
    whole = Excerpt(block=step.blocks[0], start=0, end=400)
    assert cutter.priced(step, [whole]).tokens == 108


def test_a_step_without_a_word_takes_no_room_from_others() -> None:
    blank = view(block("c1", " \n "), step=1)
    core = packed([blank, long(0)], 1_000)
    assert shown(core) == {0: 400}


@pytest.mark.parametrize("size", [1, 3, 12])
def test_scripts_with_few_characters_to_a_token_are_sized_by_what_outlines_cost(size: int) -> None:
    class Dear(Fourths):
        def price(self, view: StepText, excerpts: Sequence[Excerpt]) -> int:
            assert all(excerpt.block in view.blocks for excerpt in excerpts)
            return sum(HEADER + (e.end - e.start) * size // 2 for e in excerpts)

    cutter = Cutter(weights={}, price=Dear(), header=HEADER)
    views = [long(0, 2_000), long(1, 2_000)]
    room = 150 * size + 100
    core = pack(views, chance=np.array([0.9, 0.1]), allocation=FILL, room=room, cutter=cutter)
    spent = sum(one.tokens for one in core.packed)
    assert 0.7 * room < spent <= room


def test_a_question_s_terms_are_what_is_shown() -> None:
    text = "\n".join(["noise"] * 60 + ["the port is 5433"] + ["noise"] * 60)
    cutter = Cutter(weights={"port": 1.0}, price=Fourths(), header=HEADER)
    step = view(block("o1", text))
    core = pack([step], chance=np.ones(1), allocation=FILL, room=60, cutter=cutter)
    assert "the port is 5433" in core.packed[0].excerpts[0].text
