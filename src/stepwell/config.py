"""The only reader of the environment; the composition root that binds the parts to one another."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from platformdirs import user_data_path

from stepwell.chat.client import ChatModel
from stepwell.encode import registry
from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from stepwell.memory.memory import Memory
from stepwell.policy.registry import find
from stepwell.text.credentials.custom import read_detectors
from stepwell.text.redact import redactor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stepwell.chat.client import ChatLimits
    from stepwell.encode.base import Encoder
    from stepwell.store.scope import Scope
    from stepwell.text.redact import Redactor

__all__ = ["Settings", "chat_model", "default_database", "open_encoder", "open_memory", "settings"]


def default_policies() -> Path:
    """Return where policies lie when nothing else is said."""
    return user_data_path("stepwell") / "policies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a process is run with.

    Attributes:
        db: The database file; None keeps everything in memory.
        encoder: `auto` (the local encoder if it is installed), `none`, or an encoder's spec such
            as `openai:text-embedding-3-small`.
        model: The spec of a language model, such as `openai:MODEL@http://localhost:8080/v1`; None
            for none.
        openai_api_key: Key for an `openai:` encoder or model.
        openai_base_url: Address of another service that speaks OpenAI's protocol.
        policies: The folder of your policies.
        policy: Name of the policy that chooses what a recall reads.
        detectors: A file with detectors of credentials of your own; None for none.
    """

    db: Path | None
    encoder: str = "auto"
    model: str | None = None
    openai_api_key: str | None = field(default=None, repr=False)
    openai_base_url: str | None = None
    policies: Path = field(default_factory=default_policies)
    policy: str = "default"
    detectors: Path | None = None


def default_database() -> Path:
    """Return where the database lies when nothing else is said."""
    return user_data_path("stepwell") / "stepwell.db"


def settings(db: Path | None = None, *, encoder: str = "auto") -> Settings:
    """Return the settings of this process: an argument over the environment over the default.

    Args:
        db: The database file; None for `STEPWELL_DB`, else the user's data folder.
        encoder: `auto`, `none` or a spec.
    """
    environment = os.environ  # noqa: TID251  (this module is the one that may)
    detectors = environment.get("STEPWELL_DETECTORS")
    path = db or Path(environment.get("STEPWELL_DB") or default_database())
    return Settings(
        db=path.expanduser(),
        encoder=encoder,
        model=environment.get("STEPWELL_MODEL") or None,
        openai_api_key=environment.get("OPENAI_API_KEY") or None,
        openai_base_url=environment.get("OPENAI_BASE_URL") or None,
        policy=environment.get("STEPWELL_POLICY") or "default",
        detectors=Path(detectors).expanduser() if detectors else None,
        policies=Path(environment.get("STEPWELL_POLICIES") or default_policies()).expanduser(),
    )


def open_memory(
    chosen: Settings,
    *,
    scope: Scope | Mapping[str, str] | None = None,
    must_exist: bool = False,
    policy: str | None = None,
    log_recalls: bool = True,
) -> Memory:
    """Return the memory these settings describe.

    Args:
        chosen: The settings.
        scope: What the memory is bound to.
        must_exist: Whether a missing database is an error, instead of a new one.
        policy: Name of the policy it reads by; None for the one the settings name.
        log_recalls: Whether recalls are logged.

    Raises:
        NotFoundError: There is no database and `must_exist`, or no such policy.
        PolicyError: The policy's file cannot be used.
        ModelUnavailableError: The encoder asked for by name cannot run here.
    """
    if must_exist and chosen.db is not None and not chosen.db.exists():
        raise NotFoundError(
            f"There is no memory at {chosen.db} yet.",
            hint="`stepwell add PATH` reads logs into it; `stepwell demo` shows what it does.",
        )
    return Memory(
        chosen.db,
        scope=scope,
        encoder=_encoder(chosen),
        policy=find(policy or chosen.policy, (chosen.policies,)),
        log_recalls=log_recalls,
        redact=_redactor(chosen),
    )


def _redactor(chosen: Settings) -> bool | Redactor:
    if chosen.detectors is None:
        return True
    try:
        data = chosen.detectors.read_bytes()
    except OSError as error:
        raise InvalidInputError(
            f"The detectors in {chosen.detectors} cannot be read: {error.strerror}.",
            hint="Mend STEPWELL_DETECTORS, or unset it.",
        ) from error
    return redactor(read_detectors(data, where=str(chosen.detectors)))


def chat_model(chosen: Settings, *, limits: ChatLimits | None = None) -> ChatModel:
    """Return the language model these settings describe.

    Args:
        chosen: The settings.
        limits: Timeouts, retries, requests and tokens.

    Raises:
        ModelUnavailableError: None is set, or the package openai is not installed.
        InvalidInputError: The spec has no form that is known.
    """
    if chosen.model is None:
        raise ModelUnavailableError(
            "No language model is set.",
            hint="Set STEPWELL_MODEL to openai:MODEL or openai:MODEL@URL, and OPENAI_API_KEY if "
            "the service asks for a key.",
        )
    spec = _placed(chosen.model, chosen)
    return ChatModel(spec, api_key=chosen.openai_api_key, limits=limits)


def open_encoder(chosen: Settings) -> Encoder | None:
    """Return the encoder these settings describe; None without vectors.

    Raises:
        ModelUnavailableError: The encoder asked for by name cannot run here.
    """
    found = _encoder(chosen)
    return registry.default_encoder()[0] if found == "auto" else found


def _encoder(chosen: Settings) -> Encoder | Literal["auto"] | None:
    spec = chosen.encoder
    if spec in {"auto", "none"}:
        return "auto" if spec == "auto" else None
    return registry.encoder(_placed(spec, chosen), api_key=chosen.openai_api_key)


def _placed(spec: str, chosen: Settings) -> str:
    if spec.startswith("openai:") and "@" not in spec and chosen.openai_base_url:
        return f"{spec}@{chosen.openai_base_url}"
    return spec
