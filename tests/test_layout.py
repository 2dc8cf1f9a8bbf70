"""Each module of the product has its tests where its name says.

`src/stepwell/a/b.py` is tested by `tests/a/test_b.py`, or by the files of `tests/a/b/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PRODUCT = TESTS.parent / "src" / "stepwell"
TABLES = PRODUCT / "structures" / "temporal" / "grammar" / "words"
"""Modules of words alone, which the tests of what reads them cover."""
MODULES = sorted(
    path.relative_to(PRODUCT)
    for path in PRODUCT.rglob("*.py")
    if not path.stem.startswith("__") and TABLES not in path.parents
)


def places(module: Path) -> tuple[Path, Path]:
    """Return where the tests of a module may be: a file, or a folder."""
    folder = TESTS / module.parent
    return folder / f"test_{module.name}", folder / module.stem


def is_tested(module: Path) -> bool:
    file, folder = places(module)
    return file.is_file() or any(folder.glob("test_*.py"))


@pytest.mark.parametrize("module", MODULES, ids=Path.as_posix)
def test_a_module_has_its_tests_at_its_place(module: Path) -> None:
    assert is_tested(module), f"write {places(module)[0].relative_to(TESTS.parent)}"


def test_tests_have_no_packages() -> None:
    """Test files of one name in two folders need none: pytest imports them by their paths."""
    assert list(TESTS.rglob("__init__.py")) == []
