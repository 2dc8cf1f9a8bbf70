"""What an import did, file by file and in sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.trajectory.model import Notice  # noqa: TC001  (msgspec resolves it at run time)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.formats.base import Bundle
    from stepwell.formats.files.stamps import Stamp

__all__ = ["FileRead", "FileReport", "IngestReport"]

_MAX_SHOWN = 5
"""Notices, and names of files refused for one reason, that a summary lists."""

_REFUSED = frozenset({"unknown-format", "unreadable-file"})
"""Codes of the notices that say why a whole file was passed over."""


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
    """A file's trajectories with the report on reading them.

    Attributes:
        stamp: The state of the file that was read; None where it has none.
        is_known: Whether it is as it was read before: then nothing was parsed, and the report is
            that of the last time.
    """

    bundles: tuple[Bundle, ...]
    report: FileReport
    stamp: Stamp | None = None
    is_known: bool = False


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
        """Return a short summary: the sums, what was read, its notices, and what was refused."""
        formats = Counter(file.format for file in self.files if file.format)
        said = [f"{n} {name}" for name, n in formats.most_common()]
        n_others = len(self.files) - formats.total()
        said += [f"{n_others} not read"] if n_others else []
        told = [notice for notice in self.notices if notice.code not in _REFUSED]
        return "\n".join(
            [
                f"{_counted(self)}, from {len(self.files)} files ({', '.join(said) or 'none'}).",
                *(f"{each.position}: {each.message} ({each.effect})" for each in told[:_MAX_SHOWN]),
                *([f"{len(told) - _MAX_SHOWN} more notices."] if told[_MAX_SHOWN:] else []),
                *_by_reason([notice for notice in self.notices if notice.code in _REFUSED]),
            ]
        )


def _by_reason(notices: Sequence[Notice]) -> list[str]:
    """Return a line for each reason why files were passed over: the reason, and which they are."""
    reasons: dict[str, list[str]] = {}
    for notice in notices:
        uri = notice.position.rpartition(":")[0]
        reasons.setdefault(notice.message.replace(uri, "It"), []).append(uri)
    lines: list[str] = []
    for reason, uris in sorted(reasons.items(), key=lambda item: -len(item[1])):
        n_more = len(uris) - _MAX_SHOWN
        names = ", ".join(uris[:_MAX_SHOWN]) + (f" and {n_more} more" if n_more > 0 else "")
        lines.append(f"{len(uris)} not read: {names}. {reason}")
    return lines


def _counted(report: FileReport | IngestReport) -> str:
    counts = {
        "skipped": report.skipped,
        "repaired": report.repaired,
        "warnings": report.warnings,
        "credentials redacted": report.redacted,
    }
    said = [f"{report.trajectories} trajectories, {report.steps} steps"]
    return ", ".join(said + [f"{n} {name}" for name, n in counts.items() if n])
