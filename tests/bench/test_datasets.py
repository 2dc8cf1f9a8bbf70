from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.bench.small import ama_folder, locomo_folder

from stepwell.bench.datasets import load_episodes, step_text
from stepwell.errors import InvalidInputError, NotFoundError

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
