"""What a reader took and could not say is counted, once a kind, at the first of its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepwell.formats.base import Notes
from stepwell.formats.unread import note_unread
from stepwell.trajectory.model import Notice, Part, Step
from support.trajectories import said, trajectory, turn


def noted(*steps: Step, at: str = "line") -> list[Notice]:
    """Return what is noted of steps, each of which is read from the record of its place."""
    placed = [
        replace(step, index=index, uid=f"u{index}", raw_refs=(index,))
        for index, step in enumerate(steps)
    ]
    run = trajectory(placed)
    if at != "line":
        records = [replace(one, position=f"{at}/{n}") for n, one in enumerate(run.raw_records)]
        run = replace(run, raw_records=tuple(records))
    notes = Notes(uri="log.jsonl")
    note_unread(run, notes)
    return notes.notices


def unknown(kind: str) -> Part:
    return Part(kind="other", text=f"[{kind}]", data={"type": kind})


SILENT = said(0, "")


def test_a_run_in_which_all_is_read_has_no_notice() -> None:
    steps = [
        said(0, "hi"),
        turn(1, "ls", "x"),
        replace(SILENT, thought_redacted=True),
        replace(said(0, "[png]"), parts=(Part(kind="media", text="[png]"),)),
    ]
    assert noted(*steps) == []
    assert noted() == []


def test_steps_that_hold_nothing_are_counted_where_the_first_is() -> None:
    odd = replace(SILENT, extra={"weight": 1, "audio": 2})
    (notice,) = noted(said(0, "hi"), odd, SILENT)
    assert (notice.position, notice.code, notice.effect) == (
        "log.jsonl:2",
        "empty-message",
        "warning",
    )
    assert notice.message == "2 messages hold nothing that is read (other fields: audio, weight)."
    (notice,) = noted(SILENT)
    assert notice.message.endswith("(other fields: none).")


def test_parts_of_types_not_known_are_counted_with_their_names() -> None:
    (notice,) = noted(
        said(0, "hi"),
        replace(said(0, "[new]"), parts=(unknown("new"), unknown("hologram"))),
        replace(said(0, "[new]"), parts=(unknown("new"),)),
    )
    assert (notice.position, notice.code) == ("log.jsonl:2", "unknown-block")
    assert notice.message == (
        "3 content blocks of types not known were kept as they are: 'hologram', 'new'."
    )


def test_a_block_that_is_known_to_hold_nothing_to_read_is_no_surprise() -> None:
    step = replace(said(0, "[container_upload]"), parts=(unknown("container_upload"),))
    assert noted(step) == []


@pytest.mark.parametrize("data", [None, {}])
def test_a_part_that_does_not_say_what_it_is_is_counted(data: dict[str, object] | None) -> None:
    (notice,) = noted(replace(said(0, "x"), parts=(Part(kind="other", data=data),)))
    assert notice.message.endswith(": 'None'.")


def test_both_are_told_and_a_record_in_a_document_is_named_by_its_pointer() -> None:
    notices = noted(
        said(0, "hi"), SILENT, replace(said(0, "x"), parts=(unknown("new"),)), at="/messages"
    )
    assert [(one.position, one.code) for one in notices] == [
        ("log.jsonl#/messages/1", "empty-message"),
        ("log.jsonl#/messages/2", "unknown-block"),
    ]


def test_a_step_without_a_record_is_named_by_the_first_line() -> None:
    notes = Notes(uri="log.jsonl")
    note_unread(replace(trajectory([SILENT]), raw_records=()), notes)
    assert [one.position for one in notes.notices] == ["log.jsonl:1"]
