from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from stepwell.errors import InvalidInputError
from stepwell_bench.changes import changes, read_outcomes
from stepwell_bench.cutting import Cutting
from stepwell_bench.results import save_rows
from stepwell_bench.scoring import Outcome

if TYPE_CHECKING:
    from pathlib import Path


def scored(question: str, recall: float, **fields: Any) -> Outcome:
    given: dict[str, Any] = {
        "episode": question[0],
        "domain": "d",
        "kind": "A",
        "mode": "stripped",
        "budget": 500,
        "method": "stepwell",
        "literals": None,
        "tokens": 400,
    }
    return Outcome(question=question, recall=recall, **(given | fields))


def test_a_change_is_of_the_same_question_mode_and_budget() -> None:
    then = [
        scored("a1", 0.5),
        scored("b1", 0.5),
        scored("a1", 0.9, budget=900),
        scored("a1", 0.9, mode="as-asked"),
        scored("a1", 0.9, method="bm25-20"),
    ]
    now = [scored("a1", 1.0, tokens=380), scored("b1", 0.25), scored("c1", 0.0)]
    found = {change.measure: change for change in changes(now, then, seed=0, draws=20)}
    assert found.keys() == {"recall", "tokens"}  # no question has a value of the others
    assert found["recall"].value.mean == pytest.approx(0.125)
    assert (found["recall"].mode, found["recall"].budget) == ("stripped", 500)
    assert (found["recall"].value.n_values, found["recall"].value.n_groups) == (2, 2)
    assert found["tokens"].value.mean == -10


def test_a_measure_that_one_of_both_lacks_is_not_compared() -> None:
    then, now = [scored("a1", 1.0, support=0.5)], [scored("a1", 1.0)]
    assert {change.measure for change in changes(now, then, seed=0, draws=5)} == {
        "recall",
        "tokens",
    }


def test_rows_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    ours = scored("a1", 0.5, support=0.25, cutting=Cutting(excerpts=3, cuts=1))
    save_rows([ours, scored("a1", 0.9, method="gold")], tmp_path / "rows.jsonl")
    assert read_outcomes(tmp_path / "rows.jsonl") == [ours]


@pytest.mark.parametrize("content", [None, b'{"question": 1}\n', b"\xff"])
def test_what_holds_no_rows_is_an_error_that_says_what_to_give(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "rows.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidInputError, match="holds no rows") as caught:
        read_outcomes(path)
    assert "--rows" in (caught.value.hint or "")
