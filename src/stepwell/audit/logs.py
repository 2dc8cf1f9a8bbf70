"""Audit the sharing in log files or in a memory, and say when there was nothing to audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from stepwell.audit.model import DEFAULT
from stepwell.audit.report import audit_sharing
from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.formats.read import read_path
from stepwell.formats.report import IngestReport
from stepwell.structures.units.index import LIVE_NAMES
from stepwell.structures.units.marks import PLAIN, AnnotateOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from stepwell.audit.model import SharingOptions
    from stepwell.audit.report import Report
    from stepwell.formats.report import FileReport
    from stepwell.memory.memory import Memory
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Questions

__all__ = [
    "ANNOTATIONS",
    "Names",
    "check_questions",
    "check_runs",
    "sharing_in_memory",
    "sharing_in_path",
]

Names: TypeAlias = Literal["values", "written", "observed"]

ANNOTATIONS: Final[Mapping[Names, AnnotateOptions]] = {
    "values": PLAIN,
    "written": LIVE_NAMES,
    "observed": AnnotateOptions(written=True, observed=True),
}
"""What is taken as an entity: values of arguments, also names written, also names observed."""


def sharing_in_path(
    path: Path,
    *,
    seed: int,
    options: SharingOptions = DEFAULT,
    questions: Questions | None = None,
    progress: Callable[[str], None] | None = None,
) -> tuple[Report, IngestReport]:
    """Audit a log file or a folder of them, one file at a time; nothing is stored.

    Args:
        path: The file or folder.
        seed: Of what is drawn.
        options: How sharing is estimated.
        questions: Questions with known evidence, which replace the estimate.
        progress: Called with the name of each file.

    Returns:
        What was found, and how the files were read.

    Raises:
        NotFoundError: There is no such file.
        UnknownFormatError: No reader knows the file.
    """
    files: list[FileReport] = []

    def read() -> Iterator[Trajectory]:
        for file in read_path(path.expanduser(), progress=progress):
            files.append(file.report)
            for bundle in file.bundles:
                yield bundle.trajectory

    rng = np.random.default_rng(seed)
    report = audit_sharing(read(), rng=rng, options=options, questions=questions)
    return report, IngestReport(files=tuple(files))


def sharing_in_memory(
    memory: Memory,
    *,
    seed: int,
    options: SharingOptions = DEFAULT,
    questions: Questions | None = None,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Audit the runs in a memory's scope, as `sharing_in_path` does those of files.

    Args:
        memory: The memory.
        seed: Of what is drawn.
        options: How sharing is estimated.
        questions: Questions with known evidence, which replace the estimate.
        progress: Called with the id of each run.
    """

    def load() -> Iterator[Trajectory]:
        for one in memory.trajectories():
            if progress is not None:
                progress(one.trajectory_id)
            yield one

    rng = np.random.default_rng(seed)
    return audit_sharing(load(), rng=rng, options=options, questions=questions)


def check_runs(report: Report, *, hint: str) -> None:
    """Make sure that there was a run to audit.

    Args:
        report: What was found.
        hint: What to do where there was none.

    Raises:
        NotFoundError: There was none.
    """
    if not any(group.n_runs for group in report.groups):
        raise NotFoundError("There is no run to look at.", hint=hint)


def check_questions(report: Report) -> None:
    """Make sure that some question can be used, if questions were given.

    Raises:
        InvalidInputError: None can.
    """
    if report.is_asked and all(group.evidence is None for group in report.groups):
        raise InvalidInputError(
            "No question can be used.",
            hint='A line is {"question": "...", "trajectory": "run7", "steps": [3, 7]}, with at '
            "least two steps that exist.",
        )
