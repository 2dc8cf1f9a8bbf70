from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.errors import PolicyError
from stepwell.learn.held_out import compare
from stepwell.learn.install import install_better, policy_file, told
from stepwell.policy.files import digest
from stepwell.policy.kinds import All, Fixed
from stepwell.policy.registry import find
from support.worlds import PENALTY, World, cases_of

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.learn.cases import Evaluation

CASES = cases_of(12)


def of(policy: Fixed | All) -> Evaluation:
    return World().evaluate(policy, CASES)


def test_what_is_better_is_installed_with_its_origin(tmp_path: Path) -> None:
    current, learned = find("plain"), Fixed(structures=("temporal", "graph"))
    better = compare(of(learned), of(Fixed(structures=("summary",))), name="plain", penalty=PENALTY)
    origin: dict[str, str | int | float] = {"data": "a world", "seed": 0}
    first = policy_file(learned, name="mine", parent=current, origin=origin)
    install_better(first, better, tmp_path)
    stored = find("mine", [tmp_path])
    assert stored.policy == learned
    assert stored.origin["parent"] == "plain.v1"
    assert stored.origin["parent_digest"] == digest(current)
    assert stored.origin["data"] == "a world"
    next_one = policy_file(Fixed(structures=("graph",)), name="mine", parent=stored, origin=origin)
    install_better(next_one, better, tmp_path)
    assert find("mine", [tmp_path]).version == 2
    assert find("mine.v1", [tmp_path]) == stored


def test_what_is_not_better_is_not_installed(tmp_path: Path) -> None:
    file = policy_file(All(), name="mine", parent=find("plain"), origin={})
    same = compare(of(All()), of(All()), name="plain", penalty=PENALTY)
    with pytest.raises(PolicyError, match=r"not shown to be better than plain.*interval"):
        install_better(file, same, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_policy_of_another_name_starts_at_its_first_version() -> None:
    parent = find("plain")
    file = policy_file(All(), name="mine", parent=parent, origin={"made": "by hand", "seed": 4})
    assert (file.name, file.version, file.description) == ("mine", 1, "Learned from rewards.")
    assert file.origin["made"] == "learned"  # what is learned is not to pass for something else
    assert file.origin["seed"] == 4
    assert policy_file(All(), name="plain", parent=parent, origin={}).version == parent.version + 1


def test_what_is_told_holds_the_difference_its_interval_and_how_much_was_compared() -> None:
    better = compare(
        of(Fixed(structures=("temporal", "graph"))),
        of(Fixed(structures=("summary",))),
        name="the summary",
        penalty=PENALTY,
    )
    interval = better.objective_difference
    said = told(better)
    assert said.startswith(f"it is better than the summary: {interval.mean:+.4f} of J - λC on ")
    assert "96 held-out questions of 12 episodes" in said
    assert f"95 % interval {interval.low:+.4f} to {interval.high:+.4f}, p = " in said


def test_a_refusal_says_what_is_kept_and_what_to_do(tmp_path: Path) -> None:
    file = policy_file(All(), name="mine", parent=find("plain"), origin={})
    same = compare(of(All()), of(All()), name="plain", penalty=PENALTY)
    with pytest.raises(PolicyError) as raised:
        install_better(file, same, tmp_path / "missing")
    assert str(raised.value).startswith("mine is not installed: it is not shown to be better")
    assert raised.value.hint == "Learn from more questions, or for longer; what is in use stays."
    assert not (tmp_path / "missing").exists()


def test_the_file_that_holds_it_is_returned(tmp_path: Path) -> None:
    better = compare(
        of(Fixed(structures=("temporal", "graph"))),
        of(Fixed(structures=("summary",))),
        name="plain",
        penalty=PENALTY,
    )
    file = policy_file(Fixed(structures=("graph",)), name="mine", parent=find("plain"), origin={})
    path = install_better(file, better, tmp_path / "made")
    assert path.parent == tmp_path / "made"
    assert path.name == "mine.v1.toml"
    assert find("mine", [tmp_path / "made"]).policy == file.policy
