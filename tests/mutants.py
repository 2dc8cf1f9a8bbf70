"""Change the product at random and see which changes its tests notice: `just mutants store recall`.

A mutant is one small change: a comparison or a sign turned round, `and` for `or`, a condition
negated, a number moved by one, a statement dropped, a result that is None. It runs in a copy of the
repository, first against the tests at the mirrored place, then against those of its room, until one
fails (killed) or all pass (survived). This is no test, because a hundred mutants take half an hour.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import math
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
PRODUCT: Final = Path("src", "stepwell")
COPIED: Final = ("src", "bench", "tests", "docs", "conftest.py", "pyproject.toml", "README.md")
ROOMS: Final = ("store", "recall", "structures/temporal")
PYTEST: Final = (
    *(sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--hypothesis-seed=0"),
    *("-p", "no:cacheprovider", "-p", "no:xdist"),
)

SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
"""What stands for an operator in its mutant; operators that are not here stay."""

DROPPED: Final = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.If)
"""Statements that a mutant may lack; without an assignment almost any test fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place that can be changed.

    Attributes:
        module: Path below the root of the repository.
        node: Number of the node in the order of `ast.walk`.
        statement: Which statement of the node's body is dropped; None if the node itself changes.
    """

    module: Path
    node: int
    statement: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A module with one change, and the lines in which it differs."""

    module: Path
    source: str
    difference: str


def main() -> None:
    """Draw mutants, run the tests against each, and print what became of it."""
    options = arguments()
    found = [site for room in options.rooms for site in sites(room)]
    rng = np.random.default_rng(options.seed)
    drawn = [found[at] for at in rng.permutation(len(found))[: options.count].tolist()]
    print(f"{len(drawn)} of {len(found):,} possible changes in {', '.join(options.rooms)}")
    with TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        Path(folder).chmod(0o755)  # as root, some tests read as somebody else
        free: SimpleQueue[Path] = SimpleQueue()
        trees = [copied(Path(folder) / str(job)) for job in range(options.jobs)]
        for tree in trees:
            free.put(tree)
        for tests in {f"tests/{Path(room).parts[0]}" for room in options.rooms}:
            if fails([tests], trees[0], timeout=math.inf):
                sys.exit(f"{tests} fails before anything is changed")
        n_killed = 0
        attempts = pool.map(partial(attempt, free=free, timeout=options.timeout), drawn)
        for mutant, is_killed in attempts:
            n_killed += is_killed
            word = "killed" if is_killed else "SURVIVED"
            print(f"{word} {mutant.module}\n{mutant.difference}", flush=True)
    print(f"{n_killed} of {len(drawn)} mutants killed")


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rooms", nargs="*", default=ROOMS, help="packages below src/stepwell")
    parser.add_argument("--count", type=int, default=40, help="mutants that are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="mutants that are tried at once")
    parser.add_argument("--timeout", type=float, default=120, help="seconds; longer is killed")
    return parser.parse_args()


def sites(room: str) -> Iterator[Site]:
    """Yield every place of a package, or of one module, that can be changed."""
    start = ROOT / PRODUCT / room
    for path in sorted(start.rglob("*.py")) if start.is_dir() else [start.with_suffix(".py")]:
        module = path.relative_to(ROOT)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        passed = {id(inner) for node in ast.walk(tree) for inner in unheeded(node)}
        for at, node in enumerate(ast.walk(tree)):
            if id(node) not in passed:
                if is_changeable(node):
                    yield Site(module=module, node=at)
                for n, statement in enumerate(body_of(node)):
                    if isinstance(statement, DROPPED) and not is_text(statement):
                        yield Site(module=module, node=at, statement=n)


def unheeded(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is below a node and changes nothing at run time, or nothing a test should see."""
    parts: list[Any] = list(getattr(node, "decorator_list", ()))
    parts += [getattr(node, name, None) for name in ("annotation", "returns")]
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        parts.append(node)
    for part in parts:
        if part is not None:
            yield from ast.walk(part)


def is_changeable(node: ast.AST) -> bool:
    """Say whether a node has a mutant of its own."""
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in SWAPS
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float)
    if isinstance(node, ast.Return):
        return not (node.value is None or isinstance(node.value, ast.Constant))
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        return type(node.op) in SWAPS
    return isinstance(node, ast.If | ast.IfExp | ast.While)


def body_of(node: ast.AST) -> list[ast.stmt]:
    """Return the statements of a node; an expression such as a lambda has none."""
    body = getattr(node, "body", None)
    return body if isinstance(body, list) else []


def is_text(statement: ast.stmt) -> bool:
    """Say whether a statement is a docstring or an ellipsis."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def mutated(site: Site) -> Mutant:
    """Return the mutant of a site."""
    source = (ROOT / site.module).read_text(encoding="utf-8")
    tree = ast.parse(source)
    before = ast.unparse(tree)
    node: Any = list(ast.walk(tree))[site.node]
    if site.statement is None:
        change(node)
    else:
        node.body[site.statement] = ast.Pass()
    after = ast.unparse(ast.fix_missing_locations(tree))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    shown = [f"    {line}" for line in lines if not line.startswith(("---", "+++", "@@"))]
    return Mutant(module=site.module, source=after, difference="\n".join(shown))


def change(node: Any) -> None:
    """Change a node in place."""
    if isinstance(node, ast.Compare):
        node.ops[0] = swapped(node.ops[0])
    elif isinstance(node, ast.Constant):
        value: Any = node.value
        node.value = not value if isinstance(value, bool) else value + 1
    elif isinstance(node, ast.Return):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        node.op = swapped(node.op)
    else:
        node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)


def swapped(operator: ast.AST) -> Any:
    """Return what stands for an operator in its mutant."""
    return SWAPS[type(operator)]()


def copied(to: Path) -> Path:
    """Copy what the tests need, and return where it is."""
    for name in COPIED:
        copy: Any = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        to.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, to / name)
    return to


def attempt(site: Site, *, free: SimpleQueue[Path], timeout: float) -> tuple[Mutant, bool]:
    """Return the mutant of a site, and whether the tests noticed it."""
    mutant = mutated(site)
    tree = free.get()
    path = tree / mutant.module
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.source, encoding="utf-8")
    try:
        return mutant, any(fails(tests, tree, timeout) for tests in tests_of(mutant.module))
    finally:
        path.write_text(original, encoding="utf-8")
        free.put(tree)


def tests_of(module: Path) -> Iterator[list[str]]:
    """Yield the tests of a module at its place with its own examples, then those of its room."""
    inner = module.relative_to(PRODUCT)
    folder = Path("tests") / inner.parent
    near = (folder / f"test_{inner.name}", folder / inner.stem, module)
    yield [str(path) for path in near if (ROOT / path).exists()]
    yield [str(Path("tests") / inner.parts[0])]


def fails(tests: list[str], tree: Path, timeout: float) -> bool:
    """Say whether a test fails; one that does not come to an end does."""
    path = os.pathsep.join(str(tree / name) for name in ("src", "bench/src", "tests"))
    environment = {**os.environ, "PYTHONPATH": path}  # noqa: TID251  (handed on, not read)
    try:
        done = subprocess.run(
            [*PYTEST, *tests],
            cwd=tree,
            env=environment,
            capture_output=True,
            timeout=None if math.isinf(timeout) else timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in {0, 5}  # 5: there was none


if __name__ == "__main__":
    main()
