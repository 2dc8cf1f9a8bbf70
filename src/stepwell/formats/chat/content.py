"""The content of a chat message: a string, parts of many types, an object, or nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.media import media_part, text_part
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, is_list, is_object, object_of
from stepwell.trajectory.model import Part

if TYPE_CHECKING:
    from stepwell.trajectory.model import Blob, JsonObject

__all__ = ["Content", "content_of", "json_text"]

_TEXTS = frozenset({"text", "input_text", "output_text", "summary_text", "refusal"})
_THOUGHTS = frozenset({"thinking", "reasoning"})
_THOUGHT_FIELDS = ("thinking", "reasoning", "text", "content")
_REDACTED = "redacted_thinking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a content field holds.

    Attributes:
        text: Readable text of the whole, one line or more per part; media as placeholders.
        parts: The parts; empty when the field was one string equal to `text`.
        thought: Readable text of the parts that are reasoning.
        is_redacted: Whether there is reasoning that cannot be read.
        blobs: The bytes of the media.
    """

    text: str = ""
    parts: tuple[Part, ...] = ()
    thought: str = ""
    is_redacted: bool = False
    blobs: tuple[Blob, ...] = ()


def content_of(value: Any, *, refusal: Any = None) -> Content:
    r"""Return a content field as text and parts.

    All text is found, whatever the part is called; a part of unknown type is kept and shown as
    `[part:<type>]`, and an object that is no part at all is shown as JSON.

    >>> content_of([{"type": "text", "text": "a"}, "b", {"type": "new"}, None]).text
    'a\nb\n[part:new]'
    """
    given = value if is_list(value) else [value]
    items = [item for item in (*given, refusal) if item is not None and item != ""]
    n_items = len(items)
    items = [item for item in items if _type(item) != _REDACTED]
    found = [_part(item) for item in items if not _is_thought(item)]
    parts = tuple(part for part, _ in found)
    text = "\n".join(shown for part in parts if (shown := readable(part.text)))
    is_plain = not is_list(value) and (not items or items == [text])
    return Content(
        text=text,
        parts=() if is_plain else parts,
        thought="\n".join(filter(None, (_thought(item) for item in items if _is_thought(item)))),
        is_redacted=len(items) < n_items,
        blobs=tuple(blob for _, blobs in found for blob in blobs),
    )


def _is_thought(item: Any) -> bool:
    is_told = any(isinstance(object_of(item).get(name), str) for name in _THOUGHT_FIELDS)
    return is_told and _type(item) in _THOUGHTS


def _type(item: Any) -> str | None:
    return first_str(object_of(item), "type")


def _thought(item: JsonObject) -> str:
    return readable(first_str(item, *_THOUGHT_FIELDS) or "")


def _part(item: Any) -> tuple[Part, tuple[Blob, ...]]:
    if isinstance(item, str):
        return text_part(item)
    if not is_object(item):
        return Part(kind="text", text=json_text(item)), ()
    kind = first_str(item, "type")
    said = (item.get(name) for name in ("text", "refusal", "content"))
    text = next((each for each in said if isinstance(each, str)), None)
    if (found := media_part(item)) is not None:
        return found
    if text is not None and (kind is None or kind in _TEXTS):
        return text_part(text)
    if kind is None:
        return Part(kind="text", text=json_text(item)), ()
    shown = f"[part:{kind}]" + (f"\n{text}" if text else "")
    return Part(kind="other", text=shown, data=item), ()


def json_text(value: Any) -> str:
    """Return a JSON value as one line of text."""
    return json.dumps(value, ensure_ascii=False)
