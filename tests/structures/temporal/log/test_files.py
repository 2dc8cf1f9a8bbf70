"""What calls of tools change, by their names and arguments."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.structures.temporal.log.files import call_states
from stepwell.text.tools import (
    EDIT_ARGUMENTS,
    FILE_CHANGES,
    PATHS,
    READS,
    TEXTS,
    URLS,
)


def changes(name: str, **args: Any) -> list[tuple[str, str, str]]:
    return [(one.slot, one.aspect, one.value) for one in call_states(name, args, 0)]


@pytest.mark.parametrize(
    ("done", "part"), [(done, part) for done, parts in FILE_CHANGES.items() for part in parts]
)
def test_every_part_of_a_name_says_what_a_tool_does(done: str, part: str) -> None:
    assert changes(f"x{part.upper()}x", path="a.py") == [("a.py", "", done)]
    assert changes("tool", command=part, path="a.py") == [("a.py", "", done)]
    assert changes(part) == []


@pytest.mark.parametrize("argument", PATHS)
def test_every_argument_of_paths_names_a_file(argument: str) -> None:
    assert changes("delete", **{argument: "'a.py'"}) == [("a.py", "", "deleted")]
    assert changes("delete", **{argument: 4}) == []
    assert changes("delete", **{argument: ""}) == []


@pytest.mark.parametrize("word", sorted(READS))
def test_reading_leaves_a_file_as_it_is(word: str) -> None:
    assert changes(word.upper(), path="a.py", old_str="x") == []
    assert changes("edit", command=word, path="a.py") == []


@pytest.mark.parametrize("argument", sorted(EDIT_ARGUMENTS))
def test_arguments_of_an_edit_tell_it(argument: str) -> None:
    assert changes("tool", path="a.py", **{argument: "x"}) == [("a.py", "", "edited")]
    assert changes("tool", path="a.py") == []


def test_an_action_of_several_words_is_none() -> None:
    assert changes("edit", command="view it", path="a.py") == [("a.py", "", "edited")]
    assert changes("edit", action="delete", path="a.py") == [("a.py", "", "deleted")]
    assert changes("edit", mode="create", path="a.py") == [("a.py", "", "created")]
    assert changes("x", mode="d" + "e" * 39 + "delete", path="a.py") == []


@pytest.mark.parametrize("argument", URLS)
def test_every_argument_of_pages_names_one(argument: str) -> None:
    assert changes("goto", **{argument: "https://x.org"}) == [("page", "url", "https://x.org")]
    assert changes("goto", **{argument: 1}) == []
    assert len(changes("goto", **{argument: "u" * 300})[0][2]) == 200


@pytest.mark.parametrize("field", TEXTS)
def test_every_field_of_texts_says_what_an_item_is(field: str) -> None:
    assert changes("todo", items=[{field: "Fix", "status": "done"}]) == [("Fix", "status", "done")]


def test_items_without_status_or_text_are_left_out() -> None:
    items: list[Any] = [
        {"content": "a"}, {"status": "done"}, {"content": " ", "status": "x"}, "s", 4,
        {"content": "b", "status": 3}, {"content": "c" * 200, "status": "d" * 80},
    ]  # fmt: skip
    ((slot, _, value),) = changes("todo", items=items)
    assert (len(slot), len(value)) == (120, 40)
    many = [{"content": str(n), "status": "x"} for n in range(50)]
    assert len(changes("todo", items=many)) == 40


def test_a_patch_names_its_files() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Delete File: c"
    assert changes("x", input=patch) == [
        ("a", "", "created"), ("b", "", "edited"), ("c", "", "deleted"),
    ]  # fmt: skip
    assert changes("x", input=" " * 196 + "\n*** Add File: a") == []
    assert changes("x", input=" " * 195 + "\n*** Add File: a") == [("a", "", "created")]
    assert changes("x", **{f"k{n}": 1 for n in range(40)}, z=patch) == []
    assert len(changes("x", **{f"k{n}": 1 for n in range(39)}, z=patch)) == 3


def test_changes_belong_to_their_action() -> None:
    (one,) = call_states("delete", {"path": "a"}, 5)
    assert (one.act, one.is_event) == (5, True)
