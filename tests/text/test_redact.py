from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.redact import redact

SECRETS = {
    "aws-key": "AKIA" + "Q7" * 8,
    "github-token": "ghp_" + "aB3" * 12,
    "api-key": "sk-ant-api03-" + "xY9" * 12,
    "slack-token": "xoxb-1234567890-abcDEF",
    "google-key": "AIza" + "k0_" * 11 + "zz",
    "jwt": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln",
    "private-key": "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAA==\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize(("kind", "secret"), SECRETS.items())
def test_a_known_shape_is_replaced_and_the_text_around_it_stays(kind: str, secret: str) -> None:
    assert redact(f"before {secret} after") == (f"before [redacted:{kind}] after", 1)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("DB_PASSWORD=correcthorse\nPORT=1", "DB_PASSWORD=[redacted:password]\nPORT=1"),
        ('{"password": "hunter22"}', '{"password": "[redacted:password]"}'),
        (r"{\"token\": \"abc123def\"}", r"{\"token\": \"[redacted:token]\"}"),
        ("client_secret: s3cr3tvalue", "client_secret: [redacted:secret]"),
        ("aws_secret_access_key = aB3/dE6+", "aws_secret_access_key = [redacted:secret]"),
        ("X-Api-Key: 0a1b2c3d4e", "X-Api-Key: [redacted:api-key]"),
        ("api_key=0a1b2c3d4e", "api_key=[redacted:api-key]"),
        ("Authorization: Bearer a1b2c3d4e5f6g7h8", "Authorization: Bearer [redacted:bearer]"),
        ("postgres://app:pw@db:5432/x", "postgres://app:[redacted:password]@db:5432/x"),
        ("-----BEGIN PRIVATE KEY-----\\nMII\\n", "[redacted:private-key]"),
    ],
)
def test_named_secrets_lose_their_value_only(text: str, clean: str) -> None:
    assert redact(text)[0] == clean


@pytest.mark.parametrize(
    "text",
    [
        "PORT=8080 http://localhost:8080/@here",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "123e4567-e89b-12d3-a456-426614174000",
        "max_tokens: 4096, total_tokens=123456",
        "token = get_token_1()",
        "password: str",
        '{"password": "string"}',
        "password=$PASSWORD1 token: ${TOKEN_2}",
        "tokenizer: o200k_base",
        "a task-sk-1 risk-free disk-1234567890123456789012345",
        "-----BEGIN CERTIFICATE-----",
    ],
)
def test_ordinary_text_survives(text: str) -> None:
    assert redact(text) == (text, 0)


def test_what_is_redacted_stays_as_it_is() -> None:
    text, n = redact("\n".join([*SECRETS.values(), "PASSWORD=abcdef1", "https://u:p@h"]))
    assert n == len(SECRETS) + 2
    assert redact(text) == (text, 0)


@pytest.mark.parametrize("name", ["password=", 'token: "', "api_key=", "secret:"])
def test_names_without_values_are_no_secrets_however_many(name: str) -> None:
    text = name * 100_000
    assert redact(text) == (text, 0)


def test_a_bare_value_is_told_from_a_word_by_what_it_holds() -> None:
    assert redact("password=correct1horse") == ("password=[redacted:password]", 1)
    assert redact("password=correcthorse") == ("password=correcthorse", 0)


@given(st.text(), st.sampled_from(sorted(SECRETS.values())), st.text())
def test_a_secret_never_survives(before: str, secret: str, after: str) -> None:
    assert secret not in redact(f"{before} {secret} {after}")[0]
