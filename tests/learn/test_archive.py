from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from stepwell.errors import StoreError
from stepwell.learn.archive import Archive, Candidate, key_of
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import All, Fixed, Rule, Rules
from support.worlds import World, cases_of

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.learn.archive import Role

CASES = cases_of(2)
POLICY = Fixed(structures=("temporal", "graph"))
FOUND = World().evaluate(POLICY, CASES)
CANDIDATE = Candidate(
    iteration=1,
    role="exploit",
    direction="demand",
    policy=POLICY,
    description="Wörter: „neu“",
    evaluation=FOUND,
    model_tokens=12,
)


def of(role: Role, iteration: int) -> Candidate:
    return replace(CANDIDATE, role=role, iteration=iteration)


def test_a_candidate_comes_back_as_it_was() -> None:
    with Archive() as archive:
        archive.add("run", CANDIDATE)
        (back,) = archive.load("run", CASES)
    assert (back.iteration, back.role, back.direction) == (1, "exploit", "demand")
    assert (back.policy, back.description, back.model_tokens) == (POLICY, "Wörter: „neu“", 12)
    assert back.refused == ""
    assert back.evaluation is not None
    assert list(back.evaluation.chosen) == [tuple(one) for one in FOUND.chosen]
    for name in ("rewards", "tokens", "weights"):
        assert np.array_equal(getattr(back.evaluation, name), getattr(FOUND, name))
    assert back.objective(0.001) == CANDIDATE.objective(0.001)


def test_one_without_a_policy_keeps_why() -> None:
    none = replace(
        CANDIDATE,
        policy=None,
        direction=None,
        evaluation=None,
        refused="No policy.",
        model_tokens=0,
    )
    with Archive() as archive:
        archive.add("run", none)
        (back,) = archive.load("run", CASES)
    assert (back.policy, back.direction, back.evaluation) == (None, None, None)
    assert back.refused == "No policy."
    assert back.objective(0.0) == -np.inf


def test_a_refused_policy_is_kept_although_it_has_no_evaluation() -> None:
    with Archive() as archive:
        archive.add("run", replace(CANDIDATE, evaluation=None, refused="It fails."))
        (back,) = archive.load("run", CASES)
    assert (back.policy, back.evaluation, back.refused) == (POLICY, None, "It fails.")


def test_candidates_come_in_the_order_they_were_proposed() -> None:
    wanted: list[tuple[int, Role]] = [
        (0, "start"),
        (1, "exploit"),
        (1, "explore"),
        (1, "repair"),
        (2, "exploit"),
        (10, "repair"),
    ]
    with Archive() as archive:
        for iteration, role in reversed(wanted):
            archive.add("run", of(role, iteration))
        found = [(one.iteration, one.role) for one in archive.load("run", CASES)]
    assert found == wanted


def test_what_is_kept_is_not_changed_by_keeping_it_again() -> None:
    with Archive() as archive:
        archive.add("run", CANDIDATE)
        archive.add("run", replace(CANDIDATE, description="another"))
        (back,) = archive.load("run", CASES)
    assert back.description == CANDIDATE.description


def test_runs_are_kept_apart() -> None:
    with Archive() as archive:
        archive.add("one", CANDIDATE)
        assert archive.load("other", CASES) == []
        assert len(archive.load("one", CASES)) == 1


def test_a_file_goes_on_where_it_was_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "search.sqlite"
    with Archive(path) as archive:
        archive.add("run", CANDIDATE)
    with Archive(path) as archive:
        archive.add("run", of("explore", 1))
        assert [one.role for one in archive.load("run", CASES)] == ["exploit", "explore"]


def test_evaluations_of_other_cases_are_refused() -> None:
    with Archive() as archive:
        archive.add("run", CANDIDATE)
        for cases in (CASES[:-1], [*CASES, CASES[0]], []):
            with pytest.raises(StoreError, match="16 stored rewards are not of these") as raised:
                archive.load("run", cases)
            assert raised.value.hint == "Give another file with --state."


def test_a_path_that_is_no_file_is_an_error_with_advice(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("no database", encoding="utf-8")
    for path in (tmp_path, taken, taken / "below.sqlite"):
        with pytest.raises(StoreError, match="cannot be kept in") as raised:
            Archive(path)
        assert raised.value.hint == "Give another file with --state."


def test_what_cannot_be_written_is_an_error_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "search.sqlite"
    with Archive(path) as archive:
        db = apsw.Connection(str(path))
        db.execute("DROP TABLE candidates")
        db.close()
        with pytest.raises(StoreError, match=r"cannot be kept in .*no such table") as raised:
            archive.add("run", CANDIDATE)
    assert raised.value.hint == "Give another file with --state."


def test_a_key_is_of_the_policy_alone() -> None:
    rule = Rule(when=(parse_condition("asks count"),), read=("graph",))
    rules = Rules(rules=(rule,), default=("vector",))
    different = (
        All(),
        POLICY,
        rules,
        replace(rules, rules=()),
        replace(rules, rules=(replace(rule, tokens={"graph": 100}),)),
    )
    assert len({key_of(one) for one in different}) == len(different)
    assert key_of(Fixed(structures=("temporal", "graph"))) == key_of(POLICY)
