"""The command line: what each command is called and takes; its siblings do the work.

Importing this module loads no numpy, SQLite or model: what a command needs is imported when the
command runs.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from stepwell.errors import StepwellError
from stepwell.serve import options as opt
from stepwell.serve.audit_commands import app as audit
from stepwell.serve.given import (
    EVERYWHERE,
    Agent,
    Database,
    Encoder,
    Given,
    Run,
    Session,
    Trajectory,
    User,
    given,
    group,
)
from stepwell.serve.learn_commands import learn
from stepwell.serve.policy_commands import app as policy

__all__ = ["app", "main"]

_GLOBAL = ("--db", "--encoder", "--session", "--trajectory", "--user", "--agent", "--run")
_BENCH = {"ignore_unknown_options": True, "allow_extra_args": True}


class _Root(TyperGroup):
    """The command group: global options may stand anywhere, errors are told in one way."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["stepwell.json"] = "--json" in args
        return super().parse_args(ctx, _globals_first(args))

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
        except StepwellError as error:
            from stepwell.serve.failing import fail

            fail(error, as_json=ctx.meta["stepwell.json"])
        if sys.stdout is not None:  # None where it is closed
            sys.stdout.flush()  # a reader that left (`| head`) is met here, not at interpreter exit
        return result


def _globals_first(args: list[str]) -> list[str]:
    """Return the arguments with the global options first; `bench` keeps what follows it."""
    first: list[str] = []
    rest: list[str] = []
    queue = iter(args)
    for arg in queue:
        if arg == "--" or (arg == "bench" and not rest):
            rest += [arg, *queue]
        elif arg in _GLOBAL:
            first += [arg, *([value] if (value := next(queue, None)) is not None else [])]
        elif arg.startswith(tuple(f"{name}=" for name in _GLOBAL)):
            first.append(arg)
        else:
            rest.append(arg)
    return first + rest


app = group(
    "Memory for long-horizon agents: cited evidence from logs, within a token budget.",
    cls=_Root,
    epilog="Start with `stepwell demo`. Then `stepwell add PATH` and `stepwell ask QUESTION`.",
)


def main() -> None:
    """Run the command line."""
    try:
        app(prog_name="stepwell")
    except Exception as error:  # noqa: BLE001  (whatever it is, people are told in one way)
        from stepwell.serve.failing import fail_unexpectedly

        fail_unexpectedly(error, as_json="--json" in sys.argv)


def _print_version(asked: bool) -> None:
    if asked:
        from stepwell import __version__

        typer.echo(f"stepwell {__version__}")
        raise typer.Exit


@app.callback()
def _globals(
    context: typer.Context,
    db: Database = None,
    encoder: Encoder = "auto",
    session: Session = None,
    trajectory: Trajectory = None,
    user: User = None,
    agent: Agent = None,
    run: Run = None,
    version: Annotated[  # noqa: ARG001  (its callback did the work)
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    names = {
        "session": session,
        "trajectory": trajectory,
        "user_id": user,
        "agent_id": agent,
        "run_id": run,
    }
    scope = {name: value for name, value in names.items() if value is not None}
    context.obj = Given(db=db, encoder=encoder, scope=scope)


@app.command(epilog=EVERYWHERE)
def demo(
    context: typer.Context,
    as_json: opt.Json = False,
    save: Annotated[
        Path | None,
        opt.option("--save", "FOLDER", "Write the bundled logs to this folder."),
    ] = None,
) -> None:
    """Ask five questions of a bundled log: no key, no network.

    With --save, write that log to a folder instead, to try the other commands on.
    """
    from stepwell.serve.demo import run_demo, save_logs

    if save is None:
        run_demo(given(context).settings(), as_json=as_json)
    else:
        save_logs(save, as_json=as_json)


@app.command(epilog=EVERYWHERE)
def add(
    context: typer.Context,
    paths: Annotated[
        list[str], typer.Argument(help="Log files, folders of them, or - for the standard input.")
    ],
    wait: Annotated[
        bool, typer.Option("--wait", help="Also fill in vectors, as `stepwell index` does.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail on anything skipped, repaired or odd.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Bring back what was forgotten of these logs.")
    ] = False,
    as_json: opt.Json = False,
) -> None:
    """Read agents' logs into the memory.

    The format is found by content, and what is known already is not added twice. --session,
    --user, --agent and --run say whose the logs are.
    """
    from stepwell.serve.writing import AddOptions, add_logs

    options = AddOptions(strict=strict, again=again, wait=wait)
    with given(context).memory(must_exist=False) as memory:
        add_logs(memory, paths, options=options, as_json=as_json)


@app.command(epilog=EVERYWHERE)
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="In words; it may name steps: 'at step 42'.")],
    budget: opt.Budget = 800,
    before: opt.Before = None,
    after: opt.After = None,
    on: opt.On = None,
    mode: opt.Mode = "adaptive",
    policy: opt.Policy = None,
    allocation: Annotated[
        list[str] | None,
        typer.Option(
            "--allocation",
            metavar="NAME=VALUE",
            help="Share the budget by tau, score_weight, concentration, worth, tail.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on stderr why each step was quoted or cut.")
    ] = False,
    as_json: opt.Json = False,
) -> None:
    """Print the evidence that answers a question, quoted and cited.

    The budget holds for everything on stdout; with --json, for the JSON document.
    """
    from stepwell.serve.allocating import allocation_of
    from stepwell.serve.reading import moment, print_evidence

    with given(context).memory(policy=policy) as memory:
        evidence = memory.recall(
            question,
            budget,
            before=moment(before),
            after=moment(after),
            on=on,
            format="json" if as_json else "text",
            mode=mode,
            allocation=allocation_of(allocation or ()),
        )
    print_evidence(evidence, explain=explain)


@app.command(epilog=EVERYWHERE)
def feedback(
    context: typer.Context,
    recall: Annotated[str, typer.Argument(help="The id that `ask` printed.")],
    reward: Annotated[float, typer.Argument(help="From 0, a wrong answer, to 1, a right one.")],
    as_json: opt.Json = False,
) -> None:
    """Say how good the answer was that evidence led to; `learn --feedback` learns from it."""
    from stepwell.serve.writing import give_feedback

    with given(context).memory() as memory:
        give_feedback(memory, recall, reward, as_json=as_json)


@app.command(epilog=EVERYWHERE)
def show(context: typer.Context, citation: opt.Citation, as_json: opt.Json = False) -> None:
    """Print what a citation names, verbatim."""
    from stepwell.serve.reading import print_shown

    with given(context).memory() as memory:
        print_shown(memory.expand(citation), as_json=as_json)


@app.command(epilog=EVERYWHERE)
def expand(
    context: typer.Context,
    citation: opt.Citation,
    around: opt.Context = 1,
    as_json: opt.Json = False,
) -> None:
    """Print the step a citation lies in, and the steps around it."""
    from stepwell.serve.reading import print_expanded

    with given(context).memory() as memory:
        print_expanded(memory.expand(citation, context=around), as_json=as_json)


@app.command(epilog=EVERYWHERE)
def timeline(
    context: typer.Context, trajectory: opt.AnyTrajectory = None, as_json: opt.Json = False
) -> None:
    """List the steps of a trajectory, one line each."""
    from stepwell.serve.reading import print_timeline

    with given(context).memory() as memory:
        print_timeline(memory.timeline(trajectory), as_json=as_json)


@app.command(epilog=EVERYWHERE)
def sessions(context: typer.Context, as_json: opt.Json = False) -> None:
    """List the trajectories in the memory."""
    from stepwell.serve.reading import print_sessions

    with given(context).memory() as memory:
        print_sessions(memory.sessions(), as_json=as_json)


@app.command(epilog=EVERYWHERE)
def export(
    context: typer.Context,
    trajectory: opt.AnyTrajectory = None,
    format: Annotated[  # noqa: A002  (the word users know)
        opt.ExportFormat, typer.Option("--format", help="The format to write.")
    ] = "atif",
    output: opt.Output = None,
    media: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write its images and files into this folder."),
    ] = None,
) -> None:
    """Write a trajectory and its subagents as one ATIF v1.7 document."""
    from stepwell.memory.exporting import media_files, with_subagents
    from stepwell.serve.reading import write_export, write_media

    with given(context).memory() as memory:
        exported = with_subagents(memory, trajectory)
        if media is not None:
            write_media(media_files(memory, exported), media)
    write_export(exported, format=format, output=output)


@app.command(epilog=EVERYWHERE)
def stats(context: typer.Context, as_json: opt.Json = False) -> None:
    """Print how much is in the memory."""
    from stepwell.serve.reading import print_stats

    with given(context).memory() as memory:
        print_stats(memory.stats(), as_json=as_json)


@app.command(epilog=EVERYWHERE)
def index(context: typer.Context, as_json: opt.Json = False) -> None:
    """Fill in the vectors that are missing.

    It may be interrupted, and goes on where it was.
    """
    from stepwell.serve.writing import fill_index

    with given(context).memory() as memory:
        fill_index(memory, as_json=as_json)


@app.command(epilog=EVERYWHERE)
def reindex(context: typer.Context, as_json: opt.Json = False) -> None:
    """Encode everything with the encoder in use; drop other vectors.

    Until it is done, the vectors of the encoder used before stay as they are.
    """
    from stepwell.serve.writing import rebuild_index

    with given(context).memory() as memory:
        rebuild_index(memory, as_json=as_json)


@app.command(epilog=EVERYWHERE)
def forget(
    context: typer.Context,
    steps: Annotated[
        str, typer.Argument(metavar="[STEPS]", help="Single steps, such as run7/s3-s5,s9.")
    ] = "",
    before: Annotated[
        str | None, opt.option("--before", "WHEN", "Only what is older than this ISO time.")
    ] = None,
    everything: opt.All = False,
    yes: opt.Yes = False,
    as_json: opt.Json = False,
) -> None:
    """Delete trajectories, or single steps, for good.

    Text, indexes, vectors, media and raw records go, subagents too, and reading the logs again
    does not bring them back (`add --again` does). Name them by --session, --trajectory, --user,
    --agent and --run (all that are given must match) or a citation, or say --all. Asks first,
    unless --yes.
    """
    from stepwell.serve.reading import time_of
    from stepwell.serve.writing import Named, forget_named

    named = Named(
        scope=given(context).known_scope(),
        steps=steps,
        before=time_of(before),
        everything=everything,
    )
    with given(context).memory(is_bound=False) as memory:
        forget_named(memory, named, yes=yes, as_json=as_json)


@app.command(epilog=EVERYWHERE)
def doctor(
    context: typer.Context,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Replace a damaged database by what can be read of it; keep the old."
        ),
    ] = False,
    as_json: opt.Json = False,
) -> None:
    """Check that everything works here, the whole database included.

    Exits with 1 when something that is needed does not.
    """
    from datetime import UTC, datetime

    from stepwell.audit.doctor import diagnose, mend
    from stepwell.serve.checks import print_checks
    from stepwell.serve.failing import FAILED

    settings = given(context).settings()
    mended = [mend(settings.db, now=datetime.now(UTC))] if repair and settings.db else []
    checks = [*mended, *diagnose(settings)]
    print_checks(checks, as_json=as_json)
    if any(check.state == "broken" for check in checks):
        raise typer.Exit(FAILED)


app.add_typer(audit, name="audit")
app.add_typer(policy, name="policy")
app.command(epilog=EVERYWHERE)(learn)


@app.command(context_settings=_BENCH, add_help_option=False)
def bench(context: typer.Context) -> None:
    """Measure evidence recall and speed on this machine (package stepwell-bench)."""
    from stepwell.serve.plugins import command

    code = command("bench", package="stepwell-bench")(
        args=context.args, prog_name="stepwell bench", standalone_mode=False
    )
    if code:  # of Ctrl-C, which an inner group returns and does not raise
        raise typer.Exit(code)
