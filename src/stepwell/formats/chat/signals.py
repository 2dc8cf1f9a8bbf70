"""What a text says about itself: that a call failed, or that the harness wrote it.

Few formats carry an error flag, so failure is read from exit codes and from the shapes in which
programs report it; an explicit flag always wins, and the signal that decided is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Failure", "error_of", "judge", "split_harness"]

_WINDOW = 4000
"""Characters at each end of a text that are searched: programs report failure first or last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Whether a result reports failure.

    Attributes:
        is_error: True, False, or None when nothing says so.
        source: The signal: `is_error-flag`, `status`, `isError-in-text`, `exit-code` or `text`.
        exit_code: Process exit code, when the text or the source states one.
    """

    is_error: bool | None = None
    source: str | None = None
    exit_code: int | None = None


_EXIT_CODE = re.compile(
    r"<(?:returncode|exit_?code)>\s*(-?\d{1,10})\s*</"
    r"|\"(?:exit_?code|returncode)\"\s*:\s*(-?\d{1,10})\b"
    r"|^[ \t]*(?:error: )?exit(?:ed with)?(?: code| status)[: ] ?(-?\d{1,10})[ \t]*$"
    r"|\b(?:exited|finished|failed|completed|terminated) with (?:exit )?(?:code|status)"
    r"[: ] ?(-?\d{1,10})\b",
    re.IGNORECASE | re.MULTILINE,
)
_FLAG_IN_TEXT = re.compile(r'\s*\{(?:[^"]|"[^"]{0,200}"){0,20}?"is_?[eE]rror"\s*:\s*(true|false)\b')
_FAILS_AT_START = re.compile(
    r"\s*(?:"
    r"<tool_use_error>|\[?(?:fatal |internal |unexpected )?error\]?\s?[:!]|fatal:|panic:"
    r"|Traceback \(most recent call last\):"
    r"|[A-Za-z_.]{0,80}(?:Error|Exception) ?[:(]"
    r"|npm ERR!|E: |error\[E\d+\]"
    r"|[\w/]{0,40}sh: .{1,200}?: (?:command not found|not found|No such file|Permission denied)"
    r")",
    re.IGNORECASE,
)
_TRACEBACK = "Traceback (most recent call last):\n"
_LAST_LINE = re.compile(r"[A-Za-z_][\w.]{0,120}(?:: .*)?")
_SUCCEEDS = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed)\b", re.IGNORECASE)
_FAILS_TOO = re.compile(r"\b[1-9]\d{0,8} (?:errors?|failures?|failed)\b|\bFAILED\b", re.IGNORECASE)


def error_of(fields: Mapping[str, object], text: str, *, exit_code: int | None = None) -> Failure:
    r"""Decide whether a result failed, from the record that holds it and from its text.

    Args:
        fields: The record; its `is_error`, `isError`, `error`, `success` and `status` are flags
            that are never overruled.
        text: Readable text of the result.
        exit_code: Process exit code, when the source states it beside the text.

    >>> error_of({"status": "error"}, "ok")
    Failure(is_error=True, source='status', exit_code=None)
    >>> error_of({"is_error": False}, "def handle_error(e): ...").is_error
    False
    """
    flag, source = _flag(fields)
    heard = judge(text, exit_code=exit_code)
    if flag is None:
        return heard
    return Failure(is_error=flag, source=source, exit_code=heard.exit_code)


def judge(text: str, *, exit_code: int | None = None) -> Failure:
    r"""Decide whether a result failed from its text and exit code alone.

    >>> judge("<returncode>1</returncode><output>FAILED test_a.py</output>")
    Failure(is_error=True, source='exit-code', exit_code=1)
    >>> judge("0 errors, 0 warnings").is_error
    False
    """
    head = text[:_WINDOW]
    tail = text[_WINDOW:][-_WINDOW:]
    code = exit_code if exit_code is not None else _exit_code(head, tail)
    inner = _FLAG_IN_TEXT.match(head)
    if inner is not None:
        return Failure(is_error=inner[1] == "true", source="isError-in-text", exit_code=code)
    if code is not None:
        return Failure(is_error=code != 0, source="exit-code", exit_code=code)
    spoken = _spoken(head, tail)
    return Failure(is_error=spoken, source=None if spoken is None else "text")


def _flag(fields: Mapping[str, object]) -> tuple[bool | None, str | None]:
    for key in ("is_error", "isError", "error"):
        value = fields.get(key)
        if isinstance(value, bool):
            return value, f"{key}-flag"
        if key == "error" and isinstance(value, (str, dict)) and value:
            return True, "error-flag"
    success = fields.get("success")
    if isinstance(success, bool):
        return not success, "success-flag"
    status = str(fields.get("status") or "").lower()
    if status in {"error", "errored", "failed", "failure"}:
        return True, "status"
    return (False, "status") if status in {"success", "succeeded", "ok"} else (None, None)


def _exit_code(head: str, tail: str) -> int | None:
    matches = [*_EXIT_CODE.finditer(head), *_EXIT_CODE.finditer(tail)]
    if not matches:
        return None
    return int(next(group for group in matches[-1].groups() if group is not None))


def _spoken(head: str, tail: str) -> bool | None:
    if _FAILS_AT_START.match(head):
        return True
    end = tail or head
    if _TRACEBACK in end and _LAST_LINE.fullmatch(end.rstrip().rpartition("\n")[2]):
        return True
    if _SUCCEEDS.search(end) and not (_FAILS_TOO.search(head) or _FAILS_TOO.search(tail)):
        return False
    return None


_TAGS = (
    "system-reminder|command-name|command-message|command-args|command-contents"
    "|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout"
    "|bash-stderr|environment_context|user_instructions|ide_opened_file|ide_selection"
    "|ide_diagnostics|user-prompt-submit-hook|session-start-hook|task-notification|turn_aborted"
    "|permissions instructions|collaboration_mode|skills_instructions|subagent_notification"
    "|INSTRUCTIONS"
)
_HARNESS_SPAN = re.compile(rf"\s*+<({_TAGS})(?: [^<>]{{0,200}})?>.*?(?:</\1>|\Z)\s*+", re.DOTALL)
_SPAN = re.compile(r"<([a-z-]+)[^<>]*>(.*?)(?:</[a-z-]+>)?", re.DOTALL)
_HARNESS_WHOLE = re.compile(
    r"\s*(?:Caveat: the messages below were generated|# AGENTS\.md instructions for "
    r"|\[Request interrupted by user|This session is being continued from a previous conv)",
    re.IGNORECASE,
)


def split_harness(text: str) -> tuple[str, str]:
    r"""Separate what a user wrote from what the harness put into the same message.

    Returns:
        The user's own text, and the harness's; one of them is usually empty. A message whose own
        text is empty and whose harness text is not is of kind `context`.

    The user typed the arguments of a command, and what follows `!`: these are the user's own too.

    >>> split_harness("Fix it.\n<system-reminder>Be brief.</system-reminder>")
    ('Fix it.', '<system-reminder>Be brief.</system-reminder>')
    >>> split_harness("<command-name>/ask</command-name><command-args>why?</command-args>")[0]
    '/ask why?'
    """
    if _HARNESS_WHOLE.match(text):
        return "", text
    if "<" not in text:
        return text, ""
    spans = [match[0].strip() for match in _HARNESS_SPAN.finditer(text)]
    if not spans:
        return text, ""
    own = (*_typed(spans), _HARNESS_SPAN.sub("\n", text).strip())
    return "\n".join(filter(None, own)), "\n".join(spans)


def _typed(spans: list[str]) -> Iterator[str]:
    """Yield what a user typed and the harness wrapped: arguments with their command, and `!`."""
    inner = {match[1]: match[2].strip() for span in spans if (match := _SPAN.fullmatch(span))}
    if arguments := inner.get("command-args"):
        yield f"{inner.get('command-name', '')} {arguments}".strip()
    if shell := inner.get("bash-input"):
        yield f"! {shell}"
