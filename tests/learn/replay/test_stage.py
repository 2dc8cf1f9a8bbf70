from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.learn.replay.stage import (
    Chosen,
    Remembered,
    Workbench,
    derive_views,
    open_stage,
    without_vectors,
)
from stepwell.memory.memory import Memory
from stepwell.policy.base import STRUCTURES, Context, Selection
from stepwell.policy.kinds import All, Fixed
from stepwell.recall.marks import UNMARKED
from stepwell.store.scope import Scope
from stepwell.structures.base import Query, Ranking, Traits, Within
from support.encoders import HashEncoder
from support.walks import ROOMS, add_walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.learn.replay.stage import Stage


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    store = tmp_path_factory.mktemp("stage") / "memory.db"
    with Memory(store, encoder=None) as memory:
        questions = [one for number in range(2) for one in add_walk(memory, number)]
    derive_views(store)
    return Workbench(store=store, questions=tuple(questions))


@pytest.fixture
def stage(bench: Workbench) -> Iterator[Stage]:
    found = open_stage(bench)
    with closing(found.db):
        yield found


def test_each_question_is_a_case_in_its_order(stage: Stage, bench: Workbench) -> None:
    found = list(stage.cases(budget=700))
    assert [question for _, question in found] == list(bench.questions)
    for case, question in found:
        assert (case.id, case.episode) == (question.id, question.trajectory)
        assert case.question == question.text
        assert (case.context.budget, case.context.n_steps) == (700, len(ROOMS))
        assert case.context.available == tuple(name for name in STRUCTURES if name != "vector")
        assert type(case.context.signals) is dict  # read once, so that it can be sent


def test_a_policy_sees_the_type_and_the_domain_that_a_question_says(bench: Workbench) -> None:
    question = replace(bench.questions[0], kind="where", domain="rooms")
    stage = open_stage(replace(bench, questions=(question, bench.questions[1])))
    with closing(stage.db):
        (one, _), (other, _) = stage.cases(budget=700)
    assert (one.context.kind, one.context.domain) == ("where", "rooms")
    assert other.context.kind == ""


def test_a_recall_is_the_memory_s_own(stage: Stage, bench: Workbench) -> None:
    policy = Fixed(structures=("episodic", "units"))
    case, question = next(stage.cases(budget=700))
    found = stage.recall(case, policy)
    scope = {"trajectory": question.trajectory or ""}
    with Memory(bench.store, encoder=None, scope=scope) as memory:
        expected = memory.recall(question.text, 700, policy=["episodic", "units"])
    # A replay is no recall: its payload is handed to nobody, and bears no mark.
    assert found.text == re.sub(r'mark="\d+"', f'mark="{UNMARKED}"', expected.text)
    assert [item.id for item in found.items] == [item.id for item in expected.items]
    assert {item.trajectory for item in found.items} == {case.episode}
    assert stage.recall(case, policy).text == found.text  # remembered searches change nothing


def test_remembered_searches_are_of_one_question_each(stage: Stage) -> None:
    cases = [case for case, _ in stage.cases(budget=700)]
    shared = [stage.recall(case, All()).text for case in cases]
    for case, text in zip(cases, shared, strict=True):
        fresh = open_stage(stage.bench)
        with closing(fresh.db):
            assert fresh.recall(case, All()).text == text


def test_a_trajectory_is_loaded_once(stage: Stage) -> None:
    run = stage.trajectory("walk-1")
    assert (run.trajectory_id, len(run.steps)) == ("walk-1", len(ROOMS))
    assert stage.trajectory("walk-1") is run


def test_a_run_outside_the_scope_is_not_found(bench: Workbench) -> None:
    stage = open_stage(replace(bench, scope=Scope(user_id="someone else")))
    with closing(stage.db), pytest.raises(ValueError, match="not enough values"):
        next(stage.cases(budget=700))


def test_an_encoder_is_opened_once_and_adds_vectors(bench: Workbench) -> None:
    stage = open_stage(replace(bench, open_encoder=HashEncoder))
    with closing(stage.db):
        assert isinstance(stage.encoder, HashEncoder)
        assert "vector" in {structure.name for structure in stage.sources.structures}
    plain = open_stage(bench)
    with closing(plain.db):
        assert plain.encoder is None
        assert "vector" not in {structure.name for structure in plain.sources.structures}
    assert bench.open_encoder is without_vectors


def test_views_are_derived_run_by_run(bench: Workbench) -> None:
    told: list[tuple[str, int, int]] = []
    derive_views(bench.store, progress=lambda *what: told.append(what))
    assert told == [("views derived", 0, 2), ("views derived", 1, 2)]
    derive_views(
        bench.store, scope=Scope(trajectory="walk-1"), progress=lambda *what: told.append(what)
    )
    assert told[2:] == [("views derived", 0, 1)]


def test_what_has_chosen_says_its_selection_whatever_is_asked() -> None:
    selection = Selection(structures=("graph",), tokens={"graph": 90})
    assert Chosen(selection=selection).select("Why?", Context()) is selection


@dataclass
class Counted:
    """A structure that counts its searches and finds the number of the one it does."""

    name: str = "counted"
    tokens: int = 300
    traits: Traits = Traits()  # noqa: RUF009  (frozen)
    searches: list[tuple[str, Within, int]] = field(default_factory=list)
    n_saved: int = 0

    def save(self) -> None:
        self.n_saved += 1

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        return {f"counted.{query.asked}": float(within.n_passages)}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        self.searches.append((query.asked, within, limit))
        return Ranking(
            structure=self.name,
            rowids=np.array([len(self.searches)]),
            scores=np.ones(1),
        )


def asked(text: str) -> Query:
    return Query(text="the same", terms=("same",), asked=text)


def scope_of(n: int) -> Within:
    return Within(spans=((0, n - 1),), n_passages=n, is_all=False)


def test_a_search_is_done_once_for_each_question_scope_and_limit() -> None:
    inner = Counted()
    structure = Remembered(inner=inner)
    keys = [(asked(text), scope_of(n), limit) for text in "ab" for n in (1, 2) for limit in (5, 6)]
    first = [structure.search(query, within=scope, limit=limit) for query, scope, limit in keys]
    again = [structure.search(query, within=scope, limit=limit) for query, scope, limit in keys]
    assert len(inner.searches) == len(keys) == 8
    assert all(one is other for one, other in zip(first, again, strict=True))


def test_the_searches_used_last_are_remembered() -> None:
    inner = Counted()
    structure = Remembered(inner=inner)

    def search(text: str) -> None:
        structure.search(asked(text), within=scope_of(1), limit=5)

    for number in range(256):
        search(str(number))
    search("0")  # now the second is the one used longest ago
    search("new")
    n = len(inner.searches)
    assert n == 257
    search("0")
    search("2")
    assert len(inner.searches) == n
    search("1")
    assert len(inner.searches) == n + 1


def test_all_else_is_the_structure_s_own() -> None:
    inner = Counted()
    structure = Remembered(inner=inner)
    assert (structure.name, structure.tokens, structure.traits) == ("counted", 300, inner.traits)
    assert structure.signals(asked("a"), within=scope_of(3)) == {"counted.a": 3.0}
    structure.save()
    assert inner.n_saved == 1
