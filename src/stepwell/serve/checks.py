"""The outcomes of `stepwell doctor` on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.serve.documents.reports import checks_document
from stepwell.serve.render import print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.audit.doctor import Check

__all__ = ["print_checks"]


def print_checks(checks: Sequence[Check], *, as_json: bool) -> None:
    """Print what each check found, and what to do about it."""
    if as_json:
        print_json(checks_document(checks))
        return
    rows = [(check.state, check.name, check.detail) for check in checks]
    print_table(("state", "check", "detail"), rows, wrap=True)
