"""Triples of a step: what each kind of log says, a bounded number, from any text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.graph.extract import triples_of
from stepwell.structures.graph.model import key_of
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Call, Result, Step
from support.trajectories import said, turn

wild = st.text(st.characters(), max_size=200)


def act(action: str, observation: str = "", *, is_error: bool | None = None) -> Step:
    return Step(
        index=0,
        uid="u",
        kind="agent",
        actor="agent",
        calls=(Call(uid="k", name="action", args={"_value": action}),),
        results=(Result(call_uid="k", text=observation, is_error=is_error),),
    )


def call(name: str, observation: str = "", **args: object) -> Step:
    step = act("", observation)
    return replace(step, calls=(Call(uid="k", name=name, args=args),))


def found(step: Step) -> set[tuple[str, str, str]]:
    return {(t.subject, t.relation, t.object) for t in triples_of(step)}


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (call("ferry", to="Oslo", seats=2), ("ferry", "to", "Oslo")),
        (call("ferry", to="Oslo", seats=2), ("ferry", "seats", "2")),
        (act("take kelp 1 from crate 2"), ("kelp 1", "taken from", "crate 2")),
        (act("put kelp 1 in/on shelf 3"), ("kelp 1", "in", "shelf 3")),
        (
            act("look", "On the crate 2, you see a kelp 1, and a rope 4."),
            ("rope 4", "on", "crate 2"),
        ),
        (act("look", "The box 1 is open. In it, you see a coin 2."), ("coin 2", "in", "box 1")),
        (act("look", "On the crate 2, you see nothing."), ("crate 2", "holds", "nothing")),
        (act("look", "The anchor is in locker 7."), ("anchor", "in", "locker 7")),
        (
            act("look", "- otter 2 steps to your north"),
            ("otter", "position", "2 steps to your north"),
        ),
        (act("sql: SELECT depth FROM tides t JOIN ports p"), ("sql", "reads", "tides")),
        (act("sql: SELECT depth FROM tides t JOIN ports p"), ("tides", "joined with", "ports")),
        (act("sql: SELECT depth FROM tides"), ("tides", "column", "depth")),
        (act("sql: CREATE TABLE tides (depth INT, at DATE)"), ("tides", "column", "at")),
        (act("sql: UPDATE tides SET depth = 1"), ("sql", "updates", "tides")),
        (
            call("view", "  7\tdef ebb(x):", path="sea/tide.py"),
            ("sea/tide.py", "defines def", "ebb"),
        ),
        (act("run", 'File "tide.py", line 3, in ebb'), ("tide.py", "line 3 in", "ebb")),
        (act("run", "ValueError: too deep"), ("run", "raised", "ValueError")),
        (act("run", "ValueError: too deep"), ("ValueError", "says", "too deep")),
        (act("open https://www.sea.org/a/b?c=1"), ("sea.org", "page", "sea.org/a/b")),
        (act("look", "state: open"), ("look", "state", "open")),
        (act("click [21] where [21] is link 'Harbour'"), ("#21", "link", "Harbour")),
        (
            said(0, "I just moved to a flat by the sea."),
            ("user", "just moved to", "flat by the sea"),
        ),
        (said(0, "Well, Grace sailed on 8 May 2023."), ("user", "mentions date", "8 May 2023")),
        (said(0, "They knew Grace Hopper."), ("user", "mentions", "Grace Hopper")),
    ],
)
def test_a_step_says(step: Step, expected: tuple[str, str, str]) -> None:
    assert expected in found(step)


def test_what_could_be_done_was_not_done() -> None:
    step = act("look", "You could: go to shelf 1, put kelp 1 in crate 2, take rope 4 from box 1")
    assert not {r for _, r, _ in found(step)} & {"in", "taken from"}


def test_small_letters_of_english_are_no_sql() -> None:
    step = said(0, "Please update the issue from yesterday and create a table of contents")
    assert not {r for _, r, _ in found(step)} & {"updates", "reads", "creates"}


def test_what_this_memory_returned_says_nothing_again() -> None:
    step = act("recall", "The anchor is in locker 7.")
    own = replace(step, results=(replace(step.results[0], recalled=((0, 99),)),))
    assert ("anchor", "in", "locker 7") not in found(own)


@pytest.mark.parametrize(
    "unit", ["a b.py ", "The x is in y. ", "k: v\n", "[", "\ud800\x00", "https://x.y/z "]
)
def test_a_megabyte_gives_some_dozens_of_triples(unit: str) -> None:
    assert len(triples_of(turn(0, "run", unit * (1_000_000 // len(unit))))) <= 48


@given(wild, wild, wild, st.lists(wild, max_size=3))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_proper_triples(
    message: str, action: str, observation: str, names: list[str]
) -> None:
    step = replace(
        act(action, observation),
        message=message,
        thought=observation,
        actor=action,
        calls=(Call(uid="k", name=action, args=dict.fromkeys(names, message)),),
    )
    for kind in ("agent", "user"):
        triples = triples_of(replace(step, kind=kind))
        texts = [atom.text for atom in atoms_of(replace(step, kind=kind))]
        assert len(triples) <= 48
        assert all(
            t.subject and t.object and key_of(t.subject) != key_of(t.object) for t in triples
        )
        assert all(any(t.object in text for text in texts) for t in triples if t.is_verbatim)


def test_names_and_relations_are_short() -> None:
    (triple,) = triples_of(call("x" * 500, **{"y" * 500: "z" * 100}))
    assert (len(triple.subject), len(triple.relation)) == (160, 40)
