"""The example of docs/how-to/write-a-reader.md works as it is printed there."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stepwell import Memory
from stepwell.formats.registry import installed, readers
from support.plugins import install
from support.reader_conformance import ReaderConformance, Sample, samples

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "write-a-reader.md"


def blocks(language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    """Install the example as the page's pyproject.toml does; its sample is the page's log."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads(blocks("toml")[0])["project"]
    ((name, target),) = project["entry-points"]["stepwell.readers"].items()
    points = f"[stepwell.readers]\n{name} = {target}\n"
    install(folder, name=project["name"], code=blocks("python")[0], entry_points=points)
    log = folder / "session.jsonl"
    log.write_text(blocks("text")[0])
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    installed.cache_clear()
    (found,) = (reader for reader in readers() if reader.name == name)
    yield samples(found, log)[0]
    sys.path.remove(str(folder))
    sys.modules.pop("shell_log")
    installed.cache_clear()


class TestExampleReader(ReaderConformance):
    pass


def test_a_memory_finds_what_the_example_read(sample: Sample) -> None:
    with Memory(encoder=None) as memory:
        memory.ingest(sample.file)
        found = memory.recall("What did pytest print?")
    assert "1 failed, 3 passed" in found.text


def test_the_example_is_about_forty_lines() -> None:
    (code, _) = blocks("python")
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 60


def test_the_page_names_the_suite_it_recommends() -> None:
    assert "from support.reader_conformance import ReaderConformance, samples" in blocks("text")[1]
