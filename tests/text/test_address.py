"""An address is shown without what may be secret in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.address import place


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://api.example/v1", "api.example/v1"),
        ("http://localhost:8080/v1/", "localhost:8080/v1"),
        ("https://me:secret@host.example:8443/v1/?token=secret#secret", "host.example:8443/v1"),
        ("https://token@Host.Example", "host.example"),
        ("http://[::1]:80/v1", "::1:80/v1"),
        ("https://host//", "host"),
        ("ftp://host/v1", ""),
        ("host.example/v1", ""),
        ("localhost:8080", ""),
        ("https:///v1", ""),
        ("https://host:port/v1", ""),
        ("https://host:99999/v1", ""),
        ("https://[broken/v1", ""),
        ("", ""),
    ],
)
def test_host_port_and_path_are_shown_and_nothing_else(url: str, shown: str) -> None:
    assert place(url) == shown


@given(st.text(max_size=30))
def test_no_text_raises(url: str) -> None:
    assert isinstance(place(url), str)


@given(st.from_regex(r"[a-z0-9]{6,12}", fullmatch=True))
def test_user_password_and_query_never_show(secret: str) -> None:
    url = f"https://{secret}x:{secret}y@host/v1?key={secret}z"
    assert place(url) == "host/v1"
