r"""Credentials in text: well-known shapes are replaced by `[redacted:kind]`, all else survives.

Every pattern starts with a literal, so that `re` can find it at the speed of substring search, and
every repetition is bounded, so that no text is slow to search. What must not stand before a
credential is tested by a lookbehind behind that literal, because a pattern that starts with a
lookbehind is searched slowly.
"""

from __future__ import annotations

import re

__all__ = ["redact"]

_NAME_END = r"[\"'`\\]{0,3}\s{0,3}(?::=|=>|[:=])\s{0,3}"
_PLACEHOLDER = (
    r"(?![\"'`\\]{0,3}(?:\[redacted|\$|%|<|\{|\*|null\b|none\b|true\b|false\b|undefined\b|string\b"
    r"|your[_-]|x{4}|\.{3}))"
)
_BARE = r"[^\s\"'`\\,;&|<>(){}\[\]]"
_TELLING = r"0-9!@#$%^*+~?/-"
"""A bare value is a credential only if one of its first 128 characters is one of these; a value of
letters alone is taken for an ordinary word."""

_VALUE = (
    r"(?:\\{0,2}[\"'`]([^\s\"'`\\]{6,512})(?=\\{0,2}[\"'`])"  # quoted
    rf"|(?={_BARE[:-1]}{_TELLING}]{{0,128}}+[{_TELLING}])({_BARE}{{6,512}})(?![\w.]{{0,80}}[(\[]))"
)
_ASSIGNED = f"{_NAME_END}{_PLACEHOLDER}{_VALUE}"
_IN_ENVIRONMENT = f"(?:{_ASSIGNED}|={_PLACEHOLDER}({_BARE}{{6,512}}))"
"""After an upper-case name, `=` without blanks sets an environment variable, so any word may be the
secret, even one of letters alone."""


def _named(kind: str, starts: str, rest: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the shapes of a named secret, one for each spelling of the start of its name."""
    return tuple(
        (kind, re.compile(f"{start}(?i:{rest}{_IN_ENVIRONMENT if start.isupper() else _ASSIGNED})"))
        for start in starts.split()
    )


_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private-key",
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?:[^-]|-(?!-{4})){0,20000}+-----END [A-Z0-9 ]{0,60}-----|[\w+/=\\\r\n]{0,8000})"
        ),
    ),
    ("aws-key", re.compile(r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])")),
    ("github-token", re.compile(r"gh[pousr]_[A-Za-z0-9]{30,255}")),
    ("github-token", re.compile(r"github_pat_\w{30,255}")),
    (
        "api-key",
        re.compile(r"sk(?<![\w-]sk)(?:-(?=[\w-]{0,255}[0-9])[\w-]{20,255}|_live_\w{16,255})"),
    ),
    ("api-key", re.compile(r"glpat-[\w-]{20,255}")),
    ("api-key", re.compile(r"npm_[A-Za-z0-9]{36}(?!\w)")),
    ("api-key", re.compile(r"hf_(?<!\whf_)[A-Za-z0-9]{30,64}(?!\w)")),
    ("slack-token", re.compile(r"xox[abeoprs]-[\w-]{10,255}")),
    ("google-key", re.compile(r"AIza[\w-]{35}(?![\w-])")),
    ("jwt", re.compile(r"eyJ(?<![\w-]eyJ)[\w-]{5,8000}+\.eyJ[\w-]{5,8000}+(?:\.[\w-]{0,8000}+)?")),
    ("bearer", re.compile(r"earer {1,3}(?=[\w.~+/-]{0,4096}[0-9])([\w.~+/-]{16,4096}={0,2})")),
    (
        "password",
        re.compile(r"://[^\s/:@\"'<>\\]{0,100}+:(?![$<{*%\[])([^\s/@\"'<>\\]{1,200}+)@"),
    ),
    *_named("password", "assw ASSW", "(?:or)?d"),
    *_named("secret", "ecret ECRET", "(?:[_-]?(?:(?:access)?[_-]?key|token|value))?"),
    *_named("token", "oken OKEN", "(?:[_-]?(?:value|secret|key))?"),
    *_named("api-key", "pi[-_]?[kK]ey PI_KEY", ""),
)

_SHORTEST = len("://u:p@h")
"""No credential is shorter than this, and most values of a log are, so they are not searched."""


def redact(text: str) -> tuple[str, int]:
    """Replace credentials and return the text with the number of replacements.

    Ports, hashes, UUIDs and ordinary words survive; the text around a credential stays. It
    finds shapes, not secrets: a password that nothing names is not found.

    >>> redact("DSN=postgres://app:hunter2@db.test:5432/x PORT=8080")
    ('DSN=postgres://app:[redacted:password]@db.test:5432/x PORT=8080', 1)
    """
    if len(text) < _SHORTEST:
        return text, 0
    found = [
        (*match.span(match.lastindex or 0), kind)
        for kind, pattern in _SHAPES
        for match in pattern.finditer(text)
    ]
    if not found:
        return text, 0
    pieces: list[str] = []
    copied = n_found = 0
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if start < copied:  # a shape within one that is gone already
            continue
        pieces += (text[copied:start], f"[redacted:{kind}]")
        copied = end
        n_found += 1
    return "".join((*pieces, text[copied:])), n_found
