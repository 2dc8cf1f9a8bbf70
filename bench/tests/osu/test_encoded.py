"""Worlds made of recorded runs: τ-bench joined, ToolBench planted, and Stage D's copies."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samples.logs import write_tau, write_tau2, write_toolbench
from stepwell.errors import InvalidInputError
from stepwell.trajectory.model import Call, Step, Trajectory
from stepwell_bench.osu.actions import solving_steps
from stepwell_bench.osu.encoded import EncodedRun, cost_of, encode_runs, encode_texts, read_runs
from stepwell_bench.osu.stage_d import COPIES, augmented
from stepwell_bench.osu.tau import TauOptions, decision_points, tau_excerpts, tau_worlds
from stepwell_bench.osu.toolbench import (
    ToolBenchOptions,
    toolbench_excerpts,
    toolbench_worlds,
)
from stepwell_bench.osu.world import Cell, World
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def tau_runs(tmp_path_factory: pytest.TempPathFactory) -> list[EncodedRun]:
    folder = tmp_path_factory.mktemp("tau")
    write_tau(folder / "one", n_tasks=12)
    write_tau2(folder / "two")
    return encode_runs(tau_excerpts(folder), encoder=HashEncoder())


@pytest.fixture(scope="module")
def tau(tau_runs: list[EncodedRun]) -> list[World]:
    return tau_worlds(tau_runs, TauOptions(noise=0.05), seed=1)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[EncodedRun]:
    folder = tmp_path_factory.mktemp("toolbench")
    write_toolbench(folder)
    return encode_runs(toolbench_excerpts(folder), encoder=HashEncoder())


def planted(answers: list[EncodedRun], options: ToolBenchOptions, seed: int = 1) -> list[World]:
    questions = encode_texts([run.excerpt.question for run in answers], encoder=HashEncoder())
    return toolbench_worlds(answers, questions, options, seed=seed)


def test_runs_without_carried_out_actions_cannot_be_asked_about(
    tau_runs: list[EncodedRun],
) -> None:
    idle = [
        replace(run, excerpt=replace(run.excerpt, evidence=run.excerpt.evidence[:1]))
        for run in tau_runs
    ]
    for runs in (idle, []):
        with pytest.raises(InvalidInputError, match="can be asked about"):
            tau_worlds(runs, TauOptions(), seed=1)


def test_runs_are_read_one_message_a_step(tau_runs: list[EncodedRun]) -> None:
    run = next(run.excerpt for run in tau_runs if "task-0" in run.excerpt.name)
    assert run.texts[:4] == (
        "user: Please note wish 0 about Oslo, try 0.",
        "agent: Noted: wish 0 for user_0.",
        "get_user: user_id: user_0",
        "get_user: done",
    )
    assert run.evidence == (2, 6, 10)
    assert {one.split("::")[0] for one in run.annotations[2].entities} == {run.name}


def test_every_run_with_two_solving_calls_is_asked_about(tau: list[World]) -> None:
    assert len(tau) == 12 * 2 + 2
    for world in tau:
        assert 256 <= len(world) < 256 + 30
        for question in world.questions:
            assert question.asked_at == len(world)
            assert max(question.evidence) < len(world) / 2
    sizes = Counter(len(one.evidence) for world in tau for one in world.questions)
    assert sizes == {2: 26, 3: 24}


def test_evidence_is_the_focal_runs_own(tau: list[World]) -> None:
    for world in tau:
        namespaces = {
            name.split("::")[0]
            for question in world.questions
            for step in question.evidence
            for name in world.annotations[step].tools
        }
        assert namespaces == {world.name}


def test_other_trials_of_a_task_are_no_background(tau: list[World]) -> None:
    for world in tau:
        if "task-" in world.name:
            task = world.name.split("/")[0]
            names = {one.subgoal.split("::")[0] for one in world.annotations if one.subgoal}
            assert [name for name in names if name.startswith(f"{task}/")] == [world.name]


def test_weak_questions_are_like_one_step(tau_runs: list[EncodedRun]) -> None:
    for world in tau_worlds(tau_runs, TauOptions(noise=0.0, weak=True), seed=1):
        for question in world.questions:
            cosines = world.vectors[list(question.evidence)] @ question.vector
            assert cosines.max() == pytest.approx(1, abs=1e-5)


def test_fewer_episodes_are_a_sample(tau_runs: list[EncodedRun], tau: list[World]) -> None:
    few = tau_worlds(tau_runs, TauOptions(noise=0.05, episodes=3), seed=1)
    assert len(few) == 3
    same = {world.name: world for world in tau}
    for world in few:
        assert np.array_equal(world.vectors, same[world.name].vectors)


def test_decision_points_are_spread_from_two_to_all() -> None:
    assert decision_points(2, 4) == [2]
    assert decision_points(12, 4) == [2, 5, 9, 12]
    assert decision_points(12, 1) == [2]


def run_of(*calls: Call, actions: list[dict[str, object]]) -> Trajectory:
    steps = tuple(
        Step(index=at, uid=f"s{at}", kind="agent", actor="agent", calls=(call,))
        for at, call in enumerate(calls)
    )
    return Trajectory(
        trajectory_id="t",
        session_id="t",
        source_format="tau-bench",
        steps=steps,
        extra={"actions": actions},
    )


def test_actions_take_the_call_that_is_most_like_them_and_each_call_once() -> None:
    run = run_of(
        Call(uid="a", name="book", args={"city": "Oslo", "seats": 1}),
        Call(uid="b", name="book", args={"city": "Oslo", "seats": 2}),
        Call(uid="c", name="look", args={}),
        Call(uid="d", name="book", args={"city": "Rome", "seats": 2}),
        actions=[
            {"name": "book", "kwargs": {"city": "Rome", "seats": 3}},
            {"name": "book", "kwargs": {"city": "Oslo", "seats": 2}},
            {"name": "cancel", "arguments": {}},
        ],
    )
    assert solving_steps(run) == (1, 3)


def test_a_folder_without_such_runs_is_refused(tmp_path: Path) -> None:
    write_toolbench(tmp_path)
    with pytest.raises(InvalidInputError, match="--data"):
        read_runs(tmp_path, frozenset({"tau-bench"}))


def test_toolbench_plants_evidence_that_shares_service_and_argument(
    answers: list[EncodedRun],
) -> None:
    worlds = planted(answers, ToolBenchOptions(episodes=15, background=30))
    assert len(worlds) == 15
    for world in worlds:
        (question,) = world.questions
        assert question.cell == Cell.BOTH
        assert len(question.evidence) == 3
        assert len(set(np.diff(question.evidence).tolist())) == 1
        own = [one for one in world.annotations if f"{world.name}::" in (one.subgoal or "")]
        assert len(own) == 3
        assert len(world) == 33
    names = Counter(world.name for world in worlds)
    assert max(names.values()) - min(names.values()) <= 1


def test_cut_off_arguments_keep_what_is_whole(answers: list[EncodedRun]) -> None:
    entities = {
        name.split("::")[1]
        for run in answers
        if run.excerpt.name.endswith("#1")
        for one in run.excerpt.annotations
        for name in one.entities
    }
    assert entities == {"lima"}


def test_toolbench_takes_what_background_there_is(answers: list[EncodedRun]) -> None:
    worlds = planted(answers, ToolBenchOptions(episodes=1))
    assert len(worlds[0]) == 11 * 4 + 3


def test_evidence_that_no_answer_has_is_refused(answers: list[EncodedRun]) -> None:
    with pytest.raises(InvalidInputError, match="fewer evidence"):
        planted(answers, ToolBenchOptions(evidence=6))


def test_stage_d_puts_every_question_into_both(tau: list[World]) -> None:
    worlds = augmented(tau, seed=0)
    for before, after in zip(tau, worlds, strict=True):
        anchors = {step for one in before.questions for step in one.evidence}
        assert len(after) == len(before) + COPIES * len(anchors)
        assert (
            after.costs.sum() == before.costs.sum() + COPIES * before.costs[sorted(anchors)].sum()
        )
        assert {one.cell for one in after.questions} == {Cell.BOTH}
        for old, new in zip(before.questions, after.questions, strict=True):
            assert len(new.evidence) == (1 + COPIES) * len(old.evidence)
            assert new.asked_at == len(after)


def test_copies_are_nearly_their_steps(tau: list[World]) -> None:
    before, after = tau[0], augmented(tau[:1], seed=0)[0]
    (question, *_), (old, *_) = after.questions, before.questions
    cosines = after.vectors[list(question.evidence)] @ before.vectors[list(old.evidence)].T
    best = cosines.max(axis=1)
    assert np.allclose(np.sort(best)[-len(old.evidence) :], 1, atol=1e-5)
    assert np.allclose(np.sort(best)[: -len(old.evidence)], 0.95, atol=1e-4)


def test_costs_are_estimated_from_characters() -> None:
    assert [cost_of(text) for text in ("", "abcd", "abcde")] == [1, 1, 2]
