"""Packed files are read as what they hold."""

from __future__ import annotations

import gzip
import importlib
import sys

import pytest

from stepwell.errors import UnknownFormatError
from stepwell.formats.base import Notes
from stepwell.formats.files import packed
from stepwell.formats.files.packed import unpacked
from stepwell.formats.read import read_bytes

LOG = b'{"role": "user", "content": "hi"}\n' * 9


def zstd(data: bytes) -> bytes:
    library = pytest.importorskip("backports.zstd")
    made: bytes = library.compress(data)
    return made


def read(data: bytes) -> tuple[bytes, list[tuple[str, str]]]:
    notes = Notes("log.jsonl.gz")
    return unpacked(data, notes), [(notice.code, notice.effect) for notice in notes.notices]


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_packed_log_is_read_as_the_log_it_holds(pack: type[bytes]) -> None:
    assert read(pack(LOG)) == (LOG, [])
    assert read(pack(LOG) + pack(LOG)) == (LOG * 2, [])
    assert read_bytes(pack(LOG), uri="x").report.steps == 9


def test_what_is_not_packed_comes_back_itself() -> None:
    assert unpacked(LOG, Notes("x")) is LOG


def test_zeros_after_a_packed_file_are_padding() -> None:
    assert read(gzip.compress(LOG) + b"\0" * 9) == (LOG, [])


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_packed_file_that_is_cut_off_is_read_as_far_as_it_goes(pack: type[bytes]) -> None:
    noise = b"".join(b"%d %d\n" % (n * 7919 % 1009, n * 104729 % 10007) for n in range(99_999))
    whole = pack(noise)
    data, notices = read(whole[: len(whole) * 3 // 4])
    assert notices == [("torn-file", "repaired")]
    assert noise.startswith(data)
    assert len(data) > len(noise) // 4


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_damaged_file_is_refused(pack: type[bytes]) -> None:
    whole = bytearray(pack(bytes(range(256)) * 99))
    whole[6:30] = b"\xff" * 24
    with pytest.raises(UnknownFormatError, match=r"log\.jsonl\.gz is damaged"):
        read(bytes(whole))


def test_a_file_that_holds_more_than_anyone_logs_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packed, "_MAX_BYTES", 1000)
    assert read(gzip.compress(b"x" * 999)) == (b"x" * 999, [])
    with pytest.raises(UnknownFormatError, match="more than 1,000 bytes"):
        read(gzip.compress(b"x" * 1000))
    with pytest.raises(UnknownFormatError, match="more than 1,000 bytes"):
        read(gzip.compress(b"x" * 600) * 2)


def test_without_a_library_zstd_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    importlib.invalidate_caches()
    with pytest.raises(UnknownFormatError, match=r"pip install 'stepwell\[zstd\]'"):
        read(b"\x28\xb5\x2f\xfd1234")
