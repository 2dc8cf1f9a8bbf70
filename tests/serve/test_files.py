"""Files that options name."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepwell.errors import InvalidInputError
from stepwell.serve.files import read_file, write_file


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "f.bin"
    write_file(path, b"\x00\xff\r\n")
    assert read_file(path, option="--x") == b"\x00\xff\r\n"
    write_file(path, b"")
    assert read_file(path, option="--x") == b""


def test_a_home_folder_is_meant_by_its_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "f").write_bytes(b"x")
    assert read_file(Path("~/f"), option="--x") == b"x"


def test_an_error_names_the_option(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_file(tmp_path / "none", option="--counts")
    assert str(caught.value) == (
        f"{tmp_path / 'none'} cannot be read: No such file or directory. "
        "Check the path of --counts."
    )


def test_where_nothing_can_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file" / "below", tmp_path):
        with pytest.raises(InvalidInputError, match=r"cannot be written: .* Choose another path"):
            write_file(path, b"x")
