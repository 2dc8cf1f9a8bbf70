"""The command `stepwell learn`: what it takes.

Importing this module loads nothing that the command needs, as in `cli`.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from pathlib import Path
from typing import Annotated, Literal

import typer

from stepwell.errors import InvalidInputError
from stepwell.serve import options as opt

__all__ = ["learn"]


def learn(
    context: typer.Context,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Of the policy to learn.")
    ] = "learned",
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FOLDER", help="A data set's own files.")
    ] = None,
    dataset: Annotated[
        Literal["ama-bench", "locomo"], typer.Option("--dataset", help="Which data set that is.")
    ] = "ama-bench",
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Learn from what was said of your own recalls.")
    ] = False,
    reward: Annotated[
        Literal["evidence", "literal", "answer"],
        typer.Option(
            "--reward",
            help="Share of the gold steps that are shown, or of the gold answer's words; or what "
            "STEPWELL_MODEL answers is worth.",
        ),
    ] = "evidence",
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", min=100, help="Tokens of a recall.")
    ] = 4000,
    proposer: Annotated[
        Literal["offline", "model"],
        typer.Option("--proposer", help="What proposes policies; `model` is STEPWELL_MODEL."),
    ] = "offline",
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations", metavar="N", min=1, help="Rounds; else 40 offline, 10 by a model."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of the split and the search.")
    ] = 0,
    state: Annotated[
        Path,
        typer.Option("--state", metavar="FOLDER", help="Keeps what was done, to go on from."),
    ] = Path("stepwell-learn"),
    questions: Annotated[
        int | None,
        typer.Option("--questions", metavar="N", min=10, help="A sample, for --reward answer."),
    ] = None,
    policies: Annotated[
        Path | None,
        typer.Option("--policies", metavar="FOLDER", help="Where it goes; else STEPWELL_POLICIES."),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Learn which structures to read, from a data set or from feedback.

    Questions are split by run: policies are proposed from some, chosen by others, and judged on the
    rest. What is learned is installed only if it is better there than the policy in use, its 95 %
    interval above zero; else the exit code is 1. Interrupted, it goes on where it was.
    """
    from dataclasses import replace

    from stepwell.config import open_memory, settings
    from stepwell.serve.learning import Learning, finish, learn_from_data, learn_from_feedback

    if feedback == (data is not None):
        raise InvalidInputError(
            "There is nothing to learn from, or too much.", hint="Give --data FOLDER or --feedback."
        )
    chosen = settings(context.obj.db, encoder=context.obj.encoder)
    chosen = chosen if policies is None else replace(chosen, policies=policies)
    asked = Learning(
        name=name,
        state=state,
        proposer=proposer,
        iterations=iterations,
        seed=seed,
        questions=questions,
    )
    if data is None:
        with open_memory(chosen, scope=context.obj.scope, must_exist=True) as memory:
            learned = learn_from_feedback(asked, memory, chosen)
    else:
        from stepwell_bench.mesa.running import Setting

        setting = Setting(
            dataset=dataset,
            data=data,
            state=state,
            budget=budget,
            reward=reward,
            with_vectors=chosen.encoder != "none",
            with_kind=False,
        )
        learned = learn_from_data(asked, setting, chosen)
    finish(learned, chosen, as_json=as_json)
