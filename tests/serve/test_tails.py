"""`stepwell audit tails`: of a memory, of a file of counts, in words, JSON and a picture."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from stepwell.memory.memory import Memory
from stepwell.serve.cli import app
from stepwell.stats.tails.powerlaw import draw_power_law

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        for number in range(40):
            thing = ("door", "lamp")[number % 2]
            memory.add({"action": f"open {thing}", "observation": f"{thing} {number} is on"})
        for number in range(24):
            one = memory.recall(f"is {('door', 'lamp')[number % 2]} {number % 6} on?", 220)
            memory.feedback(one.id, 0.0 if number % 2 else 1.0)
    return path


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    data = draw_power_law(800, alpha=2.2, rng=np.random.default_rng(2))
    path = tmp_path / "counts.txt"
    path.write_text("\n".join(f"{x:.0f}" for x in np.repeat(data.values, data.sizes)))
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["audit", "tails", "--draws", "30", *map(str, args)])


def shown(*args: object) -> Any:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_it_says_what_the_memory_uses_and_what_to_do(db: Path) -> None:
    done = run("--db", db)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("24 recalls, 24 of them rewarded; steps quoted: ")
    for word in ("Gini", "Cold: ", "Hot: ", "live/s"):
        assert word in done.stdout


def test_the_json_holds_all_that_the_text_says(db: Path) -> None:
    report = shown("--db", db, "--item", "step", "--accesses", "considered", "--last", 20)
    assert report["options"] == {
        "item": "step",
        "counted": "considered",
        "last": 20,
        "n_draws": 30,
        "seed": 0,
    }
    assert report["n_recalls"] == 20
    assert report["tails"]["verdict"]
    assert {"gini", "top_share", "sigma_top", "max_over_median"} <= set(
        report["tails"]["concentration"]
    )
    assert {"cold", "hot", "unused"} <= set(report)


def test_names_are_counted_as_well(db: Path) -> None:
    with Memory(db, encoder=None) as memory:
        memory.add({"action": "open door 3 with key 9", "observation": "the key turned"})
        memory.recall("which key turned?", 220)
    done = run("--db", db, "--item", "entity")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("25 recalls, 24 of them rewarded; entities quoted: 2 of 2.")


def test_a_scope_narrows_it(db: Path) -> None:
    done = run("--db", db, "--session", "elsewhere")
    assert done.exit_code == 1
    assert "No recalls over what is in this scope are logged; an audit needs 20" in done.stderr


def test_a_file_of_counts_needs_no_memory(counts: Path, tmp_path: Path) -> None:
    picture = tmp_path / "tails.png"
    done = run("--counts", counts, "--plot", picture)
    assert done.exit_code == 0, done.stderr
    assert "goodness of fit" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    report = shown("--counts", counts)
    assert report["fit"]["power_law"]["alpha"] == pytest.approx(2.2, abs=0.2)
    assert report["fit"]["n_draws"] == 30
    assert len(report["ccdf"]) > 5
    assert shown("--counts", counts) == report


def test_without_matplotlib_it_says_how_to_install_it(
    counts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepwell.serve.tails.can_draw", lambda: False)
    done = run("--counts", counts, "--plot", tmp_path / "tails.png")
    assert done.exit_code == 0
    assert "pip install 'stepwell[plots]'" in done.stderr


@pytest.mark.parametrize(
    "args",
    [["--counts", "no-such-file"], ["--counts", "EMPTY"], ["--counts", "COUNTS", "--user", "ana"],
     ["--counts", "COUNTS", "--plot", "no/such/folder/x.png"]],
)  # fmt: skip
def test_what_cannot_be_done_is_a_clear_error(
    args: list[str], counts: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    known = {"COUNTS": str(counts), "EMPTY": str(tmp_path / "empty")}
    done = run(*(known.get(arg, arg) for arg in args))
    assert done.exit_code == 1
    assert done.stderr.startswith("error[")


def test_a_file_in_which_nothing_was_accessed_has_no_plot(tmp_path: Path) -> None:
    path = tmp_path / "zeros.json"
    path.write_text("[0, 0, 0]")
    done = run("--counts", path, "--plot", tmp_path / "x.png")
    assert done.exit_code == 0
    assert "nothing was accessed" in done.stderr
    assert done.stdout.startswith("too few items to tell")


def test_words_come_before_figures(db: Path) -> None:
    said = run("--db", db).stdout
    assert said.index("A tenth of them took ") < said.index("Cold: ") < said.index("Gini")


def test_what_was_not_asked_about_is_not_to_be_forgotten(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The door is open.")
        for number in range(30):
            memory.add(f"Zebra {number} eats grass.", trajectory="zoo")
        for number in range(20):
            memory.recall(f"is door {number} open?", 220)
    said = run("--db", path).stdout
    assert said.index("Not asked about yet: ") < said.index("The figures behind this.")
    assert "stepwell forget" not in said
    assert "say so with `stepwell feedback`" in said
    assert "There is nothing to do" not in said
