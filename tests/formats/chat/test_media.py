from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.chat.media import lift_data_uris, lift_json, media_part

DATA = bytes(range(60))
BASE64 = base64.b64encode(DATA).decode()
HASH = sha256(DATA).hexdigest()
SHOWN = f"[image image/png 60 B sha256:{HASH[:12]}]"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BASE64}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{BASE64}"}},
        {"type": "image_url", "image_url": f"data:image/png;base64,{BASE64}"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{BASE64}"},
        {"type": "image", "data": BASE64, "mimeType": "image/png"},
    ],
)
def test_an_image_becomes_a_placeholder_and_its_bytes_a_blob(part: dict[str, Any]) -> None:
    found = media_part(part)
    assert found is not None
    shown, (blob,) = found
    assert shown.text == SHOWN
    assert shown.media is not None
    assert (shown.media.n_bytes, shown.media.sha256) == (60, HASH)
    assert (blob.sha256, blob.media_type, blob.data) == (HASH, "image/png", DATA)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"type": "image", "source": {"path": "a.png"}}, "[image a.png]"),
        ({"type": "file", "file": {"file_id": "f-1"}}, "[document f-1]"),
        ({"type": "image"}, "[image without data]"),
        ({"type": "document", "source": {"type": "text", "data": "plain words"}}, "plain words"),
        ({"type": "resource", "resource": {"uri": "x", "text": "words"}}, "[document x]"),
    ],
)  # fmt: skip
def test_media_without_bytes_is_named(part: dict[str, Any], text: str) -> None:
    found = media_part(part)
    assert found is not None
    assert (found[0].text, found[1]) == (text, ())


def test_other_parts_are_none_of_media() -> None:
    assert media_part({"type": "text", "text": "a"}) is None
    assert media_part({"type": ["image"]}) is None


@pytest.mark.parametrize(
    "uri",
    [
        f"data:image/png;base64,{BASE64}",
        f"data:image/png;charset=x;base64,{BASE64}",
        f"data:image/png;base64,{BASE64.rstrip('=')}",
        f"data:image/png;base64,{BASE64.replace('+', '%2B').replace('/', '%2F')}",
        f"data:image/png;base64,{base64.urlsafe_b64encode(DATA).decode()}",
    ],
)
def test_inline_data_is_lifted_and_the_text_around_it_stays(uri: str) -> None:
    text, (blob,) = lift_data_uris(f'src="{uri}" and text after')
    assert text == f'src="{SHOWN}" and text after'
    assert blob.data == DATA


def test_inline_data_in_arguments_is_lifted() -> None:
    args = {"a": [{"b": f"x data:image/png;base64,{BASE64}"}], "n": 1}
    lifted, blobs = lift_json(args)
    assert lifted == {"a": [{"b": f"x {SHOWN}"}], "n": 1}
    assert len(blobs) == 1


def test_arguments_without_media_are_the_same_object() -> None:
    args = {"a": ["b"]}
    assert lift_json(args)[0] is args


@given(st.binary(min_size=1), st.text(), st.text(alphabet=" .\"'\n)", min_size=1))
def test_the_bytes_come_back_whatever_they_are(data: bytes, before: str, after: str) -> None:
    encoded = base64.b64encode(data).decode()
    text, blobs = lift_data_uris(f"{before} data:a/b;base64,{encoded}{after}")
    assert blobs[-1].data == data
    assert text.endswith(after)
    assert f";base64,{encoded}" not in text


@given(st.text(alphabet="data:;base64,/=+A%2"))
def test_any_text_can_be_searched(text: str) -> None:
    lifted, blobs = lift_data_uris(text)
    assert bool(blobs) == (lifted != text)
