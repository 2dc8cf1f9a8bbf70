"""The commands of `stepwell policy`: what each is called and takes.

Importing this module loads nothing that a command needs, as in `cli`.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from pathlib import Path
from typing import Annotated, Any

import typer

from stepwell.serve import options as opt

__all__ = ["app"]

_EPILOG = "Your policies are in the folder STEPWELL_POLICIES, else `policies` in your data folder."

_Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Such as default, mine, mine.v2 or ./mine.toml.")
]

app = typer.Typer(
    help="Policies: which structures a recall reads.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)


def _settings(context: typer.Context) -> Any:
    from stepwell.config import settings

    return settings(context.obj.db, encoder=context.obj.encoder)


@app.command("list", epilog=_EPILOG)
def list_(context: typer.Context, as_json: opt.Json = False) -> None:
    """List the policies there are, older versions included."""
    from stepwell.serve.policies import print_policies

    print_policies(_settings(context).policies, as_json=as_json)


@app.command(epilog=_EPILOG)
def show(context: typer.Context, name: _Name, as_json: opt.Json = False) -> None:
    """Print what a policy does, where it comes from, and what is odd about it."""
    from stepwell.serve.policies import print_policy

    print_policy(name, _settings(context).policies, as_json=as_json)


@app.command("try", epilog=_EPILOG)
def try_(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="In words.")],
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="The policy.")
    ] = "default",
    budget: opt.Budget = 800,
    domain: Annotated[
        str, typer.Option("--domain", metavar="TEXT", help="What the runs are about.")
    ] = "",
    kind: Annotated[
        str, typer.Option("--kind", metavar="TEXT", help="The type of the question.")
    ] = "",
    steps: Annotated[int, typer.Option("--steps", metavar="N", min=0, help="Steps there are.")] = 0,
    tokens: Annotated[
        int, typer.Option("--tokens", metavar="N", min=0, help="Tokens they hold.")
    ] = 0,
    signal: Annotated[
        list[str] | None,
        typer.Option("--signal", metavar="NAME=X", help="Such as temporal.slots=2; repeatable."),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="NAME", help="A structure there is none of; repeatable."),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Print which structures a policy would read for a question, and why.

    What the policy sees besides the question is taken from your memory; where there is none, or
    any of these options is given, it is what the options say, and nothing is read.
    """
    from stepwell.serve.policies import Given, context_given, context_here, print_selection

    given = Given(
        budget=budget,
        domain=domain,
        kind=kind,
        steps=steps,
        tokens=tokens,
        signals=tuple(signal or ()),
        without=tuple(without or ()),
    )
    chosen = _settings(context)
    is_given = any((domain, kind, steps, tokens, signal, without))
    here = None if is_given else context_here(question, budget, chosen)
    seen = here or context_given(given)
    print_selection(question, policy, seen, chosen.policies, as_json=as_json)


@app.command(epilog=_EPILOG)
def diff(
    context: typer.Context,
    one: _Name,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The other policy.")],
    as_json: opt.Json = False,
) -> None:
    """Print what differs between two policies, as a unified diff of their files."""
    from stepwell.serve.policies import print_difference

    print_difference(one, other, _settings(context).policies, as_json=as_json)


@app.command(epilog=_EPILOG)
def path(context: typer.Context, name: _Name, as_json: opt.Json = False) -> None:
    """Print the file a policy is in."""
    from stepwell.serve.policies import print_path

    print_path(name, _settings(context).policies, as_json=as_json)


@app.command(epilog=_EPILOG)
def install(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A policy file.")],
    as_json: opt.Json = False,
) -> None:
    """Add a policy file to your policies, as the newest version of its name.

    Versions that are there already stay, as NAME.v1, NAME.v2 and so on.
    """
    from stepwell.serve.policies import install_policy

    install_policy(file, _settings(context).policies, as_json=as_json)
