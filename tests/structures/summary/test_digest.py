"""Digests: the few lines that say most of a step, short and verbatim."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.summary.digest import MAX_LINE, Line, digest_of
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Call, Result, Step
from support.trajectories import said, turn

wild = st.text(st.characters(), max_size=200)


def lines(step: Step) -> list[tuple[str, float]]:
    return [(line.text, line.weight) for line in digest_of(step).lines]


def test_a_digest_says_what_was_done_and_hit() -> None:
    digest = digest_of(turn(0, "sail north", "Wind rises.\nValueError: no sail\nbye now"))
    assert [line.text for line in digest.lines] == [
        "bash command: sail north",
        "Wind rises.",
        "ValueError: no sail",
        "ValueError: no sail",
    ]
    assert (digest.tools, digest.faults) == (["bash"], ["ValueError: no sail"])


def test_errors_and_what_users_say_weigh_most() -> None:
    step = turn(0, "sail north", "Wind rises.\nIt howls.\nKeyError: 'jib'")
    step = replace(step, thought="North it is.", message="Off we go. Now.")
    assert lines(step) == [
        ("Off we go.", 1.0),
        ("North it is.", 0.8),
        ("bash command: sail north", 1.0),
        ("Wind rises.", 1.0),
        ("It howls.", 0.8),
        ("KeyError: 'jib'", 1.5),
    ]
    assert lines(said(0, "Sail. North. Now. Please.")) == [
        ("user: Sail.", 1.2),
        ("user: North.", 1.2),
        ("user: Now.", 1.2),
    ]


def test_the_last_line_of_a_long_result_says_something_too() -> None:
    texts = ["first line", "second line", "third line", "fourth line"]
    three, four = (turn(0, "look out", "\n".join(texts[:n])) for n in (3, 4))
    assert [text for text, _ in lines(three)][1:] == ["first line", "second line"]
    assert lines(four)[1:] == [("first line", 1.0), ("second line", 0.8), ("fourth line", 0.8)]


def test_lines_without_words_are_left_out() -> None:
    assert lines(turn(0, "look out", "-----\n12 34\n{}\nland ho"))[1:] == [("land ho", 1.0)]


def test_of_a_user_the_quotation_is_without_the_name() -> None:
    step = replace(said(0, "Reef the sail."), actor="Ada " + "x" * 60)
    (line,) = digest_of(step).lines
    assert line.quote == "Reef the sail."
    assert line.text == f"{step.actor[:40]}: Reef the sail."
    assert digest_of(step).speaker == step.actor[:40]
    assert digest_of(turn(0, "a", "b")).speaker == ""


def test_names_and_tools_of_calls_are_kept_a_few_and_once_each() -> None:
    paths = [f"src/a{n}/b.py" for n in range(9)]
    calls = tuple(
        Call(uid=f"c{n}", name="read", args={"path": path}) for n, path in enumerate(paths)
    )
    digest = digest_of(Step(index=0, uid="s", kind="agent", actor="agent", calls=calls))
    assert digest.names == [f"a{n}/b.py" for n in range(6)]
    assert digest.tools == ["read"] * 6


def test_characters_of_all_texts_are_counted() -> None:
    step = replace(turn(0, "sail", "12345"), message="abc", thought="de")
    without = replace(step, calls=())
    assert digest_of(without).n_chars == 10
    assert digest_of(step).n_chars > 10 + len("sail")


def test_what_this_memory_said_is_not_observed() -> None:
    result = Result(call_uid="k0", text="KeyError: 'jib'", recalled=((0, 15),))
    digest = digest_of(replace(turn(0, "recall it", ""), results=(result,)))
    assert digest.faults == []
    assert all("jib" not in line.text for line in digest.lines)


@given(wild, wild, wild)
@settings(max_examples=100, deadline=None)
def test_lines_of_any_text_are_short_and_verbatim(
    message: str, action: str, observation: str
) -> None:
    step = replace(turn(0, action, observation), message=message, thought=observation)
    for kind in ("agent", "user"):
        texts = [atom.text for atom in atoms_of(replace(step, kind=kind))]
        for line in digest_of(replace(step, kind=kind)).lines:
            assert isinstance(line, Line)
            assert len(line.quote) <= MAX_LINE
            assert line.quote in line.text
            assert any(line.quote in text for text in texts)


@pytest.mark.parametrize("unit", ["ebb.", "a\n", "\x00\ud800", "Error: no\n", "。"])
def test_a_megabyte_gives_a_few_lines(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert len(digest_of(turn(0, text, text)).lines) <= 12
    assert len(digest_of(said(0, text)).lines) <= 12
