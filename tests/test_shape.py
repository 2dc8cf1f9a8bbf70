"""The shape of the code base: small modules, small functions, documented names, no local paths."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import stepwell

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (ROOT / "src" / "stepwell", ROOT / "bench" / "src" / "stepwell_bench")
MODULES = sorted(path for source in SOURCES for path in source.rglob("*.py"))
MAX_MODULE_LINES = 450
MAX_FUNCTION_LINES = 60
MAX_NAMES = 15

modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def exported(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return None


def code_lines(function: ast.FunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return 0 if not body else (function.end_lineno or 0) - body[0].lineno + 1


@modules
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < MAX_MODULE_LINES


@modules
def test_functions_are_short(path: Path) -> None:
    long = [f.name for f in functions(tree_of(path)) if code_lines(f) >= MAX_FUNCTION_LINES]
    assert long == []


@modules
def test_public_names_are_documented(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree), "the module says nothing about itself"
    kinds = (ast.FunctionDef, ast.ClassDef)
    public = [n for n in tree.body if isinstance(n, kinds) and not n.name.startswith("_")]
    silent = [node.name for node in public if ast.get_docstring(node) is None]
    assert silent == []


@modules
def test_exports_are_sorted_and_few(path: Path) -> None:
    names = exported(tree_of(path))
    if names is None:
        assert path.name in {"__init__.py", "__main__.py"}
        return
    assert names == sorted(names, key=lambda name: (not name.isupper(), name))
    assert len(names) <= MAX_NAMES


def test_the_public_interface_is_pinned() -> None:
    assert stepwell.__all__ == [
        "Allocation",
        "Evidence",
        "Item",
        "Memory",
        "Scope",
        "Step",
        "StepwellError",
        "Trajectory",
        "__version__",
    ]


@pytest.mark.parametrize("name", stepwell.__all__)
def test_public_names_resolve_and_are_documented(name: str) -> None:
    value = getattr(stepwell, name)
    assert value == getattr(importlib.import_module("stepwell"), name)
    assert isinstance(value, str) or value.__doc__


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, stepwell; "
        "print(sorted({'numpy', 'apsw', 'onnxruntime', 'rich', 'typer'} & set(sys.modules)))"
    )
    assert run_python(code) == "[]"


def test_the_command_line_loads_nothing_heavy() -> None:
    code = (
        "import sys, stepwell.serve.cli; "
        "print(sorted({'numpy', 'apsw', 'onnxruntime'} & set(sys.modules)))"
    )
    assert run_python(code) == "[]"


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("this is no git checkout")
    roots = [f"/{name}/" for name in ("work", "root")]
    found = [
        name
        for name in listed.stdout.splitlines()
        if (ROOT / name).is_file()
        and any(
            root in (ROOT / name).read_text(encoding="utf-8", errors="replace") for root in roots
        )
    ]
    assert found == []
