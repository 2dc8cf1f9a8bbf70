from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.formats.base import Notes, Record, Source
from stepwell_bench.readers.locomo import LoCoMo, session_time

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.trajectory.model import Notice, Trajectory


def source_of(value: Any, *, uri: str = "talks.json") -> Source:
    raw = json.dumps(value).encode()
    record = Record(value=value, line=1, byte_offset=0, raw=raw)
    return Source(uri=uri, records=(record,), is_lines=False)


def sample(**fields: Any) -> Any:
    return {
        "sample_id": "conv-1",
        "qa": [{"question": "Which pet?", "answer": "gold-answer", "evidence": ["D2:1"]}],
        "event_summary": {"events_session_1": {"Ana": ["gold-event"]}},
        "observation": {"session_1_observation": {"Ana": [["gold-observation", "D1:1"]]}},
        "session_summary": {"session_1_summary": "gold-summary"},
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Bo",
            "session_10_date_time": "9:05 am on 2 July, 2023",
            "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "Back again."}],
            "session_2_date_time": "12:30 am on 3 June, 2023",
            "session_2": [
                {
                    "speaker": "Bo",
                    "dia_id": "D2:1",
                    "text": "My new puppy!",
                    "img_url": ["https://example.test/p.jpg"],
                    "blip_caption": "a photo of a puppy",
                    "query": "puppy",
                },
                {"speaker": "Ana", "dia_id": "D2:2", "text": "So sweet."},
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "Hello Bo."}],
            "session_11_date_time": "9:05 am on 9 July, 2023",
        },
    } | fields


def read(source: Any) -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes(source.uri)
    return [bundle.trajectory for bundle in LoCoMo().read(source, notes)], notes.notices


def test_turns_of_all_sessions_follow_in_session_order() -> None:
    (talk,), notices = read(source_of(sample()))
    assert notices == []
    assert talk.trajectory_id == "locomo-conv-1"
    assert talk.extra == {"speaker_a": "Ana", "speaker_b": "Bo"}
    assert [step.native_ids["dia_id"] for step in talk.steps] == ["D1:1", "D2:1", "D2:2", "D10:1"]
    assert [step.index for step in talk.steps] == [0, 1, 2, 3]
    first = talk.steps[0]
    assert (first.kind, first.actor, first.message) == ("user", "Ana", "Hello Bo.")
    assert first.t_start == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert first.t_source == "session"
    assert first.extra == {"session": 1, "date": "1:56 pm on 8 May, 2023"}
    assert first.subgoal is None


def test_an_image_is_a_second_line_and_a_media_part() -> None:
    (talk,), _ = read(source_of(sample()))
    step = talk.steps[1]
    assert step.message == "My new puppy!\n[image: a photo of a puppy]"
    text, image = step.parts
    assert (text.kind, text.text) == ("text", "My new puppy!")
    assert image.media is not None
    assert image.media.uri == "https://example.test/p.jpg"
    assert step.extra["query"] == "puppy"


def test_gold_and_derived_fields_are_kept_nowhere() -> None:
    talks, _ = read(source_of([sample()]))
    assert "gold-" not in repr(talks)


def test_each_step_points_at_its_own_bytes() -> None:
    (talk,), _ = read(source_of([sample()]))
    record = talk.raw_records[talk.steps[3].raw_refs[0]]
    assert record.position == "/0/conversation/session_10/0"
    assert json.loads(record.raw)["dia_id"] == "D10:1"


def test_a_list_gives_one_trajectory_per_sample_and_other_values_are_skipped() -> None:
    talks, notices = read(source_of([sample(), {"conversation": 3}, sample(sample_id="conv-2")]))
    assert [talk.trajectory_id for talk in talks] == ["locomo-conv-1", "locomo-conv-2"]
    assert [(note.position, note.effect) for note in notices] == [("talks.json#/1", "skipped")]


def test_an_unreadable_date_is_noted_and_leaves_the_time_open() -> None:
    value = sample()
    value["conversation"]["session_1_date_time"] = "some day in May"
    value["conversation"]["session_2"][0] = None
    (talk,), notices = read(source_of(value))
    assert talk.steps[0].t_start is None
    assert talk.steps[0].t_source is None
    assert talk.steps[0].extra["date"] == "some day in May"
    assert [note.code for note in notices] == ["bad-date"]
    assert len(talk.steps) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:01 AM on 1 January, 2024", datetime(2024, 1, 1, 0, 1, tzinfo=UTC)),
        ("12:01 pm on 1 Dec 2024", datetime(2024, 12, 1, 12, 1, tzinfo=UTC)),
        ("1:00 pm on 31 June, 2023", None),
        ("1:00 pm on 3 Juvember, 2023", None),
        ("", None),
    ],
)
def test_session_dates(text: Any, expected: Any) -> None:
    assert session_time(text) == expected


@pytest.mark.parametrize("value", [[], {}, {"conversation": []}, {"conversation": {"a": []}}, 1])
def test_other_values_are_not_claimed(value: Any) -> None:
    assert LoCoMo().sniff(source_of(value)) == 0.0


def test_the_real_talks_keep_every_turn(shared_dir: Path) -> None:
    path = shared_dir / "data" / "locomo-dev" / "locomo5.json"
    value = json.loads(path.read_bytes())
    source = source_of(value)
    assert LoCoMo().sniff(source) > 0.9
    talks, notices = read(source)
    assert notices == []
    for talk, whole in zip(talks, value, strict=True):
        turns = [
            turn for part in whole["conversation"].values() for turn in part if type(turn) is dict
        ]
        assert len(talk.steps) == len(talk.raw_records) == len(turns)
        assert all(step.t_start is not None for step in talk.steps)
        gold = {evidence for qa in whole["qa"] for evidence in qa["evidence"]}
        known = {step.native_ids["dia_id"] for step in talk.steps}
        assert len(gold & known) > 0.9 * len(gold)
