"""`stepwell learn`: from a data set and from feedback; what is not better is not installed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from stepwell.memory.memory import Memory
from stepwell.policy.exploring import Exploring
from stepwell.policy.kinds import Fixed
from stepwell.policy.registry import find
from stepwell.serve.cli import app
from stepwell.trajectory.questions import Question, write_questions
from support.documents import undocumented, unwritten
from support.walks import add_walk

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "learn.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["learn", *map(str, args)])


def test_the_page_does_what_it_shows() -> None:
    shared: dict[str, Any] = {}
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), shared)  # noqa: S102  (our own page)
    assert len(blocks) == 2


def test_questions_about_other_memories_are_refused_with_a_reason(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", encoder=None) as memory:
        memory.add({"role": "user", "content": "Set retries to 3."}, trajectory="here")
    file = tmp_path / "questions.jsonl"
    file.write_bytes(write_questions([Question(text="?", steps=(0,), trajectory="elsewhere")]))
    result = run("--db", tmp_path / "memory.db", "--encoder", "none", "--questions", file)
    assert result.exit_code == 1
    assert "elsewhere is not in this memory" in result.stderr


def test_what_is_better_is_installed_once(tmp_path: Path) -> None:
    policies, db, file = tmp_path / "policies", tmp_path / "memory.db", tmp_path / "q.jsonl"
    questions: list[Question] = []
    with Memory(db, encoder=None) as memory:
        for number in range(12):
            questions += add_walk(memory, number)
    file.write_bytes(write_questions(questions))
    args = (
        *("--db", db, "--questions", file, "--encoder", "none", "--iterations", 2, "--json"),
        *("--name", "mine", "--state", tmp_path / "state", "--policies", policies),
    )
    first = run(*args)
    assert first.exit_code == 0, first.output
    found = json.loads(first.stdout)
    assert undocumented(found, "learn") == unwritten(found, "learn") == set()
    assert found["beats"]
    assert found["test"]["n_episodes"] == 6
    installed = find("mine", [policies])
    assert installed.origin["data"] == "q.jsonl"
    assert installed.origin["parent"] == f"default.v{find('default').version}"
    # The same search, from what is kept, finds the same policy, which is not better than itself.
    again = run(*args)
    assert again.exit_code == 1
    assert json.loads(again.stdout)["curve"] == found["curve"]
    assert "not shown to be better" in json.loads(again.stderr)["error"]["message"]
    assert [file.name for file in policies.iterdir()] == ["mine.v1.toml"]


def test_too_little_feedback_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    policy = Exploring(policy=Fixed(structures=("episodic",)), share=0.5)
    for number in range(8):
        with Memory(path, encoder=None, policy=policy) as memory:
            text = f"Set retries to {number}."
            memory.add({"role": "user", "content": text}, trajectory=f"run{number}")
        with Memory(path, encoder=None, policy=policy, scope={"trajectory": f"run{number}"}) as one:
            evidence = one.recall("What is the value of retries?", 400, policy=["episodic"])
            one.feedback(evidence.id, 1.0)
    result = run("--db", path, "--encoder", "none", "--feedback", "--state", tmp_path / "state")
    assert result.exit_code == 1
    assert "rewarded recalls read what this policy would read" in result.stderr


def test_a_memory_without_feedback_is_told(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", encoder=None) as memory:
        memory.add({"role": "user", "content": "Set retries to 3."})
    result = run("--db", tmp_path / "memory.db", "--encoder", "none", "--feedback")
    assert result.exit_code == 1
    assert "No recall has been rewarded" in result.stderr
