"""Reports and errors as JSON: totals, audits, checks, the demo, what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.serve.documents.writing import ingested_document
from stepwell.text.redact import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.audit.doctor import Check
    from stepwell.audit.report import Report
    from stepwell.demo.asking import Answered
    from stepwell.errors import StepwellError
    from stepwell.memory.adding import Ingested
    from stepwell.memory.looking import Stats
    from stepwell.memory.usage import UsageReport
    from stepwell.stats.tails.audit import Tails

__all__ = ["checks_document", "demo_document", "error_document", "report_document"]


def error_document(error: StepwellError) -> dict[str, Any]:
    """Return an error: its kind, what went wrong, what to do next; it quotes no credential."""
    message = str(error).removesuffix(error.hint).rstrip()
    told, hint = redact(message)[0], redact(error.hint)[0]
    return {"error": {"kind": error.kind, "message": told, "hint": hint}}


def report_document(report: Stats | Report | Tails | UsageReport) -> dict[str, Any]:
    """Return the totals of a memory or an audit: its attributes by name."""
    document: dict[str, Any] = msgspec.to_builtins(report)
    return document


def checks_document(checks: Sequence[Check]) -> dict[str, Any]:
    """Return the outcomes of checks, and whether all is well."""
    is_fine = all(check.state != "broken" for check in checks)
    return {"ok": is_fine, "checks": msgspec.to_builtins(checks)}


def demo_document(
    report: Ingested, answered: Sequence[Answered], *, encoder: str | None, seconds: float
) -> dict[str, Any]:
    """Return how the bundled log was read, and what its questions got.

    Args:
        report: How it was read.
        answered: The questions with their evidence.
        encoder: Id of the encoder in use, if there is one.
        seconds: How long all of it took.
    """
    return {
        "ingested": ingested_document(report),
        "encoder": encoder,
        "questions": [_answered(one) for one in answered],
        "seconds": round(seconds, 2),
    }


def _answered(one: Answered) -> dict[str, Any]:
    return {
        "question": one.question.question,
        "answer": one.question.answer,
        "trajectory": one.question.trajectory,
        "steps": one.question.steps,
        "found": one.found,
        "answered": one.is_complete,
        "tokens": one.evidence.tokens,
        "budget": one.evidence.budget,
        "items": [{"id": item.id, "text": item.text} for item in one.evidence.items],
    }
