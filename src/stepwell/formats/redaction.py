"""Credentials out of a whole trajectory or step: texts, arguments, ids, raw records and media."""

from __future__ import annotations

import base64
import binascii
import hashlib
import operator
import re
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from stepwell.text.redact import Redactor, redactor
from stepwell.trajectory.fields import is_list, is_object
from stepwell.trajectory.model import RawRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stepwell.trajectory.model import Blob

__all__ = ["redact_blobs", "redact_id", "redact_values"]

_T = TypeVar("_T")

_IDS = frozenset(
    {"trajectory_id", "session_id", "parent_trajectory_id", "parent_call_uid", "continued_from"}
    | {"uid", "call_uid", "parent_uid", "branch_id", "native_id", "native_ids", "sha256"}
    | {"child_trajectory_id", "kind", "raw_refs", "source_uri", "position"}
)
"""Fields that tie values together: what is replaced in one is replaced alike in all."""

_DIGEST_CHARS = 6
"""Hexadecimal digits that keep ids apart of which credentials were replaced, and guess none."""

_TEXTS = re.compile(r"text/|application/(?:[\w.+-]*(?:json|xml|yaml|toml|javascript)|sql|x-sh)\b")
"""Media that are text."""

_WHOLLY = re.compile(r'="(\[redacted:[\w-]+\])"')
"""What is left of a member whose name makes its value a credential."""

_MAY_NAME = re.compile(
    r"pass|pw|psk|secret|token|key|auth|cred|cookie|sess|sig|mnemonic|^d$|[^\x00-\x7f]",
    re.IGNORECASE,
)
"""What stands in a name that makes its value a credential; others are but texts."""

_MAX_DEPTH = 150
"""Levels of a JSON value that are searched; what nests deeper is left out."""

_LEAST_CHARS = 16
"""Characters below which a name is no credential."""

_MAX_NAMED = 4096
"""Characters of a value that its name alone can make a credential."""


def redact_id(text: str, redact: Redactor) -> str:
    """Replace credentials in what ties values together: the same text becomes the same text.

    >>> redact_id("notes/run-7", redactor())
    'notes/run-7'
    """
    told, n = redact(text)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{told}-{digest[:_DIGEST_CHARS]}" if n else text


def redact_blobs(
    blobs: Iterable[Blob], redact: Redactor
) -> tuple[tuple[Blob, ...], dict[str, str]]:
    """Replace credentials in media that are text; return all, and new digests by the old ones."""
    kept: list[Blob] = []
    digests: dict[str, str] = {}
    for blob in blobs:
        told = _redacted_bytes(blob.data, redact) if _TEXTS.match(blob.media_type) else None
        if told is None:
            kept.append(blob)
        else:
            digests[blob.sha256] = hashlib.sha256(told).hexdigest()
            kept.append(replace(blob, data=told, sha256=digests[blob.sha256]))
    return tuple(kept), digests


def _redacted_bytes(data: bytes, redact: Redactor) -> bytes | None:
    """Return what becomes of the bytes of a text; None where nothing has to be replaced."""
    told, n = redact(data.decode("utf-8", "surrogateescape"))
    return told.encode("utf-8", "surrogateescape") if n else None


def redact_values(
    value: _T, redact: Redactor | None = None, *, digests: Mapping[str, str] | None = None
) -> tuple[_T, int]:
    """Replace credentials in everything a trajectory or step holds; return it with their number.

    Args:
        value: What is searched.
        redact: What replaces credentials; None for Stepwell's own detectors.
        digests: What became of the digests of media whose bytes were redacted.

    A raw record keeps the hash of its original bytes; the number leaves raw records out, since
    they repeat the steps.
    """
    run = _Run(redact or redactor(), digests or {})
    changed: _T = run.redacted(value, 0)
    return changed, run.n


@dataclass(slots=True)
class _Run:
    """One search of a value.

    Attributes:
        redact: What replaces credentials in a text.
        digests: New digests of media by the old ones.
        n: How many were replaced, those in raw records left out.
    """

    redact: Redactor
    digests: Mapping[str, str] = field(default_factory=dict[str, str])
    n: int = 0

    def redacted(self, value: Any, depth: int) -> Any:
        """Return the value itself when nothing in it has to be replaced."""
        if isinstance(value, str):
            return self._redacted_text(value, depth)
        if isinstance(value, RawRecord):
            return self._redacted_record(value)
        if depth > _MAX_DEPTH:
            return None
        if is_object(value):
            return self._redacted_object(value, depth)
        if is_list(value) or isinstance(value, tuple):
            return self._redacted_items(value, depth)
        return self._redacted_fields(value, depth) if is_dataclass(value) else value

    def _redacted_text(self, text: str, depth: int) -> str:
        """Redact a text, and within it JSON whose escapes would hide what names a credential."""
        if "\\" in text and text.lstrip()[:1] in ("{", "[") and depth <= _MAX_DEPTH:
            with suppress(msgspec.DecodeError, ValueError, RecursionError):
                value = msgspec.json.decode(text.encode())
                inner = _Run(self.redact)
                changed = inner.redacted(value, depth + 1)
                if inner.n:
                    self.n += inner.n
                    text = msgspec.json.encode(changed).decode()
        told, n = self.redact(text)
        self.n += n
        return told if n else text

    def _redacted_record(self, record: RawRecord) -> RawRecord:
        inner = _Run(self.redact)
        text = inner.redacted(record.raw.decode("utf-8", "surrogateescape"), 0)
        if not inner.n:
            return record
        raw = text.encode("utf-8", "surrogateescape")
        position = redact_id(record.position, self.redact)
        return replace(record, raw=raw, position=position, redacted=True)

    def _redacted_object(self, value: dict[str, Any], depth: int) -> dict[str, Any]:
        value = self._redacted_media(value)
        new: dict[str, Any] = {}
        for key, item in value.items():
            name = self._redacted_key(key)
            free = f"{name} {len(new)}" if name in new else name
            new[free] = self._redacted_member(name, item, depth)
        is_same = all(new.get(key, new) is item for key, item in value.items())
        return value if is_same else new

    def _redacted_media(self, value: dict[str, Any]) -> dict[str, Any]:
        """Redact a text that an object holds in base64 beside its media type."""
        data, media_type = value.get("data"), value.get("media_type") or value.get("mimeType")
        if not (isinstance(data, str) and isinstance(media_type, str) and _TEXTS.match(media_type)):
            return value
        with suppress(binascii.Error, ValueError):
            told = _redacted_bytes(base64.b64decode(data, validate=True), self.redact)
            if told is not None:
                self.n += 1
                return {**value, "data": base64.b64encode(told).decode()}
        return value

    def _redacted_key(self, key: Any) -> Any:
        """Redact the name of a member: a table may be kept by credential."""
        if not isinstance(key, str) or len(key) < _LEAST_CHARS:  # a caller's may be
            return key
        text, n = self.redact(key)
        self.n += n
        return text

    def _redacted_member(self, key: str, item: Any, depth: int) -> Any:
        """Redact a member of an object, whose key may be what makes it a credential."""
        if isinstance(item, str) and len(item) <= _MAX_NAMED and _MAY_NAME.search(str(key)):
            whole = item.replace("\\", "\\\\").replace('"', '\\"')
            told = _WHOLLY.fullmatch(self.redact(f'{key}="{whole}"')[0].removeprefix(str(key)))
            if told is not None:
                self.n += 1
                return told[1]
        return self.redacted(item, depth + 1)

    def _redacted_items(self, value: Any, depth: int) -> Any:
        new = [self.redacted(item, depth + 1) for item in value]
        if all(now is before for now, before in zip(new, value, strict=True)):
            return value
        return new if isinstance(value, list) else tuple(new)

    def _redacted_fields(self, value: Any, depth: int) -> Any:
        changed: dict[str, Any] = {}
        for name in (each.name for each in fields(value)):
            before = getattr(value, name)
            now = self._tied(before) if name in _IDS else self.redacted(before, depth + 1)
            if now is not before:
                changed[name] = now
        return replace(value, **changed) if changed else value

    def _tied(self, value: Any) -> Any:
        """Return what becomes of an id, or of several."""
        if isinstance(value, str):
            digest = self.digests.get(value, value)
            return digest if len(value) < _LEAST_CHARS else redact_id(digest, self.redact)
        if isinstance(value, tuple):
            old = cast("tuple[Any, ...]", value)  # type: ignore[redundant-cast]  # for pyright
            new = [self._tied(item) for item in old]
            return old if all(map(operator.is_, new, old)) else tuple(new)
        return value
