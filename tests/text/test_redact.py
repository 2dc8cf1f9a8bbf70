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
        (
            "Authorization: Bearer a1b2c3d4e5f6g7h8",
            "Authorization: Bearer [redacted:authorization]",
        ),
        ("postgres://app:pw@db:5432/x", "postgres://app:[redacted:password]@db:5432/x"),
        ("-----BEGIN PRIVATE KEY-----\\nMII\\n", "[redacted:private-key]\\n"),
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ASIA" + "Q7" * 8, "aws-key"),
        ("gho_" + "aB3" * 10, "github-token"),
        ("github_pat_" + "aB3" * 10, "github-token"),
        ("sk_live_" + "a1" * 8, "api-key"),
        ("glpat-" + "a1" * 10, "gitlab-token"),
        ("npm_" + "a1" * 18, "api-key"),
        ("hf_" + "a1" * 15, "api-key"),
        ("eyJhbGciOi.eyJzdWIi", "jwt"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----",
         "private-key"),
    ],
)  # fmt: skip
def test_the_shortest_of_each_shape_is_found_and_nothing_shorter(text: str, kind: str) -> None:
    assert redact(text) == (f"[redacted:{kind}]", 1)
    if kind not in {"jwt", "private-key"}:
        assert redact(text[:-1]) == (text[:-1], 0)


@pytest.mark.parametrize(
    "text",
    [
        "AKIA" + "Q7" * 8 + "a",
        "npm_" + "a1" * 18 + "b",
        "xhf_" + "a1" * 15,
        "AIza" + "k0_" * 11 + "zzz",
        "ask-ant-api03-" + "xY9" * 12,
        "sk-" + "abcdefghij" * 3,
        "xeyJhbGciOi.eyJzdWIi",
        "Bearer of " + "bad" * 8,
        "Bearer " + "a1b2c3d4e5f6g7h",
    ],
)
def test_what_only_resembles_a_shape_survives(text: str) -> None:
    assert redact(text) == (text, 0)


@pytest.mark.parametrize(
    "value",
    ["null", "None", "TRUE", "false", "$VAR_1", "%VAR_1%", "<pass1word>", "{pass1word}", "***123",
     "your_password1", "your-password1", "xxxx1234", "...1234567", "[redacted:x1]", "undefined"],
)  # fmt: skip
def test_a_placeholder_is_no_secret(value: str) -> None:
    for text in (f"password={value}", f"password: '{value}'", f"DB_PASSWORD={value}"):
        assert redact(text) == (text, 0)


@pytest.mark.parametrize("sign", ["=", ": ", ":=", " => ", "  =  ", "': '", '": "', "`: `"])
def test_a_name_is_joined_to_its_value_in_many_ways(sign: str) -> None:
    quote = sign[-1].strip("= ")
    text, n = redact(f"password{sign}abc123def{quote} after")
    assert (text, n) == (f"password{sign}[redacted:password]{quote} after", 1)


@pytest.mark.parametrize(
    "name",
    ["password", "PASSWORD", "Passwd", "db_password", "secret", "client-secret", "SECRET_KEY",
     "secretAccessKey", "token", "access_token", "token_value", "API_KEY", "apikey", "api-key",
     "apiKey"],
)  # fmt: skip
def test_a_secret_is_known_by_many_names(name: str) -> None:
    text, n = redact(f"{name}=abc123def")
    assert n == 1
    assert text.startswith(f"{name}=[redacted:")
    assert "abc123def" not in text


@pytest.mark.parametrize("name", ["tokens", "secretary", "keyword", "apikeys"])
def test_names_that_only_begin_so_are_others(name: str) -> None:
    text = f"{name}=abc123def"
    assert redact(text) == (text, 0)


def test_a_value_needs_four_characters_or_six_of_letters() -> None:
    assert redact("password=ab1") == ("password=ab1", 0)
    assert redact("password=ab12")[1] == 1
    assert redact("password='abcdef'")[1] == 1
    assert redact("password='abcde'")[1] == 0


def test_a_call_is_no_value() -> None:
    for text in ("password=get_secret_1()", "token=os.environ2['TOKEN']"):
        assert redact(text) == (text, 0)


def test_the_shortest_text_with_a_credential() -> None:
    assert redact("://u:p@h") == ("://u:[redacted:password]@h", 1)
    assert redact("://:p@h") == ("://:p@h", 0)


def test_of_shapes_within_each_other_the_outer_one_counts() -> None:
    token = "ghp_" + "aB3" * 12
    assert redact(f"https://u:{token}@host") == ("https://u:[redacted:github-token]@host", 1)
    assert redact(f"https://u:x{token}@host") == ("https://u:[redacted:password]@host", 1)
    assert redact(f"TOKEN={token} PASSWORD=abc123") == (
        "TOKEN=[redacted:github-token] PASSWORD=[redacted:password]",
        2,
    )
