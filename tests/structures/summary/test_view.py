"""Digests, chunks and TextRank: bounded, verbatim, and the same however steps arrive."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.trajectories import said, step_lists, turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step

from stepwell.structures.summary.digest import MAX_LINE, digest_of
from stepwell.structures.summary.textrank import textrank
from stepwell.structures.summary.view import SummaryView
from stepwell.trajectory.atoms import atoms_of

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


def test_a_digest_says_what_was_done_and_hit() -> None:
    digest = digest_of(turn(0, "sail north", "Wind rises.\nValueError: no sail\nbye now"))
    assert [line.text for line in digest.lines] == [
        "bash command: sail north",
        "Wind rises.",
        "ValueError: no sail",
        "ValueError: no sail",
    ]
    assert (digest.tools, digest.faults) == (["bash"], ["ValueError: no sail"])


@given(wild, wild, wild)
@settings(max_examples=200, deadline=None)
def test_lines_of_any_text_are_short_and_verbatim(
    message: str, action: str, observation: str
) -> None:
    step = replace(turn(0, action, observation), message=message, thought=observation)
    for kind in ("agent", "user"):
        texts = [atom.text for atom in atoms_of(replace(step, kind=kind))]
        for line in digest_of(replace(step, kind=kind)).lines:
            assert len(line.quote) <= MAX_LINE
            assert line.quote in line.text
            assert any(line.quote in text for text in texts)


@pytest.mark.parametrize("unit", ["ebb.", "a\n", "\x00\ud800", "Error: no\n", "。"])
def test_a_megabyte_gives_a_few_lines(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert len(digest_of(turn(0, text, text)).lines) <= 12
    assert len(digest_of(said(0, text)).lines) <= 12


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


@given(st.lists(st.text(max_size=40), max_size=12))
@settings(deadline=None)
def test_ranks_are_one_on_average(lines: list[str]) -> None:
    ranks = textrank(tuple(lines))
    assert len(ranks) == len(lines)
    assert not lines or sum(ranks) == pytest.approx(len(lines))


def test_a_line_that_others_speak_of_ranks_above_one_that_stands_alone() -> None:
    ranks = textrank(("kelp grows", "kelp and gulls", "gulls cry", "an anchor"))
    assert ranks[1] == max(ranks)
    assert ranks[3] == min(ranks)
