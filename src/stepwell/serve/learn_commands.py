"""The command `stepwell learn`: what it takes.

Importing this module loads nothing that the command needs, as in `cli`.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from pathlib import Path
from typing import Annotated, Literal

import typer

from stepwell.errors import InvalidInputError
from stepwell.serve import options as opt
from stepwell.serve.given import given

__all__ = ["learn"]


def learn(
    context: typer.Context,
    name: Annotated[str, opt.option("--name", "NAME", "Of the policy to learn.")] = "learned",
    questions: Annotated[
        Path | None,
        opt.option(
            "--questions",
            "FILE",
            "Questions about runs of this memory with their evidence, as JSON lines.",
        ),
    ] = None,
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
    budget: Annotated[int, opt.option("--budget", "TOKENS", "Tokens of a recall.", min=100)] = 4000,
    proposer: Annotated[
        Literal["offline", "model"],
        typer.Option("--proposer", help="What proposes policies; `model` is STEPWELL_MODEL."),
    ] = "offline",
    iterations: Annotated[
        int | None,
        opt.option("--iterations", "N", "Rounds; else 40 offline, 10 by a model.", min=1),
    ] = None,
    seed: Annotated[int, opt.option("--seed", "N", "Of the split and the search.", min=0)] = 0,
    state: Annotated[
        Path,
        opt.option("--state", "FOLDER", "Keeps what was done, to go on from."),
    ] = Path("stepwell-learn"),
    sample: Annotated[
        int | None,
        opt.option("--sample", "N", "So many, for --reward answer.", min=10),
    ] = None,
    policies: Annotated[
        Path | None,
        opt.option("--policies", "FOLDER", "Where it goes; else STEPWELL_POLICIES."),
    ] = None,
    as_json: opt.Json = False,
    data: Annotated[Path | None, typer.Option("--data", hidden=True)] = None,
) -> None:
    """Learn which structures to read, from questions with known evidence or from feedback.

    Questions are split by run: policies are proposed from some, chosen by others, and judged on the
    rest. What is learned is installed only if it is better there than the policy in use, its 95 %
    interval above zero; else the exit code is 1. Interrupted, it goes on where it was.
    """
    from dataclasses import replace

    from stepwell.learn.run import Plan
    from stepwell.serve.learning import (
        finish,
        learn_from_feedback,
        learn_from_questions,
        replay_of,
    )

    if data is not None:
        raise InvalidInputError(
            "`learn` takes no --data any more: it learns on runs of the memory.",
            hint="`stepwell add` the logs; `stepwell bench questions --data FOLDER` writes a data "
            "set's questions to a file for --questions.",
        )
    if feedback == (questions is not None):
        raise InvalidInputError(
            "There is nothing to learn from, or too much.",
            hint="Give --questions FILE or --feedback.",
        )
    chosen = given(context).settings()
    chosen = chosen if policies is None else replace(chosen, policies=policies)
    scope = given(context).known_scope()
    plan = Plan(name=name, state=state, proposer=proposer, iterations=iterations, seed=seed)
    if questions is None:
        learned = learn_from_feedback(plan, chosen, scope=scope)
    else:
        replayed = replay_of(questions, chosen, scope=scope)
        replayed = replace(replayed, reward=reward, budget=budget, sample=sample)
        learned = learn_from_questions(plan, replayed, chosen)
    finish(learned, chosen, as_json=as_json)
