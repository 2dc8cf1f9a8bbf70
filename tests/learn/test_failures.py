from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.learn.cases import Evaluation
from stepwell.learn.failures import DIRECTION_OF_CUE, failure_clusters
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
