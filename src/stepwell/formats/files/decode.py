r"""Bytes to JSON values: JSONL, one document, or several documents one after the other.

Nothing good is lost to something bad beside it: a broken line is noted and the next is read; a
value with bare NaN, lone surrogates, invalid UTF-8 or absurd nesting is mended and noted.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Notes, Record, Source
from stepwell.formats.files.mend import decode_value, find_values, is_value, salvage, split_values

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["decode"]

_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_PADDING = b"\0 \t\r\n"
"""Bytes that count as blank. NUL is one, because a power cut leaves runs of it at the end."""

_MAX_BROKEN = 1000
"""At most so many broken lines are noted one by one; a binary file may have millions, and the rest
are noted as a sum."""

_SHORT = 4096
"""A line longer than this is not asked whether it is blank."""

_MENDED = {
    "invalid-utf8": "Bytes that are not UTF-8 were replaced with U+FFFD.",
    "lone-surrogate": "Half a surrogate pair was replaced with U+FFFD.",
    "not-a-number": "NaN, Infinity or a number out of range was read as null.",
    "raw-control": "Control characters inside a string were not escaped.",
    "too-deep": "A value nests too deeply; what lies below level 200 was read as null.",
}


def decode(data: bytes, *, notes: Notes, sidecar: dict[str, Any] | None = None) -> Source:
    r"""Return the JSON objects and arrays in `data`; what was skipped or mended goes to `notes`.

    >>> source = decode(b'{"a": 1}\n{"a": \n{"a": 3}\n', notes=Notes(uri="x.jsonl"))
    >>> [(record.line, record.value) for record in source.records]
    [(1, {'a': 1}), (3, {'a': 3})]
    """
    data, start = _without_bom(data, notes)
    first, is_alone = _first_line(data, start)
    if not first:
        notes.add(1, "empty-file", "The file holds nothing.")
        return Source(uri=notes.uri, records=(), is_lines=False, sidecar=sidecar)
    if is_value(first):
        records, is_lines = list(_lines(data, start, notes)), not is_alone
    else:
        records, is_lines = _documents_or_lines(data, start, notes)
    if not records:
        notes.add(1, "no-json", "The file holds no JSON object or array.", effect="skipped")
    return Source(uri=notes.uri, records=tuple(records), is_lines=is_lines, sidecar=sidecar)


def _without_bom(data: bytes, notes: Notes) -> tuple[bytes, int]:
    # JSON starts with an ASCII character, of which UTF-16 makes one NUL.
    if data.startswith(_UTF16_BOMS) and data[2:4].count(0) == 1:
        notes.add(1, "utf-16", "The file is UTF-16 and was converted.", effect="repaired")
        return data.decode("utf-16", "replace").encode("utf-8", "replace"), 0
    return data, len(_UTF8_BOM) if data.startswith(_UTF8_BOM) else 0


def _first_line(data: bytes, start: int) -> tuple[bytes, bool]:
    """Return the first line that is not blank, and whether it is the only one."""
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        line = data[start:end]
        if line.strip(_PADDING):
            return line, not data[end:].strip(_PADDING)
        start = end
    return b"", False


def _documents_or_lines(data: bytes, start: int, notes: Notes) -> tuple[list[Record], bool]:
    """Read as documents if that loses nothing, else as whichever finds more values."""
    trials: list[tuple[list[Record], bool, Notes]] = []
    for read, is_lines in ((_documents, False), (_lines, True)):
        trial = Notes(uri=notes.uri)
        records = list(read(data, start, trial))
        trials.append((records, is_lines, trial))
        if records and all(notice.effect != "skipped" for notice in trial.notices):
            break
    records, is_lines, trial = max(trials, key=lambda entry: (len(entry[0]), entry[1]))
    notes.notices.extend(trial.notices)
    return records, is_lines


def _documents(data: bytes, start: int, notes: Notes) -> Iterator[Record]:
    whole = data[start:]
    if is_value(whole):
        yield from _value(whole, 1, start, notes)
        return
    spans, end = split_values(data, start)
    last, line = start, 1
    for begin, stop in spans:
        if data[last:begin].strip(_PADDING):
            notes.add(line, "stray-text", "What stands here is not JSON.", effect="skipped")
        line += data.count(b"\n", last, begin)
        try:
            yield from _value(data[begin:stop], line, begin, notes)
        except ValueError:
            notes.add(line, "broken-document", "The document is no JSON value.", effect="skipped")
        line += data.count(b"\n", begin, stop)
        last = stop
    yield from _torn_document(data, end, line, notes)


def _torn_document(data: bytes, start: int, line: int, notes: Notes) -> Iterator[Record]:
    raw = data[start:].lstrip(_PADDING)
    if not raw:
        return
    begin = len(data) - len(raw)
    line += data.count(b"\n", start, begin)
    try:
        value, codes = salvage(raw)
    except ValueError:
        notes.add(line, "stray-text", "What stands here is not JSON.", effect="skipped")
        return
    message = "The document is cut off; it was read as far as its last whole element."
    notes.add(line, "torn-document", message, effect="repaired")
    _note_mended(notes, line, codes)
    yield Record(value=value, line=line, byte_offset=begin, raw=raw)


def _lines(data: bytes, start: int, notes: Notes) -> Iterator[Record]:
    stream = io.BytesIO(data)
    stream.seek(start)
    offset, n_broken = start, 0
    for number, line in enumerate(stream, start=1):
        try:
            yield from _value(line, number, offset, notes)
        except ValueError:
            pieces = list(_glued(line, number, offset, notes))
            yield from pieces
            n_broken += not pieces
            if not pieces and n_broken <= _MAX_BROKEN:
                _note_broken(notes, line, number)
        offset += len(line)
    if n_broken > _MAX_BROKEN:
        message = f"{n_broken - _MAX_BROKEN} more broken lines are not listed."
        notes.add(1, "more-broken-lines", message, effect="skipped")


def _value(raw: bytes, line: int, offset: int, notes: Notes) -> Iterator[Record]:
    """Yield the record of one object or array.

    A blank line yields nothing, and a bare number, string or null is noted and yields nothing.
    """
    if len(raw) < _SHORT and not raw.strip(_PADDING):
        return
    value, codes = decode_value(raw)
    if codes:
        _note_mended(notes, line, codes)
    if isinstance(value, (dict, list)):
        yield Record(value=value, line=line, byte_offset=offset, raw=raw.rstrip(b"\r\n"))
    else:
        message = "The line is a bare number, string or null."
        notes.add(line, "not-an-object", message, effect="skipped")


def _glued(raw: bytes, line: int, offset: int, notes: Notes) -> Iterator[Record]:
    """Yield the whole values of a line that two writers, or no line end, ran into one."""
    spans: list[tuple[int, int]] = []
    end = 0
    for begin, stop in split_values(raw)[0]:
        if raw[end:begin].strip(_PADDING) or not is_value(raw[begin:stop]):
            break
        spans.append((begin, stop))
        end = stop
    spans += [(end + begin, end + stop) for begin, stop in find_values(raw[end:])]
    if not spans:
        return
    for begin, stop in spans:
        yield from _value(raw[begin:stop], line, offset + begin, notes)
    gaps = zip([0, *(stop for _, stop in spans)], [*(at for at, _ in spans), len(raw)], strict=True)
    is_rest = any(raw[begin:stop].strip(_PADDING) for begin, stop in gaps)
    message = "Several records stand on one line" + (", not all of them whole." if is_rest else ".")
    notes.add(line, "glued-line", message, effect="skipped" if is_rest else "repaired")


def _note_broken(notes: Notes, line: bytes, number: int) -> None:
    if line.endswith(b"\n"):
        notes.add(number, "broken-line", "The line is no JSON value.", effect="skipped")
    else:
        notes.add(number, "torn-tail", "The last record is cut off.", effect="skipped")


def _note_mended(notes: Notes, line: int, codes: tuple[str, ...]) -> None:
    for code in codes:
        notes.add(line, code, _MENDED[code], effect="repaired")
