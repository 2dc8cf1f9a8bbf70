"""Which values behind a name are secrets."""

from __future__ import annotations

import base64

import pytest

from stepwell.text.credentials.values import (
    is_basic,
    is_key,
    is_password,
    is_placeholder,
    is_random,
)


@pytest.mark.parametrize(
    "value",
    ["<key>", "$KEY", "${KEY}", "{{key}}", "%KEY%", "***", "...", "null", "None", "string", "required",
     "your-key", "my_password", "changeme", "xxxx", "[redacted:key]", "os.environ", "op://vault/x"],
)  # fmt: skip
def test_what_stands_for_a_secret_is_none(value: str) -> None:
    assert is_placeholder(value)
    assert not is_password(value, is_quoted=True, is_set=True)
    assert not is_key(value, is_quoted=True)


@pytest.mark.parametrize("value", ["hunter22", "nullable7x", "a%23b", "my-S3cret-pw", "пароль77"])
def test_a_password_is_none_of_these(value: str) -> None:
    assert is_password(value)


def test_a_plain_word_is_a_password_only_in_quotes_or_as_a_variable() -> None:
    assert not is_password("dragonfly")
    assert is_password("dragonfly", is_quoted=True)
    assert is_password("dragonfly", is_set=True)


@pytest.mark.parametrize("value", ["/run/secrets/pw", "./pw.txt", "Enter your password", "abc"])
def test_paths_sentences_and_short_words_are_no_passwords(value: str) -> None:
    assert not is_password(value, is_quoted=True)


@pytest.mark.parametrize(
    "value", ["page-2", "expected_1", "created_at", "1234567", "2024-05-a", "v1.2.3"]
)
def test_what_is_written_is_not_drawn(value: str) -> None:
    assert not is_random(value)


@pytest.mark.parametrize(
    "value", ["s3cr3tvalue", "a1B2c3D4e5", "0a1b2c3d4e5f", "aBcDeFgHiJkLmNoPqRsT"]
)
def test_what_is_drawn_is_a_key(value: str) -> None:
    assert is_key(value)


def test_basic_is_a_name_and_a_password_in_base64() -> None:
    assert is_basic(base64.b64encode(b"alice:hunter22").decode())
    for other in (b"alice", b":", b"\xff\xfe:\x00"):
        assert not is_basic(base64.b64encode(other).decode())
    assert not is_basic("no base64!")
