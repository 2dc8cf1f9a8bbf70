r"""JSON that is nearly JSON: decode it, and say what had to be mended.

Mending works on the bytes, token by token, so it needs no recursion and the same fast parser
reads the outcome: a nesting of any depth is cut, never overflowed.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import msgspec

__all__ = [
    "MAX_DEPTH",
    "decode_value",
    "encode_value",
    "find_values",
    "is_value",
    "salvage",
    "split_values",
]

MAX_DEPTH = 200
"""Levels kept of a value that nests too deeply to parse; real logs stay below thirty."""

_MAX_OPEN = 150_000
"""Brackets open at once beyond which a value is given up: no log nests so, only an attack."""

_parse = msgspec.json.Decoder().decode

_STRING = rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
_BRACKETS = re.compile(_STRING + rb"|[\[\]{}]", re.DOTALL)
_ELEMENTS = re.compile(_STRING + rb"|[\[\]{},]", re.DOTALL)
_TOKENS = re.compile(
    _STRING + rb"|-?(?:NaN|Infinity)|-?[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+", re.DOTALL
)
_PAIR = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\.",
    re.DOTALL,
)
_NAME = rb'("(?:[^"\\]|\\.){0,200}")\s*:'
_OBJECT = re.compile(
    rb"\{\s*" + _NAME + rb'(?:\s*(?:"(?:[^"\\]|\\.){0,500}"|[\w.+-]{1,40})\s*,\s*' + _NAME + rb")?"
)
"""The beginning of an object: its first name, and its second if the value between is short."""

_BEFORE_INNER = (b":", b",", b"[")
_AFTER_INNER = (b":", b",", b"]", b"}", b'"')
_NEAR = 9
"""Bytes beside an object that are looked at for what surrounds it."""

_MAX_VAIN = 4
"""Beginnings of no object, after which the rest of a line is given up: each costs a scan of it."""

_CONTROL = re.compile(rb"[\x00-\x1f]")
_MAX_DIGITS = 4000
"""Python refuses to convert integers of more than 4300 digits."""


def decode_value(raw: bytes) -> tuple[Any, tuple[str, ...]]:
    r"""Return the JSON value and the kebab-case names of what was mended.

    Raises:
        ValueError: The bytes are no JSON value even after mending.

    >>> decode_value(b'{"cost": NaN, "text": "\\ud83d cut"}')
    ({'cost': None, 'text': '\ufffd cut'}, ('lone-surrogate', 'not-a-number'))
    """
    try:
        return _parse(raw), ()
    except (msgspec.MsgspecError, RecursionError):
        return _decode_mended(raw.strip(b"\0 \t\r\n"))


def encode_value(value: object) -> bytes:
    r"""Return a value as JSON in which half surrogate pairs are U+FFFD; the inverse of reading.

    Objects that JSON cannot say are written as their `repr`.

    >>> encode_value({"text": "\ud83d cut"}).decode()
    '{"text":"\ufffd cut"}'
    """
    try:
        return msgspec.json.encode(value, enc_hook=repr)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, enc_hook=repr, str_keys=True)
        return msgspec.json.encode(decode_value(json.dumps(plain).encode())[0])


def _decode_mended(raw: bytes) -> tuple[Any, tuple[str, ...]]:
    codes: set[str] = set()
    text = raw.decode("utf-8", "replace").encode()
    if text != raw:
        codes.add("invalid-utf8")
    text = _TOKENS.sub(lambda match: _mended_token(match[0], codes), text)
    try:
        value = _parse(text)
    except RecursionError:
        codes.add("too-deep")
        value = _parse(_pruned(text))
    return value, tuple(sorted(codes))


def _mended_token(token: bytes, codes: set[str]) -> bytes:
    if not token.startswith(b'"'):
        if _is_unstorable(token):
            codes.add("not-a-number")
            return b"null"
        return token
    if b"\\u" in token:
        mended = _PAIR.sub(lambda match: b"\\ufffd" if match["lone"] else match[0], token)
        if mended != token:
            codes.add("lone-surrogate")
            token = mended
    if _CONTROL.search(token):
        codes.add("raw-control")
        token = _CONTROL.sub(lambda match: b"\\u%04x" % match[0][0], token)
    return token


def _is_unstorable(number: bytes) -> bool:
    if number.lstrip(b"-")[:1] in b"NI" or len(number) > _MAX_DIGITS:
        return True
    return not number.lstrip(b"-").isdigit() and math.isinf(float(number))


def _pruned(text: bytes) -> bytes:
    """Replace every value nested deeper than MAX_DEPTH with null.

    Raises:
        ValueError: More brackets are open than ever close.
    """
    kept: list[bytes] = []
    depth = copied = 0
    most = _most_open(text)
    for match in _BRACKETS.finditer(text):
        bracket = match[0]
        if bracket in b"[{":
            depth += 1
            if depth > most:
                raise ValueError("never closed")
            if depth == MAX_DEPTH + 1:
                kept += (text[copied : match.start()], b"null")
        elif bracket in b"]}":
            if depth == MAX_DEPTH + 1:
                copied = match.end()
            depth -= 1
    is_open = depth > MAX_DEPTH
    return b"".join(kept if is_open else (*kept, text[copied:]))


def _most_open(data: bytes) -> int:
    """Return how many brackets can be open at once where all of them close again."""
    return min(_MAX_OPEN, data.count(b"]") + data.count(b"}"))


def split_values(data: bytes, start: int = 0) -> tuple[list[tuple[int, int]], int]:
    """Find the objects and arrays that stand one after the other.

    Returns:
        Byte spans of the balanced ones, and where what follows the last of them starts.
    """
    spans: list[tuple[int, int]] = []
    depth = begin = 0
    most = _most_open(data)
    for match in _BRACKETS.finditer(data, start):
        bracket = match[0]
        if bracket in b"[{":
            begin = match.start() if depth == 0 else begin
            depth += 1
            if depth > most:  # nothing from here on is balanced
                break
        elif bracket in b"]}" and depth:
            depth -= 1
            if depth == 0:
                spans.append((begin, match.end()))
    return spans, spans[-1][1] if spans else start


def find_values(raw: bytes) -> list[tuple[int, int]]:
    """Find the objects that stand whole in a broken line, after and between torn ones.

    A torn record may hold whole objects of its own. In one, `:`, `,` or `[` stands before each. An
    object after these is taken only if its names are those with which the line begins, and if what
    follows it could not go on the torn record.

    >>> line = b'{"id": 1, "text": "cut o{"id": 2, "text": {"a": 1}}'
    >>> [line[begin:end] for begin, end in find_values(line)]
    [b'{"id": 2, "text": {"a": 1}}']
    """
    first = _OBJECT.match(raw)
    spans: list[tuple[int, int]] = []
    begin = n_vain = 0
    while n_vain < _MAX_VAIN and (match := _OBJECT.search(raw, begin)):
        begin = match.start()
        is_inner = raw[max(0, begin - _NEAR) : begin].rstrip().endswith(_BEFORE_INNER)
        if is_inner and not _are_alike(match, first):
            begin += 1
            continue
        end = _end_of(raw, begin)
        n_vain += end is None
        goes_on = end is not None and raw[end : end + _NEAR].lstrip().startswith(_AFTER_INNER)
        if end is not None and not (is_inner and goes_on):
            spans.append((begin, end))
        begin = end or begin + 1
    return spans


def _are_alike(match: re.Match[bytes], first: re.Match[bytes] | None) -> bool:
    names = zip(match.groups(), first.groups() if first else (b"", None), strict=True)
    return all(None in (name, known) or name == known for name, known in names)


def _end_of(raw: bytes, begin: int) -> int | None:
    """Return where the object that begins here ends; None when it does not end, or is none."""
    depth, most = 0, _most_open(raw)
    for match in _BRACKETS.finditer(raw, begin):
        depth += (match[0] in b"{[") - (match[0] in b"}]")
        if depth > most:
            return None
        if depth == 0:
            return match.end() if is_value(raw[begin : match.end()]) else None
    return None


def is_value(raw: bytes) -> bool:
    """Return whether bytes are one JSON value, mended if need be."""
    try:
        decode_value(raw)
    except ValueError:
        return False
    return True


def salvage(raw: bytes) -> tuple[Any, tuple[str, ...]]:
    """Return the value of a document that is cut off, as far as its last whole element.

    Raises:
        ValueError: Nothing whole is in it.

    >>> salvage(b'{"messages": [{"role": "user"}, {"role": "assis')
    ({'messages': [{'role': 'user'}]}, ())
    """
    closers: list[bytes] = []
    end = n_open = 0
    for match in _ELEMENTS.finditer(raw):
        token = match[0]
        if token in b"[{":
            closers.append(b"]" if token == b"[" else b"}")
            if len(closers) > _MAX_OPEN:
                break
        elif token in b"]}" and closers:
            closers.pop()
            end, n_open = match.end(), len(closers)
        elif token == b",":
            end, n_open = match.start(), len(closers)
    if not end:
        raise ValueError("nothing whole")
    return decode_value(raw[:end] + b"".join(reversed(closers[:n_open])))
