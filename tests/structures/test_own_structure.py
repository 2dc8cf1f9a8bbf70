"""The example of docs/how-to/write-a-structure.md works as it is printed there."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stepwell import Memory
from stepwell.policy.conditions import parse_condition
from stepwell.policy.describe import unknown_in
from stepwell.policy.kinds import Fixed, Rule, Rules
from stepwell.serve.contexts import Assumed, assumed_context
from stepwell.structures.registry import GROUP, found
from support.plugins import install
from support.structure_conformance import StructureConformance, Subject

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "write-a-structure.md"


def blocks(language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    """Install the example as the page's pyproject.toml does."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads(blocks("toml")[0])["project"]
    ((name, target),) = project["entry-points"][GROUP].items()
    points = f"[{GROUP}]\n{name} = {target}\n"
    install(folder, name=project["name"], code=blocks("python")[0], entry_points=points)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    found.cache_clear()
    yield Subject(name=name, open=found().usable[name])
    sys.path.remove(str(folder))
    sys.modules.pop("failures")
    found.cache_clear()


class TestExampleStructure(StructureConformance):
    pass


def test_a_recall_reads_the_example_and_says_why(subject: Subject) -> None:
    with Memory(encoder=None, policy=[subject.name]) as memory:
        memory.add({"action": "make pier", "observation": "ok"})
        memory.add({"action": "open pier.py", "observation": "ValueError: no such pier"})
        evidence = memory.recall("Which error did the pier raise?")
    assert evidence.read == ("failures",)
    (note,) = evidence.notes
    assert (note.structure, note.text) == ("failures", "failed: ValueError: no such pier")
    assert [item.structure for item in evidence.items] == ["failures"] * len(evidence.items)
    assert evidence.items


def test_a_policy_goes_by_what_the_example_tells_of_a_question(subject: Subject) -> None:
    condition = parse_condition("signal failures.steps >= 1")
    rules = Rules(rules=(Rule(when=(condition,), read=(subject.name,)),), default=("episodic",))
    with Memory(encoder=None, policy=rules) as memory:
        memory.add({"action": "open pier.py", "observation": "ok"})
        assert memory.recall("Which error?").read == ("episodic",)
        memory.add({"action": "open pier.py", "observation": "ValueError: no such pier"})
        evidence = memory.recall("Which error?")
    assert evidence.read == ("failures",)
    assert evidence.context is not None
    assert evidence.context.available[-1] == "failures"
    assert evidence.context.signals["failures.steps"] == 1.0


def test_every_block_of_the_page_runs() -> None:
    names: dict[str, Any] = {}
    for block in blocks("python"):
        exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102  (the page's own code)
    assert names["Failures"].name == "failures"


def test_the_example_is_about_sixty_lines() -> None:
    lines = [line for line in blocks("python")[0].splitlines() if line.strip()]
    assert len(lines) <= 65


def test_the_page_names_the_suite_it_recommends() -> None:
    assert (
        "from support.structure_conformance import StructureConformance, Subject"
        in PAGE.read_text("utf-8")
    )


def test_an_installed_structure_is_known_to_who_tries_or_reads_a_policy(subject: Subject) -> None:
    assert subject.name in assumed_context(Assumed(), 800).available
    assert unknown_in(Fixed(structures=(subject.name, "diary"))) == ["diary"]
