"""The audit commands: read runs from files or from the memory, and print what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.audit.model import SharingOptions
from stepwell.audit.report import audit_sharing
from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.formats.read import read_path
from stepwell.formats.report import IngestReport
from stepwell.serve.render import print_json, print_table, print_text, progress, say
from stepwell.structures.units.index import LIVE_NAMES
from stepwell.structures.units.marks import PLAIN, AnnotateOptions
from stepwell.trajectory.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.audit.report import Group, InUnits, Report
    from stepwell.formats.read import FileReport
    from stepwell.memory.memory import Memory
    from stepwell.serve.options import Names
    from stepwell.serve.render import Advance
    from stepwell.stats.bootstrap import Interval
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Questions

__all__ = ["Asking", "print_sharing", "shared_in_memory", "shared_in_path"]

_ANNOTATE: Final[dict[Names, AnnotateOptions]] = {
    "values": PLAIN,
    "written": LIVE_NAMES,
    "observed": AnnotateOptions(written=True, observed=True),
}

_MOST_SKIPPED: Final = 5
"""Lines of a file of questions that are named one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What `stepwell audit sharing` was asked.

    Attributes:
        questions: File of questions with known evidence.
        budget: Tokens of a recall.
        set_size: Steps of a drawn evidence set.
        names: What is an entity: values of arguments, names written, or names observed as well.
        seed: Of what is drawn.
    """

    questions: Path | None
    budget: int
    set_size: int
    names: Names
    seed: int


def shared_in_path(path: Path, asking: Asking, *, scope: dict[str, str]) -> Report:
    """Audit a log file or a folder of them, one file at a time; nothing is stored.

    Raises:
        NotFoundError: There is no such file, or no run in it.
        UnknownFormatError: No reader knows the file.
        InvalidInputError: A scope was given, which only a memory has; or no question can be used.
    """
    if scope:
        raise InvalidInputError(
            "--session, --trajectory, --user, --agent and --run choose within the memory.",
            hint="Leave them out, or leave out PATH.",
        )
    files: list[FileReport] = []
    with progress("reading") as advance:
        report = _audit(_read(path, files, advance), asking)
    say(str(IngestReport(files=tuple(files))))
    return _checked(report, hint=f"Is there a log in {path}?")


def shared_in_memory(memory: Memory, asking: Asking) -> Report:
    """Audit the runs in a memory's scope.

    Raises:
        NotFoundError: There is none.
        InvalidInputError: No question can be used.
    """
    with progress("reading", total=len(memory.sessions())) as advance:
        report = _audit(_loaded(memory, advance), asking)
    return _checked(report, hint="Add logs: stepwell add PATH.")


def print_sharing(report: Report, *, as_json: bool) -> None:
    """Print the shares, the units, and the prediction for each format."""
    _say_skipped(report)
    if as_json:
        print_json(report)
        return
    evidence = "questions" if report.is_asked else "sets"
    columns = ("runs", "steps", "with tools", "with names", evidence)
    rest = ("T+", "E+", "T+ or E+", "blindly", "bound")
    for title, groups in (("log", report.groups), ("tool", report.families)):
        if groups:
            print_table((title, *columns, *rest), [_share_row(group) for group in groups])
            print_text("")
    print_table(
        ("log", "tokens a run", "units a step", "left out", "with one each", "then left out"),
        [_unit_row(group) for group in report.groups],
    )
    print_text("")
    _print_predictions(report)


def _print_predictions(report: Report) -> None:
    if report.common:
        said = ", ".join(f"{name} ({n})" for name, n in report.common.items())
        print_text(f"In more than a quarter of the steps of so many runs: {said}")
        print_text("")
    for group in report.groups if report.is_asked else ():
        cells = {} if group.evidence is None else group.evidence.cells
        print_text(f"{group.name}: {', '.join(f'{n} {cell}' for cell, n in cells.items())}")
    for group, prediction in zip(report.groups, report.predictions, strict=True):
        print_text(f"{group.name}: {prediction}")


def _audit(trajectories: Iterator[Trajectory], asking: Asking) -> Report:
    return audit_sharing(
        trajectories,
        rng=np.random.default_rng(asking.seed),
        options=SharingOptions(
            annotate=_ANNOTATE[asking.names], set_size=asking.set_size, budget=asking.budget
        ),
        questions=None if asking.questions is None else _questions(asking.questions),
    )


def _questions(path: Path) -> Questions:
    try:
        return read_questions(path.read_bytes())
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read: {error.strerror}.", hint="Check the path of --questions."
        ) from error


def _read(path: Path, files: list[FileReport], advance: Advance) -> Iterator[Trajectory]:
    for file in read_path(path.expanduser(), progress=advance):
        files.append(file.report)
        for bundle in file.bundles:
            yield bundle.trajectory


def _loaded(memory: Memory, advance: Advance) -> Iterator[Trajectory]:
    for one in memory.trajectories():
        advance(one.trajectory_id)
        yield one


def _checked(report: Report, *, hint: str) -> Report:
    if not report.groups or not any(group.n_runs for group in report.groups):
        raise NotFoundError("There is no run to look at.", hint=hint)
    if report.is_asked and all(group.evidence is None for group in report.groups):
        _say_skipped(report)
        raise InvalidInputError(
            "No question can be used.",
            hint='A line is {"question": "...", "trajectory": "run7", "steps": [3, 7]}, with at '
            "least two steps that exist.",
        )
    return report


def _say_skipped(report: Report) -> None:
    if report.n_single:
        say(f"{report.n_single} questions have one step, which nothing can bind; not counted.")
    for reason in report.skipped[:_MOST_SKIPPED]:
        say(f"skipped: {reason}")
    if len(report.skipped) > _MOST_SKIPPED:
        say(f"{len(report.skipped) - _MOST_SKIPPED} more lines skipped.")


def _share_row(group: Group) -> tuple[object, ...]:
    shares = group.evidence
    head = (group.name, group.n_runs, group.n_steps, _percent(group.with_tools))
    if shares is None:
        return (*head, _percent(group.with_entities), 0, *("-",) * 5)
    return (
        *head,
        _percent(group.with_entities),
        shares.n_sets,
        *map(_spread, (shares.tools, shares.entities, shares.any)),
        "-" if group.chance is None else _percent(group.chance),
        _spread(shares.uncommon),
    )


def _unit_row(group: Group) -> tuple[object, ...]:
    return (group.name, group.tokens, *_held(group.overlap), *_held(group.disjoint))


def _held(units: InUnits) -> tuple[str, str]:
    return f"{units.memberships:.2f}", _percent(units.evicted)


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _spread(share: Interval) -> str:
    if share.n_groups == 1:
        return _percent(share.mean)
    return f"{share.mean:.0%} ({share.low:.0%} to {share.high:.0%})"
