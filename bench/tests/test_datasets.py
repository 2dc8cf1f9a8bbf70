from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samples.small import ama_folder, haystack, locomo_folder, longmemeval_folder
from stepwell.errors import InvalidInputError, NotFoundError
from stepwell_bench.datasets import load_episodes, step_text

if TYPE_CHECKING:
    from pathlib import Path


def test_an_ama_question_has_the_steps_it_names(tmp_path: Path) -> None:
    episodes = load_episodes("ama-bench", ama_folder(tmp_path))
    assert [episode.trajectory.trajectory_id for episode in episodes] == ["ama-1", "ama-2"]
    first, second = episodes[0].questions
    assert (first.gold, second.gold) == ((2,), (4, 5, 6))
    assert first.text == "What lies on the floor of the garage at step 2?"
    assert first.bare == "What lies on the floor of the garage at ?"
    assert (first.domain, first.kind, first.id) == ("Gaming", "A", "ama-1#0")
    assert first.literals == ("sn1277",)
    assert second.literals == ()


def test_a_locomo_question_has_its_evidence_turns(tmp_path: Path) -> None:
    (episode,) = load_episodes("locomo", locomo_folder(tmp_path))
    assert [question.gold for question in episode.questions] == [(0,), (1, 3)]
    assert [question.kind for question in episode.questions] == ["category 4", "category 1"]
    assert {question.domain for question in episode.questions} == {"Conversation"}


def test_a_sample_of_episodes_is_repeatable_and_sorted(tmp_path: Path) -> None:
    folder = ama_folder(tmp_path)
    draws = [
        [
            episode.trajectory.trajectory_id
            for episode in load_episodes(
                "ama-bench", folder, count=1, rng=np.random.default_rng(seed)
            )
        ]
        for seed in (0, 0, 1, 2, 3, 4)
    ]
    assert draws[0] == draws[1]
    assert {name for draw in draws for name in draw} == {"ama-1", "ama-2"}
    assert len(load_episodes("ama-bench", folder, count=9)) == 2


def test_the_text_of_a_step_is_all_of_its_atoms(tmp_path: Path) -> None:
    (episode,) = load_episodes("ama-bench", ama_folder(tmp_path) / "run-1.json")
    text = step_text(episode.trajectory.steps[3])
    assert text.startswith("go to cellar\nYou are in the cellar.")


def test_a_wrong_folder_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="folder"):
        load_episodes("locomo", tmp_path / "missing")
    with pytest.raises(InvalidInputError, match="--dataset"):
        load_episodes("locomo", ama_folder(tmp_path))


def test_a_haystack_has_one_question_whose_gold_are_the_labelled_turns(tmp_path: Path) -> None:
    first, second = load_episodes("longmemeval", longmemeval_folder(tmp_path))
    (question,) = first.questions
    assert question.id == first.trajectory.trajectory_id == "longmemeval-q1"
    assert (question.kind, question.answer) == ("multi-session", "72")
    said = [first.trajectory.steps[step].message for step in question.gold]
    assert said == ["My first tour: 42 kilometres.", "I rode 30 kilometres today."]
    assert second.questions[0].kind == "single-session-user"


def test_without_labels_the_answer_sessions_are_gold_and_abstentions_have_none(
    tmp_path: Path,
) -> None:
    one = haystack("q1")
    for turn in (turn for session in one["haystack_sessions"] for turn in session):
        turn.pop("has_answer", None)
    (tmp_path / "unlabelled.json").write_text(json.dumps([one, haystack("q2_abs")]))
    (episode,) = load_episodes("longmemeval", tmp_path)
    assert episode.questions[0].gold == (0, 1, 4, 5)
