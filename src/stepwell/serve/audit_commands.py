"""The commands of `stepwell audit`: what each is called and takes.

Importing this module loads nothing that a command needs, as in `cli`.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from stepwell.serve import options as opt
from stepwell.serve.given import EVERYWHERE, given, group

if TYPE_CHECKING:
    from stepwell.trajectory.questions import Questions

__all__ = ["app"]

app = group("Reports on your own logs.")


@app.command(epilog=EVERYWHERE)
def sharing(
    context: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(help="A log file, or a folder of them; else what is in the memory."),
    ] = None,
    questions: Annotated[
        Path | None,
        opt.option(
            "--questions",
            "FILE",
            "Real questions with their evidence, as JSON lines, in place of an estimate.",
        ),
    ] = None,
    budget: Annotated[int, opt.option("--budget", "TOKENS", "Tokens of a recall.", min=1)] = 800,
    set_size: Annotated[
        int, opt.option("--set-size", "N", "Steps a question may need.", min=2)
    ] = 3,
    names: Annotated[
        Literal["values", "written", "observed"],
        typer.Option(
            "--names",
            help="What binds beside tools: values of arguments, also names written, also observed.",
        ),
    ] = "written",
    seed: Annotated[int, opt.option("--seed", "N", "Of the samples.", min=0)] = 0,
    as_json: opt.Json = False,
) -> None:
    """Say whether overlapping units are likely to help on your logs.

    Counts how many steps name tools and things, how often steps that a question could need
    together share a name, and what a limit of one unit a step would lose. With PATH nothing is
    stored, and no memory is needed.
    """
    from stepwell.audit import logs
    from stepwell.audit.model import SharingOptions
    from stepwell.serve.render import progress, say
    from stepwell.serve.sharing import print_sharing, say_skipped

    annotate = logs.ANNOTATIONS[names]
    options = SharingOptions(annotate=annotate, set_size=set_size, budget=budget)
    if path is None:
        with given(context).memory() as memory:
            asked = _questions(questions)
            with progress("reading", total=len(memory.sessions())) as advance:
                report = logs.sharing_in_memory(
                    memory, seed=seed, options=options, questions=asked, progress=advance
                )
        hint = "Add logs: stepwell add PATH."
    else:
        given(context).check_unscoped("PATH")
        asked = _questions(questions)
        with progress("reading") as advance:
            report, files = logs.sharing_in_path(
                path, seed=seed, options=options, questions=asked, progress=advance
            )
        say(str(files))
        hint = f"Is there a log in {path}?"
    logs.check_runs(report, hint=hint)
    say_skipped(report)
    logs.check_questions(report)
    print_sharing(report, as_json=as_json)


def _questions(file: Path | None) -> "Questions | None":
    from stepwell.serve.files import read_file
    from stepwell.trajectory.questions import read_questions

    return None if file is None else read_questions(read_file(file, option="--questions"))


@app.command(epilog=EVERYWHERE)
def tails(
    context: typer.Context,
    counts: Annotated[
        Path | None,
        opt.option(
            "--counts",
            "FILE",
            "Counts or accesses of any memory, one a line or as JSON, in place of yours.",
        ),
    ] = None,
    item: Annotated[
        Literal["step", "trajectory", "entity"], typer.Option("--item", help="What is counted.")
    ] = "step",
    accesses: Annotated[
        Literal["quoted", "told", "considered"],
        typer.Option("--accesses", help="Quoted; told of by a structure's line; or quoted or cut."),
    ] = "quoted",
    last: Annotated[
        int | None, opt.option("--last", "N", "Only the last N recalls.", min=1)
    ] = None,
    draws: Annotated[
        int, opt.option("--draws", "N", "Draws for the goodness of fit.", min=0)
    ] = 1000,
    seed: Annotated[int, opt.option("--seed", "N", "Of the draws.", min=0)] = 0,
    plot: Annotated[
        Path | None, opt.option("--plot", "FILE", "Also draw a PNG (matplotlib).")
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Say how unevenly recalls use the memory, and what to do about it.

    Counts how often each step was quoted by the recalls that are logged, tells whether the counts
    are heavy-tailed, and lists evidence that is cut where answers are poor, steps that crowd out
    others, and what nothing reads.
    """
    from stepwell.memory.usage import UsageOptions
    from stepwell.serve.render import progress
    from stepwell.serve.tails import draw, print_usage, title_of

    if counts is not None:
        given(context).check_unscoped("--counts")
        _tails_in_file(counts, n_draws=draws, seed=seed, plot=plot, as_json=as_json)
        return
    options = UsageOptions(item=item, counted=accesses, last=last, n_draws=draws, seed=seed)
    with given(context).memory() as memory, progress("drawing", total=draws) as advance:
        report = memory.audit(options=options, progress=advance)
    if plot is not None:
        draw(report.tails, plot, title=title_of(report.options))
    print_usage(report, as_json=as_json)


def _tails_in_file(
    file: Path, *, n_draws: int, seed: int, plot: Path | None, as_json: bool
) -> None:
    from stepwell.audit.counts import tails_in
    from stepwell.serve.files import read_file
    from stepwell.serve.render import progress
    from stepwell.serve.tails import draw, print_tails

    data = read_file(file, option="--counts")
    with progress("drawing", total=n_draws) as advance:
        found = tails_in(data, n_draws=n_draws, seed=seed, progress=advance)
    if plot is not None:
        draw(found, plot, title="accesses")
    print_tails(found, as_json=as_json)
