"""Words of tools: what one table says, no other takes back."""

from __future__ import annotations

from itertools import combinations

import pytest

from stepwell.text import tools

NAMES = sorted(tools.__all__)


def words_of(table: object) -> list[str]:
    if isinstance(table, dict):
        return [word for words in table.values() for word in words]
    assert isinstance(table, tuple | frozenset)
    return [*table]


@pytest.mark.parametrize("name", NAMES)
def test_words_are_as_names_are_compared_and_stand_once(name: str) -> None:
    words = words_of(getattr(tools, name))
    assert words
    assert words == [word.strip().lower() for word in words]
    assert len(set(words)) == len(words)


def test_a_tool_that_leaves_a_file_as_it_is_is_not_taken_for_one_that_changes_it() -> None:
    parts = words_of(tools.FILE_CHANGES)
    assert [(name, part) for name in tools.READS for part in parts if part in name] == []


def test_of_two_changes_to_a_file_one_is_not_part_of_the_words_of_the_other() -> None:
    for one, other in combinations(tools.FILE_CHANGES.values(), 2):
        assert [(a, b) for a in one for b in other if a in b or b in a] == []


def test_where_a_thing_goes_and_where_it_comes_from_are_told_apart() -> None:
    assert not tools.TARGETS & tools.SOURCES


def test_what_a_command_does_to_a_file_is_a_change_that_is_known() -> None:
    assert set(tools.FILE_COMMANDS) <= set(tools.FILE_CHANGES)
    assert set(words_of(tools.FILE_COMMANDS)) <= {*tools.PROGRAMS}
