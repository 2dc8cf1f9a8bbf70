"""TextRank: lines that others speak of rank high, and lines that share nothing all alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.summary.textrank import terms_of, textrank


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
    assert ranks[0] == pytest.approx(ranks[2])


def test_lines_that_share_nothing_rank_alike() -> None:
    assert textrank(("kelp", "gulls", "anchors")) == pytest.approx((1.0, 1.0, 1.0))


def test_a_word_of_every_line_joins_none() -> None:
    lines = ("ship kelp", "ship kelp grows", "ship anchor")
    assert textrank(lines) == pytest.approx(textrank(("kelp", "kelp grows", "anchor")), abs=0.02)


def test_a_word_of_all_lines_leaves_all_alike() -> None:
    assert textrank(("ship one", "ship two")) == pytest.approx((1.0, 1.0))


def test_no_lines_have_no_ranks_and_one_has_one() -> None:
    assert textrank(()) == ()
    assert textrank(("kelp",)) == pytest.approx((1.0,))


def test_terms_are_search_tokens_without_common_words() -> None:
    assert terms_of("the kelp, the Kelp and the gulls") == terms_of("kelp gulls")
    assert terms_of("") == frozenset()
