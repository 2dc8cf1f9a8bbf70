r"""Media as placeholders: the bytes are set aside, and a short text stands in their place.

A screenshot in base64 is tens of thousands of tokens of noise. Its place in the text is taken by
`[image image/png 24008 B sha256:0123456789ab]`, its bytes become a Blob under their hash.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from typing import TYPE_CHECKING, Any

from stepwell.trajectory.fields import first_str, is_list, is_object
from stepwell.trajectory.model import Blob, Media, Part

if TYPE_CHECKING:
    from stepwell.trajectory.model import JsonObject

__all__ = [
    "MEDIA_TYPES",
    "SHOWN_DIGITS",
    "lift_data_uris",
    "lift_json",
    "media_part",
    "placeholder",
    "text_part",
]

MEDIA_TYPES = {
    "image": "image/*",
    "image_url": "image/*",
    "input_image": "image/*",
    "audio": "audio/*",
    "input_audio": "audio/*",
    "document": "application/*",
    "file": "application/*",
    "input_file": "application/*",
    "resource": "application/*",
}
"""Part types that hold media, with the MIME type assumed when the part names none."""

SHOWN_DIGITS = 12
"""Digits of a digest that stand in the text; enough to name one of the files of a trajectory."""

_DATA_URI = re.compile(
    r"data:(?P<type>[\w.+-]{1,80}/[\w.+-]{1,80})?(?:;[\w.+-]{1,80}=[\w.+-]{1,80}){0,5}+;base64,"
    r"(?P<body>(?:[A-Za-z0-9+/_-]++|%2[BbFf]|\\?\r?\n(?=[A-Za-z0-9+/_-]{60}))++(?:=|%3[Dd]){0,2})"
)
_URL_SAFE = str.maketrans("-_", "+/")
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]+")
_MAX_DEPTH = 100
"""Levels of a JSON value that are searched for media; what nests deeper is left as it is."""


def placeholder(media: Media) -> str:
    """Return the text that stands for media.

    >>> placeholder(Media(media_type="image/png", uri="shots/1.png"))
    '[image shots/1.png]'
    """
    kind = media.media_type.partition("/")[0]
    kind = kind if kind in {"image", "audio", "video"} else "document"
    if media.sha256:
        return f"[{kind} {media.media_type} {media.n_bytes} B sha256:{media.sha256[:SHOWN_DIGITS]}]"
    return f"[{kind} {media.uri or 'without data'}]"


def lift_data_uris(text: str) -> tuple[str, tuple[Blob, ...]]:
    """Replace every base64 `data:` URI in a text by its placeholder.

    >>> lift_data_uris("see data:image/png;base64,AAAA here")[0]
    'see [image image/png 3 B sha256:709e80c88487] here'
    """
    if ";base64," not in text:
        return text, ()
    blobs: list[Blob] = []

    def lift(match: re.Match[str]) -> str:
        blobs.append(_blob(match["body"], match["type"] or "text/plain"))
        return placeholder(_media(blobs[-1]))

    return _DATA_URI.sub(lift, text), tuple(blobs)


def lift_json(value: JsonObject) -> tuple[JsonObject, tuple[Blob, ...]]:
    """Replace the `data:` URIs in all strings of a JSON object, such as a call's arguments."""
    blobs: list[Blob] = []
    lifted = _lifted(value, blobs, 0)
    return (lifted, tuple(blobs)) if blobs else (value, ())


def text_part(text: str) -> tuple[Part, tuple[Blob, ...]]:
    """Return a text part whose `data:` URIs are lifted."""
    lifted, blobs = lift_data_uris(text)
    return Part(kind="text", text=lifted), blobs


def media_part(item: JsonObject) -> tuple[Part, tuple[Blob, ...]] | None:
    """Return the part of an image, audio, file or document, as Anthropic, OpenAI or ATIF write it.

    A document that holds plain text is a text part. None when the item's type is none of media.

    >>> media_part({"type": "image_url", "image_url": {"url": "https://a.test/x.png"}})[0].text
    '[image https://a.test/x.png]'
    """
    kind = item.get("type")
    if not isinstance(kind, str) or kind not in MEDIA_TYPES:
        return None
    source = _source(item, kind)
    media_type = (
        first_str(source, "media_type", "mimeType", "mime_type", "mediaType") or MEDIA_TYPES[kind]
    )
    if media_type == "audio/*" and (audio := first_str(source, "format")):
        media_type = f"audio/{audio}"
    payload = first_str(source, "data", "file_data", "blob")
    uri = first_str(source, "url", "uri", "path", "file_id", "file_path", "fileUri")
    if uri and uri.startswith("data:"):
        payload, uri = uri, None
    if payload is None:
        return _without_bytes(source, media_type, uri)
    if source.get("type") == "text":
        return text_part(payload)
    return _embedded(payload, media_type)


def _source(item: JsonObject, kind: str) -> JsonObject:
    """Return the fields that describe the media, wherever the format nests them."""
    for key in ("source", kind, kind.removeprefix("input_"), "image_url"):
        inner = item.get(key)
        if is_object(inner):
            return inner
        if isinstance(inner, str):
            return {**item, "url": inner}
    return item


def _embedded(payload: str, media_type: str) -> tuple[Part, tuple[Blob, ...]]:
    match = _DATA_URI.match(payload)
    if match is not None:
        payload, media_type = match["body"], match["type"] or media_type
    blob = _blob(payload, media_type)
    media = _media(blob)
    return Part(kind="media", text=placeholder(media), media=media), (blob,)


def _without_bytes(
    source: JsonObject, media_type: str, uri: str | None
) -> tuple[Part, tuple[Blob, ...]]:
    text = first_str(source, "text")
    if uri is None and text is not None:
        return text_part(text)
    media = Media(media_type=media_type, uri=uri)
    return Part(kind="media", text=placeholder(media), media=media), ()


def _lifted(value: Any, blobs: list[Blob], depth: int) -> Any:
    if isinstance(value, str):
        text, found = lift_data_uris(value)
        blobs.extend(found)
        return text
    if depth < _MAX_DEPTH and is_object(value):
        return {key: _lifted(item, blobs, depth + 1) for key, item in value.items()}
    if depth < _MAX_DEPTH and is_list(value):
        return [_lifted(item, blobs, depth + 1) for item in value]
    return value


def _blob(body: str, media_type: str) -> Blob:
    data = _decoded(body)
    return Blob(sha256=hashlib.sha256(data).hexdigest(), media_type=media_type, data=data)


def _decoded(body: str) -> bytes:
    """Decode base64 leniently: URL-safe, percent-encoded, wrapped, or cut off."""
    if "%" in body:
        body = re.sub(
            "%2b", "+", re.sub("%2f", "/", body, flags=re.IGNORECASE), flags=re.IGNORECASE
        )
        body = body.partition("%")[0]
    body = _NOT_BASE64.sub("", body.partition("=")[0].translate(_URL_SAFE))
    body = body[:-1] if len(body) % 4 == 1 else body
    return binascii.a2b_base64(body + "=" * (-len(body) % 4))


def _media(blob: Blob) -> Media:
    return Media(media_type=blob.media_type, n_bytes=len(blob.data), sha256=blob.sha256)
