"""What an import did, file by file and in sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.trajectory.model import Notice  # noqa: TC001  (msgspec resolves it at run time)

if TYPE_CHECKING:
    from stepwell.formats.base import Bundle

__all__ = ["FileRead", "FileReport", "IngestReport"]

_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What was read from one file.

    Attributes:
        uri: The path or stream name.
        format: Name of the reader; None when no reader knows the file, or there is nothing in it.
        trajectories: Number of trajectories.
        steps: Number of steps in all of them.
        skipped: Number of records left out.
        repaired: Number of records read after mending.
        warnings: Number of records read as they are that look odd.
        redacted: Number of credentials replaced in what was read.
        notices: What was skipped, repaired and odd, in file order.
    """

    uri: str
    format: str | None = None
    trajectories: int = 0
    steps: int = 0
    skipped: int = 0
    repaired: int = 0
    warnings: int = 0
    redacted: int = 0
    notices: tuple[Notice, ...] = ()

    def __str__(self) -> str:
        """Return one line: how much was read, and what was not."""
        return f"{self.uri}: {self.format or 'not read'}, {_counted(self)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """A file's trajectories with the report on reading them."""

    bundles: tuple[Bundle, ...]
    report: FileReport


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What was read from a file or from all files of a folder.

    Attributes:
        files: One report per file, in the order in which they were read.
    """

    files: tuple[FileReport, ...] = ()

    @property
    def trajectories(self) -> int:
        """Number of trajectories."""
        return sum(file.trajectories for file in self.files)

    @property
    def steps(self) -> int:
        """Number of steps."""
        return sum(file.steps for file in self.files)

    @property
    def skipped(self) -> int:
        """Number of records left out."""
        return sum(file.skipped for file in self.files)

    @property
    def repaired(self) -> int:
        """Number of records read after mending."""
        return sum(file.repaired for file in self.files)

    @property
    def warnings(self) -> int:
        """Number of records read as they are that look odd."""
        return sum(file.warnings for file in self.files)

    @property
    def redacted(self) -> int:
        """Number of credentials replaced."""
        return sum(file.redacted for file in self.files)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """All notices, in file order."""
        return tuple(notice for file in self.files for notice in file.notices)

    def __str__(self) -> str:
        """Return a short summary: the sums, the formats, and the first notices."""
        formats = Counter(file.format or "not read" for file in self.files)
        by_format = ", ".join(f"{n} {name}" for name, n in sorted(formats.items()))
        lines = [f"{_counted(self)}, from {len(self.files)} files ({by_format or 'none'})."]
        shown = self.notices[:_MAX_SHOWN]
        lines += [f"{notice.position}: {notice.message} ({notice.effect})" for notice in shown]
        if n_more := len(self.notices) - len(shown):
            lines.append(f"{n_more} more notices.")
        return "\n".join(lines)


def _counted(report: FileReport | IngestReport) -> str:
    counts = {
        "skipped": report.skipped,
        "repaired": report.repaired,
        "warnings": report.warnings,
        "credentials redacted": report.redacted,
    }
    said = [f"{report.trajectories} trajectories, {report.steps} steps"]
    return ", ".join(said + [f"{n} {name}" for name, n in counts.items() if n])
