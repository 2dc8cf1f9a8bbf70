"""Policy files: one TOML document per policy, strictly read and always written alike.

```toml
name = "mine"
kind = "rules"          # all, single, fixed, table, rules or program
version = 2
description = "The state log for questions of state; else what is said."
default = ["vector", "episodic"]

[origin]                # how it came to be: any keys, text or numbers
made = "by hand"

[[rule]]
when = ["asks state", "signal temporal.slots >= 1"]
read = ["temporal", "episodic"]
tokens = { temporal = 300 }
```
"""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import tomli_w

from stepwell.errors import PolicyError
from stepwell.policy.body import body_of, document_of
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from stepwell.policy.base import Context, Selection
    from stepwell.policy.kinds import Kind

__all__ = ["PolicyFile", "diff", "digest", "dumps", "load", "loads", "save"]

_NAME: Final = re.compile(r"\w[\w-]{0,63}")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MOST_BYTES: Final = 1_000_000

_MOST_VERSIONS: Final = 999_999_999
"""The highest version: the names of installed files hold nine digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """A policy with its name and its history; itself a `Policy`.

    Attributes:
        name: Letters, digits, `_` and `-`.
        policy: What it does.
        version: From 1; a higher one replaces a lower one.
        description: What it is for, for a person.
        origin: How it came to be: learned from what, with which objective, at which commit, from
            which version.
    """

    name: str
    policy: Kind
    version: int = 1
    description: str = ""
    origin: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])

    def select(self, question: str, context: Context) -> Selection:
        """Return the structures to read.

        Raises:
            PolicyError: The policy failed, or nothing can be read.
        """
        return self.policy.select(question, context)


def loads(text: str, *, where: str = "the policy") -> PolicyFile:
    """Return the policy that a TOML document writes.

    Args:
        text: The document.
        where: What messages call it.

    Raises:
        PolicyError: It is no TOML, or something in it is missing, unknown or of the wrong kind.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise PolicyError(f"{where} is no TOML: {error}.", hint="Correct that line.") from error
    head = {key: document.pop(key, None) for key in ("name", "version", "description", "origin")}
    name, version, origin = head["name"], head["version"], head["origin"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _wrong(where, "name", "a word of letters, digits, _ and -, of 64 at most")
    if not _is_version(version):
        raise _wrong(where, "version", f"a whole number from 1 to {_MOST_VERSIONS:,}")
    if not isinstance(head["description"], str | None):
        raise _wrong(where, "description", "text")
    if not (origin is None or _is_origin(origin)):
        raise _wrong(where, "origin", "a table of texts and numbers")
    return PolicyFile(
        name=name,
        policy=body_of(document, where),
        version=1 if version is None else version,
        description=head["description"] or "",
        origin=origin or {},
    )


def dumps(file: PolicyFile) -> str:
    """Return a policy as TOML: the same text for the same policy."""
    body, lists = document_of(file.policy)
    head: dict[str, Any] = {
        "name": file.name,
        "kind": file.policy.name,
        "version": file.version,
        "description": file.description,
        **body,
    }
    source = head.pop("source", None)
    parts = [tomli_w.dumps(head) + ("" if source is None else _source(source))]
    if file.origin:
        parts.append(tomli_w.dumps({"origin": dict(file.origin)}))
    for key, entries in lists.items():
        parts += [tomli_w.dumps({key: [entry]}) for entry in entries]
    return "\n".join(parts).encode("utf-8", "replace").decode()  # no halves of surrogate pairs


def _source(text: str) -> str:
    """Return a program as it was written if TOML can hold that, else with escapes."""
    if "'''" in text or text.endswith("'") or _CONTROL.search(text):
        return tomli_w.dumps({"source": text})
    return f"source = '''\n{text}'''\n"


def load(path: Path) -> PolicyFile:
    """Read a policy file.

    Raises:
        PolicyError: It cannot be read, or is no policy.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
        if len(raw) > _MOST_BYTES:
            raise PolicyError(f"{path} is too large for a policy.", hint="At most 1 MB is read.")
        text = raw.decode("utf-8-sig")
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise PolicyError(message, hint="Check the path.") from error
    except UnicodeDecodeError as error:
        raise PolicyError(f"{path} is no UTF-8.", hint="Save it as UTF-8.") from error
    return loads(text.replace("\r\n", "\n"), where=str(path))


def save(file: PolicyFile, path: Path) -> None:
    """Write a new policy file.

    Raises:
        PolicyError: There is one already, or it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(dumps(file))
    except FileExistsError as error:
        raise PolicyError(f"{path} is there already.", hint="Choose another name.") from error
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise PolicyError(message, hint="Check the folder.") from error


def digest(file: PolicyFile) -> str:
    """Return the SHA-256 of its canonical text."""
    return hashlib.sha256(dumps(file).encode()).hexdigest()


def diff(one: PolicyFile, other: PolicyFile) -> str:
    """Return what differs between the canonical texts of two policies, as a unified diff."""
    return "".join(
        difflib.unified_diff(
            dumps(one).splitlines(keepends=True),
            dumps(other).splitlines(keepends=True),
            fromfile=f"{one.name} version {one.version}",
            tofile=f"{other.name} version {other.version}",
        )
    )


def _is_version(value: object) -> bool:
    return value is None or (type(value) is int and 1 <= value <= _MOST_VERSIONS)


def _is_origin(value: object) -> bool:
    return is_object(value) and all(
        isinstance(entry, str | int | float) and not isinstance(entry, bool)
        for entry in value.values()
    )


def _wrong(where: str, key: str, wanted: str) -> PolicyError:
    return PolicyError(f"{where}: `{key}` is not as it has to be.", hint=f"Give {wanted}.")
