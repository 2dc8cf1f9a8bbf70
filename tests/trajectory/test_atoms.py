from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.formats.read import read_bytes
from stepwell.memory.looking import cited_text
from stepwell.text.clean import readable
from stepwell.trajectory.atoms import (
    Citation,
    atoms_of,
    call_text,
    parse_citation,
    parse_citations,
)
from stepwell.trajectory.model import Call, Result, Step
from stepwell.trajectory.passages import passages_of

HOSTILE = st.text(st.sampled_from("ab \n\r\t\0\a\x1b[31m\x7f\ud83d:é"), max_size=60)


def step_with(name: str, args: dict[str, Any] | None, raw: str = "", actor: str = "ana") -> Step:
    call = Call(uid="c", name=name, args=args, args_raw=raw)
    result = Result(call_uid="c", text="fine")
    return Step(
        index=0, uid="u", kind="agent", actor=actor, message="m", calls=(call,), results=(result,)
    )


def test_ordinary_arguments_stand_verbatim() -> None:
    call = Call(uid="c", name="write", args={"path": "a.py", "text": "x\n\ty", "n": [1, "é"]})
    assert call_text(call) == 'path: a.py\ntext: x\n\ty\nn: [1, "é"]'


def test_a_carriage_return_in_a_value_leaves_its_key() -> None:
    call = Call(uid="c", name="sh", args={"cmd": "0%\rdone\r\nls", "bell\a": "\x1b[1mx\0"})
    assert call_text(call) == "cmd: done\nls\nbell\u2407: x\u2400"


@given(HOSTILE, st.dictionaries(HOSTILE, HOSTILE | st.lists(HOSTILE)) | st.none(), HOSTILE)
def test_every_atom_is_readable_and_cited_as_it_was_cut(
    name: str, args: dict[str, Any] | None, raw: str
) -> None:
    step = step_with(name, args, raw, actor=raw)
    for atom in atoms_of(step):
        assert readable(atom.text) == atom.text
        assert readable(atom.label) == atom.label
    for passage in passages_of(step, max_chars=20):
        lines = cited_text(step, Citation(step=0, part=passage.part)).split("\n")
        rest = "\n".join(lines[passage.first_line - 1 :])[passage.first_column - 1 :]
        assert rest.startswith(passage.text)


def test_a_log_with_escapes_in_arguments_shows_none_of_them() -> None:
    call = {
        "id": "1",
        "function": {"name": "sh\x1b[1m", "arguments": '{"cmd": "ls \\u001b[31m\\u0007"}'},
    }
    log = [{"role": "user", "content": "go"}, {"role": "assistant", "tool_calls": [call]}]
    read = read_bytes(json.dumps(log).encode(), uri="a.json")
    atoms = [atom for b in read.bundles for step in b.trajectory.steps for atom in atoms_of(step)]
    assert [(atom.label, atom.text) for atom in atoms if atom.part == "c1"] == [
        ("sh", "cmd: ls \u2407")
    ]


def results_of(*pairs: tuple[str | None, str], calls: int = 2) -> Step:
    return Step(
        index=7,
        uid="u",
        kind="agent",
        actor="agent:a1",
        message="said",
        thought="mused",
        calls=tuple(Call(uid=f"k{n}", name=f"tool{n}", args={"n": n}) for n in range(1, calls + 1)),
        results=tuple(Result(call_uid=uid, text=text) for uid, text in pairs),
    )


def shown(step: Step) -> list[tuple[str, str, str]]:
    return [(atom.part, atom.label, atom.text) for atom in atoms_of(step)]


def test_atoms_stand_in_reading_order_under_their_labels() -> None:
    assert shown(results_of(("k1", "one"), ("k2", "two"))) == [
        ("m", "agent:a1", "said"),
        ("t", "agent:a1", "mused"),
        ("c1", "tool1", "n: 1"),
        ("o1", "tool1", "one"),
        ("c2", "tool2", "n: 2"),
        ("o2", "tool2", "two"),
    ]
    assert {atom.step for atom in atoms_of(results_of(("k1", "one")))} == {7}


def test_a_result_is_numbered_as_its_call_whatever_their_order() -> None:
    assert [part for part, _, _ in shown(results_of(("k2", "two"), ("k1", "one")))[2:]] == [
        "c1",
        "o1",
        "c2",
        "o2",
    ]


def test_second_results_and_results_without_a_call_take_the_numbers_after_the_last_call() -> None:
    step = results_of(("k1", "one"), ("k1", "again"), (None, "orphan"), ("k9", "stranger"))
    assert shown(step)[2:] == [
        ("c1", "tool1", "n: 1"),
        ("o1", "tool1", "one"),
        ("c2", "tool2", "n: 2"),
        ("o3", "tool1", "again"),
        ("o4", "unknown", "orphan"),
        ("o5", "unknown", "stranger"),
    ]


def test_what_holds_no_text_is_no_atom_and_keeps_its_number() -> None:
    step = Step(
        index=0,
        uid="u",
        kind="agent",
        actor="agent",
        calls=(Call(uid="a", name="x", args={}), Call(uid="b", name="y", args={"k": "v"})),
        results=(Result(call_uid="a", text=""), Result(call_uid="b", text="z")),
    )
    assert [part for part, _, _ in shown(step)] == ["c2", "o2"]
    assert shown(Step(index=0, uid="u", kind="user", actor="user")) == []


def test_atoms_say_which_parts_this_memory_recalled() -> None:
    own = Result(call_uid=None, text="own", recalled=((0, 3),))
    step = Step(
        index=0,
        uid="u",
        kind="agent",
        actor="agent",
        message="m own",
        recalled=((2, 5),),
        results=(own, Result(call_uid=None, text="other", extra={"stepwell": True})),
    )
    assert [(atom.text, atom.recalled) for atom in atoms_of(step)] == [
        ("m own", ((2, 5),)),
        ("own", ((0, 3),)),
        ("other", ()),
    ]


@pytest.mark.parametrize(
    ("args", "raw", "text"),
    [
        (None, "{'a': \x1b[1m1}\r\n", "{'a': 1}\n"),
        ({"_value": "ls -l\r\n"}, "ignored", "ls -l\n"),
        ({"_value": ["-l", "é"]}, "", '["-l", "é"]'),
        ({"_value": 1, "b": None}, "", "_value: 1\nb: null"),
        ({}, "raw", ""),
        ({"when": datetime(2026, 3, 1, tzinfo=UTC)}, "", 'when: "2026-03-01 00:00:00+00:00"'),
    ],
)
def test_arguments_read_as_text(args: dict[str, Any] | None, raw: str, text: str) -> None:
    assert call_text(Call(uid="c", name="f", args=args, args_raw=raw)) == text


@pytest.mark.parametrize(
    ("address", "citation"),
    [
        ("s42", Citation(step=42)),
        ("s0.m", Citation(step=0, part="m")),
        ("s7.t", Citation(step=7, part="t")),
        ("s7.c12", Citation(step=7, part="c12")),
        ("s42.o1:L3", Citation(step=42, part="o1", lines=(3, 3))),
        ("s42.o1:L10-L30", Citation(step=42, part="o1", lines=(10, 30))),
        (
            "s42.o1:L3C120-480",
            Citation(step=42, part="o1", lines=(3, 3), columns=(120, 480)),
        ),
        (
            "s42.o1:L3C120-L5C20",
            Citation(step=42, part="o1", lines=(3, 5), columns=(120, 20)),
        ),
        (
            "s42.o1:C5-90",
            Citation(step=42, part="o1", columns=(5, 90)),
        ),
        ("run7/s1.m", Citation(step=1, part="m", trajectory="run7")),
        ("a/b/s1", Citation(step=1, trajectory="a/b")),
        ("a\nb/s1", Citation(step=1, trajectory="a\nb")),
        ("s3/s1", Citation(step=1, trajectory="s3")),
    ],
)
def test_an_address_is_read_and_written_alike(address: str, citation: Citation) -> None:
    assert parse_citation(address) == citation
    assert str(citation) == address


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("[s4.m]", "s4.m"),
        ("  s4.m ", "s4.m"),
        ("[s4.o1:L3-9 bash]", "s4.o1:L3-L9"),
        ("s4.m user", "s4.m"),
        ("s004.m", "s4.m"),
        ("s4.o1:L3-L3", "s4.o1:L3"),
    ],
)
def test_an_address_is_read_as_payloads_and_people_write_it(written: str, canonical: str) -> None:
    assert str(parse_citation(written)) == canonical


@pytest.mark.parametrize(
    "text",
    ["", "42", "s", "s-1", "s4.o1:L3-", "s1.x1", "s1.o", "s1.m1", "s1:L3", "s1.o1:L", "s1.o1:LC3-4",
     "s1.o1:L3C4", "S1", "/s1", "run7/", "s1.o1L3", "the s1"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InvalidInputError, match="is not a citation") as caught:
        parse_citation(text)
    assert repr(text) in str(caught.value)
    assert "s42.o1:L10-L30" in caught.value.hint


def test_numbers_of_an_address_have_at_most_999_digits() -> None:
    assert parse_citation("s" + "1" * 999).step == int("1" * 999)
    with pytest.raises(InvalidInputError):
        parse_citation("s" + "1" * 1000)


@given(
    st.builds(
        Citation,
        step=st.integers(0, 10**6),
        part=st.sampled_from(["m", "t", "c1", "o12"]),
        lines=st.none() | st.tuples(st.integers(1, 99), st.integers(1, 99)),
        trajectory=st.none() | st.text(min_size=1, max_size=8).filter(lambda t: t.strip() == t),
    )
)
def test_any_citation_is_read_back(citation: Citation) -> None:
    text = str(citation)
    if text.strip().strip("[]") == text:
        assert parse_citation(text) == citation


@pytest.mark.parametrize(
    ("word", "steps"),
    [
        ("s3-s5,s9", [3, 4, 5, 9]),
        ("s3-s3", [3]),
        ("s9,s3", [9, 3]),
        ("s0-s999", list(range(1000))),
        ("s0-s998,s5", [*range(999), 5]),
        ("s1,+16", [1]),
    ],
)
def test_several_steps_in_one_word(word: str, steps: list[int]) -> None:
    assert [one.step for one in parse_citations(word)] == steps
    assert {one.trajectory for one in parse_citations(f"r/{word}")} == {"r"}


@pytest.mark.parametrize("word", ["s0-s1000", "s0-s999,s5", "s0-s499,s0-s499,s1"])
def test_more_than_a_thousand_steps_are_refused(word: str) -> None:
    with pytest.raises(InvalidInputError, match="names more than 1000 steps") as caught:
        parse_citations(word)
    assert "export the trajectory" in caught.value.hint


def test_a_range_that_runs_backwards_is_named() -> None:
    with pytest.raises(InvalidInputError, match="'s5-s3' runs backwards") as caught:
        parse_citations("run7/s1,s5-s3")
    assert "Write the earlier step first" in caught.value.hint
