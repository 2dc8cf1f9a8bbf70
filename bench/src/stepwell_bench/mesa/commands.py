"""The `stepwell bench mesa` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    help="Choose which structures of memory to read: MESA's benchmarks.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

_RESULTS = Path("results")
_STATE = Path("state")
_BUDGET = 4_000
_ITERATIONS = 10


class _Known(StrEnum):
    """The data sets."""

    ama_bench = "ama-bench"
    locomo = "locomo"


class _Mode(StrEnum):
    """Ways of asking."""

    as_asked = "as-asked"
    stripped = "stripped"


class _Reward(StrEnum):
    """What counts."""

    evidence = "evidence"
    literal = "literal"


class _Proposer(StrEnum):
    """Who proposes policies."""

    offline = "offline"
    model = "model"


class _Structures(StrEnum):
    """Whose subsets are read."""

    five = "five"
    six = "six"


Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where result files go.")]
Data = Annotated[Path, typer.Option("--data", metavar="FOLDER", help="The data set's JSON files.")]
Dataset = Annotated[_Known, typer.Option("--dataset", help="What they are.")]
State = Annotated[
    Path,
    typer.Option(
        "--state", metavar="FOLDER", help="Keeps the store, vectors and readings between runs."
    ),
]
Budgets = Annotated[
    list[int] | None,
    typer.Option("--budget", metavar="TOKENS", min=64, help="Repeat for several; else 4,000."),
]
Episodes = Annotated[
    int | None, typer.Option("--episodes", metavar="N", min=1, help="Only a random sample.")
]
NoVectors = Annotated[bool, typer.Option("--no-vectors", help="Search by words only.")]
Workers = Annotated[int, typer.Option("--workers", metavar="N", min=1, help="Processes that read.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of whatever is drawn.")]
Structures = Annotated[
    _Structures,
    typer.Option("--structures", help="The paper's five, or units over steps as well."),
]


Seeds = Annotated[
    list[int] | None,
    typer.Option("--seed", metavar="N", min=0, help="Of splits and searches; else 0, 1 and 2."),
]
Rewards = Annotated[
    list[_Reward] | None,
    typer.Option("--reward", help="What is learned from; repeat for both; else evidence."),
]
Iterations = Annotated[
    int, typer.Option("--iterations", metavar="N", min=1, help="Rounds of a search.")
]
Largest = Annotated[
    int | None,
    typer.Option(
        "--largest",
        metavar="N",
        min=1,
        help="Read subsets of at most N structures for every question; else all.",
    ),
]
Limits = Annotated[
    bool, typer.Option("--limits", help="Let policies limit structures, too: takes hours.")
]
NoKind = Annotated[bool, typer.Option("--no-kind", help="Hide the question's type from policies.")]
NoDomain = Annotated[bool, typer.Option("--no-domain", help="Hide the domain from policies.")]


@app.command()
def sweep(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Dataset = _Known.ama_bench,
    state: State = _STATE,
    out: Out = _RESULTS,
    budget: Budgets = None,
    mode: Annotated[
        list[_Mode] | None, typer.Option("--mode", help="How to ask; else in both ways.")
    ] = None,
    reward: Annotated[
        list[_Reward] | None, typer.Option("--reward", help="What counts; else both.")
    ] = None,
    structures: Structures = _Structures.five,
    episodes: Episodes = None,
    no_vectors: NoVectors = False,  # noqa: FBT002
    seed: Seed = 0,
    workers: Workers = 2,
    rows: Annotated[bool, typer.Option("--rows", help="Also write every reading.")] = False,  # noqa: FBT002
) -> None:
    """Read every subset of structures for every question: which is best, and where?"""
    from stepwell_bench.mesa import experiments, sweeping  # noqa: PLC0415  (loaded when run)

    place = sweeping.Place(
        dataset=dataset.value,
        data=data,
        state=state,
        out=out,
        with_vectors=not no_vectors,
        episodes=episodes,
        workers=workers,
    )
    settings = sweeping.SweepSettings(
        budgets=tuple(sorted(set(budget or (_BUDGET,)))),
        modes=tuple(one.value for one in _Mode if one in (mode or _Mode)),
        rewards=tuple(one.value for one in _Reward if one in (reward or _Reward)),
        structures=_names(structures),
        seed=seed,
    )
    experiments.sweep(place, settings, rows=rows)


@app.command()
def learn(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Dataset = _Known.ama_bench,
    state: State = _STATE,
    out: Out = _RESULTS,
    budget: Budgets = None,
    reward: Rewards = None,
    seed: Seeds = None,
    iterations: Iterations = _ITERATIONS,
    structures: Structures = _Structures.six,
    largest: Largest = None,
    limits: Limits = False,  # noqa: FBT002
    no_kind: NoKind = False,  # noqa: FBT002
    no_domain: NoDomain = False,  # noqa: FBT002
    proposer: Annotated[
        _Proposer, typer.Option("--proposer", help="Rules alone, or the configured model.")
    ] = _Proposer.offline,
    episodes: Episodes = None,
    no_vectors: NoVectors = False,  # noqa: FBT002
    workers: Workers = 2,
) -> None:
    """Learn which structures to read, and compare with controls on episodes held out."""
    from stepwell_bench.mesa import experiments, learning, sweeping  # noqa: PLC0415

    place = sweeping.Place(
        dataset=dataset.value,
        data=data,
        state=state,
        out=out,
        with_vectors=not no_vectors,
        episodes=episodes,
        workers=workers,
    )
    settings = learning.LearnSettings(
        budgets=tuple(sorted(set(budget or (_BUDGET,)))),
        rewards=tuple(one.value for one in _Reward if one in (reward or [_Reward.evidence])),
        seeds=tuple(dict.fromkeys(seed or learning.SEEDS)),
        iterations=iterations,
        structures=_names(structures),
        with_kind=not no_kind,
        with_domain=not no_domain,
        largest=largest,
        with_limits=limits,
    )
    experiments.learn(place, settings, by_model=proposer is _Proposer.model)


@app.command()
def ablation(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Dataset = _Known.ama_bench,
    state: State = _STATE,
    out: Out = _RESULTS,
    budget: Budgets = None,
    reward: Rewards = None,
    seed: Seeds = None,
    iterations: Iterations = _ITERATIONS,
    structures: Structures = _Structures.six,
    largest: Largest = None,
    limits: Limits = False,  # noqa: FBT002
    no_kind: NoKind = False,  # noqa: FBT002
    no_domain: NoDomain = False,  # noqa: FBT002
    episodes: Episodes = None,
    no_vectors: NoVectors = False,  # noqa: FBT002
    workers: Workers = 2,
) -> None:
    """Learn without bounds, without directions, and without repairs, one at a time."""
    from stepwell_bench.mesa import experiments, learning, sweeping  # noqa: PLC0415

    place = sweeping.Place(
        dataset=dataset.value,
        data=data,
        state=state,
        out=out,
        with_vectors=not no_vectors,
        episodes=episodes,
        workers=workers,
    )
    settings = learning.LearnSettings(
        budgets=tuple(sorted(set(budget or (_BUDGET,)))),
        rewards=tuple(one.value for one in _Reward if one in (reward or [_Reward.evidence])),
        seeds=tuple(dict.fromkeys(seed or learning.SEEDS)),
        iterations=iterations,
        structures=_names(structures),
        with_kind=not no_kind,
        with_domain=not no_domain,
        largest=largest,
        with_limits=limits,
    )
    experiments.ablation(place, settings)


@app.command()
def temporal(
    seed: Seed = 0,
    questions: Annotated[
        int, typer.Option("--questions", metavar="N", min=1, help="At least so many.")
    ] = 400,
    out: Out = _RESULTS,
) -> None:
    """Ask of generated worlds what the temporal structure computes: how much is exact?"""
    from stepwell_bench.mesa import experiments  # noqa: PLC0415  (loaded when run)

    experiments.temporal(out, seed=seed, questions=questions)


@app.command()
def cost(
    steps: Annotated[
        int, typer.Option("--steps", metavar="N", min=20, help="Of a run; bars are for 300.")
    ] = 300,
    seed: Seed = 0,
    out: Out = _RESULTS,
) -> None:
    """Measure the time that structures take to build, append to and recall from, and policies."""
    from stepwell_bench.mesa import experiments  # noqa: PLC0415  (loaded when run)

    experiments.cost(out, steps=steps, seed=seed)


@app.command()
def answers(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Dataset = _Known.ama_bench,
    state: State = _STATE,
    out: Out = _RESULTS,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="NAME", help="Repeat; else all, plain and default."),
    ] = None,
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", min=64, help="Tokens of a payload.")
    ] = 800,
    questions: Annotated[
        int, typer.Option("--questions", metavar="N", min=2, help="How many are asked.")
    ] = 100,
    seed: Seed = 0,
    episodes: Episodes = None,
    no_vectors: NoVectors = False,  # noqa: FBT002
) -> None:
    """Let the model of STEPWELL_MODEL answer from what policies choose, and from nothing."""
    from stepwell_bench.mesa import experiments, sweeping  # noqa: PLC0415  (loaded when run)

    place = sweeping.Place(
        dataset=dataset.value,
        data=data,
        state=state,
        out=out,
        with_vectors=not no_vectors,
        episodes=episodes,
    )
    chosen = tuple(dict.fromkeys(policy or ("all", "plain", "default")))
    experiments.answers(place, chosen, budget=budget, questions=questions, seed=seed)


def _names(structures: _Structures) -> tuple[str, ...]:
    from stepwell_bench.mesa.grid import FIVE, SIX  # noqa: PLC0415  (loaded when run)

    return FIVE if structures is _Structures.five else SIX
