"""A memory is filled with each file once, encoded whole, and gone afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from stepwell import Memory
from stepwell_bench.filling import encode_all, read_files
from stepwell_bench.terminal import print_notices
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

LINE = '{{"role": "user", "content": "walrus {0}"}}\n'


def test_files_are_read_once_each_in_the_order_of_their_names(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in ("b", "a")]
    for file in files:
        file.write_text(LINE.format(file.stem), "utf-8")
    told: list[tuple[str, int, int]] = []
    with Memory(encoder=None) as memory:
        read_files(memory, [*files, *files], lambda *of: told.append(of))
        assert [entry.title for entry in memory.sessions()] == ["walrus a", "walrus b"]
    assert told == [("files read", n, 2) for n in range(3)]


def test_what_has_no_vector_is_encoded_and_counted(tmp_path: Path) -> None:
    path, told = tmp_path / "store.db", list[tuple[str, int, int]]()
    with Memory(path, encoder=None) as memory:
        for word in ("kelp", "walrus", "pier"):
            memory.add({"role": "user", "content": word})
    with Memory(path, encoder=HashEncoder()) as memory:
        encode_all(memory, lambda *of: told.append(of))
        assert memory.unindexed() == 0
    assert all(what == "passages encoded" for what, _, _ in told)
    assert all(done <= total for _, done, total in told)


def test_a_notice_is_printed_as_it_is_whatever_brackets_it_holds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_notices(Console(), ["a [bold]sample[/bold]"])
    assert capsys.readouterr().out == "note: a [bold]sample[/bold]\n"
