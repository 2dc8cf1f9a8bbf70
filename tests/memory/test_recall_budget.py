"""A recall never exceeds its budget, is never empty when one hit fits, and quotes what is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import BudgetTooSmallError
from stepwell.memory.memory import Memory
from stepwell.recall.show.compose import compose
from stepwell.text.tokens import counter
from stepwell.trajectory.atoms import atoms_of, parse_citation
from support.encoders import HashEncoder
from support.trajectories import long_texts, texts

if TYPE_CHECKING:
    from stepwell.recall.evidence import Evidence, Format

words = st.sampled_from(["walrus", "port", "端口", "ошибка", "src/app.py", "step 2", "[s1.o1]"])
questions = st.lists(words, min_size=1, max_size=4).map(" ".join)
turns = st.tuples(
    st.lists(words | texts, max_size=5).map(" ".join),
    st.lists(words | long_texts, max_size=6).map("\n".join),
)
NAMED: list[Format] = ["text", "json"]


def filled(what: list[tuple[str, str]], encoder: HashEncoder | None) -> Memory:
    memory = Memory(encoder=encoder)
    for action, observation in what:
        memory.add({"action": action, "observation": observation})
    return memory


def check(memory: Memory, evidence: Evidence) -> None:
    count = counter(evidence.tokenizer).count
    assert count(evidence.text) == evidence.tokens <= evidence.budget
    for item in evidence.items:
        citation = parse_citation(item.id)
        atoms = {atom.part: atom.text for atom in atoms_of(memory.get(item.id).step)}
        assert item.text.strip()
        assert item.text in atoms[item.part]
        assert item.text in memory.get(item.id).text
        assert (citation.step, citation.part) == (item.step, item.part)
        assert evidence.format == "json" or f"[{item.id.rpartition('/')[2]}" in evidence.text
    if evidence.format == "json":
        assert [row["id"] for row in json.loads(evidence.text)["items"]] == [
            item.id for item in evidence.items
        ]


@pytest.mark.parametrize("form", NAMED)
@pytest.mark.parametrize("encoder", [None, HashEncoder()], ids=["words", "words and vectors"])
@given(
    what=st.lists(turns, min_size=1, max_size=8), question=questions, budget=st.integers(60, 900)
)
@settings(max_examples=25, deadline=None)
def test_never_one_token_over_and_every_quote_is_true(
    form: Format,
    encoder: HashEncoder | None,
    what: list[tuple[str, str]],
    question: str,
    budget: int,
) -> None:
    with filled(what, encoder) as memory:
        if encoder is not None:
            memory.index()
        check(memory, memory.recall(question, budget, format=form))


@given(budget=st.integers(0, 200), form=st.sampled_from(NAMED))
@settings(max_examples=60, deadline=None)
def test_a_budget_too_small_for_an_empty_payload_is_refused(budget: int, form: Format) -> None:
    smallest = counter("o200k").count(compose((), form=form))
    with filled([("find the walrus", "walrus")], None) as memory:
        if budget < smallest:
            with pytest.raises(BudgetTooSmallError, match="takes"):
                memory.recall("walrus", budget, format=form)
        else:
            check(memory, memory.recall("walrus", budget, format=form))


@pytest.mark.parametrize("form", NAMED)
@pytest.mark.parametrize("budget", [90, 120, 200])
def test_never_empty_when_one_hit_fits(form: Format, budget: int) -> None:
    line = "the walrus sits on port 5433 " * 4000
    with filled([("look", line), ("look", line), ("walrus", "")], None) as memory:
        evidence = memory.recall("walrus port", budget, format=form)
        assert evidence.items
        check(memory, evidence)


@pytest.mark.parametrize("budget", [10**6, 10**12])
def test_an_enormous_budget_costs_no_more_than_what_there_is(budget: int) -> None:
    with filled([(f"open {n}", "walrus " * 3000) for n in range(5)], None) as memory:
        evidence = memory.recall("walrus", budget)
        assert {item.step for item in evidence.items} == {0, 1, 2, 3, 4}
        check(memory, evidence)


def test_what_is_left_out_is_named_and_one_get_away() -> None:
    with filled([(f"open file{n}", f"walrus {n} " * 90) for n in range(60)], None) as memory:
        evidence = memory.recall("walrus", 300)
        assert len({item.step for item in evidence.items}) + len(evidence.cut) >= 24
        cut = evidence.cut[0]
        assert memory.get(cut.id, context=1).context
        assert f"cut {cut.id}" in evidence.explain()
        assert f"quoted {evidence.items[0].id}" in evidence.explain()


def test_a_needle_at_the_end_of_a_huge_line_is_quoted_in_a_window() -> None:
    line = "padding," * 250_000 + '"needle_id":"zx-7731"' + ",padding" * 10
    with filled([("dump", line), ("echo done", "done")], None) as memory:
        evidence = memory.recall("what is the needle_id?", 200)
        (item,) = [item for item in evidence.items if "zx-7731" in item.text]
        assert len(item.text) < 800
        assert memory.get(item.id).text == item.text
        check(memory, evidence)


@pytest.mark.parametrize("form", NAMED)
def test_the_estimate_is_a_budget_too(form: Format) -> None:
    with Memory(encoder=None, tokenizer="estimate") as memory:
        for n in range(40):
            memory.add({"action": f"open {n}", "observation": "walrus " * 50})
        evidence = memory.recall("walrus", 400, format=form)
        assert len(evidence.text) <= 1600
        assert evidence.tokenizer == "estimate"
