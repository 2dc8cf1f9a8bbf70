"""The options commands share, so that each reads the same wherever it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

__all__ = [
    "Accesses",
    "All",
    "AnyTrajectory",
    "Before",
    "Budget",
    "Citation",
    "Context",
    "ExportFormat",
    "Items",
    "Json",
    "Mode",
    "Names",
    "Output",
    "Policy",
    "Yes",
]

ExportFormat: TypeAlias = Literal["atif"]
Items: TypeAlias = Literal["step", "trajectory", "entity"]
Accesses: TypeAlias = Literal["quoted", "told", "considered"]
Names: TypeAlias = Literal["values", "written", "observed"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Budget = Annotated[
    int, typer.Option("--budget", metavar="TOKENS", help="Tokens of the whole output, at most.")
]
Before = Annotated[
    str | None,
    typer.Option(
        "--before", metavar="WHEN", help="Only what was known before this step or ISO time."
    ),
]
Context = Annotated[
    int, typer.Option("-C", "--context", metavar="N", min=0, help="Steps before and after.")
]
Mode = Annotated[
    Literal["adaptive", "coverage", "flat", "paper", "plus"],  # `retrieval.modes` loads numpy
    typer.Option(
        "--mode", metavar="MODE", help="How to rank: adaptive, coverage, flat, paper or plus."
    ),
]
Policy = Annotated[
    str | None,
    typer.Option(
        "--policy", metavar="NAME", help="What chooses the structures; else STEPWELL_POLICY."
    ),
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
