from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import typer

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.serve.plugins import GROUP, command

if TYPE_CHECKING:
    from pathlib import Path


class Brought:
    """Installs distributions that bring commands, as a package's metadata on the search path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, package: str, *points: str, code: str = "") -> None:
        info = self.folder / f"{package}-1.0.dist-info"
        info.mkdir()
        text = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        (info / "METADATA").write_text(text, encoding="utf-8")
        lines = "\n".join((f"[{GROUP}]", *points))
        (info / "entry_points.txt").write_text(lines, encoding="utf-8")
        (self.folder / f"{package}.py").write_text(code, encoding="utf-8")


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Brought:
    monkeypatch.syspath_prepend(str(tmp_path))
    return Brought(tmp_path)


def test_a_command_that_is_not_installed_says_what_to_install() -> None:
    with pytest.raises(NotFoundError) as raised:
        command("polish", package="stepwell-polish")
    assert str(raised.value) == (
        "`stepwell polish` is not installed: it comes with the package stepwell-polish. "
        "pip install stepwell-polish, or `pip install -e bench` in a clone of Stepwell."
    )


def test_an_installed_application_is_returned(brought: Brought) -> None:
    code = "import typer\napp = typer.Typer(help='Polishes.')\n"
    brought("polish_fine", "polish = polish_fine:app", code=code)
    application = command("polish", package="polish-fine")
    assert isinstance(application, typer.Typer)
    assert application.info.help == "Polishes."


def test_a_command_of_another_name_is_not_taken(brought: Brought) -> None:
    brought("polish_other", "polisher = polish_other:app", code="app = 1")
    with pytest.raises(NotFoundError):
        command("polish", package="polish-other")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise ValueError('no varnish')", "ValueError('no varnish')"),
        ("import missing_varnish_package", "No module named 'missing_varnish_package'"),
        ("other = 1", "AttributeError"),
    ],
)
def test_a_broken_one_names_what_is_to_be_mended(brought: Brought, code: str, told: str) -> None:
    package = f"polish_broken_{len(code)}"  # a module is imported once, so each has its own
    brought(package, f"polish = {package}:app", code=code)
    with pytest.raises(InvalidInputError) as raised:
        command("polish", package=package)
    assert str(raised.value).startswith("`stepwell polish` cannot be loaded: ")
    assert told in str(raised.value)
    assert raised.value.hint == (f"Mend, reinstall or uninstall what stands behind {package}:app.")
    assert raised.value.__cause__ is not None


def test_what_is_no_application_is_refused(brought: Brought) -> None:
    brought("polish_number", "polish = polish_number:app", code="app = 3")
    with pytest.raises(InvalidInputError, match="is no command") as raised:
        command("polish", package="polish-number")
    assert raised.value.hint == "polish_number:app must be a typer.Typer."


def test_two_of_one_name_are_refused_by_name(brought: Brought) -> None:
    brought("polish_b", "polish = polish_b:app", code="app = 1")
    brought("polish_a", "polish = polish_a:app", code="app = 1")
    with pytest.raises(InvalidInputError) as raised:
        command("polish", package="polish-a")
    assert raised.value.hint == "Uninstall all but one of polish_a:app, polish_b:app."


_WITHOUT_PACKAGES = """
import importlib.metadata
importlib.metadata.entry_points = lambda **_: importlib.metadata.EntryPoints(())
from stepwell.serve.cli import main
main()
"""


def test_bench_without_the_laboratory_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_PACKAGES, "bench", "speed"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error[not-found]: `stepwell bench` is not installed")
    assert "pip install stepwell-bench" in " ".join(done.stderr.split())
