from __future__ import annotations

from typing import Any

import pytest

from stepwell.formats.chat.arguments import call_of


@pytest.mark.parametrize(
    ("given", "args", "raw", "valid"),
    [
        ('{"a": 1}', {"a": 1}, '{"a": 1}', True),
        ({"a": 1}, {"a": 1}, "", True),
        (None, {}, "", True),
        ("null", {}, "null", True),
        ("[1]", {"_value": [1]}, "[1]", True),
        ([1], {"_value": [1]}, "", True),
        (7, {"_value": 7}, "", True),
        (False, {"_value": False}, "", True),
        ('"x"', {"_value": "x"}, '"x"', True),
        ("{'a': 1}", None, "{'a': 1}", False),
        ('{"a": ', None, '{"a": ', False),
        ("", None, "", False),
        ("ls -l", None, "ls -l", False),
        ('{"a": "\ud800"}', {"a": "\ufffd\ufffd\ufffd"}, '{"a": "\ud800"}', True),
    ],
)
def test_arguments_are_read_as_far_as_they_can_be(
    given: Any, args: Any, raw: str, *, valid: bool
) -> None:
    call, blobs = call_of("c1", "f", given, native_id="n1")
    assert (call.uid, call.name, call.native_id) == ("c1", "f", "n1")
    assert (call.args, call.args_raw, call.args_valid) == (args, raw, valid)
    assert blobs == ()


@pytest.mark.parametrize("as_text", [True, False])
def test_media_in_arguments_are_lifted_once(as_text: bool) -> None:  # noqa: FBT001
    picture = "data:image/png;base64,AAAA"
    call, blobs = call_of("c", "f", f'{{"x": "{picture}"}}' if as_text else {"x": picture})
    assert call.args is not None
    assert call.args["x"].startswith("[image image/png 3 B sha256:")
    assert [blob.data for blob in blobs] == [b"\0\0\0"]
    assert picture not in call.args_raw
