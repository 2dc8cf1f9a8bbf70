"""The outcomes of checks, printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stepwell.audit.doctor import Check
from stepwell.serve.checks import print_checks

if TYPE_CHECKING:
    import pytest

CHECKS = [
    Check(name="sqlite", state="ok", detail="works"),
    Check(name="disk", state="note", detail="0.1 GB free\nat /"),
]


def test_each_check_is_a_line(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    print_checks(CHECKS, as_json=False)
    assert capsysbinary.readouterr().out.decode().splitlines() == [
        "state\tcheck\tdetail",
        "ok\tsqlite\tworks",
        "note\tdisk\t0.1 GB free at /",
    ]


def test_the_document_holds_all_of_them(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    print_checks(CHECKS, as_json=True)
    document = json.loads(capsysbinary.readouterr().out)
    assert document["ok"] is True
    assert [check["detail"] for check in document["checks"]] == ["works", "0.1 GB free\nat /"]
