"""What was learned, as JSON."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from stepwell.learn.archive import Candidate
from stepwell.learn.held_out import Comparison, HeldOut
from stepwell.learn.run import Learned
from stepwell.learn.search import SearchResult
from stepwell.policy.registry import find
from stepwell.serve.documents.learning import learned_document
from stepwell.stats.bootstrap import Interval
from support.documents import undocumented, unwritten


def interval(low: float, high: float) -> Interval:
    return Interval(mean=(low + high) / 2, low=low, high=high, n_values=9, n_groups=3)


def comparison(name: str, *, low: float) -> Comparison:
    return Comparison(
        name=name,
        reward=0.5,
        tokens=300.0,
        objective=0.4,
        reward_difference=interval(-1, 1),
        tokens_difference=interval(-2, 2),
        objective_difference=interval(low, 0.3),
        p=0.01,
    )


def learned(*against: Comparison) -> Learned:
    test = HeldOut(
        reward=0.6, tokens=200.0, objective=0.5, n_cases=9, n_episodes=3, against=against
    )
    candidate = Candidate(
        iteration=0,
        role="start",
        direction=None,
        policy=find("plain").policy,
        description="as it was",
        evaluation=None,
    )
    found = SearchResult(
        best=candidate, archive=(candidate,), curve=(0.1, 0.2), stopped="it is patient"
    )
    return Learned(file=replace(find("plain"), name="mine"), found=found, test=test)


def test_the_policy_its_test_and_the_search_are_told() -> None:
    document = learned_document(learned(comparison("in use", low=0.1), comparison("all", low=-1)))
    assert tomllib.loads(document["policy"])["name"] == "mine"
    assert document["curve"] == [0.1, 0.2]
    assert document["stopped"] == "it is patient"
    assert [one["name"] for one in document["test"]["against"]] == ["in use", "all"]
    assert undocumented(document, "learn") == unwritten(document, "learn") == set()


@pytest.mark.parametrize("low", [-0.1, 0.0, 0.1])
def test_it_beats_the_policy_in_use_if_the_whole_interval_is_above_zero(low: float) -> None:
    document = learned_document(learned(comparison("in use", low=low), comparison("all", low=0.2)))
    assert document["beats"] is (low > 0)
