"""The commands of `stepwell policy`: what each is called and takes.

Importing this module loads nothing that a command needs, as in `cli`.
"""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from pathlib import Path
from typing import Annotated

import typer

from stepwell.serve import options as opt
from stepwell.serve.given import given, group

__all__ = ["app"]

_EPILOG = "Your policies are in the folder STEPWELL_POLICIES, else `policies` in your data folder."

_Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Such as default, mine, mine.v2 or ./mine.toml.")
]

app = group("Policies: which structures a recall reads.")


def _folders(context: typer.Context) -> tuple[Path, ...]:
    return (given(context).settings().policies,)


@app.command("list", epilog=_EPILOG)
def list_(context: typer.Context, as_json: opt.Json = False) -> None:
    """List the policies there are, older versions included."""
    from stepwell.policy.registry import list_policies
    from stepwell.serve.policies import print_policies

    print_policies(list_policies(_folders(context)), as_json=as_json)


@app.command(epilog=_EPILOG)
def show(context: typer.Context, name: _Name, as_json: opt.Json = False) -> None:
    """Print what a policy does, where it comes from, and what is odd about it."""
    from stepwell.policy.registry import find
    from stepwell.serve.policies import print_policy

    print_policy(find(name, _folders(context)), as_json=as_json)


@app.command("try", epilog=_EPILOG)
def try_(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="In words.")],
    policy: Annotated[str, opt.option("--policy", "NAME", "The policy.")] = "default",
    budget: opt.Budget = 800,
    domain: Annotated[str, opt.option("--domain", "TEXT", "What the runs are about.")] = "",
    kind: Annotated[str, opt.option("--kind", "TEXT", "The type of the question.")] = "",
    steps: Annotated[int, opt.option("--steps", "N", "Steps there are.", min=0)] = 0,
    tokens: Annotated[int, opt.option("--tokens", "N", "Tokens they hold.", min=0)] = 0,
    signal: Annotated[
        list[str] | None,
        opt.option("--signal", "NAME=X", "Such as temporal.slots=2; repeatable."),
    ] = None,
    without: Annotated[
        list[str] | None,
        opt.option("--without", "NAME", "A structure there is none of; repeatable."),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Print which structures a policy would read for a question, and why.

    What the policy sees besides the question is taken from your memory; where there is none, or
    any of these options is given, it is what the options say, and nothing is read.
    """
    from stepwell.policy.registry import find
    from stepwell.serve.contexts import Assumed, assumed_context, context_in_use
    from stepwell.serve.policies import print_selection

    assumed = Assumed(
        domain=domain,
        kind=kind,
        steps=steps,
        tokens=tokens,
        signals=tuple(signal or ()),
        without=tuple(without or ()),
    )
    options = given(context)
    settings = options.settings()
    here = None
    if not assumed.is_any:
        here = context_in_use(settings, question, budget, scope=options.known_scope())
    seen = here or assumed_context(assumed, budget)
    print_selection(question, find(policy, (settings.policies,)), seen, as_json=as_json)


@app.command(epilog=_EPILOG)
def diff(
    context: typer.Context,
    one: _Name,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The other policy.")],
    as_json: opt.Json = False,
) -> None:
    """Print what differs between two policies, as a unified diff of their files."""
    from stepwell.policy import files
    from stepwell.policy.registry import find
    from stepwell.serve.policies import print_difference

    folders = _folders(context)
    difference = files.diff(find(one, folders), find(other, folders))
    print_difference(difference, as_json=as_json)


@app.command(epilog=_EPILOG)
def path(context: typer.Context, name: _Name, as_json: opt.Json = False) -> None:
    """Print the file a policy is in."""
    from stepwell.policy.registry import locate
    from stepwell.serve.policies import print_path

    print_path(locate(name, _folders(context)), as_json=as_json)


@app.command(epilog=_EPILOG)
def install(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A policy file.")],
    as_json: opt.Json = False,
) -> None:
    """Add a policy file to your policies, as the newest version of its name.

    Versions that are there already stay, as NAME.v1, NAME.v2 and so on.
    """
    from stepwell.policy import registry
    from stepwell.policy.files import load
    from stepwell.serve.policies import print_path

    (folder,) = _folders(context)
    print_path(registry.install(load(file.expanduser()), folder), as_json=as_json)
