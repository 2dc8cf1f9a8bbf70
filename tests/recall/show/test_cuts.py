"""What an item cites is what it shows: no more, no less, no word torn, and every cut marked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.recall.evidence import mark
from stepwell.recall.markup import escaped
from stepwell.text.gaps import is_gap
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from stepwell.recall.evidence import Evidence, Format, Item

WORDS = [
    "zebra",
    "port",
    "5433",
    "3.14",
    "don't",
    "/srv/app/config.toml",
    "端口是",
    "e\u0301té",
    "👍🏽",
]
lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=300).map(" ".join)
texts = st.lists(lines, min_size=1, max_size=6).map("\n".join)


def assert_honest(memory: Memory, evidence: Evidence) -> None:
    """Check that each item is what stands at its citation, cut between words, and marked."""
    assert evidence.tokens <= evidence.budget
    for item in evidence.items:
        cited = memory.get(item.id)
        assert item.text.strip() == cited.text.strip()
        atom = next(a.text for a in atoms_of(cited.step) if a.part == item.part)
        assert_cut_well(item, atom)
        quoted = mark(escaped(item.text), begins_cut=item.begins_cut, ends_cut=item.ends_cut)
        assert (
            quoted in evidence.text or json.dumps(item.marked, ensure_ascii=False) in evidence.text
        )


def assert_cut_well(item: Item, atom: str) -> None:
    places = [p for p in range(len(atom)) if atom.startswith(item.text, p)]
    fitting = [
        p
        for p in places
        if bool(atom[:p].strip()) == item.begins_cut
        and bool(atom[p + len(item.text) :].strip()) == item.ends_cut
    ]
    assert any(is_gap(atom, p) and is_gap(atom, p + len(item.text)) for p in fitting)


@settings(max_examples=30, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.integers(80, 900))
def test_quotations_are_what_they_cite(said: list[str], budget: int) -> None:
    with Memory(encoder=None) as memory:
        for text in said:
            memory.add({"role": "assistant", "content": text})
        for form in ("text", "json"):
            assert_honest(memory, recall(memory, budget, form))


def recall(memory: Memory, budget: int, form: str) -> Evidence:
    given: Format = "json" if form == "json" else "text"
    return memory.recall("On which port is zebra?", budget, format=given)


@pytest.mark.parametrize("budget", [100, 200, 400])
def test_the_end_of_a_long_failure_is_there_before_its_middle(budget: int) -> None:
    log = "".join(f"test_login_{n} (tests.auth.Test{n}) ... ok\n" for n in range(400))
    call = {"id": "1", "type": "function", "function": {"name": "bash", "arguments": "pytest"}}
    with Memory(encoder=None) as memory:
        memory.add({"role": "assistant", "content": "", "tool_calls": [call]})
        memory.add({"role": "tool", "tool_call_id": "1", "content": f"{log}FAILED (failures=18)"})
        evidence = memory.recall("What did test_login_200 say?", budget)
        assert "FAILED (failures=18)" in evidence.text
        assert_honest(memory, evidence)


def test_a_command_that_is_not_whole_is_marked() -> None:
    code = "python train.py " + " ".join(f"--option{n} value{n}" for n in range(60))
    with Memory(encoder=None) as memory:
        for n in range(6):
            memory.add({"role": "assistant", "content": f"{code} --run {n}"})
        evidence = memory.recall("Which option has value30?", 200)
        assert all(item.begins_cut or item.ends_cut for item in evidence.items)
        assert evidence.text.count("…") >= len(evidence.items)
