from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.formats.base import Notes, Record, Source
from stepwell_bench.readers.longmemeval import LongMemEval, haystack_time

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Trajectory

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "longmemeval" / "instances.json"


def instance(**fields: Any) -> dict[str, Any]:
    first: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))[0]
    return first | fields


def source_of(value: Any) -> Source:
    record = Record(value=value, line=1, byte_offset=0, raw=json.dumps(value).encode())
    return Source(uri="longmemeval_s.json", records=(record,), is_lines=False)


def read(value: Any) -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes("longmemeval_s.json")
    bundles = LongMemEval().read(source_of(value), notes)
    return [bundle.trajectory for bundle in bundles], notes.notices


def test_a_haystack_is_one_run_whose_sessions_follow_in_time() -> None:
    (run,), notices = read([instance()])
    assert notices == []
    assert run.trajectory_id == run.session_id == "longmemeval-q-bike"
    assert [step.extra["session"] for step in run.steps] == [3, 3, 3, 2, 2, 1, 1]
    assert [step.native_ids["turn"] for step in run.steps][:4] == ["2:0", "2:1", "2:2", "1:0"]
    first, second = run.steps[:2]
    assert (first.kind, first.actor) == ("user", "user")
    assert (second.kind, second.actor) == ("agent", "agent")
    assert first.t_start == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert first.t_source == "session"


def test_nothing_that_tells_the_answer_is_kept() -> None:
    (run,), _ = read([instance(question="gold-question", answer="gold-answer")])
    kept = repr(run)
    for word in ("gold-", "has_answer", "answer_a", "answer_b", "multi-session"):
        assert word not in kept
    assert run.raw_records == ()


def test_sessions_without_a_date_come_last_and_a_broken_one_is_noted() -> None:
    dates = ["some day", "2023/05/21 (Sun) 07:30"]
    (run,), notices = read(instance(haystack_dates=dates))
    assert [step.extra["session"] for step in run.steps] == [2, 2, 1, 1, 3, 3, 3]
    assert run.steps[2].t_start is None
    assert run.steps[2].extra["date"] == "some day"
    assert "date" not in run.steps[4].extra
    assert [notice.code for notice in notices] == ["bad-date"]


def test_broken_turns_are_kept_empty_and_other_values_skipped() -> None:
    sessions = [[None, {"role": "user", "content": "Grüße, 端口 5433?"}], "no session"]
    runs, notices = read([instance(haystack_sessions=sessions, haystack_dates=[]), {"a": 1}])
    assert [step.message for step in runs[0].steps] == ["", "Grüße, 端口 5433?"]
    assert [(notice.code, notice.effect) for notice in notices] == [("not-an-instance", "skipped")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("2023/05/20", datetime(2023, 5, 20, tzinfo=UTC)),
        ("2023/13/20 (Sat) 02:21", None),
        ("20 May 2023", None),
        ("", None),
    ],
)
def test_session_dates(text: str, expected: datetime | None) -> None:
    assert haystack_time(text) == expected


@pytest.mark.parametrize("value", [[], {}, {"question_id": "q"}, {"haystack_sessions": []}, 1])
def test_other_values_are_not_claimed(value: Any) -> None:
    assert LongMemEval().sniff(source_of(value)) == 0.0
