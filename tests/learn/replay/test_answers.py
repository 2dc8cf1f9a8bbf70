from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.chat.base import Reply
from stepwell.errors import ModelUnavailableError
from stepwell.learn.reader import AnswerReward
from stepwell.learn.replay.answers import NONE, open_answering
from stepwell.learn.replay.stage import Workbench, derive_views
from stepwell.memory.memory import Memory
from stepwell.policy.kinds import Fixed
from support.walks import add_walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.chat.base import Message
    from stepwell.learn.cases import Case
    from stepwell.learn.replay.answers import Answering

EPISODIC = Fixed(structures=("episodic",))


@dataclass
class Model:
    """A model that answers what its script says, and that it does not know after that.

    An answer of None is no answer.
    """

    script: list[str | None] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    model_id: str = "scripted"

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 512, schema: Any = None
    ) -> Reply:
        assert max_tokens > 0
        assert schema is None
        self.asked.append(messages[-1].content)
        answer = self.script.pop(0) if self.script else "Answer[1]: I do not know."
        if answer is None:
            raise ModelUnavailableError("The model is out of reach.")
        return Reply(text=answer, prompt_tokens=1, completion_tokens=1)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    store = tmp_path_factory.mktemp("answers") / "memory.db"
    with Memory(store, encoder=None) as memory:
        questions = [one for number in range(2) for one in add_walk(memory, number)]
    derive_views(store)
    return Workbench(store=store, questions=tuple(questions))


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def answering(bench: Workbench, model: Model) -> Iterator[Answering]:
    found = open_answering(bench, AnswerReward(model))
    with closing(found.stage.db):
        yield found


@pytest.fixture
def cases(answering: Answering) -> list[Case]:
    return [case for case, _ in answering.stage.cases(budget=600)]


def test_a_policy_is_worth_what_the_model_answers_from_what_it_chose(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    model.script = ["Answer[1]: Item SN0277", "Answer[1]: nothing"]
    found = answering.evaluate(EPISODIC, cases[:2])
    assert found.rewards.tolist() == [1.0, 0.0]
    assert found.weights.tolist() == [1.0, 1.0]
    assert found.chosen == [("episodic",)] * 2
    evidence = answering.stage.recall(cases[0], EPISODIC)
    assert found.tokens[0] == evidence.tokens
    assert evidence.text in model.asked[0]
    assert cases[0].question in model.asked[0]


def test_a_selection_is_asked_once(answering: Answering, model: Model, cases: list[Case]) -> None:
    first = answering.evaluate(EPISODIC, cases[:1])
    again = answering.evaluate(Fixed(structures=("episodic",)), cases[:1])
    assert len(model.asked) == 1
    assert again.rewards.tolist() == first.rewards.tolist()
    answering.evaluate(Fixed(structures=("episodic", "temporal")), cases[:1])
    answering.evaluate(Fixed(structures=("temporal", "episodic")), cases[:1])
    assert len(model.asked) == 2
    wider = replace(cases[0], context=replace(cases[0].context, budget=900))
    answering.evaluate(EPISODIC, [wider])
    assert len(model.asked) == 3


def test_the_model_alone_is_asked_without_evidence(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    found = answering.without_evidence(cases)
    assert found.tokens.tolist() == [0.0] * len(cases)
    assert list(found.chosen) == [()] * len(cases)
    assert all("(no evidence is given)" in text for text in model.asked)
    answering.without_evidence(cases)
    assert len(model.asked) == len(cases)
    assert NONE == "none"


def test_an_answer_that_is_none_weighs_nothing_and_is_counted(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    model.script = ["Answer[1]: Item SN0277", None, "Answer[1]:"]
    found = answering.evaluate(EPISODIC, cases[:3])
    assert found.weights.tolist() == [1.0, 0.0, 0.0]
    assert found.rewards.tolist() == [1.0, 0.0, 0.0]
    assert answering.n_failed == 2
    assert found.tokens.min() > 0


def test_a_failure_is_not_asked_again(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    model.script = [None]
    for _ in range(2):
        answering.evaluate(EPISODIC, cases[:1])
    assert (len(model.asked), answering.n_failed) == (1, 1)


def test_a_model_out_of_reach_from_the_start_ends_the_run_at_the_third_question(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    model.script = [None] * 4
    with pytest.raises(ModelUnavailableError, match="out of reach"):
        answering.evaluate(EPISODIC, cases)
    assert (len(model.asked), answering.n_failed) == (3, 2)


def test_a_model_that_ever_answered_may_fail_as_often_as_it_likes(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    model.script = ["Answer[1]: yes", None, None, None]
    assert answering.evaluate(EPISODIC, cases).weights.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_progress_is_told_after_each_answer_that_is_new(
    answering: Answering, model: Model, cases: list[Case]
) -> None:
    told: list[int] = []
    answering.progress = lambda: told.append(len(model.asked))
    answering.evaluate(EPISODIC, cases)
    answering.evaluate(EPISODIC, cases)
    assert told == [1, 2, 3, 4]
