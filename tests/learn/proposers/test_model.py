from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.chat.client import ChatModel
from stepwell.errors import PolicyError
from stepwell.learn.archive import Candidate
from stepwell.learn.proposers.base import Task
from stepwell.learn.proposers.model import ModelProposer, policy_in
from stepwell.learn.ucb import arms_of
from stepwell.policy.kinds import Fixed, Program
from support.chat_server import serving
from support.worlds import PENALTY, World, cases_of

if TYPE_CHECKING:
    from stepwell.learn.ucb import Direction
    from stepwell.policy.kinds import Kind

TRAIN, VALIDATION = cases_of(30, seed=1), cases_of(6, seed=2)
START = Fixed(structures=("vector",))


def task_of(direction: Direction | None = "demand", *, tried: Kind | None = None) -> Task:
    current = Candidate(
        iteration=0,
        role="start",
        direction=None,
        policy=START,
        description="",
        evaluation=World().evaluate(START, VALIDATION),
    )
    other = replace(current, policy=tried, evaluation=None, refused="no", iteration=1)
    return Task(
        role="exploit",
        direction=direction,
        current=current,
        cluster=None,
        candidates=(current, other) if tried else (current,),
        arms=arms_of([]),
        penalty=PENALTY,
        rng=np.random.default_rng(0),
    )


def in_block(language: str, text: str) -> str:
    return f"Here it is.\n```{language}\n{text}\n```\n"


GOOD = 'kind = "fixed"\nstructures = ["temporal", "graph"]'
PROGRAM = 'def select(question, context):\n    return ["vector"]'


def test_a_model_proposes_rules_or_a_program() -> None:
    assert policy_in(in_block("toml", GOOD)) == Fixed(structures=("temporal", "graph"))
    found = policy_in(f"<think>```\nx\n```</think>{in_block('starlark', PROGRAM)}")
    assert found == Program(source=f"{PROGRAM}\n")


@pytest.mark.parametrize(
    "reply",
    [
        in_block("TOML", GOOD),
        in_block("toml", f'name = "mine"\n{GOOD}'),
        in_block("toml", GOOD).replace("\n", "\r\n"),
        in_block("toml", GOOD).replace("```toml", "```  toml  title"),
        f"```toml\n{GOOD}\n```",
        f"```\nnot this\n```</think>{in_block('toml', GOOD)}",
    ],
)
def test_a_block_may_be_written_in_several_ways(reply: str) -> None:
    assert policy_in(reply) == Fixed(structures=("temporal", "graph"))


@pytest.mark.parametrize("language", ["", "python", "starlark"])
def test_what_is_no_toml_is_a_program(language: str) -> None:
    assert isinstance(policy_in(in_block(language, PROGRAM)), Program)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("No.", "There are 0 code blocks in the reply. Answer with exactly one."),
        (in_block("toml", GOOD) * 2, "There are 2 code blocks"),
        (f"{in_block('toml', GOOD)}</think>", "There are 0 code blocks"),
        (f"Use `{GOOD}` ```toml", "There are 0 code blocks"),
        (in_block("toml", "kind = 1"), "the reply"),
        (in_block("toml", "kind ="), "the reply"),
    ],
)
def test_a_reply_that_is_no_policy_is_refused(reply: str, said: str) -> None:
    with pytest.raises(PolicyError) as raised:
        policy_in(reply)
    assert said in str(raised.value)


def proposed(*replies: str, task: Task | None = None) -> tuple[Any, list[dict[str, Any]]]:
    left = iter(replies)
    with serving() as server:
        server.answer = lambda _body: next(left)
        model = ChatModel(f"openai:small@{server.url}", api_key="secret-key")
        proposal = ModelProposer(model=model, cases=TRAIN).propose(task or task_of())
        return proposal, server.requests


def test_a_model_is_told_what_is_wrong_and_tries_again() -> None:
    bad = in_block("starlark", "def select(question, context):\n    return []")
    found, requests = proposed(bad, "Sorry.", in_block("toml", GOOD))
    assert found.policy == Fixed(structures=("temporal", "graph"))
    assert len(requests) == 3
    assert "cannot be used" in requests[1]["messages"][-1]["content"]
    assert "code blocks" in requests[2]["messages"][-1]["content"]
    assert [one["role"] for one in requests[2]["messages"][-4:]] == [
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "secret-key" not in json.dumps(requests)


def test_a_model_that_never_proposes_a_policy_gives_none() -> None:
    found, requests = proposed("No.", "No.", "No.", in_block("toml", GOOD))
    assert found.policy is None
    assert "code blocks" in found.description
    assert len(requests) == 3


def test_tokens_of_every_try_are_counted() -> None:
    one, _ = proposed(in_block("toml", GOOD))
    two, _ = proposed("No.", in_block("toml", GOOD))
    assert 0 < one.tokens < two.tokens


def test_a_policy_that_was_tried_is_not_taken_again() -> None:
    other = 'kind = "fixed"\nstructures = ["graph"]'
    task = task_of(tried=Fixed(structures=("temporal", "graph")))
    found, requests = proposed(in_block("toml", GOOD), in_block("toml", other), task=task)
    assert found.policy == Fixed(structures=("graph",))
    assert (
        "This policy was tried already. Change something."
        in (requests[1]["messages"][-1]["content"])
    )


@pytest.mark.parametrize(
    ("direction", "said"), [("demand", "demand change"), (None, "free change")]
)
def test_a_proposal_says_in_which_direction_and_by_whom(
    direction: Direction | None, said: str
) -> None:
    found, _ = proposed(in_block("toml", GOOD), task=task_of(direction))
    assert found.description.startswith(f"{said} by openai:small")
    assert found.direction is None


def test_a_proposer_is_named_by_its_model() -> None:
    model = ChatModel("openai:small@http://localhost:1", api_key="secret-key")
    name = ModelProposer(model=model, cases=TRAIN).name
    assert name == f"model/{model.model_id}"
    assert "secret" not in name
