"""What the `stepwell bench` commands share: options, and groups of options that go together."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import typer

__all__ = [
    "RESULTS",
    "Cache",
    "Data",
    "Dataset",
    "Episodes",
    "NoVectors",
    "Out",
    "Seed",
    "command_group",
    "grouped",
]

RESULTS: Final = Path("results")
"""Where result files go, unless told otherwise."""

Dataset: TypeAlias = Annotated[
    Literal["ama-bench", "locomo"], typer.Option("--dataset", help="What they are.")
]
Data: TypeAlias = Annotated[
    Path, typer.Option("--data", metavar="FOLDER", help="The data set's own files.")
]
Out: TypeAlias = Annotated[
    Path, typer.Option("--out", metavar="FOLDER", help="Where result files go.")
]
Cache: TypeAlias = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FOLDER", help="Keeps vectors between runs; else --out."),
]
Episodes: TypeAlias = Annotated[
    int | None, typer.Option("--episodes", metavar="N", min=1, help="Only a random sample.")
]
NoVectors: TypeAlias = Annotated[bool, typer.Option("--no-vectors", help="Search by words only.")]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, help="Of whatever is drawn.")
]


def command_group(text: str) -> typer.Typer:
    """Return an empty group of commands.

    Args:
        text: What the group is for, shown by `--help`.
    """
    return typer.Typer(
        help=text,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take dataclasses whose fields are its options.

    Typer reads options from a function's parameters. Options that several commands share are fields
    of a dataclass here; each parameter of such a type is replaced by its fields, and the command is
    called with the dataclass made of what was given.
    """
    taken = inspect.signature(command).parameters.values()
    groups: dict[str, Any] = {one.name: one.annotation for one in taken if _is_group(one)}
    names = {name: [field.name for field in fields(kind)] for name, kind in groups.items()}

    @functools.wraps(command)
    def called(**given: Any) -> None:
        made = {
            name: kind(**{field: given.pop(field) for field in names[name]})
            for name, kind in groups.items()
        }
        command(**given, **made)

    spread = [part for one in taken for part in (_spread(one) if one.name in groups else [one])]
    keyword = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in spread]
    called.__signature__ = inspect.Signature(keyword)  # type: ignore[attr-defined]  # read by typer
    return called


def _is_group(parameter: inspect.Parameter) -> bool:
    return isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation)


def _spread(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """Return a parameter for each field of a group."""
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=field.type,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
        )
        for field in fields(parameter.annotation)
    ]
