"""Spellings of credentials, and what resembles them, by people who had not read the detectors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from stepwell.memory.memory import Memory
from stepwell.text.redact import redact
from support import credentials_first, credentials_second

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = [*credentials_first.SECRETS, *credentials_second.SECRETS]
INNOCENT = [*credentials_first.INNOCENT, *credentials_second.INNOCENT]
NOT_FOUND = frozenset(
    [
        "table-markdown",
        "opt-smbclient-percent",
        "opt-net-use",
        "opt-htpasswd-b",
        "opt-windows-slash",
        "opt-nmcli-wifi",
        "wordpress-salt",
        "ini-passphrase",
        "aws-csv-download",
        "ado-net-quoted",
        "mysql-pdo-php",
        "java-drivermanager-positional",
        "csharp-property",
        "expect-send",
        "heredoc-chpasswd",
        "word-yaml-line-end",
        "digits-pin-in-chat",
        "mnemonic-env",
        "prompt-ssh-key-passphrase",
        "prompt-ftp",
        "smtp-auth-login-reply",
        "imap-login",
        "jenkins-initial",
        "elastic-reset",
        "csv-row",
    ]
)
"""Nothing beside these says that they are credentials, or only a place in a row of arguments does."""


@pytest.mark.parametrize(("name", "text", "secret"), SECRETS, ids=lambda one: str(one)[:40])
def test_a_credential_is_kept_out(name: str, text: str, secret: str) -> None:
    assert (secret in redact(text)[0]) == (name in NOT_FOUND)


@pytest.mark.parametrize(("name", "text"), INNOCENT, ids=lambda one: str(one)[:40])
def test_what_resembles_one_is_left(name: str, text: str) -> None:
    assert redact(text) == (text, 0), name


def test_it_is_kept_out_of_everything_that_is_stored(tmp_path: Path) -> None:
    """In a message, a command as JSON within JSON, its output, a live step, and a question."""
    log = tmp_path / "log.json"
    kept = [(text, secret) for name, text, secret in SECRETS if name not in NOT_FOUND]
    turns: list[object] = [{"role": "user", "content": "look at these"}]
    for at, (text, _) in enumerate(kept):
        function = {"name": "bash", "arguments": json.dumps({"command": text})}
        call = {"id": f"c{at}", "type": "function", "function": function}
        turns += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{at}", "content": text},
        ]
    log.write_text(json.dumps(turns))
    with Memory(tmp_path / "m.db", encoder=None) as memory:
        memory.ingest(log)
        for text, _ in kept:
            memory.add({"role": "user", "content": text}, trajectory="live")
        for text, _ in kept[::10]:
            memory.recall(text, 300)
        during = b"".join(path.read_bytes() for path in tmp_path.glob("m.db*"))
    stored = during + b"".join(path.read_bytes() for path in tmp_path.glob("m.db*"))
    assert [secret for _, secret in kept if secret.encode() in stored] == []
