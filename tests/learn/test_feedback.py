from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import msgspec
import numpy as np
import pytest

from stepwell.errors import InvalidInputError, PolicyError
from stepwell.learn.feedback import effective_size, read_feedback
from stepwell.learn.held_out import hold_out
from stepwell.learn.proposers.guide import Guide
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.search import Search, SearchOptions
from stepwell.learn.split import split_cases
from stepwell.policy.base import Context
from stepwell.policy.exploring import Exploring
from stepwell.policy.kinds import Fixed
from stepwell.store.recalls import Recalled

CONTEXT = Context(available=("temporal", "vector"), domain="games", signals={"temporal.slots": 2.0})


def recalled(
    number: int, structures: tuple[str, ...], *, chance: float, reward: float | None
) -> Recalled:
    return Recalled(
        id=f"r{number}",
        asked_at=datetime(2026, 1, 1, tzinfo=UTC),
        question=f"Why {number}?",
        context=msgspec.json.encode(CONTEXT),
        policy="default",
        structures=structures,
        chance=chance,
        budget=800,
        tokens=100 * number,
        trajectories=(7, 3),
        reward=reward,
    )


def test_the_estimate_is_the_self_normalised_mean_in_closed_form() -> None:
    feedback = read_feedback(
        [
            recalled(1, ("vector",), chance=0.5, reward=1.0),
            recalled(2, ("vector",), chance=0.1, reward=0.0),
            recalled(3, ("temporal",), chance=0.5, reward=1.0),
            recalled(4, ("vector",), chance=0.01, reward=0.5),
            recalled(5, ("vector",), chance=1.0, reward=None),
        ],
        least=1,
    )
    found = feedback.evaluate(Fixed(structures=("vector",)), feedback.cases)
    assert found.weights == pytest.approx([2, 10, 0, 20])  # the last one is clipped
    assert found.reward == pytest.approx((2 * 1 + 10 * 0 + 20 * 0.5) / 32)
    assert found.cost == pytest.approx((2 * 100 + 10 * 200 + 20 * 400) / 32)


def test_contexts_come_back_as_they_were() -> None:
    (case,) = read_feedback([recalled(1, ("vector",), chance=1, reward=1)]).cases
    assert case.context == CONTEXT
    assert case.episode == "t3"


def test_what_cannot_be_read_is_counted() -> None:
    good = recalled(1, ("vector",), chance=1, reward=1)
    broken = (b"", b"{}", b"\xff", b'{"available": []}')
    bad = [replace(good, context=raw) for raw in broken]
    assert read_feedback([good, *bad]).n_unread == 4


def test_no_feedback_is_told() -> None:
    with pytest.raises(InvalidInputError, match="rewarded"):
        read_feedback([recalled(1, ("vector",), chance=1, reward=None)])


def test_too_few_matches_are_refused_with_what_to_do() -> None:
    logged = [recalled(n, ("vector",), chance=0.9, reward=1.0) for n in range(40)]
    feedback = read_feedback(logged)
    assert feedback.evaluate(Fixed(structures=("vector",)), feedback.cases).reward == 1
    with pytest.raises(PolicyError, match=r"0 of 40 .* tries things out"):
        feedback.evaluate(Fixed(structures=("temporal",)), feedback.cases)


def test_the_estimate_finds_what_a_policy_that_was_not_used_is_worth() -> None:
    rng = np.random.default_rng(0)
    logging = Exploring(policy=Fixed(structures=("vector",)), share=0.6, seed=1)
    worth = {("vector",): 0.3, ("temporal",): 0.8, ("temporal", "vector"): 0.6}
    logged: list[Recalled] = []
    for number in range(3000):
        chosen = logging.select(f"Why {number}?", CONTEXT)
        reward = float(rng.random() < worth[chosen.structures])
        logged.append(recalled(number, chosen.structures, chance=chosen.chance, reward=reward))
    feedback = read_feedback(logged)
    for structures, mean in worth.items():
        found = feedback.evaluate(Fixed(structures=structures), feedback.cases)
        assert found.reward == pytest.approx(mean, abs=0.06)


def test_the_effective_size_of_no_weights_is_nothing() -> None:
    assert effective_size([0.0, 0.0]) == 0
    assert effective_size([3.0] * 5) == pytest.approx(5)


def test_a_search_learns_from_logged_choices_alone() -> None:
    rng = np.random.default_rng(0)
    context = replace(CONTEXT, available=("temporal", "graph", "vector"))
    logging = Exploring(policy=Fixed(structures=("vector",)), share=0.7)
    questions = {"temporal": "How many times was {n} set?", "vector": "Why was {n} set?"}
    logged: list[Recalled] = []
    for number in range(3000):
        wanted = str(rng.choice(list(questions)))
        question = questions[wanted].format(n=number)
        chosen = logging.select(question, context)
        reward = float(rng.random() < (0.9 if wanted in chosen.structures else 0.2))
        one = recalled(number, chosen.structures, chance=chosen.chance, reward=reward)
        tokens = 100 * len(chosen.structures)
        raw = msgspec.json.encode(context)
        run = number % 100
        logged.append(
            replace(one, question=question, context=raw, tokens=tokens, trajectories=(run,))
        )
    feedback = read_feedback(logged)
    split = split_cases(feedback.cases, seed=0)
    guide = Guide(evaluator=replace(feedback, least=0), cases=split.train, penalty=1e-3)
    found = Search(
        evaluator=feedback,
        validation=split.validation,
        proposer=OfflineProposer(guide=guide),
        options=SearchOptions(iterations=8, penalty=1e-3),
        start=Fixed(structures=("vector",)),
    )()
    for wanted, question in questions.items():
        assert wanted in found.policy.select(question.format(n=1), context).structures
    usual = {"usual": Fixed(structures=("vector",))}
    assert hold_out(feedback, found.policy, usual, split.test, penalty=1e-3).against[0].beats


@pytest.mark.parametrize(("chance", "weight"), [(1.0, 1.0), (0.5, 2.0), (0.05, 20.0), (0.04, 20.0)])
def test_a_rare_choice_weighs_more_up_to_a_limit(chance: float, weight: float) -> None:
    feedback = read_feedback([recalled(1, ("vector",), chance=chance, reward=0.5)], least=0)
    found = feedback.evaluate(Fixed(structures=("vector",)), feedback.cases)
    assert found.weights.tolist() == pytest.approx([weight])
    low = read_feedback([recalled(1, ("vector",), chance=0.5, reward=0.5)], least=0, clip=1.5)
    assert low.evaluate(Fixed(structures=("vector",)), low.cases).weights.tolist() == [1.5]


@pytest.mark.parametrize("chance", [0.0, -0.5, 1.5, float("nan")])
def test_a_chance_that_is_none_is_counted_as_unread(chance: float) -> None:
    good = recalled(1, ("vector",), chance=1.0, reward=1.0)
    feedback = read_feedback([recalled(2, ("vector",), chance=chance, reward=1.0), good])
    assert (feedback.n_unread, len(feedback.cases)) == (1, 1)


def test_the_order_of_structures_says_nothing() -> None:
    feedback = read_feedback([recalled(1, ("vector", "temporal"), chance=1.0, reward=1.0)], least=1)
    for names in (("temporal", "vector"), ("vector", "temporal")):
        found = feedback.evaluate(Fixed(structures=names), feedback.cases)
        assert found.weights.tolist() == [1.0]


@pytest.mark.parametrize(("least", "fails"), [(2.0, False), (2.1, True)])
def test_as_much_as_is_asked_for_is_enough(least: float, fails: bool) -> None:  # noqa: FBT001
    feedback = read_feedback(
        [recalled(n, ("vector",), chance=0.5, reward=1.0) for n in (1, 2)], least=least
    )
    policy = Fixed(structures=("vector",))
    if fails:
        with pytest.raises(PolicyError, match="2 of 2 rewarded recalls") as raised:
            feedback.evaluate(policy, feedback.cases)
        assert "they count as 2, and 2 are needed" in str(raised.value)
    else:
        assert feedback.evaluate(policy, feedback.cases).reward == 1.0


def test_recalls_over_the_same_runs_are_one_episode_named_by_the_first() -> None:
    one = recalled(1, ("vector",), chance=1.0, reward=1.0)
    feedback = read_feedback(
        [one, replace(one, id="r2", trajectories=()), replace(one, id="r3", trajectories=(5, 3))]
    )
    assert [case.episode for case in feedback.cases] == ["t3", "t0", "t3"]
    assert [case.id for case in feedback.cases] == ["r1", "r2", "r3"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"available": []}',
        msgspec.json.encode(replace(CONTEXT, available=())),
    ],
)
def test_a_context_that_is_none_is_counted_as_unread(raw: bytes) -> None:
    good = recalled(1, ("vector",), chance=1.0, reward=1.0)
    feedback = read_feedback([replace(good, id="r2", context=raw), good])
    assert (feedback.n_unread, [case.id for case in feedback.cases]) == (1, ["r1"])
