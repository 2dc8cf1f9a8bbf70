"""What an import says it did."""

from __future__ import annotations

import pytest

from stepwell.formats.report import FileReport, IngestReport
from stepwell.trajectory.model import Notice


def notice(number: int) -> Notice:
    return Notice(position=f"a:{number}", code="odd", message=f"Odd {number}.", effect="skipped")


ONE = FileReport(uri="a", format="atif", trajectories=1, steps=5, skipped=2, notices=(notice(1),))
TWO = FileReport(uri="b", format="atif", trajectories=2, steps=7, repaired=1, warnings=3,
                 redacted=4, notices=(notice(2), notice(3)))  # fmt: skip
NONE = FileReport(uri="c")


def test_a_file_is_told_in_one_line_without_what_did_not_happen() -> None:
    assert str(ONE) == "a: atif, 1 trajectories, 5 steps, 2 skipped"
    assert str(TWO) == (
        "b: atif, 2 trajectories, 7 steps, 1 repaired, 3 warnings, 4 credentials redacted"
    )
    assert str(NONE) == "c: not read, 0 trajectories, 0 steps"


def test_an_import_is_the_sum_of_its_files() -> None:
    report = IngestReport(files=(ONE, TWO, NONE))
    assert (report.trajectories, report.steps) == (3, 12)
    assert (report.skipped, report.repaired, report.warnings, report.redacted) == (2, 1, 3, 4)
    assert report.notices == (notice(1), notice(2), notice(3))


SUMS = "3 trajectories, 12 steps, 2 skipped, 1 repaired, 3 warnings, 4 credentials redacted"


def test_an_import_is_told_by_sums_formats_and_first_notices() -> None:
    assert str(IngestReport(files=(ONE, NONE, TWO))).split("\n") == [
        f"{SUMS}, from 3 files (2 atif, 1 not read).",
        "a:1: Odd 1. (skipped)",
        "a:2: Odd 2. (skipped)",
        "a:3: Odd 3. (skipped)",
    ]
    assert str(IngestReport()) == "0 trajectories, 0 steps, from 0 files (none)."


@pytest.mark.parametrize(("n", "last"), [(5, "a:4: Odd 4. (skipped)"), (7, "2 more notices.")])
def test_five_notices_are_shown_and_the_others_counted(n: int, last: str) -> None:
    report = IngestReport(files=(FileReport(uri="a", notices=tuple(map(notice, range(n)))),))
    lines = str(report).split("\n")
    assert lines[-1] == last
    assert len(lines) == min(n + 1, 7)


def refused(uri: str, reason: str) -> FileReport:
    why = Notice(position=f"{uri}:1", code="unknown-format", message=reason, effect="skipped")
    return FileReport(uri=uri, skipped=1, notices=(why,))


def test_what_was_read_comes_first_and_refused_files_are_grouped_by_their_reason() -> None:
    bad = [refused(f"{name}.json", f"{name}.json is no log.") for name in "defghij"]
    other = refused("k.zst", "k.zst is packed.")
    chat = FileReport(uri="z", format="openai-chat", trajectories=1, steps=1)
    sums, *lines = str(IngestReport(files=(other, *bad, chat, ONE, TWO))).split("\n")
    assert sums.endswith("from 11 files (2 atif, 1 openai-chat, 8 not read).")
    assert lines == [
        "a:1: Odd 1. (skipped)",
        "a:2: Odd 2. (skipped)",
        "a:3: Odd 3. (skipped)",
        "7 not read: d.json, e.json, f.json, g.json, h.json and 2 more. It is no log.",
        "1 not read: k.zst. It is packed.",
    ]
