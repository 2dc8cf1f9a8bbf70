"""The documentation: commands, names, paths and constants are the code's; its tutorial works."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from stepwell import Evidence, Memory
from stepwell.store.rowids import rowid
from support.cli_reference import REFERENCE, commands, reference

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ROOT / "src" / "stepwell"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
LOCKED = ROOT / "requirements-dev.txt"
TUTORIAL = ROOT / "docs" / "tutorial.md"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
_CODE = re.compile(r"`([^`\n]+)`")
_ROOM = re.compile(r"^([a-z]+)  +|  +([a-z]+)  +", re.MULTILINE)
_PATH = re.compile(r"[a-z_]+(?:/[a-z_]+)+(?:\.py)?/?|[a-z_]+/")
_SHIFT = re.compile(r"<< ?(\d+)")
_GROUP = re.compile(r'^_?GROUP(?:: Final)? = "(.+)"', re.MULTILINE)
_RECIPE = re.compile(r"^([a-z]+)[ a-z*]*:", re.MULTILINE)
_LOCKED = re.compile(r"^([a-z0-9-]+)==([^ ;]+)", re.MULTILINE)


def plain(text: str) -> list[str]:
    return text.split()


def test_the_reference_is_the_commands_own_help() -> None:
    written = REFERENCE.read_text(encoding="utf-8")
    assert plain(written) == plain(reference()), "run: python -m support.cli_reference"


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_documented(words: tuple[str, ...]) -> None:
    assert f"## {' '.join(('stepwell', *words))}\n" in REFERENCE.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [w for w in commands() if len(w) == 1], ids=" ".join)
def test_every_command_is_in_the_readme(words: tuple[str, ...]) -> None:
    assert f"`stepwell {words[0]}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    targets = _LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in targets if not (path.parent / link).exists()] == []


def public(kind: type) -> list[str]:
    return [name for name, _ in inspect.getmembers_static(kind) if not name.startswith("_")]


@pytest.mark.parametrize("name", sorted({*public(Memory), *(f.name for f in fields(Evidence))}))
def test_what_memory_and_evidence_offer_is_in_the_reference(name: str) -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    assert re.search(rf"`(?:evidence\.|memory\.)?{name}(?:\(.*?\).*?)?`", page), name


def test_the_rooms_of_the_architecture_are_the_packages() -> None:
    drawing = ARCHITECTURE.read_text(encoding="utf-8").split("```")[1]
    named = {name for pair in _ROOM.findall(drawing) for name in pair if name}
    inside = {path.stem for path in PRODUCT.iterdir() if not path.name.startswith(("_", "py."))}
    assert named == inside


def test_the_paths_of_the_architecture_exist() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    paths = [code for code in _CODE.findall(text) if _PATH.fullmatch(code)]
    places = {path: (PRODUCT / path, PRODUCT / f"{path}.py", ROOT / path) for path in paths}
    assert [path for path, where in places.items() if not any(p.exists() for p in where)] == []
    assert len(paths) > 10


@pytest.mark.parametrize("name", ["architecture.md", "decisions/0001-store.md"])
def test_how_a_row_id_is_packed_is_as_documented(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    step, trajectory = (rowid(*at).bit_length() - 1 for at in ((0, 1), (1, 0)))
    assert [int(shift) for shift in _SHIFT.findall(page)] == [trajectory - step, step]


def test_entry_point_groups_are_documented_as_they_are() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in PRODUCT.rglob("*.py"))
    looked_for = set(_GROUP.findall(sources))
    page = ARCHITECTURE.read_text(encoding="utf-8")
    assert [group for group in looked_for if f"`{group}`" not in page] == []
    declared = tomllib.loads((ROOT / "bench" / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(declared["project"]["entry-points"]) <= looked_for


def test_what_contributing_names_exists() -> None:
    codes = _CODE.findall(CONTRIBUTING.read_text(encoding="utf-8"))
    recipes = _RECIPE.findall((ROOT / "justfile").read_text(encoding="utf-8"))
    assert {code.split()[1] for code in codes if code.startswith("just ")} <= set(recipes)
    paths = [code for code in codes if _PATH.fullmatch(code) and "/a/" not in code]
    assert [p for p in paths if not (ROOT / p).exists() and not (PRODUCT / p).exists()] == []


def test_the_locked_versions_are_those_that_the_project_allows() -> None:
    locked: dict[str, list[str]] = {}
    for name, version in _LOCKED.findall(LOCKED.read_text(encoding="utf-8")):
        locked.setdefault(name, []).append(version)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    wanted = [*project["project"]["dependencies"], *groups["test"], *groups["lint"]]
    wanted += [line for line in groups["dev"] if isinstance(line, str)]
    wanted += [line for name in ("minilm", "openai", "programs") for line in extras[name]]
    for line in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(line.name), [])
        assert versions, f"{line} is not locked; run: just lock"
        assert all(map(line.specifier.contains, versions)), f"{line}: {versions}; run: just lock"


def test_the_lock_file_says_nothing_of_where_it_was_written() -> None:
    text = LOCKED.read_text(encoding="utf-8")
    assert [
        word for word in ("://", "--index", "--extra-index", "--find-links") if word in text
    ] == []


@pytest.mark.skipif(sys.platform == "win32", reason="its commands are for a POSIX shell")
def test_the_tutorial_does_what_it_shows(tmp_path: Path) -> None:
    environment = {
        **os.environ,  # noqa: TID251  (handed on, not read)
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # noqa: TID251
        "STEPWELL_DB": str(tmp_path / "memory.db"),
        "HOME": str(tmp_path),
    }
    output, n_run = "", 0
    for language, block in _BLOCK.findall(TUTORIAL.read_text(encoding="utf-8")):
        if language == "bash":
            done = subprocess.run(
                ["bash", "-euc", block],
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            output, n_run = done.stdout.decode(), n_run + 1
            assert done.returncode == 0, f"{block}\n{output}"
        elif language == "text":
            shown = [line.strip() for line in block.splitlines() if line.strip(" …")]
            missing = [line for line in shown if line.rstrip("…").rstrip() not in output]
            assert missing == [], output
    assert n_run >= 5
