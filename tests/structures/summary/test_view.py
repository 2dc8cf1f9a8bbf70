"""Digests, chunks and TextRank: bounded, verbatim, and the same however steps arrive."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from support.trajectories import said, step_lists, turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step

from stepwell.structures.summary.digest import digest_of
from stepwell.structures.summary.view import SummaryView

wild = st.text(st.characters(), max_size=200)


def view_of(steps: list[Step]) -> SummaryView:
    view = SummaryView()
    view.extend([digest_of(step) for step in steps])
    return view


def state(view: SummaryView) -> list[tuple[int, int, list[tuple[int, str]], frozenset[str]]]:
    return [
        (chunk.first, chunk.last, [(best.step, best.line.text) for best in chunk.best], chunk.terms)
        for chunk in view.read()
    ]


def test_a_chunk_closes_before_it_has_more_than_2048_tokens() -> None:
    view = view_of([said(n, "gulls " * 400) for n in range(12)])
    assert [(chunk.first, chunk.last) for chunk in view.chunks] == [(0, 2), (3, 5), (6, 8), (9, 11)]
    huge = view_of([said(0, "x"), said(1, "gulls " * 10_000), said(2, "x")])
    assert [(chunk.first, chunk.last) for chunk in huge.chunks] == [(0, 0), (1, 1), (2, 2)]


@given(step_lists(max_size=20), st.lists(st.integers(0, 20), max_size=4))
@settings(max_examples=50, deadline=None)
def test_a_view_grows_to_what_it_is_at_once(steps: list[Step], cuts: list[int]) -> None:
    values = [digest_of(step) for step in steps]
    grown = SummaryView()
    for first, end in pairwise([0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]):
        grown.extend(values[first:end])
        grown.read()
    assert state(grown) == state(view_of(steps))


def test_what_every_step_repeats_is_not_chosen() -> None:
    steps = [
        turn(n, f"haul rope {chr(97 + n)}", f"Possible actions: haul, sail {n}, wait\nA wave, {n}.")
        for n in range(20)
    ]
    steps.append(turn(20, "dive", "You find a sunken chest of coins.\nPossible actions: haul"))
    (chunk,) = view_of(steps).read()
    lines = [best.line.text for best in chunk.best]
    assert "You find a sunken chest of coins." in lines
    assert not lines[0].startswith("Possible actions")
