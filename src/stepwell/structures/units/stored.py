"""Annotations as bytes, without the namespace that all of a trajectory's share."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from stepwell.errors import StoreError
from stepwell.structures.units.annotate import Goal
from stepwell.structures.units.model import Annotation

if TYPE_CHECKING:
    from stepwell.structures.units.annotate import AnnotateOptions

__all__ = ["annotator_of", "decode_annotation", "encode_annotation"]

_VERSION: Final = 1
"""Raised whenever a step is annotated otherwise than before; what is stored is then made again."""

_Body: TypeAlias = tuple[list[str], list[str], str | None, int, str | None]
_decoder = msgspec.msgpack.Decoder(_Body)
_encoder = msgspec.msgpack.Encoder()


def annotator_of(options: AnnotateOptions) -> str:
    """Return a name for this annotator with these options.

    >>> from stepwell.structures.units.annotate import AnnotateOptions
    >>> annotator_of(AnnotateOptions(written=True)) == annotator_of(AnnotateOptions())
    False
    """
    shape = (options.written, options.observed, sorted(options.boilerplate))
    return f"{_VERSION}:{hashlib.sha256(repr(shape).encode()).hexdigest()[:12]}"


def encode_annotation(annotation: Annotation, goal: Goal, *, namespace: str) -> bytes:
    """Return the bytes of a step's annotation and of what it leaves for the next step."""
    at = len(namespace) + len("::")
    subgoal = None if annotation.subgoal is None else annotation.subgoal[at:]
    entities = [name[at:] for name in annotation.entities]
    tools = [name[at:] for name in annotation.tools]
    return _encoder.encode((entities, tools, subgoal, goal.turn, goal.plan))


def decode_annotation(body: bytes, *, namespace: str) -> tuple[Annotation, Goal]:
    """Return the annotation and the goal behind their bytes.

    Raises:
        StoreError: The bytes are damaged.

    >>> annotation = Annotation(entities=("r::oslo",), subgoal="r::turn:0")
    >>> body = encode_annotation(annotation, Goal(), namespace="r")
    >>> decode_annotation(body, namespace="r") == (annotation, Goal())
    True
    """
    try:
        entities, tools, subgoal, turn, plan = _decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise StoreError(
            f"What is stored of a step's annotation is damaged ({error}).",
            hint="Annotate the step again.",
        ) from error
    annotation = Annotation(
        entities=tuple(f"{namespace}::{name}" for name in entities),
        tools=tuple(f"{namespace}::{name}" for name in tools),
        subgoal=None if subgoal is None else f"{namespace}::{subgoal}",
    )
    return annotation, Goal(turn=turn, plan=plan)
