"""Windows hold what was asked; scores are standardised, and lent to the steps around."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.score import score_steps, standardised
from stepwell.recall.show.windows import best_window
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.structures.base import Ranking


def test_a_window_is_the_run_of_lines_that_holds_most_terms() -> None:
    text = "\n".join([*["noise line"] * 30, "port is 5433", "host is db", *["more noise"] * 30])
    start, end = best_window(text, weights={"port": 2.0, "host": 1.0}, most=24)
    assert text[start:end] == "port is 5433\nhost is db"


def test_a_long_line_is_cut_around_its_terms() -> None:
    text = "x " * 500 + "needle 7731 " + "y " * 500
    start, end = best_window(text, weights={"needle": 1.0}, most=60)
    assert "needle 7731" in text[start:end]
    assert end - start <= 60


@given(
    st.text(alphabet="ab \nÀİß端\u200b", max_size=300),
    st.dictionaries(st.sampled_from(["a", "ab", "端", "ss"]), st.floats(0.1, 5), max_size=3),
    st.integers(1, 80),
)
def test_a_window_stays_inside_its_text_and_room(
    text: str, weights: dict[str, float], most: int
) -> None:
    start, end = best_window(text, weights=weights, most=most)
    assert 0 <= start <= end <= len(text)
    assert end - start <= most or text[start:end].count("\n") == 0


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30))
def test_standardising_is_invariant_to_scale_and_place(values: list[float]) -> None:
    x = np.asarray(values)
    z = standardised(x, n_steps=len(x))
    assert np.allclose(standardised(3 * x + 7, n_steps=len(x)), z, atol=1e-5) or x.std() < 1e-6


def test_a_step_lends_to_its_neighbours_but_never_across_trajectories() -> None:
    rows = np.array([rowid(1, 5), rowid(2, 0)])
    ranking = Ranking(structure="episodic", rowids=rows, scores=np.array([9.0, 9.0]))
    keys = np.array(
        [rowid(1, step) // MAX_PLACES for step in range(8)]
        + [rowid(2, step) // MAX_PLACES for step in range(3)]
    )
    scored = score_steps([ranking], keys=keys, n_steps=len(keys))
    total = scored.total
    assert total[5] > max(total[4], total[6]) > max(total[3], total[7]) > total[0]
    assert total[8] > total[9] > total[10]
    assert total[7] < total[9]  # step 7 of the first is two away from its hit, not beside the other
