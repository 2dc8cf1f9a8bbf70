"""Arguments of tool calls, as they come: a JSON string, an object, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.media import lift_data_uris, lift_json
from stepwell.formats.files.mend import decode_value
from stepwell.trajectory.fields import is_object
from stepwell.trajectory.model import Call

if TYPE_CHECKING:
    from stepwell.trajectory.model import Blob, JsonObject

__all__ = ["call_of"]


def call_of(
    uid: str, name: str, arguments: Any, *, native_id: str | None = None
) -> tuple[Call, tuple[Blob, ...]]:
    """Return a call with its arguments read as far as they can be, and the media in them.

    A string is read as JSON; one that is no JSON, the empty one included, stays as it stands and
    is marked. What is no object is wrapped, and null is no arguments.

    >>> call_of("c1", "ls", '["-l"]')[0].args
    {'_value': ['-l']}
    >>> call_of("c1", "ls", "{'path': 'a.py'}")[0].args_valid
    False
    """
    raw, blobs = lift_data_uris(arguments) if isinstance(arguments, str) else ("", ())
    args: JsonObject | None = None
    try:
        value = _decoded(arguments) if isinstance(arguments, str) else arguments
        args, found = lift_json(_object(value))
        blobs = blobs or found
    except ValueError:
        pass
    call = Call(
        uid=uid,
        name=name,
        args=args,
        args_raw=raw,
        args_valid=args is not None,
        native_id=native_id,
    )
    return call, blobs


def _decoded(arguments: str) -> Any:
    return decode_value(arguments.encode(errors="surrogatepass"))[0]


def _object(value: Any) -> JsonObject:
    if value is None:
        return {}
    return value if is_object(value) else {"_value": value}
