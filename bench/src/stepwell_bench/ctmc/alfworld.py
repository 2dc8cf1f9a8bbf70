"""Prompts of two memories on ALFWorld, step by step: CTMC's controller against graph memory.

Both memories see the same steps, those of recorded episodes, so only the prompts differ; nothing is
said about success. A memory lives through all episodes of a type of
tasks, as it must if graph memory's own episodes have 200 steps, as in the paper.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003  (part of a value)
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from stepwell.stats.bootstrap import Interval  # noqa: TC001  (part of a value that is read back)
from stepwell.stats.permutation import by_episode, sign_flip
from stepwell.text.tokens import counter
from stepwell_bench.ctmc.alfepisodes import TASKS, load_alfworld
from stepwell_bench.ctmc.alfmoves import Moves, state_id
from stepwell_bench.ctmc.baselines import GraphMemory
from stepwell_bench.ctmc.controller import ControllerOptions, CoreTail
from stepwell_bench.ctmc.figures import Claim
from stepwell_bench.ctmc.tokenstats import ALL
from stepwell_bench.saving import paired_saving

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from datetime import datetime

    from stepwell.text.tokens import TokenCounter
    from stepwell_bench.ctmc.alfepisodes import AlfEpisode
    from stepwell_bench.ctmc.controller import Encoding
    from stepwell_bench.ctmc.transitions import PromptMemory

__all__ = ["PAPER_SAVINGS", "AlfPlan", "AlfReport", "AlfSaving", "run_alfworld"]

PAPER_SAVINGS: Final = (0.0390, 0.0661)
"""The least and the most that CTMC saves of graph memory's prompts on ALFWorld."""

_SCHEMA: Final = 1
_GRAPH, _CTMC = "graph memory", "CTMC"
_RECENT: Final = 5
_CHAT_TOKENS: Final = 11
"""What the chat format puts around a system and a user message, and before the reply."""

_SYSTEM: Final = "You act in a household. Reply with one of the commands offered, and nothing else."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Forms of both memories that are compared.

    Attributes:
        name: How tables name them.
        graph: Whether graph memory says entities: `verbose`, or `compact`.
        ctmc: Whether the controller says its scores and tail.
        episode: Steps after which graph memory can search them.
    """

    name: str
    graph: Encoding
    ctmc: Encoding
    episode: int


_FORMS: Final[tuple[tuple[str, Encoding, Encoding], ...]] = (
    ("authors' forms", "verbose", "compact"),
    ("both compact", "compact", "compact"),
    ("both verbose", "verbose", "verbose"),
)
_PAIRS: Final = tuple(
    _Pair(name=f"{name}, {searched}", graph=graph, ctmc=ctmc, episode=episode)
    for searched, episode in (("at once", 1), ("by 200 steps", 200))
    for name, graph, ctmc in _FORMS
)
"""The authors' graph memory says entities, and their controller is compact where it saves. Its
episodes have 200 steps here; whether it can search one before it is full, they do not say."""

_CLAIMED: Final = "authors' forms"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlfPlan:
    """What to run.

    Attributes:
        data: Folder of games, or of logs.
        seed: Of the expert, the drawn tail, the bootstrap and the tests.
        tokenizer: Counts tokens.
        draws: Bootstrap draws.
    """

    data: Path
    seed: int = 0
    tokenizer: str = "o200k"
    draws: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class AlfSaving:
    """CTMC against graph memory over the steps of a type of tasks.

    Attributes:
        task: The type, or `all`.
        pair: Which forms of both memories.
        graph: Mean prompt tokens of a step with graph memory.
        ctmc: The same with CTMC.
        graph_memory: Mean tokens of what graph memory says alone.
        ctmc_memory: The same of CTMC.
        saving: Share of prompt tokens saved, with its interval by episode.
        p_episode: Sign-flip test of the mean differences of episodes.
    """

    task: str
    pair: str
    graph: float
    ctmc: float
    graph_memory: float
    ctmc_memory: float
    saving: Interval
    p_episode: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AlfReport:
    """What a run found; the result file holds exactly this."""

    schema: int
    name: str
    created: str
    commit: str
    seed: int
    tokenizer: str
    n_episodes: int
    n_steps: int
    published: tuple[float, float]
    notices: tuple[str, ...]
    savings: tuple[AlfSaving, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """Tokens of one step with one memory: of the prompt, and of what memory says."""

    episode: str
    task: str
    memory: str
    pair: str
    prompt: int
    said: int


def run_alfworld(
    plan: AlfPlan,
    *,
    now: datetime,
    at: str,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> AlfReport:
    """Compare the prompts of both memories on recorded or played episodes.

    Args:
        plan: What to run.
        now: The time of the run, UTC.
        at: The commit it runs from.
        progress: Called with what is done, how much of it, and out of how much.

    Raises:
        NotFoundError: There is nothing at the folder.
        InvalidInputError: It holds neither games nor logs of ALFWorld runs.
        ModelUnavailableError: It holds games, and what plays them is not installed.
    """
    episodes = load_alfworld(plan.data, seed=plan.seed, progress=progress)
    rows = list(_rows(episodes, plan))
    savings = tuple(_savings(rows, plan))
    return AlfReport(
        schema=_SCHEMA,
        name="ctmc-alfworld",
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=plan.seed,
        tokenizer=plan.tokenizer,
        n_episodes=len(episodes),
        n_steps=sum(len(episode.steps) for episode in episodes),
        published=PAPER_SAVINGS,
        notices=tuple(_notices(episodes)),
        savings=savings,
        claims=tuple(
            _claim(one) for one in savings if one.task == ALL and one.pair.startswith(_CLAIMED)
        ),
    )


def _rows(episodes: Sequence[AlfEpisode], plan: AlfPlan) -> Iterator[_Row]:
    tokens = counter(plan.tokenizer)
    for task in TASKS.values():
        ours = [episode for episode in episodes if episode.task == task]
        moves = Moves()
        for episode in ours:
            for one in episode.steps:
                moves.observed(one)  # the controller has to know how many states there are
        for pair in _PAIRS:
            for name, memory in _memories(pair, moves.n_states, plan.seed):
                for episode in ours:
                    for prompt, said in _walked(episode, moves, memory, tokens):
                        yield _Row(
                            episode=episode.id,
                            task=task,
                            memory=name,
                            pair=pair.name,
                            prompt=prompt,
                            said=said,
                        )


def _memories(pair: _Pair, n_states: int, seed: int) -> Iterator[tuple[str, PromptMemory]]:
    yield _GRAPH, GraphMemory(verbose=pair.graph == "verbose", episode=pair.episode)
    options = ControllerOptions(encoding=pair.ctmc)
    yield _CTMC, CoreTail(n_states, rng=np.random.default_rng(seed), options=options)


def _walked(
    episode: AlfEpisode, moves: Moves, memory: PromptMemory, tokens: TokenCounter
) -> Iterator[tuple[int, int]]:
    """Yield the tokens of each step's prompt, and of what memory says in it."""
    recent: deque[str] = deque(maxlen=_RECENT)
    for one in episode.steps:
        said = moves.spelt(memory.recall(moves.state(one.observation)).context)
        recent.append(state_id(one.observation))
        asked = (
            f"task: {episode.goal}\n"
            f"current_state: {recent[-1]}\n"
            f"observation: {one.observation}\n"
            f"commands: {', '.join(one.commands)}\n"
            f"recent_states: {', '.join(recent)}\n"
            f"memory: {said}\n"
            "Choose one command."
        )
        yield _CHAT_TOKENS + tokens.count(_SYSTEM) + tokens.count(asked), tokens.count(said)
        memory.write(moves.observed(one))


def _savings(rows: Sequence[_Row], plan: AlfPlan) -> Iterator[AlfSaving]:
    for pair in _PAIRS:
        for task in (ALL, *TASKS.values()):
            ours, theirs = (
                [
                    row
                    for row in rows
                    if (row.pair, row.memory) == (pair.name, memory) and task in {ALL, row.task}
                ]
                for memory in (_CTMC, _GRAPH)
            )
            if ours and (task == ALL or pair.name.startswith(_CLAIMED)):
                yield _saving(task, pair.name, ours, theirs, plan)


def _saving(
    task: str, pair: str, ours: Sequence[_Row], theirs: Sequence[_Row], plan: AlfPlan
) -> AlfSaving:
    a, b = (np.asarray([row.prompt for row in rows], dtype=np.float64) for rows in (ours, theirs))
    episodes = cast("list[Hashable]", [row.episode for row in ours])
    rng = np.random.default_rng
    return AlfSaving(
        task=task,
        pair=pair,
        graph=float(b.mean()),
        ctmc=float(a.mean()),
        graph_memory=float(np.mean([row.said for row in theirs])),
        ctmc_memory=float(np.mean([row.said for row in ours])),
        saving=paired_saving(a, b, episodes, rng=rng(plan.seed), n=plan.draws),
        p_episode=sign_flip(by_episode(a - b, episodes), rng=rng(plan.seed)).p,
    )


def _claim(one: AlfSaving) -> Claim:
    return Claim(
        text=(
            f"{one.pair}: CTMC's prompts are shorter than graph memory's: "
            f"{one.saving.mean:.2%} [{one.saving.low:.2%}, {one.saving.high:.2%}] fewer tokens"
        ),
        holds=one.saving.low > 0 and one.saving.n_groups > 1,
    )


def _notices(episodes: Sequence[AlfEpisode]) -> Iterator[str]:
    yield (
        "Tokens only: both memories are shown the same recorded steps, so nothing is said about "
        "success. The paper's steps are those of a language model, and its prompt is not published."
    )
    if any(episode.is_official for episode in episodes):
        yield "The official games, played by ALFWorld's hand-coded expert."
    else:
        yield (
            "Logs of agents stand in for the official games; their types of tasks are guessed "
            "from the words of their goals."
        )
