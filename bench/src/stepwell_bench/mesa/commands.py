"""The `stepwell bench mesa` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from stepwell_bench.options import (
    RESULTS,
    Data,
    Dataset,
    Episodes,
    NoVectors,
    Out,
    Seed,
    command_group,
    grouped,
)

if TYPE_CHECKING:
    from stepwell_bench.mesa.learning import LearnSettings
    from stepwell_bench.mesa.sweeping import Place

__all__ = ["app"]

app = command_group("Choose which structures of memory to read: MESA's benchmarks.")

_STATE = Path("state")
_BUDGET = 4_000

_Structures: TypeAlias = Literal["five", "six"]


class _Mode(StrEnum):
    """Ways of asking; an enumeration, since typer repeats no option whose type is a Literal."""

    as_asked = "as-asked"
    stripped = "stripped"


class _Reward(StrEnum):
    """What counts."""

    evidence = "evidence"
    literal = "literal"


Budgets: TypeAlias = Annotated[
    list[int] | None,
    typer.Option("--budget", metavar="TOKENS", min=64, help="Repeat for several; else 4,000."),
]
Structures: TypeAlias = Annotated[
    _Structures,
    typer.Option("--structures", help="The paper's five, or units over steps as well."),
]
Workers: TypeAlias = Annotated[
    int, typer.Option("--workers", metavar="N", min=1, help="Processes that read.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Where the data are, and what of them is read."""

    data: Data
    dataset: Dataset = "ama-bench"
    state: Annotated[
        Path,
        typer.Option(
            "--state", metavar="FOLDER", help="Keeps the store, vectors and readings between runs."
        ),
    ] = _STATE
    out: Out = RESULTS
    episodes: Episodes = None
    no_vectors: NoVectors = False

    def place(self, *, workers: int = 2) -> "Place":
        """Return what the experiments call the place."""
        from stepwell_bench.mesa.sweeping import Place  # noqa: PLC0415  (loaded when run)

        return Place(
            dataset=self.dataset,
            data=self.data,
            state=self.state,
            out=self.out,
            with_vectors=not self.no_vectors,
            episodes=self.episodes,
            workers=workers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Learning:
    """How policies are learned."""

    budget: Budgets = None
    reward: Annotated[
        list[_Reward] | None,
        typer.Option("--reward", help="What is learned from; repeat for both; else evidence."),
    ] = None
    seed: Annotated[
        list[int] | None,
        typer.Option("--seed", metavar="N", min=0, help="Of splits and searches; else 0, 1 and 2."),
    ] = None
    iterations: Annotated[
        int, typer.Option("--iterations", metavar="N", min=1, help="Rounds of a search.")
    ] = 10
    structures: Structures = "six"
    largest: Annotated[
        int | None,
        typer.Option(
            "--largest",
            metavar="N",
            min=1,
            help="Read subsets of at most N structures for every question; else all.",
        ),
    ] = None
    limits: Annotated[
        bool, typer.Option("--limits", help="Let policies limit structures, too: takes hours.")
    ] = False
    no_kind: Annotated[
        bool, typer.Option("--no-kind", help="Hide the question's type from policies.")
    ] = False
    no_domain: Annotated[
        bool, typer.Option("--no-domain", help="Hide the domain from policies.")
    ] = False
    workers: Workers = 2

    def settings(self) -> "LearnSettings":
        """Return what the experiments call the settings."""
        from stepwell_bench.mesa.learning import SEEDS, LearnSettings  # noqa: PLC0415

        return LearnSettings(
            budgets=_sorted(self.budget),
            rewards=tuple(
                one.value for one in _Reward if one in (self.reward or [_Reward.evidence])
            ),
            seeds=tuple(dict.fromkeys(self.seed or SEEDS)),
            iterations=self.iterations,
            structures=_names(self.structures),
            with_kind=not self.no_kind,
            with_domain=not self.no_domain,
            largest=self.largest,
            with_limits=self.limits,
        )


@app.command()
@grouped
def sweep(  # noqa: PLR0913  (typer reads options from parameters)
    where: _Where,
    *,
    budget: Budgets = None,
    mode: Annotated[
        list[_Mode] | None, typer.Option("--mode", help="How to ask; else in both ways.")
    ] = None,
    reward: Annotated[
        list[_Reward] | None, typer.Option("--reward", help="What counts; else both.")
    ] = None,
    structures: Structures = "five",
    seed: Seed = 0,
    workers: Workers = 2,
    rows: Annotated[bool, typer.Option("--rows", help="Also write every reading.")] = False,
) -> None:
    """Read every subset of structures for every question: which is best, and where?"""
    from stepwell_bench.mesa import experiments, sweeping  # noqa: PLC0415  (loaded when run)

    settings = sweeping.SweepSettings(
        budgets=_sorted(budget),
        modes=tuple(one.value for one in _Mode if one in (mode or _Mode)),
        rewards=tuple(one.value for one in _Reward if one in (reward or _Reward)),
        structures=_names(structures),
        seed=seed,
    )
    experiments.sweep(where.place(workers=workers), settings, rows=rows)


@app.command()
@grouped
def learn(
    where: _Where,
    how: _Learning,
    proposer: Annotated[
        Literal["offline", "model"],
        typer.Option("--proposer", help="Rules alone, or the configured model."),
    ] = "offline",
) -> None:
    """Learn which structures to read, and compare with controls on episodes held out."""
    from stepwell_bench.mesa import experiments  # noqa: PLC0415  (loaded when run)

    place = where.place(workers=how.workers)
    experiments.learn(place, how.settings(), by_model=proposer == "model")


@app.command()
@grouped
def ablation(where: _Where, how: _Learning) -> None:
    """Learn without bounds, without directions, and without repairs, one at a time."""
    from stepwell_bench.mesa import experiments  # noqa: PLC0415  (loaded when run)

    experiments.ablation(where.place(workers=how.workers), how.settings())


@app.command()
def temporal(
    seed: Seed = 0,
    questions: Annotated[
        int, typer.Option("--questions", metavar="N", min=1, help="At least so many.")
    ] = 400,
    out: Out = RESULTS,
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
    out: Out = RESULTS,
) -> None:
    """Measure the time that structures take to build, append to and recall from, and policies."""
    from stepwell_bench.mesa import experiments  # noqa: PLC0415  (loaded when run)

    experiments.cost(out, steps=steps, seed=seed)


@app.command()
@grouped
def answers(
    where: _Where,
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
) -> None:
    """Let the model of STEPWELL_MODEL answer from what policies choose, and from nothing."""
    from stepwell_bench.mesa import experiments  # noqa: PLC0415  (loaded when run)

    chosen = tuple(dict.fromkeys(policy or ("all", "plain", "default")))
    experiments.answers(where.place(), chosen, budget=budget, questions=questions, seed=seed)


def _names(structures: _Structures) -> tuple[str, ...]:
    from stepwell_bench.mesa.grid import FIVE, SIX  # noqa: PLC0415  (loaded when run)

    return FIVE if structures == "five" else SIX


def _sorted(budgets: list[int] | None) -> tuple[int, ...]:
    return tuple(sorted(set(budgets or (_BUDGET,))))
