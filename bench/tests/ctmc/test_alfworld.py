"""ALFWorld's episodes are logs or games; both memories say what they know in each step's prompt."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from stepwell_bench.commands import app
from stepwell_bench.ctmc.alfepisodes import MOST_STEPS, load_alfworld, task_of_goal
from stepwell_bench.ctmc.alfshow import show_alfworld
from stepwell_bench.ctmc.alfworld import AlfPlan, AlfReport, run_alfworld

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
OFFER = "\n\nThe current available actions are: go to shelf 1, go to desk 1, look"
PLAYS = find_spec("alfworld") is not None and find_spec("textworld") is not None


def no_progress(what: str, done: int, total: int) -> None:
    del what, done, total


def turns(n: int) -> list[dict[str, str]]:
    opening = "You are in the middle of a room. Looking quickly around you, you see nothing."
    seen = [
        {"action": "look", "observation": opening + OFFER},
        {"action": "go to shelf 1", "observation": "On the shelf 1, you see a mug 1." + OFFER},
        {"action": "Go  to desk 1", "observation": "On the desk 1, you see a cd 2." + OFFER},
    ]
    return [seen[at % 3] for at in range(n)]


def log(folder: Path, name: str, *, n: int = 9, task: str = "Put two cds in a safe.") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    episode = {"episode_id": name, "task": task, "trajectory": turns(n), "qa_pairs": []}
    (folder / f"{name}.json").write_text(json.dumps(episode))


def test_a_log_is_cut_after_50_steps_and_says_what_was_seen_and_offered(tmp_path: Path) -> None:
    log(tmp_path, "long", n=80)
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "hello"}]')
    (episode,) = load_alfworld(tmp_path, seed=0, progress=no_progress)
    assert (episode.id, episode.task, episode.is_official) == ("ama-long", "place two", False)
    assert len(episode.steps) == MOST_STEPS
    second = episode.steps[1]
    assert second.observation.startswith("You are in the middle of a room.")
    assert "available actions" not in second.observation
    assert second.commands == ("go to shelf 1", "go to desk 1", "look")
    assert second.after == "On the shelf 1, you see a mug 1."


def test_other_logs_are_no_episodes(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        load_alfworld(tmp_path / "missing", seed=0, progress=no_progress)
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "hello"}]')
    with pytest.raises(InvalidInputError, match="alfworld-download"):
        load_alfworld(tmp_path, seed=0, progress=no_progress)


@pytest.mark.parametrize(
    ("goal", "task"),
    [
        ("put a clean mug in shelf", "clean and place"),
        ("Place a rinsed knife inside a drawer.", "clean and place"),
        ("heat some egg and put it in fridge", "heat and place"),
        ("Put a chilled apple on the table", "cool and place"),
        ("examine the cd with the desklamp", "look in light"),
        ("Put two sets of keys in the safe.", "place two"),
        ("put a cd in safe", "place"),
        ("", "place"),
    ],
)
def test_a_task_is_told_by_its_words(goal: str, task: str) -> None:
    assert task_of_goal(goal) == task


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> AlfReport:
    folder = tmp_path_factory.mktemp("alfworld")
    for number in range(3):
        log(folder, f"two-{number}", n=12 + number)
    log(folder, "one", task="Put a cd in a safe.")
    return run_alfworld(AlfPlan(data=folder, draws=50), now=NOW, at="")


def test_both_memories_are_paired_step_by_step_in_every_form(report: AlfReport) -> None:
    assert (report.n_episodes, report.n_steps) == (4, 48)
    overall = [one for one in report.savings if one.task == "all"]
    assert len({one.pair for one in overall}) == 6
    for one in overall:
        assert (one.saving.n_values, one.saving.n_groups) == (48, 4)
        assert one.saving.mean == pytest.approx(1 - one.ctmc / one.graph)
        # The prompts differ by what memories say alone.
        assert one.ctmc - one.graph == pytest.approx(one.ctmc_memory - one.graph_memory, abs=1)
    assert {one.task for one in report.savings} == {"all", "place", "place two"}
    forms = {one.pair: one for one in overall}
    assert forms["both verbose, at once"].ctmc > forms["both compact, at once"].ctmc
    assert forms["authors' forms, at once"].graph == forms["both verbose, at once"].graph


def test_a_seed_repeats_the_run_and_the_file_holds_it(tmp_path: Path) -> None:
    log(tmp_path, "a")
    first, second = (run_alfworld(AlfPlan(data=tmp_path), now=NOW, at="") for _ in range(2))
    assert first == second
    assert not any(claim.holds for claim in first.claims)  # one episode shows nothing
    assert msgspec.json.decode(msgspec.json.encode(first), type=AlfReport) == first


def test_the_table_says_what_stands_in(report: AlfReport) -> None:
    out = io.StringIO()
    show_alfworld(report, Console(file=out, width=170))
    text = " ".join(out.getvalue().split())
    for words in ("stand in for the official games", "3.90% to 6.61%", "Tokens only", "place two"):
        assert words in text


def test_the_command_writes_its_report(tmp_path: Path) -> None:
    log(tmp_path / "data", "a")
    options = ["--data", str(tmp_path / "data"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, ["ctmc", "alfworld", *options])
    assert done.exit_code == 0, (done.output, done.exception)
    (path,) = (tmp_path / "out").glob("ctmc-alfworld-*.json")
    assert json.loads(path.read_text(encoding="utf-8"))["n_episodes"] == 1


def game(folder: Path, data: dict[str, Any]) -> Path:
    place = folder / "valid_seen" / "pick_and_place_simple-CD-None-Shelf-1" / "trial_1"
    place.mkdir(parents=True)
    (place / "game.tw-pddl").write_text(json.dumps(data))
    wanted = {"object_target": "CD", "parent_target": "Shelf", "object_sliced": False}
    params = wanted | {"toggle_target": "", "mrecep_target": ""}
    head = {"task_type": "pick_and_place_simple", "pddl_params": params}
    (place / "traj_data.json").write_text(json.dumps(head))
    return folder


@pytest.mark.skipif(PLAYS, reason="alfworld and textworld are installed")
def test_games_without_what_plays_them_are_an_error_that_says_what_to_install(
    tmp_path: Path,
) -> None:
    with pytest.raises(ModelUnavailableError, match="pip install alfworld"):
        load_alfworld(game(tmp_path, {}), seed=0, progress=no_progress)


_PROBLEM = """(define (problem small) (:domain alfred)
 (:objects agent1 - agent CDType MugType DeskLampType - otype DeskType ShelfType DrawerType - rtype
  CD_bar_1 Mug_bar_1 Lamp_bar_1 - object Desk_bar_1 Shelf_bar_1 Drawer_bar_1 - receptacle
  locCenter locDesk locShelf locDrawer - location)
 (:init (atLocation agent1 locCenter) (canContain ShelfType CDType) (canContain DeskType CDType)
  (receptacleType Desk_bar_1 DeskType) (receptacleType Shelf_bar_1 ShelfType)
  (receptacleType Drawer_bar_1 DrawerType) (openable Drawer_bar_1) (objectType CD_bar_1 CDType)
  (objectType Mug_bar_1 MugType) (objectType Lamp_bar_1 DeskLampType) (toggleable Lamp_bar_1)
  (pickupable CD_bar_1) (pickupable Mug_bar_1) (isReceptacleObject Mug_bar_1)
  (cleanable Mug_bar_1) (heatable Mug_bar_1) (coolable Mug_bar_1)
  (inReceptacle CD_bar_1 Desk_bar_1) (inReceptacle Mug_bar_1 Desk_bar_1)
  (inReceptacle Lamp_bar_1 Desk_bar_1) (objectAtLocation CD_bar_1 locDesk)
  (objectAtLocation Mug_bar_1 locDesk) (objectAtLocation Lamp_bar_1 locDesk)
  (receptacleAtLocation Desk_bar_1 locDesk) (receptacleAtLocation Shelf_bar_1 locShelf)
  (receptacleAtLocation Drawer_bar_1 locDrawer))
 (:goal (and (exists (?o - object) (and (objectType ?o CDType) (inReceptacle ?o Shelf_bar_1))))))
"""


# The packages leave the game's file to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not PLAYS, reason="needs: pip install alfworld 'textworld[pddl]'")
def test_a_game_is_played_by_the_expert_until_it_is_won(tmp_path: Path) -> None:
    info: Any = import_module("alfworld.info")
    grammar = Path(info.ALFRED_TWL2_PATH).read_text(encoding="utf-8")
    data = {
        "pddl_domain": Path(info.ALFRED_PDDL_PATH).read_text(encoding="utf-8"),
        "grammar": grammar.replace("UNKNOWN GOAL", "put a cd in shelf"),
        "pddl_problem": _PROBLEM,
        "solvable": True,
    }
    folder = game(tmp_path, data)
    episodes = [load_alfworld(folder, seed=0, progress=no_progress) for _ in range(2)]
    assert episodes[0] == episodes[1]
    ((episode,), _) = episodes
    assert (episode.task, episode.goal, episode.is_official) == ("place", "put a cd in shelf", True)
    assert episode.steps[0].action == "look"
    assert episode.steps[-1].action == "move cd 1 to shelf 1"
    assert episode.steps[-1].action in episode.steps[-1].commands
