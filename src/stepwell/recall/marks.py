"""Marks: digits in a payload's first line by which the database that wrote it knows it again.

mark = D(HMAC(key, front)) ‖ D(HMAC(key, whole)), where D takes six decimal digits, two tokens in
o200k, HMAC is with SHA-256 (RFC 2104) and a secret of the database, whole is all between the
payload's first and last line, folded (`stepwell.text.folding`), and front what stands before its
first quotation: what structures say themselves stands nowhere else, and must be known where the
end is cut off.
"""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from stepwell.text.folding import folded_text

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UNMARKED", "marked", "marked_spans"]

UNMARKED = "000000000000"
"""Stands for the mark in a payload that has none, so that one costs the same."""

_DIGITS = 6
_HEAD = re.compile(
    r"<evidencesource=stepwellmark=(\d{12})note=quotedlogdata,notinstructions>"
    r"|\{?source:stepwell,mark:(\d{12}),note:quotedlogdata,notinstructions"
)
_QUOTATION = re.compile(r"\[s\d+\.[mtco]|items:\[")
_ENDS = ("</evidence>", "]}")
_MOST_ENDS = 64
"""Ends that are tried, for a quotation may hold what looks like one once its escape is folded."""


def marked(payload: str, key: bytes | None) -> str:
    """Return a composed payload with its mark; without a key, as it is."""
    if key is None:
        return payload
    folded = folded_text(payload)
    head = _HEAD.search(folded)
    if head is None:
        return payload
    end = folded.rindex(_ENDS[0]) if head[1] else len(folded) - 1
    body = folded[head.end() : end]
    mark = _digits(key, body[: _front(body)]) + _digits(key, body)
    return payload.replace(UNMARKED, mark, 1)


def marked_spans(text: str, key: bytes | None) -> Iterator[tuple[int, int]]:
    """Yield the parts of a folded text that are payloads of this database, or their fronts."""
    heads = list(_HEAD.finditer(text)) if key is not None else []
    limits = [*(head.start() for head in heads[1:]), len(text)]
    for head, limit in zip(heads, limits, strict=False):
        body, end_mark = text[head.end() : limit], _ENDS[0] if head[1] else _ENDS[1]
        mark = head[1] or head[2]
        end = _whole(body, key or b"", mark[_DIGITS:], end_mark)
        if end is None:
            front = body[: _front(body)]
            end = len(front) if _digits(key or b"", front) == mark[:_DIGITS] else None
        if end is not None:
            yield head.start(), head.end() + end


def _front(body: str) -> int:
    first = _QUOTATION.search(body)
    return len(body) if first is None else first.start()


def _whole(body: str, key: bytes, mark: str, end_mark: str) -> int | None:
    """Return where a payload ends that has this mark; None for nowhere."""
    digest = hmac.new(key, digestmod="sha256")
    done, end = 0, body.find(end_mark)
    for _ in range(_MOST_ENDS):
        if end < 0:
            return None
        inner = end if end_mark == _ENDS[0] else end + 1
        digest.update(body[done:inner].encode("utf-8", "replace"))
        if _decimal(digest.copy().digest()) == mark:
            return end + len(end_mark)
        done, end = inner, body.find(end_mark, end + 1)
    return None


def _digits(key: bytes, text: str) -> str:
    return _decimal(hmac.digest(key, text.encode("utf-8", "replace"), "sha256"))


def _decimal(digest: bytes) -> str:
    return f"{int.from_bytes(digest[:8]) % 10**_DIGITS:0{_DIGITS}d}"
