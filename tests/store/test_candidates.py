"""Candidates come back as they were stored, by run, in the order they were proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.candidates import (
    CandidateRow,
    candidates_file,
    load_candidates,
    save_candidate,
)

if TYPE_CHECKING:
    from pathlib import Path


def row(iteration: int = 0, role: str = "start", run: str = "one") -> CandidateRow:
    return CandidateRow(
        run=run,
        iteration=iteration,
        role=role,
        direction="shorter",
        policy="[policy]",
        description="端口",
        refused="",
        model_tokens=7,
        reward=0.5,
        cost=400.25,
        chosen='[["graph"]]',
        rewards=b"r\0",
        tokens=b"t\0",
        weights=b"w\0",
    )


def test_every_field_comes_back_in_its_place(tmp_path: Path) -> None:
    file = candidates_file(tmp_path / "search.sqlite")
    refused = row(1, "repair")._replace(refused="no policy", reward=None, rewards=None)
    save_candidate(file, row())
    save_candidate(file, refused)
    file.close()
    assert load_candidates(file, "one") == [row(), refused]
    file.close()


def test_candidates_stand_in_the_order_they_were_proposed() -> None:
    file = candidates_file(None)
    wanted = [row(), *(row(n, role) for n in (1, 2) for role in ("exploit", "explore", "repair"))]
    for one in reversed(wanted):
        save_candidate(file, one)
    assert load_candidates(file, "one") == wanted


def test_the_first_of_an_iteration_and_role_stays() -> None:
    file = candidates_file(None)
    save_candidate(file, row())
    save_candidate(file, row()._replace(description="another"))
    assert load_candidates(file, "one") == [row()]


def test_runs_are_kept_apart() -> None:
    file = candidates_file(None)
    for run in ("one", "two"):
        save_candidate(file, row(run=run))
    assert load_candidates(file, "two") == [row(run="two")]
    assert load_candidates(file, "three") == []
