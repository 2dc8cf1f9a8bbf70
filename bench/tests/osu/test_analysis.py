"""Means, paired differences, corrections and interactions, from rows made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samples.logs import row
from stepwell.stats.permutation import sign_flip
from stepwell_bench.combine import fisher, holm
from stepwell_bench.osu.analysis import ALL, Draws, Pair, contrasts, effects, means

if TYPE_CHECKING:
    from stepwell_bench.osu.rows import Row

DRAWS = Draws(seed=0, resamples=200, flips=500)
PAIR = Pair(a="new", b="old", by_cell=True)


def rows(*, n: int = 24, seeds: tuple[int, ...] = (0,)) -> list[Row]:
    """Return rows in which `new` wins in T+E+ and loses in T-E-, three questions an episode."""
    found = []
    for seed in seeds:
        for number in range(n):
            cell = ("T+E+", "T-E-")[number % 2]
            won = number % 8 != 7
            new, old = (0.9, 0.5) if (cell == "T+E+") == won else (0.2, 0.4)
            for method, recall in (("new", new), ("old", old)):
                one = row(method=method, question=f"q{number}", world=f"w{number // 3}", cell=cell)
                found.append(replace(one, seed=seed, recall=recall, near=recall))
    return found


def test_means_are_taken_overall_and_by_cell() -> None:
    found = {(one.method, one.measure, one.cell): one.value for one in means(rows(), draws=DRAWS)}
    assert found["old", "recall", ALL].n_values == 24
    assert found["old", "recall", ALL].n_groups == 8
    assert found["old", "recall", "T+E+"].mean == pytest.approx(0.5)
    assert ("old", "near", "T+E+") not in found
    assert ("old", "far", ALL) not in found, "no row has evidence there"


def test_differences_are_tested_by_question_and_by_episode() -> None:
    found = {(one.measure, one.cell): one for one in contrasts(rows(), [PAIR], draws=DRAWS)}
    won, lost = found["recall", "T+E+"], found["recall", "T-E-"]
    assert won.value.mean == pytest.approx(0.4)
    assert won.p < 0.05
    assert lost.value.mean < 0
    assert won.p_holm is not None
    assert [won.p_holm, lost.p_holm] == holm([won.p, lost.p]).tolist()
    assert found["recall", ALL].p_holm is None
    assert found["recall", ALL].by_episode == pytest.approx(found["recall", ALL].value.mean)


def test_seeds_are_tested_apart_and_combined() -> None:
    both = contrasts(rows(seeds=(1, 2)), [PAIR], draws=DRAWS)
    overall = next(one for one in both if (one.measure, one.cell) == ("recall", ALL))
    differences = [
        one.recall - other.recall for one, other in zip(rows()[::2], rows()[1::2], strict=True)
    ]
    single = sign_flip(differences, rng=np.random.default_rng(0), n=500).p
    assert overall.p == pytest.approx(fisher([single, single]))
    assert overall.value.n_values == 48
    assert overall.value.n_groups == 8, "episodes of a name are drawn together"


def test_an_effect_that_depends_on_the_cell_is_found() -> None:
    found = {one.measure: one for one in effects(rows(), [PAIR], draws=DRAWS)}
    assert found["recall"].p < 0.05
    assert found["recall"].statistic > 0


def test_one_cell_has_no_interaction() -> None:
    single = [one for one in rows() if one.cell == "T+E+"]
    assert effects(single, [PAIR], draws=DRAWS) == []


def test_pairs_that_did_not_answer_are_left_out() -> None:
    assert contrasts(rows(), [Pair(a="new", b="unknown")], draws=DRAWS) == []


def test_answers_are_paired_by_question_not_by_place() -> None:
    shuffled = rows()
    reverse = [one for one in shuffled if one.method == "old"][::-1]
    mixed = [one for one in shuffled if one.method == "new"] + reverse
    assert contrasts(mixed, [PAIR], draws=DRAWS) == contrasts(shuffled, [PAIR], draws=DRAWS)
