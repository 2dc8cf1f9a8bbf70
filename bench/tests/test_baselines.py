from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.markup import escaped
from stepwell.text.tokens import counter
from stepwell_bench.baselines import (
    Lexical,
    Page,
    clipped,
    fused,
    nearest,
    pack,
    pack_evenly,
    page_of,
)
from support.trajectories import said, turn

TOKENS = counter("o200k")


def pages(*texts: str) -> list[Page]:
    return [Page(head=f"s{index}", text=text) for index, text in enumerate(texts)]


STEPS = [
    turn(0, "ls src", "main.py db_pool.py"),
    turn(1, "cat src/db_pool.py", "pool_size = 5\n" + "# comment\n" * 200),
    turn(2, "pytest", "2 failed: test_pool"),
]


def test_bm25_ranks_the_step_that_says_it_and_then_all_others() -> None:
    lexical = Lexical(STEPS)
    assert lexical.matching("which test failed?") == [2]
    assert lexical.ranked("which test failed?") == [2, 0, 1]
    assert lexical.matching('"AND (') == []
    assert lexical.ranked("") == [0, 1, 2]


def test_cosine_takes_the_best_passage_of_each_step() -> None:
    vectors = np.asarray([[1, 0], [0, 1], [0.6, 0.8], [0.8, 0.6]], dtype=np.float32)
    steps = np.asarray([0, 0, 1, 3])
    query = np.asarray([0, 1], dtype=np.float32)
    assert nearest(query, vectors, steps=steps) == [0, 1, 3]
    assert nearest(query, vectors[:0], steps=steps[:0]) == []


def test_fusion_adds_reciprocal_ranks() -> None:
    assert fused([5, 4, 3], [3, 4, 5]) == [3, 5, 4]
    assert fused([1], [2], k=60) == [1, 2]
    assert fused() == []


def test_packing_counts_the_frame_and_cuts_the_step_that_does_not_fit() -> None:
    texts = ["short step", "word " * 400, "never reached"]
    packed = pack([0, 1, 2], pages(*texts), budget=100, counter=TOKENS)
    assert list(packed.shown) == [0, 1]
    assert packed.shown[0] == "short step"
    assert texts[1].startswith(packed.shown[1])
    assert packed.tokens == TOKENS.count(packed.text)
    assert 95 <= packed.tokens <= 100
    assert "[s1] word" in packed.text


def test_a_page_says_who_speaks_unless_it_is_the_agent() -> None:
    assert page_of(STEPS[0]) == Page(head="s0", text="command: ls src\nmain.py db_pool.py")
    assert page_of(said(3, "Hello.")).block("Hello.") == "[s3 user] Hello.\n"


def test_a_clip_leaves_room_for_further_steps() -> None:
    texts = ["alpha " * 300, "beta " * 300, "gamma"]
    packed = pack([1, 0, 2], pages(*texts), budget=100, counter=TOKENS, clip=20)
    assert list(packed.shown) == [1, 0, 2]
    assert all(TOKENS.count(text) <= 20 for text in packed.shown.values())


def test_even_packing_shows_every_step_and_gives_what_a_short_one_leaves() -> None:
    texts = ["alpha " * 300, "beta " * 300, "gamma"]
    packed = pack_evenly([0, 1, 2], pages(*texts), budget=121, counter=TOKENS)
    assert list(packed.shown) == [0, 1, 2]
    assert packed.shown[2] == "gamma"
    sizes = [TOKENS.count(packed.shown[step]) for step in (0, 1)]
    assert abs(sizes[0] - sizes[1]) <= 1
    assert 115 <= packed.tokens == TOKENS.count(packed.text) <= 121
    assert pack_evenly([], pages(*texts), budget=121, counter=TOKENS).shown == {}


def test_steps_without_text_are_passed_over() -> None:
    assert list(pack([0, 1], pages("", "x"), budget=60, counter=TOKENS).shown) == [1]


@given(
    st.lists(st.text(max_size=200), min_size=1, max_size=5),
    st.integers(30, 120),
    st.one_of(st.none(), st.integers(1, 40)),
)
def test_no_payload_is_over_its_budget_and_all_shown_is_verbatim(
    texts: list[str], budget: int, clip: int | None
) -> None:
    packed = pack(range(len(texts)), pages(*texts), budget=budget, counter=TOKENS, clip=clip)
    assert packed.tokens == TOKENS.count(packed.text) <= budget
    for step, text in packed.shown.items():
        assert text.strip()
        assert texts[step].startswith(text)
        assert f"[s{step}] {escaped(text)}\n" in packed.text


@pytest.mark.parametrize("limit", [-1, 0, 1, 7, 50])
def test_clipping_keeps_as_much_as_fits(limit: int) -> None:
    text = "The agent ran pytest -k pool and saw 2 failures. " * 4
    kept = clipped(text, limit, counter=TOKENS)
    assert text.startswith(kept)
    assert TOKENS.count(kept) <= max(limit, 0)
    if limit == 50:
        assert len(kept) > 150
