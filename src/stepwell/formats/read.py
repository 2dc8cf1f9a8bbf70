"""Read logs: bytes, a file, or a folder of files, each with a report of what was not as it should.

Formats are found by content. In a folder, a file no reader knows is counted and passed over; alone,
it is an error. Claude Code's subagent files beside a session get their `.meta.json` with them.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from stepwell.errors import InvalidInputError, NotFoundError, UnknownFormatError
from stepwell.formats.base import Bundle, Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.files.folders import is_output, log_files, sidecar_of
from stepwell.formats.files.packed import unpacked
from stepwell.formats.files.stamps import stamp_of
from stepwell.formats.redaction import redact_blobs, redact_id, redact_values
from stepwell.formats.registry import installed, reader_for, readers
from stepwell.formats.report import FileRead, FileReport, IngestReport
from stepwell.formats.unread import note_unread
from stepwell.text.redact import Redactor, as_redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stepwell.formats.base import Reader, Source
    from stepwell.formats.files.stamps import Stamp

__all__ = ["FileRead", "FileReport", "IngestReport", "Known", "read_bytes", "read_path"]

Known: TypeAlias = "Callable[[str, Stamp], FileReport | None]"
"""Returns the report on a file that was read in this state before; None where it was not."""

_STDIN = Path("-")
"""What stands for the standard input; a file of this name needs its whole path."""


def read_bytes(
    data: bytes,
    *,
    uri: str,
    sidecar: dict[str, Any] | None = None,
    strict: bool = False,
    redact: bool | Redactor = True,
) -> FileRead:
    r"""Read a log from its bytes.

    Args:
        data: The whole file, also packed with gzip or zstd.
        uri: Its path or another name; it stands in raw records and notices.
        sidecar: The decoded `<name>.meta.json` beside the file, when there is one.
        strict: Whether anything skipped, repaired or odd is an error.
        redact: Whether credentials are replaced, in texts and in raw records, or what does it.

    Raises:
        UnknownFormatError: No reader knows what the bytes hold.
        InvalidInputError: `strict`, and there is something to notice.

    >>> log = b'[{"role": "user", "content": "hello"}]'
    >>> [bundle.trajectory.steps[0].message for bundle in read_bytes(log, uri="a.json").bundles]
    ['hello']
    """
    replacing = as_redactor(redact)
    uri = _named(uri, replacing)
    notes = Notes(uri=uri, redact=replacing)
    data = unpacked(data, notes)
    for message in installed().left_out:
        notes.add(1, "reader-left-out", message)
    source = decode(data, notes=notes, sidecar=sidecar)
    reader = reader_for(source, notes)
    if reader is None and data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        failed = [notice.message for notice in notes.notices if notice.code == "reader-failed"]
        raise UnknownFormatError(
            " ".join((f"{uri} is in no format that Stepwell reads.", *failed)),
            hint=f"It reads {', '.join(sorted(reader.name for reader in readers()))}.",
        )
    bundles = _bundles(reader, source, notes) if reader is not None else ()
    for bundle in bundles:
        note_unread(bundle.trajectory, notes)
    if strict and notes.notices:
        _refuse(notes)
    n_redacted = 0
    if replacing is not None:
        bundles, n_redacted = _redacted(bundles, replacing)
    report = _report(notes, bundles, reader.name if reader is not None else None)
    return FileRead(bundles=bundles, report=replace(report, redacted=n_redacted))


def read_path(
    path: str | Path,
    *,
    strict: bool = False,
    redact: bool | Redactor = True,
    progress: Callable[[str], None] | None = None,
    known: Known | None = None,
) -> Iterator[FileRead]:
    """Read a file, every log under a folder, one file at a time, or the standard input.

    Args:
        path: The file or folder; `-` is the standard input.
        strict: Whether anything skipped, repaired or odd is an error.
        redact: Whether credentials are replaced, in texts and in raw records, or what does it.
        progress: Called with the path of each file before it is read.
        known: Returns the report on a file that was read in the same state before.

    Yields:
        What each file holds, in the order of their paths.

    Raises:
        NotFoundError: There is no such file or folder.
        UnknownFormatError: The path is a file, and no reader knows it.
        InvalidInputError: `strict`, and something is wrong with the input.
    """
    if path == "":
        raise InvalidInputError("An empty path names nothing.", hint="Name a file or a folder.")
    path = Path(path)
    if path == _STDIN:
        yield read_bytes(sys.stdin.buffer.read(), uri="stdin", strict=strict, redact=redact)
        return
    is_folder = stat.S_ISDIR(_mode(path))
    for file in log_files(path) if is_folder else (path,):
        if progress is not None:
            progress(_uri(file))
        try:
            yield _read_file(file, strict=strict, redact=redact, known=known)
        except (UnknownFormatError, OSError) as error:
            if is_folder:
                yield _passed_over(file, error, as_redactor(redact))
            elif isinstance(error, OSError):
                raise InvalidInputError(
                    f"{_uri(file)} cannot be read: {error.strerror}.", hint="Check its permissions."
                ) from error
            else:
                raise


def _mode(path: Path) -> int:
    """Return what kind of thing a path names, which must be a file or a folder."""
    shown = f"{_uri(path):.200}"
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise NotFoundError(
            f"There is no file or folder {shown}.", hint="Check the path."
        ) from error
    except (OSError, ValueError) as error:  # too long, a loop of links, no permission; a NUL
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInputError(
            f"{shown} cannot be looked at: {reason}.", hint="Check the path."
        ) from error
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        raise InvalidInputError(
            f"{shown} is neither a file nor a folder.",
            hint="What a pipe or a device gives is read by `stepwell add -`, from standard input.",
        )
    return mode


def _bundles(reader: Reader, source: Source, notes: Notes) -> tuple[Bundle, ...]:
    """Return what a reader reads.

    When the reader fails midway, what it had read until then is kept, and the failure is noted.

    Raises:
        UnknownFormatError: It failed before it had read anything.
    """
    bundles: list[Bundle] = []
    try:
        bundles.extend(reader.read(source, notes))
    except Exception as error:
        message = f"The reader {reader.name!r} failed: {error!r}."
        if isinstance(error, InvalidInputError):
            message = str(error)
        if not bundles:
            if notes.redact is not None:
                message = notes.redact(message)[0]
            raise UnknownFormatError(
                f"{source.uri} cannot be read. {message}",
                hint="Tell those who made the reader, or uninstall it.",
            ) from error
        notes.add(1, "reader-failed", f"{message} The rest is left out.", effect="skipped")
    return tuple(bundles)


def _read_file(
    file: Path, *, strict: bool, redact: bool | Redactor, known: Known | None
) -> FileRead:
    if file.is_dir():  # one that cannot be looked into; this raises why
        os.scandir(file).close()
    if is_output(file):
        raise UnknownFormatError(
            f"{_uri(file)} is what a tool gave back in a session, and no log.",
            hint="Add the session's log: it brings what lies beside it.",
        )
    uri, stamp = _named(_uri(file), as_redactor(redact)), stamp_of(file)
    report = None if known is None else known(uri, stamp)
    if report is None:
        data = file.read_bytes()
        stamp = stamp.of_bytes(data)
        report = None if known is None else known(uri, stamp)
        if report is None:
            read = read_bytes(data, uri=uri, sidecar=sidecar_of(file), strict=strict, redact=redact)
            return replace(read, stamp=stamp)
    return FileRead(bundles=(), report=report, stamp=stamp, is_known=True)


def _uri(file: Path) -> str:
    r"""Return a path as text that can be stored: bytes that are not UTF-8 are written `\xff`."""
    return os.fsencode(file).decode("utf-8", "backslashreplace")


def _named(uri: str, redact: Redactor | None) -> str:
    return uri if redact is None else redact_id(uri, redact)


def _passed_over(
    file: Path, error: UnknownFormatError | OSError, redact: Redactor | None
) -> FileRead:
    notes = Notes(uri=_named(_uri(file), redact), redact=redact)
    if isinstance(error, OSError):
        message = f"The file cannot be read: {error.strerror}."
        notes.add(1, "unreadable-file", message, effect="skipped")
    else:
        notes.add(1, "unknown-format", str(error), effect="skipped")
    return FileRead(bundles=(), report=_report(notes, (), None))


def _redacted(bundles: tuple[Bundle, ...], redact: Redactor) -> tuple[tuple[Bundle, ...], int]:
    kept: list[Bundle] = []
    n_redacted = 0
    for bundle in bundles:
        blobs, digests = redact_blobs(bundle.blobs, redact)
        trajectory, n = redact_values(bundle.trajectory, redact, digests=digests)
        kept.append(Bundle(trajectory=trajectory, blobs=blobs))
        n_redacted += n
    return tuple(kept), n_redacted


def _refuse(notes: Notes) -> None:
    first = notes.notices[0]
    n_more = len(notes.notices) - 1
    more = f" ({n_more} more notices in this file.)" if n_more else ""
    raise InvalidInputError(
        f"{first.position}: {first.message}{more}", hint="Mend the file, or read it without strict."
    )


def _report(notes: Notes, bundles: tuple[Bundle, ...], log_format: str | None) -> FileReport:
    effects = Counter(notice.effect for notice in notes.notices)
    return FileReport(
        uri=notes.uri,
        format=log_format,
        trajectories=len(bundles),
        steps=sum(len(bundle.trajectory.steps) for bundle in bundles),
        skipped=effects["skipped"],
        repaired=effects["repaired"],
        warnings=effects["warning"],
        notices=tuple(notes.notices),
    )
