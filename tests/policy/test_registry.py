"""Finding policies by name, and installing versions that stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import NotFoundError, PolicyError
from stepwell.policy.describe import unknown_in
from stepwell.policy.files import PolicyFile, dumps, save
from stepwell.policy.kinds import Single
from stepwell.policy.registry import BUILT_IN, find, install, list_policies, locate

if TYPE_CHECKING:
    from pathlib import Path

MINE = PolicyFile(name="mine", policy=Single(structure="vector"))
OTHER = replace(MINE, policy=Single(structure="episodic"))


def names(folder: Path) -> list[str]:
    return [one.name for one in list_policies((folder,))][len(BUILT_IN) :]


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_comes_with_stepwell_is_written_as_it_writes_it(name: str) -> None:
    file = find(name)
    assert file.name == name
    assert file.description
    assert unknown_in(file.policy) == []
    assert locate(name).read_text(encoding="utf-8") == dumps(file)


def test_a_policy_is_found_in_a_folder_or_by_its_path(tmp_path: Path) -> None:
    folder, path = tmp_path / "policies", tmp_path / "elsewhere" / "mine.toml"
    save(MINE, folder / "mine.toml")
    save(OTHER, path)
    assert find("mine", (tmp_path / "nothing", folder)) == MINE
    assert find(str(path), (folder,)) == OTHER


def test_a_name_nobody_knows_is_an_error_that_lists_those_there_are(tmp_path: Path) -> None:
    install(MINE, tmp_path)
    for name in ("yours", "mine.v7", "../mine", "", "\x00"):
        with pytest.raises(NotFoundError, match="all, default, mine, plain"):
            find(name, (tmp_path,))


@pytest.mark.parametrize(
    "name", ["x" * 5_000 + ".toml", "~nobody-of-this-name/a.toml", "a\0.toml", "\ud800.toml", ""]
)
def test_what_can_name_no_file_is_a_policy_nobody_knows(name: str) -> None:
    with pytest.raises(NotFoundError):
        find(name)


def test_older_versions_stay_and_the_name_means_the_newest(tmp_path: Path) -> None:
    install(MINE, tmp_path)
    path = install(OTHER, tmp_path)
    assert path.name == "mine.v2.toml"
    assert find("mine", (tmp_path,)) == replace(OTHER, version=2)
    assert find("mine.v2", (tmp_path,)) == replace(OTHER, version=2)
    assert find("mine.v1", (tmp_path,)) == MINE
    assert names(tmp_path) == ["mine", "mine.v1"]


def test_versions_are_numbers_and_not_words(tmp_path: Path) -> None:
    for number in range(1, 12):
        install(replace(MINE, description=str(number)), tmp_path)
    assert find("mine", (tmp_path,)).version == 11


def test_a_file_written_by_hand_counts_as_the_version_it_states(tmp_path: Path) -> None:
    save(replace(MINE, version=4), tmp_path / "mine.toml")
    assert install(OTHER, tmp_path).name == "mine.v5.toml"
    assert find("mine.v4", (tmp_path,)).policy == MINE.policy


def test_installing_the_same_again_writes_nothing(tmp_path: Path) -> None:
    first = install(MINE, tmp_path)
    assert install(replace(MINE, version=9, origin={"commit": "abc"}), tmp_path) == first
    assert names(tmp_path) == ["mine"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_names_of_those_that_come_with_stepwell_stay_theirs(name: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="comes with Stepwell"):
        install(replace(MINE, name=name), tmp_path)
    save(replace(MINE, name=name), tmp_path / f"{name}.toml")
    assert find(name, (tmp_path,)) == find(name)


def test_a_broken_file_is_listed_with_its_problem(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("name = ", encoding="utf-8")
    (tmp_path / "not a policy.toml").write_text("", encoding="utf-8")
    install(MINE, tmp_path)
    listed = list_policies((tmp_path,))[len(BUILT_IN) :]
    assert [(one.name, one.file is None) for one in listed] == [("broken", True), ("mine", False)]
    assert "broken.toml" in listed[0].problem
    with pytest.raises(PolicyError, match=r"broken\.toml"):
        find("broken", (tmp_path,))
