"""`stepwell audit sharing`: a prediction for a log, a folder or the memory; what is passed over."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from stepwell.serve.cli import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "when-overlap-helps.md"
_BLOCK = re.compile(r"^```(bash|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def shop(n_orders: int) -> list[dict[str, Any]]:
    """Return a chat that looks up each of some orders three times."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Please clear the queue."}]
    for number in range(n_orders):
        for tool in ("find", "change", "confirm"):
            uid = f"{tool}{number}"
            function = {
                "name": f"{tool}_order",
                "arguments": json.dumps({"order": f"A-{number}", "dry": "true"}),
            }
            call = {"id": uid, "type": "function", "function": function}
            messages += [
                {"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": uid, "content": f"Order A-{number} is {tool}."},
            ]
    return messages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "shop.json").write_text(json.dumps(shop(20)), encoding="utf-8")
    return logs


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["audit", "sharing", *map(str, args)])


def shown(*args: object) -> Any:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_it_predicts_for_a_folder_and_stores_nothing(folder: Path, tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    done = run(folder, "--budget", 100, "--db", db)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1].startswith("openai-chat: overlap: likely to help.")
    assert "1 trajectories" in done.stderr
    assert not db.exists()


def test_json_is_one_document_with_the_same_prediction(folder: Path) -> None:
    report = shown(folder, "--budget", 100)
    assert report["predictions"][0]["verdict"] == "likely to help"
    assert report["groups"][0]["n_steps"] == 61
    assert report["common"] == {"change_order": 1, "confirm_order": 1, "find_order": 1, "true": 1}


def test_a_generous_budget_needs_no_units(folder: Path) -> None:
    done = run(folder, "--budget", 100_000)
    assert "overlap: unlikely to help. The budget of 100000 tokens" in done.stdout


def test_broken_files_are_counted_and_the_rest_is_read(folder: Path) -> None:
    (folder / "torn.json").write_text('{"half', encoding="utf-8")
    (folder / "else.json").write_text('{"what": "nobody knows"}', encoding="utf-8")
    done = run(folder, "--budget", 100)
    assert done.exit_code == 0
    assert "from 3 files" in done.stderr
    assert "skipped" in done.stderr


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.exit_code == 1
    assert "error[not-found]" in done.stderr


def test_without_a_path_the_memory_is_looked_at(folder: Path, tmp_path: Path) -> None:
    db = ("--db", tmp_path / "memory.db", "--encoder", "none")
    assert run(*db).exit_code == 1
    added = CliRunner().invoke(app, ["add", str(folder), *map(str, db)])
    assert added.exit_code == 0
    assert shown(*db, "--budget", 100) == shown(folder, "--budget", 100)


def test_runs_of_two_owners_with_one_name_are_both_looked_at(folder: Path, tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "memory.db"), "--encoder", "none"]
    for owner in ([], ["--user", "ana"], ["--user", "ben"]):
        CliRunner().invoke(app, ["add", str(folder), *owner, *db])
    assert shown(*db)["groups"][0]["n_runs"] == 3
    assert shown(*db, "--user", "ana")["groups"][0]["n_runs"] == 1


def test_a_scope_and_a_path_contradict_each_other(folder: Path) -> None:
    done = run(folder, "--user", "ana")
    assert done.exit_code == 1
    assert "error[invalid-input]" in done.stderr


def test_questions_give_exact_cells(folder: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    good = [{"question": "?", "steps": [1 + 3 * n, 2 + 3 * n]} for n in range(19)]
    lines = [*good, {"steps": [1, 4]}, {"steps": [1]}, {"steps": [1, 999]}, "no question"]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    args = (folder, "--questions", questions, "--budget", 100, "--names", "values")
    report = shown(*args)
    assert report["is_asked"]
    assert report["n_single"] == 1
    assert len(report["skipped"]) == 2
    assert report["groups"][0]["evidence"]["cells"] == {"T+E+": 1, "T-E+": 19}
    assert report["groups"][0]["evidence"]["uncommon"]["mean"] == pytest.approx(19 / 20)
    done = run(*args)
    assert "openai-chat: 1 T+E+, 19 T-E+" in done.stdout
    assert "skipped: line 23" in done.stderr


def test_questions_of_which_none_can_be_used_are_an_error(folder: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text("{}\n" * 9, encoding="utf-8")
    done = run(folder, "--questions", questions)
    assert done.exit_code == 1
    assert "4 more lines skipped" in done.stderr
    assert "two steps that exist" in done.stderr
    missing = run(folder, "--questions", tmp_path / "nowhere.jsonl")
    assert missing.exit_code == 1
    assert "cannot be read" in missing.stderr


def test_names_in_the_log_cannot_reach_the_terminal(folder: Path) -> None:
    text = (folder / "shop.json").read_text(encoding="utf-8").replace("true", "\\u001b[31mred")
    (folder / "shop.json").write_text(text, encoding="utf-8")
    assert "\x1b" not in run(folder).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="its commands are for a POSIX shell")
def test_the_page_does_what_it_shows(tmp_path: Path) -> None:
    environment = {
        **os.environ,  # noqa: TID251  (handed on, not read)
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # noqa: TID251
        "STEPWELL_DB": str(tmp_path / "memory.db"),
    }
    output = ""
    for language, block in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "text":
            assert block.strip() in output
            continue
        done = subprocess.run(
            ["bash", "-euc", block], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        output = done.stdout.decode()
        assert done.returncode == 0, done.stderr.decode()
