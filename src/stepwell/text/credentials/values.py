"""Values behind a name: which of them are secrets, and which are words, counts and placeholders."""

from __future__ import annotations

import base64
import binascii
import re
from itertools import pairwise
from typing import Final

__all__ = ["is_basic", "is_key", "is_password", "is_placeholder", "is_random"]

_PLACEHOLDER: Final = re.compile(
    r"[\[<{$%*#?•]|\.{3}|…|\(|x{3}|your\b|your[_-]|my[_-](?:password|secret|token|key|api)|example"
    r"|placeholder|change[_-]?me|[a-z][a-z+]{1,20}://(?!\S*@)|arn:|"
    r"(?:null|none|nil|true|false|undefined|string|str|text|bytes|int|bool|any|object|optional|required"
    r"|hidden|invalid|incorrect|wrong|missing|empty|unset|not|no|is|are|was|the|a|an|and|or|to|for|in"
    r"|with|from|must|should|field|input|value|token|secret|password|passwd|redacted|masked|hashed"
    r"|encrypted|expired|changed|reset|default|auto|ok|yes|enabled|disabled|type|prompt|env|self|args"
    r"|config|settings|os|process|request|req|params|data|options|opts|user|form|props|state|this"
    r"|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀번호"
    r"|ctx|context|secrets?|vault|removed|filtered)(?=$|[\s,.;:!?)(\[\]])",
    re.IGNORECASE,
)
"""What stands where a secret would, at the start of a value."""

_TELLING: Final = re.compile(r"[0-9!@#$%^&*+~?]")
_WORDLIKE: Final = re.compile(
    r"(?:[a-z]{1,8}=)?[\d.:-]+[a-z]?|[A-Za-z]+(?:[-_.:/ ][A-Za-z]+)*[-_.:/]?v?\d{0,3}(?:\.\d+)*"
)
_PATH: Final = re.compile(r"(?:~|\.{1,2})?/[\w./-]*|[A-Za-z]:[\\/]|https?://[^@]*$")
_PROSE: Final = re.compile(r"[A-Z]?[a-z']+(?: [A-Za-z']+)+[.!?:]?")
_SHORTEST_KEY: Final = 8
_LONG_KEY: Final = 20


def is_placeholder(value: str) -> bool:
    """Tell whether a value stands for one that is not there: `<key>`, `$KEY`, `null`, `str`.

    >>> is_placeholder("${TOKEN}"), is_placeholder("string"), is_placeholder("hunter22")
    (True, True, False)
    """
    return _PLACEHOLDER.match(value) is not None


def is_password(value: str, *, is_quoted: bool = False, is_set: bool = False) -> bool:
    """Tell whether a value behind a password's name is one.

    Args:
        value: The value.
        is_quoted: Whether it stands in quotes: then a word of letters alone is one too.
        is_set: Whether it is what an environment variable is set to: then any word is.

    >>> is_password("hunter22"), is_password("required"), is_password("dragonfly", is_quoted=True)
    (True, False, True)
    """
    if is_placeholder(value) or _PATH.fullmatch(value):
        return False
    is_telling = _TELLING.search(value) is not None or not value.isascii()
    if " " in value:
        return is_set or (is_quoted and is_telling and not _PROSE.fullmatch(value))
    least = 4 if is_telling else 6 if is_quoted else 5
    return len(value) >= least and (is_telling or is_quoted or is_set)


def is_key(value: str, *, is_quoted: bool = False, is_set: bool = False) -> bool:  # noqa: ARG001
    """Tell whether a value behind the name of a key, token or secret is one: it looks drawn.

    >>> is_key("a1B2c3D4e5"), is_key("page-2"), is_key("1234567"), is_key("expected_1")
    (True, False, False, False)
    """
    if is_placeholder(value) or _PATH.fullmatch(value) or " " in value:
        return False
    return is_random(value) or is_basic(value)


def is_random(value: str) -> bool:
    """Tell whether a word looks drawn rather than written.

    >>> is_random("s3cr3tvalue"), is_random("created_at"), is_random("ghp-token-2")
    (True, False, False)
    """
    if len(value) < _SHORTEST_KEY or value.isdigit() or _WORDLIKE.fullmatch(value):
        return len(value) >= _LONG_KEY and _is_mixed(value)
    has_digit = any(map(str.isdigit, value))
    return has_digit or (len(value) >= _LONG_KEY and _is_mixed(value))


def _is_mixed(value: str) -> bool:
    """Tell whether upper and lower case change as no words in camel case do."""
    changes = sum(a.islower() and b.isupper() for a, b in pairwise(value))
    return value.isalnum() and changes >= len(value) // 5


def is_basic(encoded: str) -> bool:
    """Tell whether base64 is a user's name and a password, as HTTP's basic authorisation has it.

    >>> is_basic("YWxpY2U6aHVudGVyMjI="), is_basic("YWxpY2U=")
    (True, False)
    """
    try:
        told = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in told and told.isprintable() and len(told) > len("a:b")
