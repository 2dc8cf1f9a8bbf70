"""The commands of `stepwell audit`: what each is called and takes.

Importing this module loads nothing that a command needs, as in `cli`.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from pathlib import Path
from typing import Annotated, Any

import typer

from stepwell.serve import options as opt

__all__ = ["app"]

_EVERYWHERE = "Also here: the options of `stepwell --help`, such as --db and --session."

app = typer.Typer(
    help="Reports on your own logs.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)


def _memory(context: typer.Context) -> Any:
    from stepwell.config import open_memory, settings

    known = settings(context.obj.db, encoder=context.obj.encoder)
    return open_memory(known, scope=context.obj.scope, must_exist=True)


@app.command(epilog=_EVERYWHERE)
def sharing(
    context: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(help="A log file, or a folder of them; else what is in the memory."),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            metavar="FILE",
            help="Real questions with their evidence, as JSON lines, in place of an estimate.",
        ),
    ] = None,
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", min=1, help="Tokens of a recall.")
    ] = 800,
    set_size: Annotated[
        int, typer.Option("--set-size", metavar="N", min=2, help="Steps a question may need.")
    ] = 3,
    names: Annotated[
        opt.Names,
        typer.Option(
            "--names",
            help="What binds beside tools: values of arguments, also names written, also observed.",
        ),
    ] = "written",
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the samples.")] = 0,
    as_json: opt.Json = False,
) -> None:
    """Say whether overlapping units are likely to help on your logs.

    Counts how many steps name tools and things, how often steps that a question could need
    together share a name, and what a limit of one unit a step would lose. With PATH nothing is
    stored, and no memory is needed.
    """
    from stepwell.serve.auditing import Asking, print_sharing, shared_in_memory, shared_in_path

    asking = Asking(questions=questions, budget=budget, set_size=set_size, names=names, seed=seed)
    if path is None:
        with _memory(context) as memory:
            report = shared_in_memory(memory, asking)
    else:
        report = shared_in_path(path, asking, scope=context.obj.scope)
    print_sharing(report, as_json=as_json)


@app.command(epilog=_EVERYWHERE)
def tails(
    context: typer.Context,
    counts: Annotated[
        Path | None,
        typer.Option(
            "--counts",
            metavar="FILE",
            help="Counts or accesses of any memory, one a line or as JSON, in place of yours.",
        ),
    ] = None,
    item: Annotated[opt.Items, typer.Option("--item", help="What is counted.")] = "step",
    accesses: Annotated[
        opt.Accesses,
        typer.Option("--accesses", help="Quoted; told of by a structure's line; or quoted or cut."),
    ] = "quoted",
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="Only the last N recalls.")
    ] = None,
    draws: Annotated[
        int, typer.Option("--draws", metavar="N", min=0, help="Draws for the goodness of fit.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the draws.")] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Also draw a PNG (matplotlib).")
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Say how unevenly recalls use the memory, and what to do about it.

    Counts how often each step was quoted by the recalls that are logged, tells whether the counts
    are heavy-tailed, and lists evidence that is cut where answers are poor, steps that crowd out
    others, and what nothing reads.
    """
    from stepwell.serve.tails import (
        Asked,
        print_tails,
        print_usage,
        tails_in_file,
        tails_in_memory,
    )

    asked = Asked(
        item=item,
        accesses=accesses,
        last=last,
        n_draws=draws,
        seed=seed,
        plot=plot,
        as_json=as_json,
    )
    if counts is not None:
        print_tails(tails_in_file(counts, asked, scope=context.obj.scope), asked)
        return
    with _memory(context) as memory:
        report = tails_in_memory(memory, asked)
    print_usage(report, asked)
