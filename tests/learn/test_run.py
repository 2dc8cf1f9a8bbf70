from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.config import Settings
from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from stepwell.learn.run import Ground, Plan, learn, policy_in_use
from stepwell.policy.base import STRUCTURES
from stepwell.policy.files import PolicyFile
from stepwell.policy.kinds import All, Fixed
from stepwell.policy.registry import find, install
from support.worlds import PENALTY, World, cases_of

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.learn.run import Learned

CASES = cases_of(24, seed=5)
ABOUT: dict[str, str | int | float] = {"data": "a world", "code": "1"}


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    return Settings(db=None, encoder="none", policies=tmp_path / "policies")


def plan_of(tmp_path: Path, **options: Any) -> Plan:
    given = {"name": "mine", "state": tmp_path / "state", "iterations": 3, "penalty": PENALTY}
    return Plan(**{**given, **options})


def ground_of(**options: Any) -> Ground:
    given: dict[str, Any] = {
        "evaluator": World(),
        "guide": World(),
        "cases": CASES,
        "start": All(),
        "about": ABOUT,
        "with_controls": False,
    }
    return Ground(**{**given, **options})


def gains(found: Learned) -> dict[str, float]:
    return {one.name: one.objective_difference.mean for one in found.test.against}


def test_a_better_policy_is_learned_and_judged_on_other_episodes(
    tmp_path: Path, chosen: Settings
) -> None:
    found = learn(plan_of(tmp_path), ground_of(), chosen)
    assert found.found.curve[-1] > found.found.curve[0]
    assert found.file.policy == found.found.policy
    assert found.test.n_episodes == 12  # half of them
    assert found.test.n_cases == 96
    assert gains(found)["the policy in use"] > 0
    validated = {case.episode for case in found.found.best.evaluation.cases}  # type: ignore[union-attr]
    assert len(validated) < 12


def test_the_file_says_how_it_was_learned(tmp_path: Path, chosen: Settings) -> None:
    found = learn(plan_of(tmp_path, seed=3), ground_of(), chosen)
    origin = found.file.origin
    assert (found.file.name, found.file.version) == ("mine", 1)
    assert (origin["data"], origin["code"], origin["seed"]) == ("a world", "1", 3)
    assert (origin["penalty"], origin["made"]) == (PENALTY, "learned")
    assert origin["parent"] == f"default.v{find('default').version}"
    assert origin["validation_objective"] == found.found.curve[-1]
    assert origin["held_out_gain"] == gains(found)["the policy in use"]
    assert str(origin["proposer"]).startswith("offline/2/")
    assert "kind" not in str(origin["proposer"])  # a memory does not know the types of questions


def test_controls_are_compared_with_where_they_can_be_told(
    tmp_path: Path, chosen: Settings
) -> None:
    without = learn(plan_of(tmp_path, iterations=1), ground_of(), chosen)
    assert list(gains(without)) == ["the policy in use"]
    found = learn(plan_of(tmp_path, iterations=1), ground_of(with_controls=True), chosen)
    names = list(gains(found))
    assert names[:3] == ["the policy in use", "all", "plain"]
    assert len(names) == 9


def test_an_interrupted_run_goes_on_and_ends_where_it_would_have(
    tmp_path: Path, chosen: Settings
) -> None:
    told: list[str] = []

    def stop(what: str) -> None:
        told.append(what)
        if len(told) == 4:
            raise KeyboardInterrupt

    plan = plan_of(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        learn(plan, ground_of(), chosen, progress=stop)
    rest: list[str] = []
    found = learn(plan, ground_of(), chosen, progress=rest.append)
    whole = learn(replace(plan, state=tmp_path / "other"), ground_of(), chosen)
    assert (found.file, found.found.curve) == (whole.file, whole.found.curve)
    assert len(rest) == len(whole.found.archive) - 4
    assert told[0].startswith("round 0 of 3, start: ")
    assert rest[-1].startswith("round 3 of 3, ")
    assert rest[-1].endswith(f": {whole.found.curve[-1]:.4f}")


def test_the_search_starts_where_it_is_told(tmp_path: Path, chosen: Settings) -> None:
    start = Fixed(structures=("summary",))
    found = learn(plan_of(tmp_path, iterations=1), ground_of(start=start), chosen)
    assert found.found.archive[0].policy == start


def test_the_guide_is_asked_of_training_cases_and_the_evaluator_of_the_others(
    tmp_path: Path, chosen: Settings
) -> None:
    class Noting(World):
        episodes: set[str]

        def evaluate(self, policy: Any, cases: Any) -> Any:
            self.episodes |= {case.episode for case in cases}
            return super().evaluate(policy, cases)

    guide, evaluator = Noting(), Noting()
    guide.episodes, evaluator.episodes = set(), set()
    learn(plan_of(tmp_path, iterations=1), ground_of(guide=guide, evaluator=evaluator), chosen)
    assert guide.episodes
    assert evaluator.episodes
    assert guide.episodes.isdisjoint(evaluator.episodes)
    assert guide.episodes | evaluator.episodes == {case.episode for case in CASES}


def test_offline_forty_rounds_are_meant_and_fewer_done_where_nothing_gets_better(
    tmp_path: Path, chosen: Settings
) -> None:
    told: list[str] = []
    found = learn(plan_of(tmp_path, iterations=None), ground_of(), chosen, progress=told.append)
    assert told[0].startswith("round 0 of 40, ")
    assert "8 rounds" in found.found.stopped or "nothing new" in found.found.stopped


def test_a_model_that_is_not_named_cannot_propose(tmp_path: Path, chosen: Settings) -> None:
    with pytest.raises(ModelUnavailableError):
        learn(plan_of(tmp_path, proposer="model"), ground_of(), chosen)


def test_too_few_episodes_are_refused(tmp_path: Path, chosen: Settings) -> None:
    with pytest.raises(InvalidInputError, match="too few to split"):
        learn(plan_of(tmp_path), ground_of(cases=cases_of(2)), chosen)


def test_the_policy_in_use_is_the_newest_of_its_name_else_that_of_the_settings(
    chosen: Settings,
) -> None:
    assert policy_in_use("mine", chosen) == find("default")
    assert policy_in_use("mine", replace(chosen, policy="plain")) == find("plain")
    for version, read in ((1, "graph"), (2, "units")):
        policy = Fixed(structures=(read,))
        install(PolicyFile(name="mine", policy=policy, version=version), chosen.policies)
    assert policy_in_use("mine", chosen).version == 2
    with pytest.raises(NotFoundError):
        policy_in_use("mine.v9", replace(chosen, policy="nowhere"))


def test_a_next_version_follows_the_one_in_use(tmp_path: Path, chosen: Settings) -> None:
    install(PolicyFile(name="mine", policy=Fixed(structures=STRUCTURES[:1])), chosen.policies)
    found = learn(plan_of(tmp_path, iterations=1), ground_of(), chosen)
    assert found.file.version == 2
    assert found.file.origin["parent"] == "mine.v1"
