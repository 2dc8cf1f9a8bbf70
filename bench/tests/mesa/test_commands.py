"""Every command on a small data set: it writes a result, prints it, and draws."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from typer.testing import CliRunner

from samples.small import ama_episode, ama_folder, locomo_folder
from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from stepwell.policy.describe import lines_of
from stepwell.policy.files import load
from stepwell_bench.commands import app
from stepwell_bench.mesa.paper import NOTE
from support.chat_server import serving

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def run(tmp_path: Path, name: str, *options: str) -> str:
    where = ["--data", str(tmp_path / "data"), "--state", str(tmp_path / "state")]
    out = ["--out", str(tmp_path / "out"), "--no-vectors", "--workers", "1"]
    done = CliRunner().invoke(app, ["mesa", name, *where, *out, *options])
    assert done.exit_code == 0, (done.output, done.exception)
    return " ".join(done.stdout.split())


def six_episodes(folder: Path) -> None:
    folder.mkdir()
    for number in range(6):
        path = folder / f"run-{number}.json"
        path.write_text(json.dumps(ama_episode(number)), encoding="utf-8")


def read(folder: Path, pattern: str) -> tuple[Path, dict[str, Any]]:
    (path,) = folder.glob(pattern)
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return path, report


def test_a_sweep_reads_every_subset_and_says_what_it_found(tmp_path: Path) -> None:
    ama_folder(tmp_path / "data")
    said = run(tmp_path, "sweep", "--budget", "300", "--budget", "600", "--rows")
    path, report = read(tmp_path / "out", "mesa-sweep-ama-bench-*[!s].json")
    assert report["structures"] == ["summary", "temporal", "graph", "episodic"]
    assert report["notices"] == ["vector is not available here; subsets with it are left out."]
    found = [one["findings"] for one in report["found"]]
    assert {(one["budget"], one["mode"], one["reward"]) for one in found} == {
        (budget, mode, reward)
        for budget in (300, 600)
        for mode in ("as-asked", "stripped")
        for reward in ("evidence", "literal")
    }
    assert all(len(one["subsets"]) == 2**4 - 1 for one in found)
    assert all(one["tokens"] <= row["budget"] for row in found for one in row["frontier"])
    assert report["violations"] == {}
    assert "no payload was over its budget" in said
    assert "Intermediate subsets are usually best: not tested" in said
    assert NOTE in said
    assert "63.7 │ 18,700" in said
    rows = path.with_suffix(".rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == report["n_readings"]
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_question_without_step_numbers_counts_in_both_ways_of_asking(tmp_path: Path) -> None:
    locomo_folder(tmp_path / "data")
    options = ("--dataset", "locomo", "--budget", "300", "--structures", "six")
    run(tmp_path, "sweep", *options, "--reward", "evidence", "--mode", "stripped")
    _, report = read(tmp_path / "out", "mesa-sweep-locomo-*.json")
    (one,) = report["found"]
    assert (one["findings"]["mode"], one["findings"]["n"]) == ("stripped", 2)
    assert "units" in report["structures"]


def test_learning_compares_with_every_control_and_keeps_each_policy(tmp_path: Path) -> None:
    six_episodes(tmp_path / "data")
    seeds = ("--seed", "4", "--seed", "5")
    said = run(tmp_path, "learn", "--budget", "300", "--iterations", "1", "--no-domain", *seeds)
    path, report = read(tmp_path / "out", "mesa-learn-ama-bench-*.json")
    (found,) = report["found"]
    policies = [one["policy"] for one in found["standings"]]
    assert policies[0] == "learned"
    controls = {"all", "plain", "route-to-one", "best fixed", "domain table", "random subset"}
    assert controls | {"domain and kind table", "routed by kind", "zero-shot rules"} == {
        *policies[1:]
    }
    assert [(one["a"], one["b"]) for one in found["differences"]] == [
        ("learned", name) for name in policies[1:]
    ]
    assert all(len(one["rewards"]) == 2 for one in found["standings"])
    assert report["structures"] == ["summary", "temporal", "graph", "units", "episodic"]
    assert report["violations"] == {}
    for seed, one in zip((4, 5), found["searches"], strict=True):
        assert (one["seed"], len(one["curve"])) == (seed, 2)
        assert min(one["n_train"], one["n_validation"], one["n_test"]) > 0
        policy = load(path.with_name(f"{path.stem}-learned-evidence-300-seed-{seed}.toml"))
        assert policy.origin["seed"] == seed
        assert list(lines_of(policy.policy)) == one["rules"]
        assert not any("domain" in rule for rule in one["rules"])
    assert "The paper's order: learned > domain table > all > route-to-one." in said
    assert "not seen by policies: domain" in said
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_ablations_are_compared_with_the_full_search(tmp_path: Path) -> None:
    six_episodes(tmp_path / "data")
    options = ("--budget", "300", "--iterations", "1", "--seed", "1", "--structures", "five")
    run(tmp_path, "ablation", *options, "--reward", "literal")
    _, report = read(tmp_path / "out", "mesa-ablation-ama-bench-*.json")
    (found,) = report["found"]
    assert [(one["a"], one["b"]) for one in found["differences"]] == [
        ("no UCB", "full search"),
        ("no prior", "full search"),
        ("no repair", "full search"),
    ]
    tried = {one["name"]: one["n_evaluated"] for one in found["searches"]}
    assert tried["no repair"] <= 3
    assert found["reward"] == "literal"


def test_a_model_can_propose_and_never_sees_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    six_episodes(tmp_path / "data")
    chosen = 'kind = "fixed"\nstructures = ["temporal"]\n'
    with serving() as server:
        server.answer = lambda _body: f"```toml\n{chosen}```"
        monkeypatch.setenv("STEPWELL_MODEL", f"openai:small@{server.url}")
        options = ("--budget", "300", "--iterations", "1", "--seed", "1")
        run(tmp_path, "learn", *options, "--proposer", "model")
        asked = json.dumps(server.requests)
    _, report = read(tmp_path / "out", "mesa-learn-ama-bench-*.json")
    assert report["proposer"] == "model"
    assert report["found"][0]["searches"][0]["n_evaluated"] == 2  # the start, and what it chose
    assert "What lies on the floor" in asked
    assert "The attic, the garden and the library" not in asked


def test_without_a_model_none_can_propose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STEPWELL_MODEL", raising=False)
    options = ["--data", str(tmp_path), "--out", str(tmp_path), "--proposer", "model"]
    done = CliRunner().invoke(app, ["mesa", "learn", *options])
    assert isinstance(done.exception, ModelUnavailableError)


def test_too_few_episodes_to_split_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    ama_folder(tmp_path / "data")
    where = ["--data", str(tmp_path / "data"), "--state", str(tmp_path / "state")]
    options = [*where, "--out", str(tmp_path / "out"), "--no-vectors"]
    done = CliRunner().invoke(app, ["mesa", "learn", *options])
    assert isinstance(done.exception, InvalidInputError)
    assert "too few to split" in str(done.exception)


def test_temporal_says_the_share_of_exact_answers(tmp_path: Path) -> None:
    options = ["--questions", "1", "--seed", "3", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["mesa", "temporal", *options])
    assert done.exit_code == 0, done.output
    _, report = read(tmp_path, "mesa-temporal-*.json")
    assert report["seed"] == 3
    found = report["found"]
    asked = [found[group]["recall"]["n_values"] for group in ("overall", "first_contact")]
    assert all(asked)
    assert sum(asked) == len(found["rows"])
    assert "asked: count" in done.stdout


def test_cost_measures_structures_and_policies(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["mesa", "cost", "--steps", "40", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    _, report = read(tmp_path, "mesa-cost-*.json")
    measured = {(one["what"], one["text"]) for one in report["timings"]}
    names = ("summary", "temporal", "graph", "units", "episodic", "all")
    whats = {*(f"build {name}" for name in names), "append a step", "rules", "program"}
    assert measured == {
        (what, text)
        for what in whats | {"recall with all structures"}
        for text in ("logs", "worlds")
    }
    assert all(one["best"] <= one["median"] for one in report["timings"])
    assert all(one["bar"] is None for one in report["timings"])  # they are for 300 steps


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    out = ["--data", str(tmp_path / "none"), "--out", str(tmp_path), "--state", str(tmp_path)]
    done = CliRunner().invoke(app, ["mesa", "sweep", *out, "--no-vectors"])
    assert isinstance(done.exception, NotFoundError)


def test_the_commands_load_nothing_heavy_before_one_runs() -> None:
    code = (
        "import sys, stepwell_bench.mesa.commands; "
        "print(sorted({'numpy', 'apsw', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
