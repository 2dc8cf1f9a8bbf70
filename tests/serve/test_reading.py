"""What commands that read print."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError
from stepwell.memory.looking import Stats
from stepwell.memory.memory import Memory
from stepwell.recall.evidence import Evidence, Noted
from stepwell.serve.reading import (
    moment,
    print_evidence,
    print_expanded,
    print_sessions,
    print_shown,
    print_stats,
    print_timeline,
    write_export,
    write_media,
)
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG = "x" * 1_200


@pytest.fixture
def printed(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[[], tuple[str, str]]:
    def take() -> tuple[str, str]:
        out, err = capsysbinary.readouterr()
        return out.decode(), err.decode()

    return take


@pytest.fixture
def memory() -> Memory:
    found = Memory(None, encoder=None)
    found.add({"role": "user", "content": "Zähle.\nBitte."}, trajectory="run7")
    found.add({"action": "wc -l", "observation": LONG}, trajectory="run7")
    found.add({"action": "wc -c", "observation": f"{LONG}yz"}, trajectory="run7")
    return found


def evidence(**rest: object) -> Evidence:
    known = {
        "query": "?",
        "text": "<evidence>\x1b[2J</evidence>",
        "tokens": 7,
        "budget": 90,
        "tokenizer": "o200k",
        "format": "text",
        "items": (),
    }
    return Evidence(**(known | rest))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "when"),
    [
        (None, None),
        ("0", 0),
        ("42", 42),
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026-05-01T10:00Z", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        ("2026-05-01T10:00+02:00", datetime(2026, 5, 1, 8, tzinfo=UTC)),
    ],
)
def test_a_moment_is_a_step_or_a_time(text: str | None, when: object) -> None:
    assert moment(text) == when


@pytest.mark.parametrize("text", ["", "-1", "s4", "soon", "2026-13-01", "today or yesterday"])
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="is neither a step nor a time"):
        moment(text)


def test_a_moment_in_words_is_the_beginning_of_what_they_mean() -> None:
    now = datetime(2026, 9, 24, 12, tzinfo=UTC)
    assert moment("yesterday", now=now) == datetime(2026, 9, 23, tzinfo=UTC)
    assert moment("last week", now=now) == datetime(2026, 9, 14, tzinfo=UTC)


def test_a_payload_goes_to_stdout_as_it_is_and_its_cost_to_stderr(
    printed: Callable[[], tuple[str, str]],
) -> None:
    note = Noted(structure="temporal", trajectory="r", steps=(1,), text="x")
    print_evidence(evidence(notes=(note, note), notices=("Vectors are off.",)), explain=False)
    out, err = printed()
    assert out == "<evidence>\x1b[2J</evidence>\n"
    assert err.splitlines() == [
        "7 of 90 tokens, 0 excerpts, 2 lines of structures",
        "note: Vectors are off.",
    ]


def test_an_id_is_told_where_there_is_one(printed: Callable[[], tuple[str, str]]) -> None:
    print_evidence(evidence(id="abc"), explain=False)
    assert printed()[1] == "7 of 90 tokens, 0 excerpts; id abc\n"
    print_evidence(evidence(id="abc"), explain=True)
    err = printed()[1]
    assert err.startswith("question: ?\n")
    assert err.endswith("\nid: abc\n")
    print_evidence(evidence(), explain=True)
    assert "id:" not in printed()[1]


def test_cited_texts_come_one_after_the_other(
    memory: Memory, printed: Callable[[], tuple[str, str]]
) -> None:
    print_shown([memory.get("run7/s0.m"), memory.get("run7/s1.c1")], as_json=False)
    assert printed()[0] == "Zähle.\nBitte.\nwc -l\n"
    print_shown([memory.get("run7/s0.m:L2")], as_json=True)
    assert json.loads(printed()[0])["text"] == "Bitte."


def test_the_cited_step_is_marked_and_whole_and_others_are_cut(
    memory: Memory, printed: Callable[[], tuple[str, str]]
) -> None:
    print_expanded([memory.get("run7/s0", context=2)], as_json=False)
    lines = printed()[0].splitlines()
    assert lines[0].startswith("> s0 user")
    assert lines[2:4] == ["    Zähle.", "    Bitte."]
    assert any(line.startswith("  s1 agent") for line in lines)
    assert lines[-1] == "    … 2 more characters: stepwell show s2.o1"
    assert f"    {LONG}" in lines  # exactly as long as what is shown: nothing is left out
    assert sum("more characters" in line for line in lines) == 1
    print_expanded([memory.get("run7/s2")], as_json=False)
    assert f"    {LONG}yz" in printed()[0].splitlines()


def test_steps_around_several_citations_are_printed_once_in_order(
    memory: Memory, printed: Callable[[], tuple[str, str]]
) -> None:
    print_expanded(
        [memory.get("run7/s2", context=1), memory.get("run7/s0", context=1)], as_json=False
    )
    heads = [
        line[:4] for line in printed()[0].splitlines() if line[2:3] == "s" and line[3].isdigit()
    ]
    assert heads == ["> s0", "  s1", "> s2"]


def test_a_timeline_has_a_line_for_each_step(
    memory: Memory, printed: Callable[[], tuple[str, str]]
) -> None:
    print_timeline(memory.timeline(), as_json=False)
    header, first, second, _ = (line.split("\t") for line in printed()[0].splitlines())
    assert header == ["step", "kind", "status", "time (UTC)", "what"]
    assert (first[0], first[1], first[4]) == ("s0", "user", "Zähle. Bitte.")
    assert second[4] == "action(wc -l)"
    print_timeline(memory.timeline(), as_json=True)
    assert [row["step"] for row in json.loads(printed()[0])] == [0, 1, 2]


def test_sessions_are_listed(memory: Memory, printed: Callable[[], tuple[str, str]]) -> None:
    print_sessions(memory.sessions(), as_json=False)
    header, row = (line.split("\t") for line in printed()[0].splitlines())
    assert header == ["trajectory", "steps", "format", "added (UTC)", "title"]
    assert row[:3] == ["run7", "3", "live"]
    print_sessions(memory.sessions(), as_json=True)
    assert json.loads(printed()[0])[0]["n_steps"] == 3


@pytest.mark.parametrize(
    ("encoder", "formats", "told"),
    [
        (None, {}, ["vectors\t0 (vectors are off)", "formats\tnone"]),
        ("minilm", {"b": 2, "a": 1}, ["vectors\t0 (minilm)", "formats\ta 1, b 2"]),
    ],
)
def test_totals_say_what_is_off_and_what_is_empty(
    encoder: str | None,
    formats: dict[str, int],
    told: list[str],
    printed: Callable[[], tuple[str, str]],
) -> None:
    stats = Stats(
        n_trajectories=3,
        n_steps=5,
        n_passages=8,
        n_vectors=0,
        encoder=encoder,
        formats=formats,
        schema_version=9,
        bytes_on_disk=13,
    )
    print_stats(stats, as_json=False)
    lines = printed()[0].splitlines()
    assert lines[:4] == ["what\thow much", "trajectories\t3", "steps\t5", "passages\t8"]
    assert lines[4:6] == told
    assert lines[6:] == ["schema version\t9", "bytes on disk\t13"]


def test_an_export_goes_to_stdout_or_to_a_file(
    tmp_path: Path, printed: Callable[[], tuple[str, str]]
) -> None:
    runs = [trajectory([said(0, "hi"), said(1, "ho")], name="a"), trajectory([said(0, "x")])]
    write_export(runs, format="atif", output=None)
    out, err = printed()
    assert json.loads(out)["schema_version"].startswith("ATIF")
    assert err == ""
    write_export(runs, format="atif", output=tmp_path / "new" / "a.json")
    assert json.loads((tmp_path / "new" / "a.json").read_bytes()) == json.loads(out)
    assert printed() == ("", f"a: 2 steps written to {tmp_path / 'new' / 'a.json'} (atif)\n")


def test_media_of_one_name_are_one_file(
    tmp_path: Path, printed: Callable[[], tuple[str, str]]
) -> None:
    write_media([("a.png", b"1"), ("b.bin", b"2"), ("a.png", b"1")], tmp_path / "media")
    assert sorted(path.name for path in (tmp_path / "media").iterdir()) == ["a.png", "b.bin"]
    assert printed()[1] == f"2 images and files written to {tmp_path / 'media'}\n"
