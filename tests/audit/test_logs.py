"""Audits of files and of memories, which find the same in the same runs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.audit.logs import (
    ANNOTATIONS,
    check_questions,
    check_runs,
    sharing_in_memory,
    sharing_in_path,
)
from stepwell.audit.model import SharingOptions
from stepwell.errors import InvalidInputError, NotFoundError, UnknownFormatError
from stepwell.memory.memory import Memory
from stepwell.trajectory.questions import Questions, read_questions

if TYPE_CHECKING:
    from pathlib import Path


def chat(n: int, about: str = "the orders") -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Look at {about}."}]
    for at in range(n):
        function = {"name": "find", "arguments": json.dumps({"order": f"A-{at // 3}"})}
        call = {"id": f"c{at}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{at}", "content": f"A-{at // 3} is open"},
        ]
    return messages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name, n in (("a", 12), ("b", 15)):
        text = json.dumps(chat(n, f"the orders of {name}"))
        (logs / f"{name}.json").write_text(text, encoding="utf-8")
    return logs


def test_files_and_the_memory_that_read_them_have_the_same_report(folder: Path) -> None:
    read: list[str] = []
    from_files, files = sharing_in_path(folder, seed=3, progress=read.append)
    memory = Memory(None, encoder=None)
    memory.ingest(folder)
    loaded: list[str] = []
    from_memory = sharing_in_memory(memory, seed=3, progress=loaded.append)
    assert from_memory == from_files
    assert from_files.groups[0].n_runs == 2
    assert [file.uri for file in files.files] == read
    assert [name.rpartition("/")[2] for name in read] == ["a.json", "b.json"]
    assert loaded == [entry.trajectory_id for entry in memory.sessions()]


def test_a_seed_repeats_an_audit_and_another_draws_anew(folder: Path) -> None:
    reports = [sharing_in_path(folder, seed=seed)[0] for seed in (1, 1, 2)]
    assert reports[0] == reports[1] != reports[2]


def test_only_what_is_in_scope_is_audited(folder: Path) -> None:
    memory = Memory(None, encoder=None)
    memory.ingest(folder)
    first = memory.sessions()[0]
    bound = Memory(None, encoder=None, scope={"trajectory": first.trajectory_id})
    bound.ingest(folder / "a.json")
    assert sharing_in_memory(bound, seed=0).groups[0].n_runs == 1


def test_options_and_questions_are_passed_on(folder: Path) -> None:
    questions = read_questions(b'{"question": "?", "steps": [1, 3]}\n')
    plain = SharingOptions(annotate=ANNOTATIONS["values"])
    report, _ = sharing_in_path(folder / "a.json", seed=0, options=plain, questions=questions)
    assert report.is_asked
    shares = report.groups[0].evidence
    assert shares is not None
    assert shares.n_sets == 1


def test_written_names_bind_more_than_values_and_observed_ones_more_still() -> None:
    values, written, observed = (ANNOTATIONS[name] for name in ("values", "written", "observed"))
    assert not values.written
    assert written.written
    assert not written.observed
    assert observed.written
    assert observed.observed


@pytest.mark.parametrize(
    ("name", "error"), [("none.json", NotFoundError), ("odd.txt", UnknownFormatError)]
)
def test_a_file_that_cannot_be_read_is_an_error(
    name: str, error: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "odd.txt").write_text("nothing of the kind", encoding="utf-8")
    with pytest.raises(error):
        sharing_in_path(tmp_path / name, seed=0)


def test_an_empty_memory_has_no_run_to_look_at(folder: Path) -> None:
    empty = sharing_in_memory(Memory(None, encoder=None), seed=0)
    with pytest.raises(NotFoundError, match=r"^There is no run to look at\. Add logs\.$"):
        check_runs(empty, hint="Add logs.")
    check_runs(sharing_in_path(folder, seed=0)[0], hint="unused")


def test_questions_none_of_which_can_be_used_are_an_error(folder: Path) -> None:
    unusable = read_questions(b'{"question": "?", "steps": [1, 99999], "trajectory": "a"}\n')
    for questions in (unusable, Questions()):
        report, _ = sharing_in_path(folder, seed=0, questions=questions)
        with pytest.raises(InvalidInputError, match=r"^No question can be used"):
            check_questions(report)
    estimate, _ = sharing_in_path(folder, seed=0)
    check_questions(estimate)
    check_questions(replace(estimate, groups=()))
