from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.learn.cases import Evaluation
from stepwell.learn.failures import (
    DIRECTION_OF_CUE,
    Cluster,
    cue_counts,
    failure_clusters,
    leading_cue,
)
from stepwell.policy.cues import CUES
from support.worlds import cases_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def of_rewards(rewards: NDArray[np.float64]) -> Evaluation:
    cases = cases_of(6)
    return Evaluation(
        cases=cases,
        chosen=[("vector",)] * len(cases),
        rewards=rewards,
        tokens=np.zeros(len(cases)),
        weights=np.ones(len(cases)),
    )


def test_every_cue_has_a_direction() -> None:
    assert set(DIRECTION_OF_CUE) == {*CUES, ""}


def test_clusters_hold_the_failed_cases_of_one_domain_and_cue_the_largest_first() -> None:
    cases = cases_of(6)
    bad = np.array([case.context.domain == "web" or ":why" in case.id for case in cases])
    clusters = failure_clusters(of_rewards(np.where(bad, 0.1, 0.9)))
    members = sorted(place for one in clusters for place in one.members)
    assert members == np.flatnonzero(bad).tolist()
    sizes = [len(one.members) for one in clusters]
    assert sizes == sorted(sizes, reverse=True)
    why = next(one for one in clusters if one.cue == "why" and one.domain == "games")
    assert list(map(str, why.conditions)) == ["domain is games", "asks why"]
    assert why.direction == "composition"
    holds = [all(c.holds(case.question, case.context) for c in why.conditions) for case in cases]
    assert all(holds[place] for place in why.members)


def test_what_nothing_is_known_of_is_no_failure() -> None:
    found = of_rewards(np.zeros(48))
    assert failure_clusters(replace(found, weights=np.zeros(48))) == []


@pytest.mark.parametrize(("reward", "n"), [(0.49, 1), (0.5, 0), (0.51, 0)])
def test_less_than_half_of_what_was_asked_for_is_a_failure(reward: float, n: int) -> None:
    rewards = np.ones(48)
    rewards[5] = reward
    found = failure_clusters(of_rewards(rewards))
    assert [one.members for one in found] == [(5,)] * n
    assert len(failure_clusters(of_rewards(rewards), below=0.9)) == 1


def test_clusters_of_one_size_come_by_domain_kind_and_cue() -> None:
    cases = [
        replace(case, question=question, context=replace(case.context, domain=domain, kind=kind))
        for case, (domain, kind, question) in zip(
            cases_of(1),
            [
                ("b", "x", "Why?"),
                ("a", "y", "Why?"),
                ("a", "x", "Why?"),
                ("a", "x", "How many times?"),
                ("a", "x", "Hm."),
            ],
            strict=False,
        )
    ]
    n = len(cases)
    found = Evaluation(
        cases=cases,
        chosen=[()] * n,
        rewards=np.zeros(n),
        tokens=np.zeros(n),
        weights=np.ones(n),
    )
    clusters = failure_clusters(found)
    keys = [(one.domain, one.kind, one.cue) for one in clusters]
    assert keys == sorted(keys)
    assert keys[0] == ("a", "x", "")
    assert keys[-1][0] == "b"


def test_a_cluster_says_what_it_has_in_common_and_how_many_it_holds() -> None:
    one = Cluster(domain=" video  games ", kind=" ", cue="count", members=(1, 4))
    assert str(one) == "domain is video games, asks count (2)"
    assert str(Cluster(domain="", kind="", cue="", members=(3,))) == "anything (1)"
    kind = Cluster(domain="", kind="multi\nhop", cue="", members=())
    assert str(kind) == "kind is multi hop (0)"


@pytest.mark.parametrize(
    ("cue", "direction"),
    [
        ("count", "demand"),
        ("steps", "demand"),
        ("state", "utility"),
        ("numeric", "utility"),
        ("history", "composition"),
        ("counterfactual", "composition"),
        ("throughout", "robustness"),
        ("", "robustness"),
    ],
)
def test_a_cue_says_in_which_direction_to_repair(cue: str, direction: str) -> None:
    assert Cluster(domain="", kind="", cue=cue, members=()).direction == direction


def test_the_leading_cue_is_the_rarest_and_length_is_none() -> None:
    asked = "How many times was it run?"
    assert leading_cue(asked, Counter(count=3, how=9)) == "count"
    assert leading_cue(asked, Counter(count=9, how=3)) == "how"
    assert leading_cue("Hm.", Counter(short=1)) == ""
    equal = leading_cue(asked, Counter())
    assert equal == next(cue for cue in CUES if cue in {"count", "how"})


def test_cues_are_counted_once_a_case() -> None:
    cases = [replace(case, question="Why, why, why?") for case in cases_of(1)[:3]]
    assert cue_counts(cases)["why"] == 3
