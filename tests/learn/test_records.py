from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import StoreError
from stepwell.learn.reader import AnswerRecord
from stepwell.learn.records import write_records

if TYPE_CHECKING:
    from pathlib import Path


def record(answer: str, reward: float | None = 1.0) -> AnswerRecord:
    return AnswerRecord(
        question="Wo?",
        gold="Tür",
        kind="where",
        domain="",
        evidence="[s1] Tür\nzwei",
        evidence_tokens=5,
        model="m",
        raw=f"Answer[1]: {answer}",
        answer=answer,
        finish_reason="stop",
        grader="f1",
        verdict="",
        reward=reward,
    )


def test_each_record_is_a_line_of_json_with_all_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "made" / "answers.jsonl"
    records = [record("Tür"), record("\ud83d half", None), record("a\nb")]
    write_records(records, path)
    lines = path.read_bytes().decode("ascii").splitlines()
    assert [json.loads(line) for line in lines] == [asdict(one) for one in records]


def test_records_are_added_to_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    write_records([record("one")], path)
    write_records([], path)
    write_records([record("two")], path)
    lines = path.read_text(encoding="ascii").splitlines()
    assert [json.loads(line)["answer"] for line in lines] == ["one", "two"]


def test_a_path_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written to") as raised:
        write_records([record("one")], tmp_path)
    assert raised.value.hint == "Give another file."
