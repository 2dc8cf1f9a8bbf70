"""What a recall shows: dated where time is asked about, never the question itself, and why not."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell import Allocation, Memory
from stepwell.errors import BudgetTooSmallError
from stepwell.recall.show.compose import compose
from stepwell.text.tokens import counter
from support.encoders import HashEncoder
from support.trajectories import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.recall.evidence import Evidence, Format

FILL = Allocation(worth=math.inf)
COUNT = counter("o200k").count


def said(text: str, *, day: int = 0, role: str = "user") -> dict[str, object]:
    moment = NOW + timedelta(days=day)
    return {"role": role, "content": text, "timestamp": moment.isoformat()}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(encoder=None) as memory:
        for day, text in enumerate(["The port is 5433.", "Lunch was soup.", "The host is db2."]):
            memory.add(said(text, day=day))
        yield memory


def steps(evidence: Evidence) -> list[int]:
    return [item.step for item in evidence.items]


@pytest.mark.parametrize(
    "question",
    [
        "When was the port said?",
        "What day was the port said?",
        "What year was the port said?",
        "How long was the port open?",
        "Which port was it two weeks ago?",
        "Which port since March?",
        "Which port was it in 2024?",
        "Which port was it YESTERDAY?",
    ],
)
def test_days_stand_where_a_question_is_about_time(memory: Memory, question: str) -> None:
    assert f"[on {NOW:%Y-%m-%d}]" in memory.recall(question, allocation=FILL).text


@pytest.mark.parametrize(
    "question", ["Which port was said?", "Was port 2133 said?", "Is the port updated?"]
)
def test_days_are_left_out_elsewhere(memory: Memory, question: str) -> None:
    assert "[on " not in memory.recall(question, allocation=FILL).text


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_budget_that_cannot_hold_a_payload_says_what_can(memory: Memory, form: Format) -> None:
    least = COUNT(compose((), form=form))
    with pytest.raises(BudgetTooSmallError) as failure:
        memory.recall("which port?", least - 1, format=form)
    assert f"{least - 1} tokens cannot hold" in str(failure.value)
    assert str(failure.value).find(f"takes {least}.") > 0
    assert failure.value.hint == "Give at least 100; 800 is the default."
    assert memory.recall("which port?", least, format=form).tokens <= least


def test_the_question_just_asked_is_no_evidence_for_itself(memory: Memory) -> None:
    question = "Which port does the database use?"
    memory.add(said(f"  {question}\n", day=3))
    assert 3 not in steps(memory.recall(question, allocation=FILL))
    assert 0 in steps(memory.recall(question, allocation=FILL))
    memory.add(said("It uses another.", day=4, role="assistant"))
    assert 3 in steps(memory.recall(question, allocation=FILL))


def test_an_agent_s_message_of_the_same_words_is_evidence(memory: Memory) -> None:
    memory.add(said("Which port?", day=3, role="assistant"))
    assert 3 in steps(memory.recall("Which port?", allocation=FILL))


def test_what_a_question_names_is_shown_whole(memory: Memory) -> None:
    evidence = memory.recall("What happened at step 1?", 45, allocation=FILL)
    item = next(item for item in evidence.items if item.step == 1)
    assert (item.structure, item.text) == ("steps", "Lunch was soup.")
    assert item.why == "the question names step 1"


def test_nothing_in_scope_is_told() -> None:
    with Memory(encoder=None) as empty:
        evidence = empty.recall("which port?")
    assert "there is nothing in this scope; `stepwell sessions` lists what there is." in (
        evidence.notices
    )
    assert (evidence.items, evidence.cut) == ((), ())


def test_a_short_run_is_quoted_whole_beside_the_line_that_nothing_supports(memory: Memory) -> None:
    evidence = memory.recall("zebra quokka?", allocation=FILL)
    assert evidence.absence in evidence.text
    assert steps(evidence) == [0, 1, 2]
    assert not [one for one in evidence.notices if "no word" in one]


def test_an_outline_of_a_run_of_which_a_question_names_nothing_is_told(memory: Memory) -> None:
    evidence = memory.recall("And then?", allocation=FILL)
    assert evidence.items
    assert not evidence.absence
    assert (
        "no word of the question is in this scope; what is quoted is named by it, or an outline."
        in evidence.notices
    )


def test_in_several_runs_a_question_of_which_no_word_is_there_quotes_nothing(
    memory: Memory,
) -> None:
    memory.add(said("Elsewhere."), trajectory="other")
    assert memory.recall("zebra quokka?", allocation=FILL).items == ()
    evidence = memory.recall("And then?", allocation=FILL)
    assert evidence.items == ()
    assert "no word of the question is in this scope; so nothing is quoted." in evidence.notices


def test_only_near_in_meaning_is_told() -> None:
    with Memory(encoder=HashEncoder()) as memory:
        for text in ("The port is 5433.", "Lunch was soup."):
            memory.add(said(text))
        memory.index()
        evidence = memory.recall("And then?", allocation=FILL)
    assert evidence.items
    assert [one for one in evidence.notices if "what is quoted is near in meaning." in one]


def test_what_is_left_out_says_whether_room_or_worth_was_lacking() -> None:
    with Memory(encoder=None) as memory:
        for number in range(60):
            name = "x" * (number + 1)
            memory.add(said(f"The port of host {name} is {number}. " + "Well then. " * 30))
        bound = memory.recall("which port?", 200, allocation=FILL)
        saved = memory.recall("which port?", 100_000, allocation=Allocation(worth=2_000))
    assert {one.reason for one in bound.cut} == {"no room left in the budget"}
    assert {one.reason for one in saved.cut} == {"its tokens would buy too little"}
    quoted = set(steps(bound))
    assert not quoted & {int(one.id.rpartition("/s")[2]) for one in bound.cut}
    scores = [one.score for one in bound.cut]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("form", ["text", "json"])
def test_evidence_tells_how_it_came_about(memory: Memory, form: Format) -> None:
    evidence = memory.recall("which port?", 400, format=form)
    assert (evidence.query, evidence.budget, evidence.format) == ("which port?", 400, form)
    assert evidence.tokens == COUNT(evidence.text) <= 400
    assert evidence.tokenizer == "o200k"
    assert evidence.policy == "default"
    assert "episodic" in evidence.read
    (words,) = [one for one in evidence.readings if one.structure == "episodic"]
    assert (words.n_hits, words.coverage) == (1, 1.0)
    if form == "json":
        assert [row["id"] for row in json.loads(evidence.text)["items"]] == [
            item.id for item in evidence.items
        ]


def test_what_was_not_known_by_then_is_not_shown() -> None:
    with Memory(encoder=None) as memory:
        for day in range(3):
            memory.add(said(f"The port is {day}.", day=day))
        cutoff = datetime.combine((NOW + timedelta(days=1)).date(), NOW.time(), tzinfo=UTC)
        assert steps(memory.recall("which port?", before=cutoff, allocation=FILL)) == [0]
        assert steps(memory.recall("which port?", before=2, allocation=FILL)) == [0, 1]
