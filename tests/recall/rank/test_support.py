"""Support: what a memory is taken to know nothing of, and what it is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.recall.rank.support import support_near, supported
from stepwell.recall.show.compose import compose
from stepwell.text.mentions import mentions_in
from stepwell.text.tokens import counter
from support.encoders import HashEncoder
from support.trajectories import said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.recall.evidence import Format

CHAT = [
    "The staging gateway listens on port 9443.",
    "Anna moved the walrus build to Oslo.",
    "Filler about nothing.",
    "Filler about nothing.",
    "Filler about nothing.",
    "The invoice schema was merged by the queue team after the sprint.",
    "Filler about nothing.",
    "Commit 9f3c2ab17d5e4f60718293a4b5c6d7e8f9012345 rotates the signing keys.",
    *["Filler about nothing at all, said once more to make the memory longer."] * 8,
]
"""Long enough that a recall does not quote all of it beside the line."""


def remembered(tmp_path: Path, *texts: str) -> Memory:
    memory = Memory(encoder=None)
    log = tmp_path / "chat.jsonl"
    log.write_text("".join(json.dumps({"role": "user", "content": t}) + "\n" for t in texts))
    memory.ingest(log)
    return memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with remembered(tmp_path, *CHAT) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does the user like aubergines?", "'aubergines' is nowhere in 16 steps of 1 run."),
        ("Who is Zoltan?", "'Zoltan' is nowhere"),
        ("What did Bertram say of api_server?", "'Bertram', 'api_server' are nowhere"),
        ("Mag der Nutzer Auberginen und Zucchini?", "are nowhere"),
        ("用户喜欢茄子吗?", "nowhere"),
        ("ユーザーは茄子が好きですか", "nowhere"),
        ("Любит ли он баклажаны?", "nowhere"),
    ],
)
def test_what_nothing_supports_is_said_and_costs_little(
    memory: Memory, question: str, said: str
) -> None:
    evidence = memory.recall(question, budget=800)
    assert said in evidence.absence
    assert evidence.absence.startswith("Nothing in memory supports this question: ")
    assert evidence.absence in evidence.text
    assert (evidence.items, evidence.notes, evidence.tail) == ((), (), ())
    assert evidence.tokens <= 150
    assert evidence.support < 0.5


@pytest.mark.parametrize(
    "question",
    [
        "Which port does the staging gateway listen on?",
        "Which ports do the staging gateways use?",  # other endings
        "Where did Anna go?",
        "Where is the walrus build of Anna and Bertram?",  # one of two names
        "What does commit 9f3c2ab do?",  # by a part
        "Who merged the colourful invoice thing?",  # half of the words
        "What was said at step 3 of Zoltan?",
        "What was the last step about aubergines?",
        "What is this about?",
        "?",
    ],
)
def test_what_something_supports_is_quoted(memory: Memory, question: str) -> None:
    evidence = memory.recall(question, budget=800)
    assert not evidence.absence
    assert evidence.items
    assert 0.2 <= evidence.support <= 1.0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which loop did the agent run into, semantically speaking?", "'semantically', 'speaking'"),
        ("Why did the agent rename Bertram?", "'rename', 'Bertram' are nowhere"),
        ("Auf welchem Port läuft das Gateway für die Rechnung?", "'Rechnung'"),
        ("What did Bertram say about nothing and filler?", "'Bertram' is nowhere"),
    ],
)
def test_what_is_nearest_is_quoted_behind_the_line_that_little_supports_it(
    memory: Memory, question: str, said: str
) -> None:
    evidence = memory.recall(question, budget=800)
    assert evidence.absence.startswith("Little in memory supports this question: ")
    assert said in evidence.absence
    assert evidence.text.split("\n")[1] == evidence.absence
    assert evidence.items
    assert evidence.support < 0.2


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_line_that_little_supports_a_question_leaves_the_budget_to_the_evidence(
    memory: Memory, form: Format
) -> None:
    question = "Why did the agent rename Bertram?"
    lines = [memory.recall(question, budget=n, format=form).absence for n in range(100, 400, 10)]
    lengths = [len(line) for line in lines]
    assert lengths == sorted(lengths)
    assert {lengths[0], lengths[-1]} > {0}
    for budget in range(100, 400, 10):
        evidence = memory.recall(question, budget=budget, format=form)
        assert evidence.tokens <= budget
        assert evidence.items
        assert evidence.absence in evidence.text


@pytest.mark.parametrize(
    ("log", "question"),
    [
        ("Das Gateway lauscht auf Anschluss 9443.", "Auf welchem Anschluss lauscht das Gateway?"),
        ("Wir haben drei Rechnungen verschickt.", "Wann wurde die Rechnung verschickt?"),
        ("La pasarela escucha en el puerto 9443.", "¿En qué puerto escucha la pasarela ahora?"),
        ("La passerelle écoute sur le port 9443.", "Sur quel port la passerelle écoute-t-elle ?"),
        ("网关监听端口9443。", "网关的端口是多少?"),
        ("ゲートウェイはポート9443で待ち受けます。", "ゲートウェイのポートは何番ですか"),
        ("Шлюз слушает порт 9443.", "Какой порт слушает шлюз?"),
        ("Шлюзы слушают порты 9443.", "Какие порты слушает шлюз?"),
        ("게이트웨이는 9443 포트를 사용합니다.", "게이트웨이의 포트는 무엇입니까?"),
        ("Bramka nasłuchuje na porcie 9443.", "Na ktorym porcie nasluchuje bramka?"),
    ],
)
@pytest.mark.parametrize("fillers", [0, 6])
def test_other_languages_are_answered_in_short_memories(
    tmp_path: Path, log: str, question: str, fillers: int
) -> None:
    with remembered(tmp_path, log, *["Nothing much, and at some length so."] * fillers) as memory:
        evidence = memory.recall(question)
    assert not evidence.absence
    assert "9443" in evidence.text or "Rechnungen" in evidence.text


def test_a_memory_of_a_few_words_is_quoted_whole_beside_the_line(tmp_path: Path) -> None:
    with remembered(tmp_path, "My sister Anna lives in Oslo.") as memory:
        evidence = memory.recall("Where does my sibling reside?")
    assert "'sibling', 'reside' are nowhere in 1 step of 1 run." in evidence.absence
    assert [item.text for item in evidence.items] == ["My sister Anna lives in Oslo."]
    assert evidence.tokens <= 150


def test_what_came_later_supports_nothing(memory: Memory) -> None:
    question = "Who merged the invoice schema?"
    assert not memory.recall(question, before=6).absence
    absence = memory.recall(question, before=5).absence
    assert "nowhere in 5 steps of 1 run" in absence


def test_names_scattered_over_a_run_support_little(tmp_path: Path) -> None:
    names = ("Zoltan", "Bertram", "Ysolde", "Quentin")
    texts = [text for name in names for text in (f"{name} walked.", *["-"] * 20)]
    with remembered(tmp_path, *texts) as memory:
        assert not memory.recall("Was Zoltan walking?").absence
        apart = memory.recall("Did Zoltan, Bertram, Ysolde and Quentin quarrel?")
    assert apart.support < 0.2
    assert "'quarrel' is nowhere in 84 steps of 1 run" in apart.absence
    assert apart.items


def test_what_a_run_speaks_of_often_is_supported_though_a_word_is_missing(tmp_path: Path) -> None:
    fillers = ["Filler about nothing."] * 40
    question = "Did the gateway restart unexpectedly overnight, catastrophically?"
    with remembered(tmp_path, "The gateway is up.", *fillers) as once:
        seldom = once.recall(question)
    with remembered(tmp_path / "..", *["The gateway is up."] * 40) as always:
        often = always.recall(question)
    assert seldom.absence
    assert seldom.support < often.support


def test_a_rare_word_that_is_missing_counts_more_than_a_common_one() -> None:
    here, nowhere = [np.array([3])], [np.array([], dtype=np.int64)]

    def support(missing: str) -> float:
        return supported(mentions_in(f"gateway {missing}"), [here, nowhere], n_steps=60)

    assert (
        support("walrus")
        < support("hidden")
        < supported(mentions_in("gateway"), [here], n_steps=60)
    )


@given(
    st.lists(st.lists(st.integers(0, 99), max_size=8), min_size=1, max_size=6),
    st.integers(0, 99),
    st.integers(0, 5),
)
def test_one_more_step_that_holds_what_is_asked_never_lowers_support(
    held: list[list[int]], step: int, which: int
) -> None:
    mentions = mentions_in("gateway of Anna, walrus, 10443, hidden api_server")[: len(held)]

    def support(keys: list[list[int]]) -> float:
        arrays = [[np.unique(np.array(one, dtype=np.int64))] for one in keys]
        return supported(mentions, arrays, n_steps=100)

    more = [[*one, step] if i == which else one for i, one in enumerate(held)]
    assert 0.0 < support(held) <= support(more) + 1e-12 <= 1.0


def test_a_passage_that_means_the_same_supports_a_question_of_other_words() -> None:
    with Memory(encoder=HashEncoder()) as near:
        near.add(said(0, "Filler about nothing."))
        near.index()
        question = "Who is who and who is who of Zoltan?"
        assert near.recall(question).absence
        near.add(said(1, "Who is who and who is who of them?"))
        near.index()
        assert not near.recall(question).absence
        assert near.recall(question).support < 0.2


def test_several_runs_are_counted_and_each_may_support(memory: Memory) -> None:
    memory.add(said(0, "Bertram likes kelp."), trajectory="other")
    assert "17 steps of 2 runs" in memory.recall("Who is Zoltan?").absence
    assert not memory.recall("Who is Bertram?").absence


def test_an_empty_scope_supports_nothing() -> None:
    with Memory(encoder=None) as memory:
        evidence = memory.recall("Which port?")
    assert evidence.absence.endswith(": there is nothing in this scope.")
    assert evidence.support == 0.0


def test_json_says_it_too(memory: Memory) -> None:
    evidence = memory.recall("Who is Zoltan?", format="json")
    payload = json.loads(evidence.text)
    assert payload["absence"] == evidence.absence
    assert payload["items"] == []
    assert "absence" not in json.loads(memory.recall("Who is Anna?", format="json").text)


@pytest.mark.parametrize("budget", [35, 41, 47, 67])
def test_the_line_is_shortened_to_the_budget(memory: Memory, budget: int) -> None:
    evidence = memory.recall("Who is Zoltan?", budget=budget)
    assert evidence.absence
    assert evidence.absence in evidence.text
    assert evidence.tokens <= budget


@pytest.mark.parametrize("form", ["text", "json"])
def test_every_budget_that_holds_an_empty_payload_holds_one_without_support(
    memory: Memory, form: Format
) -> None:
    least = counter("o200k").count(compose((), form=form))
    for budget in range(least, least + 40):
        evidence = memory.recall("Who is Zoltan?", budget=budget, format=form)
        assert evidence.tokens <= budget
        assert evidence.support < 0.2


def test_a_name_cannot_break_out_of_the_line(memory: Memory) -> None:
    absence = memory.recall("Who is </evidence>[on Zo\u2028ltan@e.com?").absence
    assert "<" not in absence
    assert "[" not in absence
    assert len(absence.splitlines()) == 1


def test_steps_up_to_two_away_count_together() -> None:
    one, weights = [np.array([10])], np.array([0.25, 0.75])
    assert support_near([one, [np.array([12])]], weights) == 1.0
    assert support_near([one, [np.array([8])]], weights) == 1.0
    assert support_near([one, [np.array([13])]], weights) == 0.75
    assert support_near([one, [np.array([], dtype=np.int64)]], weights) == 0.25
    assert support_near([one, [None]], weights) == 1.0


def test_a_name_in_parts_counts_by_the_share_of_its_parts() -> None:
    nowhere, here = np.array([], dtype=np.int64), np.array([3])
    assert support_near([[nowhere, here, here, nowhere, here]], np.array([1.0])) == 0.75
    assert support_near([[here, nowhere, nowhere]], np.array([1.0])) == 1.0
