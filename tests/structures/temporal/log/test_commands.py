"""What shell commands change."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.commands import command_states, event
from stepwell.text.tools import FILE_COMMANDS


def changes(command: str) -> list[tuple[str, str]]:
    return [(one.slot, one.value) for one in command_states(command, 0)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd src", [("cwd", "src")]),
        ("ls; cd 'my' && cd ..", [("cwd", "my"), ("cwd", "..")]),
        ("abcd src", []),
        ("rm -rf -v a.py", [("a.py", "deleted")]),
        ('rm "a.py"', [("a.py", "deleted")]),
        ("x | rm a.py\nrm b.py", [("a.py", "deleted"), ("b.py", "deleted")]),
        ("confirm a.py", []),
        ("sed -i 's/a/b/' x.py", [("x.py", "edited")]),
        ("sed -n -i 's/a/b/' x.py; ls", [("x.py", "edited")]),
        ("sed 's/a/b/' x.py", []),
        ("echo hi > out.txt", [("out.txt", "written")]),
        ("echo hi >out.txt", [("out.txt", "written")]),
        ("echo hi >> out.txt", [("out.txt", "edited")]),
        ("ls 2>&1", []),
        ("ls > /dev/null", []),
        ("rm /dev/x", []),
        ("a -> b => c", []),
        ("ls > 12", []),
        ("mv a b", [("a", "moved to b"), ("b", "moved from a")]),
        ("cp -r a b", [("b", "copied from a")]),
        ("cat a", []),
        ("", []),
    ],
)
def test_a_command_changes_files(command: str, expected: list[tuple[str, str]]) -> None:
    assert changes(command) == expected


@pytest.mark.parametrize(
    ("done", "name"), [(done, name) for done, names in FILE_COMMANDS.items() for name in names]
)
def test_every_command_of_files_changes_one(done: str, name: str) -> None:
    assert changes(f"{name} -p a/b.c") == [("a/b.c", done)]


def test_a_directory_is_a_state_and_a_change_of_a_file_an_event() -> None:
    directory, removal = command_states("cd a; rm b", 4)
    assert (directory.is_event, removal.is_event) == (False, True)
    assert (directory.act, removal.act, removal.aspect) == (4, 4, "")


def test_only_the_beginning_of_a_command_is_read() -> None:
    assert changes("#" * 7_994 + "\nrm ab") == [("ab", "deleted")]
    assert changes("#" * 7_995 + "\nrm ab") == [("a", "deleted")]


def test_an_event_is_of_a_bare_name() -> None:
    assert event("'`a b\" ", "edited", 2).slot == "a b"
