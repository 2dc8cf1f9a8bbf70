"""ALFWorld episodes: logs of agents, or the official games played by ALFWorld's own expert.

The official download holds a folder for each game with `game.tw-pddl` and `traj_data.json`. The
packages `alfworld` and `textworld` play it; their hand-coded expert looks for what it needs, as an
agent does, and is stopped after 50 steps. Any log of an ALFWorld run that Stepwell reads will do
as well, such as AMA-Bench's episodes.
"""

from __future__ import annotations

import random  # noqa: TID251  (ALFWorld's expert draws from it)
import re
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path  # noqa: TC003  (msgspec resolves the annotations at run time)
from typing import TYPE_CHECKING, Any, Final

import msgspec

from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from stepwell.formats.read import read_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stepwell.trajectory.model import Step, Trajectory

__all__ = ["MOST_STEPS", "TASKS", "Acted", "AlfEpisode", "load_alfworld", "task_of_goal"]

MOST_STEPS: Final = 50
"""Of an episode, as in the paper; what follows is left out."""

TASKS: Final = {
    "pick_and_place_simple": "place",
    "look_at_obj_in_light": "look in light",
    "pick_clean_then_place_in_recep": "clean and place",
    "pick_heat_then_place_in_recep": "heat and place",
    "pick_cool_then_place_in_recep": "cool and place",
    "pick_two_obj_and_place": "place two",
}
"""The six types of tasks, by their names in `traj_data.json`."""

_OPENING: Final = re.compile(r"\bin the middle of a room\b", re.IGNORECASE)
_OFFER: Final = re.compile(
    r"^[^\n]{0,40}(?:available|admissible) (?:actions|commands)[^\n]{0,20}?:(.*)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_GOAL: Final = re.compile(r"Your task is to:\s*(.+)", re.IGNORECASE)
# In this order: what is done to a thing says more of a task than how many are moved.
_CUES: Final = (
    ("look in light", r"\b(?:examine|inspect|look at|lamp|light of)"),
    ("clean and place", r"\b(?:clean|rins|wash|wet)"),
    ("heat and place", r"\b(?:heat|hot|warm|cook|microwaved|boil)"),
    ("cool and place", r"\b(?:cool|cold|chill|refrigerat)"),
    ("place two", r"\b(?:two|both|2|pair of)\b"),
)
_INSTALL: Final = "Install them: pip install alfworld 'textworld[pddl]'. Or give logs of runs."


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A step: what was seen, which commands were offered, and which was taken.

    Attributes:
        observation: The text of the place, without the list of commands.
        commands: The commands offered; empty where the log does not say.
        action: The command.
        after: The text that followed.
    """

    observation: str
    commands: tuple[str, ...]
    action: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlfEpisode:
    """An episode.

    Attributes:
        id: Unique among the episodes.
        task: One of the six types.
        goal: What is to be done.
        steps: At most 50.
        is_official: Whether an official game was played, not a log read.
    """

    id: str
    task: str
    goal: str
    steps: tuple[Acted, ...]
    is_official: bool


def load_alfworld(
    data: Path, *, seed: int, progress: Callable[[str, int, int], None]
) -> list[AlfEpisode]:
    """Return the episodes under a folder, by id: official games where there are any, else logs.

    Args:
        data: The folder, or one log.
        seed: Of the choices that the expert leaves to chance.
        progress: Called with what is done, how much of it, and out of how much.

    Raises:
        NotFoundError: There is nothing at `data`.
        InvalidInputError: It holds neither games nor logs of ALFWorld runs.
        ModelUnavailableError: It holds games, and what plays them is not installed.
    """
    root = data.expanduser()
    if not root.exists():
        raise NotFoundError(f"There is no {root}.", hint="Name the folder of ALFWorld's games.")
    games = sorted(root.rglob("game.tw-pddl")) if root.is_dir() else []
    found = list(_played(games, root, seed, progress) if games else _logged(root))
    if not found:
        raise InvalidInputError(
            f"{root} holds no ALFWorld games and no log of an ALFWorld run.",
            hint="Get json_2.1.1/valid_seen with `alfworld-download`, or give logs of runs.",
        )
    return sorted(found, key=lambda episode: episode.id)


def task_of_goal(goal: str) -> str:
    """Return the type of a task by the words of its goal: a guess, where nothing else tells.

    >>> task_of_goal("Place a rinsed knife inside a drawer."), task_of_goal("put a cd in safe")
    ('clean and place', 'place')
    """
    for task, cue in _CUES:
        if re.search(cue, goal, re.IGNORECASE):
            return task
    return "place"


def _logged(root: Path) -> Iterator[AlfEpisode]:
    for file in read_path(root):
        for bundle in file.bundles:
            steps = list(_turns(bundle.trajectory))
            if any(_OPENING.search(one.observation) for one in steps[:1]):
                yield _episode(bundle.trajectory, steps)


def _episode(run: Trajectory, steps: list[Acted]) -> AlfEpisode:
    told = (_GOAL.search(step.message) for step in run.steps[:3])
    goal = run.task or next((match[1] for match in told if match), "")
    return AlfEpisode(
        id=run.trajectory_id,
        task=task_of_goal(goal),
        goal=goal,
        steps=tuple(steps[:MOST_STEPS]),
        is_official=False,
    )


def _turns(run: Trajectory) -> Iterator[Acted]:
    """Yield each step with what was seen before it; of the first, what it shows itself."""
    seen = ""
    offered: tuple[str, ...] = ()
    for step in run.steps:
        if not step.active or not step.calls or not step.results:
            continue
        after, commands = _observed(step)
        if not seen:
            seen, offered = after, commands
        yield Acted(observation=seen, commands=offered, action=_command(step), after=after)
        seen, offered = after, commands


def _observed(step: Step) -> tuple[str, tuple[str, ...]]:
    text = "\n".join(result.text for result in step.results)
    match = _OFFER.search(text)
    if match is None:
        return text.strip(), ()
    listed = (one.strip(" \n.'\"[]") for one in match[1].split(","))
    return text[: match.start()].strip(), tuple(one for one in listed if one)


def _command(step: Step) -> str:
    call = step.calls[0]
    given = call.args or {}
    if "_value" in given:
        return str(given["_value"])
    return " ".join([call.name, *map(str, given.values())])


class _Game(msgspec.Struct):
    task_type: str


def _played(
    games: list[Path], root: Path, seed: int, progress: Callable[[str, int, int], None]
) -> Iterator[AlfEpisode]:
    missing = [name for name in ("alfworld", "textworld") if find_spec(name) is None]
    if missing:
        raise ModelUnavailableError(
            f"{root} holds ALFWorld games, and {' and '.join(missing)}, which play them, are not "
            "installed.",
            hint=_INSTALL,
        )
    for number, game in enumerate(games):
        progress("games played", number, len(games))
        raw = (game.parent / "traj_data.json").read_bytes()
        task = msgspec.json.decode(raw, type=_Game).task_type
        if task in TASKS:
            goal, steps = _play(game, seed)
            yield AlfEpisode(
                id=str(game.parent.relative_to(root)),
                task=TASKS[task],
                goal=goal,
                steps=tuple(steps),
                is_official=True,
            )
    progress("games played", len(games), len(games))


def _play(game: Path, seed: int) -> tuple[str, list[Acted]]:
    """Play a game with the hand-coded expert until it is won, or for 50 steps."""
    # Imported here: they are optional, have no types, and load a planner.
    textworld: Any = import_module("textworld")
    env: Any = import_module("alfworld.agents.environment.alfred_tw_env")
    random.seed(f"{seed} {game.parent.name}")  # the expert draws from the one generator of Python
    player: Any = textworld.start(
        str(game),
        textworld.EnvInfos(admissible_commands=True, won=True, extras=["expert_plan"]),
        wrappers=[env.AlfredDemangler(shuffle=False), env.AlfredExpert(expert_type="handcoded")],
    )
    state = player.reset()
    goal = _GOAL.search(state.feedback)
    steps: list[Acted] = []
    is_done = False
    while not is_done and len(steps) < MOST_STEPS:
        seen, offered = state.feedback, tuple(state["admissible_commands"])
        action = state["extra.expert_plan"][0]
        state, _, is_done = player.step(action)
        acted = Acted(observation=seen, commands=offered, action=action, after=state.feedback)
        steps.append(acted)
    player.close()
    return "" if goal is None else goal[1].strip(" ."), steps
