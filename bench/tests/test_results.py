from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from stepwell_bench.cutting import Cutting
from stepwell_bench.results import commit, gaps, save, save_rows, summarise
from stepwell_bench.scoring import Outcome

if TYPE_CHECKING:
    from pathlib import Path


def scored(question: str, method: str, recall: float, **fields: Any) -> Outcome:
    given: dict[str, Any] = {
        "episode": question[0],
        "domain": "Gaming",
        "kind": "A",
        "mode": "stripped",
        "budget": 500,
        "literals": None,
        "tokens": 400,
    }
    return Outcome(question=question, method=method, recall=recall, **(given | fields))


OUTCOMES = [
    scored("a1", "stepwell", 1.0, literals=1.0),
    scored("a2", "stepwell", 0.5),
    scored("b1", "stepwell", 0.0, kind="B"),
    scored("a1", "bm25", 0.5, literals=0.0),
    scored("a2", "bm25", 0.5),
    scored("b1", "bm25", 0.0, kind="B"),
    scored("a1", "rrf", 0.0, literals=0.0),
    scored("a2", "rrf", 0.0),
    scored("b1", "rrf", 0.5, kind="B"),
]


def test_cells_are_means_by_group() -> None:
    cells = {
        (cell.measure, cell.group, cell.method): cell.value
        for cell in summarise(OUTCOMES, seed=0, draws=50)
    }
    assert cells["recall", "all", "stepwell"].mean == 0.5
    assert cells["recall", "all", "stepwell"].n_groups == 2
    assert cells["recall", "type: A", "stepwell"].mean == 0.75
    assert cells["recall", "type: B", "rrf"].mean == 0.5
    assert cells["recall", "domain: Gaming", "bm25"].n_values == 3
    assert cells["literals", "all", "stepwell"].n_values == 1
    assert ("literals", "type: B", "stepwell") not in cells


def test_the_gap_is_to_the_best_baseline_of_each_cell() -> None:
    found = {(gap.measure, gap.group): gap for gap in gaps(OUTCOMES, seed=0, draws=50)}
    whole = found["recall", "all"]
    assert (whole.baseline, round(whole.value.mean, 3)) == ("bm25", 0.167)
    only_b = found["recall", "type: B"]
    assert (only_b.baseline, only_b.value.mean) == ("rrf", -0.5)
    assert gaps(OUTCOMES[:3], seed=0, draws=50) == []


def test_no_limit_is_a_baseline_and_less_is_not_a_lead() -> None:
    with_limits = [*OUTCOMES[:3], *(scored(o.question, "gold", 1.0) for o in OUTCOMES[:3])]
    assert gaps(with_limits, seed=0, draws=50) == []
    measured = {gap.measure for gap in gaps(OUTCOMES, seed=0, draws=50)}
    assert measured == {"recall", "literals"}


def test_questions_that_name_their_gold_steps_are_a_group() -> None:
    rows = [scored("a1", "stepwell", 1.0, names_gold=True), scored("b1", "stepwell", 0.5)]
    cells = {
        (cell.measure, cell.group): cell.value.mean for cell in summarise(rows, seed=0, draws=9)
    }
    assert (cells["recall", "gold: named"], cells["recall", "gold: not named"]) == (1.0, 0.5)


def test_cuts_are_shares_of_all_excerpts_and_of_all_cuts() -> None:
    rows = [
        scored("a1", "stepwell", 1.0, cutting=Cutting(excerpts=9, in_word=1, cuts=3, unmarked=3)),
        scored("b1", "stepwell", 1.0, cutting=Cutting(excerpts=1, in_word=1, cuts=1, unmarked=0)),
        scored("c1", "stepwell", 1.0, cutting=Cutting()),
    ]
    cells = {(c.measure, c.group): c.value for c in summarise(rows, seed=0, draws=9)}
    assert cells["cut in a word", "all"].mean == 0.2
    assert cells["cut unmarked", "all"].mean == 0.75
    assert cells["cut unmarked", "all"].n_values == 2


def test_a_result_file_is_named_by_benchmark_date_and_commit(tmp_path: Path) -> None:
    now = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    path = save(
        {"cells": summarise(OUTCOMES, seed=0, draws=5)},
        tmp_path / "r",
        name="e",
        now=now,
        at="abc1234-dirty",
    )
    assert path.name == "e-2026-03-02-080000-abc1234-dirty.json"
    read = json.loads(path.read_text(encoding="utf-8"))
    assert read["cells"][0]["value"].keys() == {"mean", "low", "high", "n_values", "n_groups"}


def test_rows_are_one_line_each(tmp_path: Path) -> None:
    save_rows(OUTCOMES, tmp_path / "rows.jsonl")
    lines = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["question"] for line in lines] == [o.question for o in OUTCOMES]


def test_a_commit_is_short_or_absent() -> None:
    assert re.fullmatch(r"([0-9a-f]+(-dirty)?)?", commit())
