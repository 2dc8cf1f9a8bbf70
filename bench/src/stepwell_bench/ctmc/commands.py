"""The `stepwell bench ctmc` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import typer

from stepwell_bench.options import (
    RESULTS,
    Cache,
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
    from stepwell_bench.ctmc.tokens import TokenPlan

__all__ = ["app"]

app = command_group("Graph worlds, and memories under a prompt budget: CTMC's benchmarks.")

Seeds: TypeAlias = Annotated[
    list[int] | None,
    typer.Option(
        "--seed", metavar="N", min=0, help="Of worlds and walks; repeat, else 42, 43 and 44."
    ),
]
Quick: TypeAlias = Annotated[bool, typer.Option("--quick", help="Walk a twentieth of the steps.")]

_WORLDS: Final = {
    "world": "Describe the graph worlds: six families at three sizes.",
    "table2": "Audit a random walk's use of memory: the spread of the most used, and how it grows.",
    "table3": "Screen the tails of use under the semantic policy, family by family.",
    "table4": "Compare six memory policies: tokens per step, and errors of what they foresee.",
    "table5": "Compare graph memory and the published controller, verbose and compact.",
    "table6": "Share one budget by rank, equally, and by shuffled and reversed ranks.",
    "both": "Lower the tail error and the error over all steps at once: beyond the paper.",
    "model": "Let the model of STEPWELL_MODEL walk with every memory; each step is one request.",
    "table7": "Audit a random walk's use of memory: Gini, top share, spread.",
    "table8": "Climb the ladder of retrieval designs.",
    "tau": "Vary how steeply retrieval prefers the first ranks.",
}
"""The commands on graph worlds, which take the same options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tokens:
    """What is measured on recorded logs."""

    data: Data
    out: Out = RESULTS
    cache: Cache = None
    budgets: Annotated[
        list[int] | None,
        typer.Option(
            "--budget",
            metavar="TOKENS",
            min=128,
            help="Flat's; repeat for several, else 500 to 4,000.",
        ),
    ] = None
    share: Annotated[
        float,
        typer.Option("--share", min=0.3, max=1.0, help="The share of it that the controller gets."),
    ] = 0.72
    episodes: Episodes = None
    seed: Seed = 0
    no_vectors: NoVectors = False
    rows: Annotated[bool, typer.Option("--rows", help="Also write every question's figures.")] = (
        False
    )

    def plan(self, dataset: Literal["ama-bench", "locomo", "longmemeval"]) -> "TokenPlan":
        """Return the plan of a measurement."""
        from stepwell_bench.ctmc.tokens import BUDGETS, TokenPlan  # noqa: PLC0415

        return TokenPlan(
            dataset=dataset,
            data=self.data,
            cache=self.cache or self.out,
            episodes=self.episodes,
            seed=self.seed,
            budgets=tuple(sorted(set(self.budgets or BUDGETS))),
            share=self.share,
        )


def _walk(name: str) -> Callable[..., None]:
    """Return the command that runs an experiment on graph worlds."""

    def walk(*, out: Out = RESULTS, seed: Seeds = None, quick: Quick = False) -> None:
        from stepwell_bench.ctmc import running  # noqa: PLC0415  (loaded when run)

        seeds = tuple(dict.fromkeys(seed)) if seed else running.SEEDS
        running.run(name, running.Settings(out=out, seeds=seeds, quick=quick))

    return walk


for _name, _text in _WORLDS.items():
    app.command(_name, help=_text)(_walk(_name))


@app.command()
@grouped
def tokens(asked: _Tokens, dataset: Dataset = "locomo") -> None:
    """Measure the tokens that allocation by rank saves flat packing at the same evidence."""
    from stepwell_bench.ctmc import tokenrunning  # noqa: PLC0415  (loaded when run)

    tokenrunning.tokens(
        asked.plan(dataset), out=asked.out, vectors=not asked.no_vectors, rows=asked.rows
    )


@app.command()
@grouped
def longmemeval(
    asked: _Tokens,
    version: Annotated[
        Literal["s", "m", "oracle"], typer.Option("--version", help="Which of the official files.")
    ] = "s",
) -> None:
    """Measure the same on LongMemEval's official files, by type of questions."""
    from stepwell_bench.ctmc import tokenrunning  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.ctmc.longmemeval import Version  # noqa: PLC0415

    tokenrunning.tokens(
        asked.plan("longmemeval"),
        out=asked.out,
        vectors=not asked.no_vectors,
        rows=asked.rows,
        version=Version(version),
    )


@app.command()
def alfworld(data: Data, out: Out = RESULTS, seed: Seed = 0) -> None:
    """Compare the prompts of graph memory and CTMC on ALFWorld's games, or logs of them."""
    from stepwell_bench.ctmc import tokenrunning  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.ctmc.alfworld import AlfPlan  # noqa: PLC0415

    tokenrunning.alfworld(AlfPlan(data=data, seed=seed), out=out)
