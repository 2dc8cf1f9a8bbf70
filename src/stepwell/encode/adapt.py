"""What every adapter around a model needs: readable texts in, unit rows out, optional imports."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from stepwell.errors import ModelUnavailableError
from stepwell.text.clean import readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["MAX_CHARS", "install_hint", "model_texts", "required", "unit_rows"]

MAX_CHARS = 8000
"""More than small models read, less than the 8,191 tokens at which endpoints refuse a text."""


def model_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts as a model takes them: readable, never empty, at most `MAX_CHARS` long."""
    return [readable(text[:MAX_CHARS]) or " " for text in texts]


def unit_rows(rows: NDArray[Any]) -> NDArray[np.float32]:
    """Scale each row to length 1, as float32; a row of zeros has no direction and stays.

    Args:
        rows: Shape (n, d), finite.
    """
    wide = np.asarray(rows, dtype=np.float64)
    # By the largest entry first: squares of float32 extremes would overflow or vanish.
    largest = np.abs(wide).max(axis=1, keepdims=True, initial=0.0)
    wide = wide / np.where(largest > 0, largest, 1.0)
    length = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / np.where(length > 0, length, 1.0)).astype(np.float32)


def required(module: str, *, extra: str) -> Any:
    """Import a library that comes with an extra of Stepwell.

    Raises:
        ModelUnavailableError: It is not installed, or broken; the hint installs it.
    """
    # onnxruntime reports its use to its maker unless told not to before it is imported, and nothing
    # here talks to anyone unasked. The process's own table is written: only config reads it.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    try:
        return import_module(module)
    except ImportError as error:
        raise ModelUnavailableError(
            f"The package {module} cannot be imported ({error}).", hint=install_hint(extra)
        ) from error


def install_hint(extra: str) -> str:
    """Return the command that installs an extra, as a hint."""
    return f"Install it with: pip install 'stepwell[{extra}]'"
