"""From a short text like `minilm` or `openai:MODEL@URL` to the encoder it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stepwell.encode.adapt import install_hint
from stepwell.encode.libraries import fastembed_encoder, sentence_transformers_encoder
from stepwell.encode.minilm import MiniLM, missing_packages
from stepwell.encode.openai import OpenAIEncoder
from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from stepwell.encode.base import Encoder

__all__ = ["ENCODER_FORMS", "default_encoder", "encoder"]

ENCODER_FORMS = (
    "minilm",
    "minilm:FOLDER",
    "openai:MODEL",
    "openai:MODEL@URL",
    "fastembed:NAME",
    "sentence-transformers:NAME",
)

_NAMED = re.compile(r"(openai|fastembed|sentence-transformers):(?P<name>.+)", re.DOTALL)
_ENDPOINT = re.compile(r"(?P<model>.+?)(?:@(?P<url>https?://.+))?", re.DOTALL)


def encoder(spec: str, *, api_key: str | None = None) -> Encoder:
    """Return the encoder a specification names.

    Args:
        spec: One of `ENCODER_FORMS`.
        api_key: For an endpoint; other encoders have none.

    Raises:
        InvalidInputError: The specification has none of the forms; the message lists them.
        ModelUnavailableError: What it names cannot run here.
    """
    kind, _, rest = spec.partition(":")
    if kind == "minilm" and (rest or spec == "minilm"):
        return MiniLM(rest or None)
    named = _NAMED.fullmatch(spec)
    if named is None:
        raise InvalidInputError(
            f"There is no encoder {kind!r} of this form.", hint=f"Use {', '.join(ENCODER_FORMS)}."
        )
    if kind == "fastembed":
        return fastembed_encoder(rest)
    if kind == "sentence-transformers":
        return sentence_transformers_encoder(rest)
    endpoint = _ENDPOINT.fullmatch(rest)
    model, url = endpoint.group("model", "url") if endpoint else (rest, None)
    return OpenAIEncoder(model, base_url=url, api_key=api_key)


def default_encoder() -> tuple[Encoder | None, str]:
    """Return the encoder to use when none is named, and why it is that one or none.

    Without an encoder, search is by words alone; that works, and misses paraphrases.
    """
    missing = missing_packages()
    if missing:
        return None, f"{', '.join(missing)} not installed. {install_hint('minilm')}"
    found = MiniLM()
    return found, f"{found.encoder_id} is installed."
