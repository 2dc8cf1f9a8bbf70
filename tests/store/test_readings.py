"""Readings are found again by case, budget, selection and the code that measured them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.readings import find_readings, readings_file, save_readings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.store.sidefile import SideFile

VALUES = (90, 0.5, 0.25, None, 1.0, "rule")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SideFile]:
    file = readings_file(tmp_path / "readings.sqlite")
    save_readings(file, [("now", case, 400, "graph", *VALUES) for case in ("q1", "q2")])
    yield file
    file.close()


def test_a_reading_comes_back_whole(file: SideFile) -> None:
    found = find_readings(file, [("q1", 400, "graph")], code="now")
    assert found == [("q1", 400, "graph", *VALUES)]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (("q3", 400, "graph"), "now"),
        (("q1", 401, "graph"), "now"),
        (("q1", 400, "units"), "now"),
        (("q1", 400, "graph"), "before"),
    ],
)
def test_another_case_budget_selection_or_code_is_unknown(
    file: SideFile, key: tuple[str, int, str], code: str
) -> None:
    assert find_readings(file, [key], code=code) == []


def test_a_key_that_is_asked_for_twice_is_answered_once(file: SideFile) -> None:
    keys = [("q2", 400, "graph"), ("q1", 400, "graph"), ("q2", 400, "graph")]
    assert [row[0] for row in find_readings(file, keys, code="now")] == ["q2", "q1"]
    assert find_readings(file, [], code="now") == []


def test_a_later_reading_replaces_an_earlier(file: SideFile) -> None:
    save_readings(file, [("now", "q1", 400, "graph", 91, *VALUES[1:])])
    ((*_, tokens, _, _, _, _, _),) = find_readings(file, [("q1", 400, "graph")], code="now")
    assert tokens == 91
