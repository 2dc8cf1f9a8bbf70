"""The options commands share, so that each reads the same wherever it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

__all__ = [
    "After",
    "All",
    "AnyTrajectory",
    "Before",
    "Budget",
    "Citation",
    "Context",
    "ExportFormat",
    "Json",
    "Mode",
    "On",
    "Output",
    "Policy",
    "Yes",
    "option",
]


def option(flag: str, metavar: str, about: str, **more: Any) -> Any:
    """Return an option that takes a value.

    Args:
        flag: Its long name.
        metavar: What its value is called.
        about: Its help.
        more: What else it is declared with, such as `min`.
    """
    return typer.Option(flag, metavar=metavar, help=about, **more)


ExportFormat: TypeAlias = Literal["atif"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Budget = Annotated[int, option("--budget", "TOKENS", "Tokens of the whole output, at most.")]
Before = Annotated[
    str | None,
    option("--before", "WHEN", "Only what was known before this step or time."),
]
After = Annotated[
    str | None, option("--after", "WHEN", "Only steps behind this one, or from this time on.")
]
On = Annotated[
    str | None, option("--on", "DATE", "Only steps of this time: 2026-09-12, yesterday, last week.")
]
Context = Annotated[
    int, typer.Option("-C", "--context", metavar="N", min=0, help="Steps before and after.")
]
Mode = Annotated[
    Literal["adaptive", "coverage", "flat", "paper", "plus"],  # `retrieval.modes` loads numpy
    option("--mode", "MODE", "How to rank: adaptive, coverage, flat, paper or plus."),
]
Policy = Annotated[
    str | None,
    option("--policy", "NAME", "What chooses the structures; else STEPWELL_POLICY."),
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to this file, not to the screen."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
All = Annotated[bool, typer.Option("--all", help="Everything there is.")]
Citation = Annotated[
    str, typer.Argument(help="Such as s42, s42.o1:L10-L30, run7/s42.c1 or s3-s5,s9.")
]
AnyTrajectory = Annotated[
    str | None,
    typer.Argument(help="Its id, or the beginning of it; may be left out when there is only one."),
]
