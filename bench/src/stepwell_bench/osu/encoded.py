"""Recorded runs as the benchmarks use them: steps annotated, encoded and priced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.formats.read import read_path
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder
    from stepwell.structures.units.model import Annotation
    from stepwell.trajectory.model import Trajectory

__all__ = [
    "EncodedRun",
    "Excerpt",
    "Messages",
    "cost_of",
    "encode_runs",
    "encode_texts",
    "messages_of",
    "read_runs",
    "shown_text",
]

_CHARACTERS_A_TOKEN = 4
"""One estimate of tokens for all methods, as OSU-Mem asks; no method's ranking depends on it."""

_BATCH = 256
"""Texts encoded between two reports of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What goes into a benchmark of a run of n steps.

    Attributes:
        name: The run's id.
        task: What it is a trial of; runs of one task are never each other's background.
        texts: What each step says.
        annotations: What each step is about.
        question: The question's text, where the data set has one.
        evidence: The steps that answer it, ascending, where the run says so.
    """

    name: str
    task: str
    texts: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    question: str = ""
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedRun:
    """An excerpt with what selection needs beside it.

    Attributes:
        excerpt: The run.
        vectors: Unit vectors of its steps, shape (n, d), float32.
        costs: Tokens of each step, shape (n,), int64.
    """

    excerpt: Excerpt
    vectors: NDArray[np.float32]
    costs: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.costs)


def read_runs(data: Path, formats: frozenset[str]) -> list[Trajectory]:
    """Return the runs in a folder that some readers recognise, in the order of their ids.

    Args:
        data: The folder; files of other formats in it are passed over.
        formats: Names of readers.

    Raises:
        NotFoundError: There is no such folder.
        InvalidInputError: No file holds a run of these formats.
    """
    found = [
        bundle.trajectory
        for file in read_path(data)
        for bundle in file.bundles
        if bundle.trajectory.source_format in formats
    ]
    if not found:
        raise InvalidInputError(
            f"No file under {data} holds runs of {' or '.join(sorted(formats))}.",
            hint="Give the folder of the data set's own JSON files with --data.",
        )
    return sorted(found, key=lambda run: run.trajectory_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """A run of n messages.

    Attributes:
        steps: Each message as a step, numbered anew.
        texts: What each says.
        places: The message of each step of the run.
    """

    steps: tuple[Step, ...]
    texts: tuple[str, ...]
    places: dict[int, int]


def messages_of(trajectory: Trajectory) -> Messages:
    """Return a run one message a step: a call and what came back are two.

    Logs of τ-bench count messages, and a step of OSU-Mem has to be small enough for two of them to
    fit 64 tokens. System prompts are left out: they are instructions, not what happened.
    """
    steps: list[Step] = []
    texts: list[str] = []
    places: dict[int, int] = {}
    for step in trajectory.steps:
        if step.kind == "system" or not step.active:
            continue
        places[step.index] = len(steps)
        steps.append(replace(step, index=len(steps), results=()))
        texts.append(shown_text(steps[-1]))
        tools = {call.uid: call.name for call in step.calls}
        for number, result in enumerate(step.results):
            uid = f"{step.uid}.o{number}"
            steps.append(
                Step(index=len(steps), uid=uid, kind="tool_env", actor="env", results=(result,))
            )
            texts.append(f"{tools.get(result.call_uid or '', 'unknown')}: {result.text}")
    return Messages(steps=tuple(steps), texts=tuple(texts), places=places)


def shown_text(step: Step) -> str:
    """Return what a step says, each part after the tool or actor it is from."""
    return "\n".join(f"{atom.label}: {atom.text}" for atom in atoms_of(step))


def cost_of(text: str) -> int:
    """Return the tokens of a text, estimated: a fourth of its characters, rounded up, at least 1.

    >>> cost_of("nine char")
    3
    """
    return max(1, -(-len(text) // _CHARACTERS_A_TOKEN))


def encode_runs(
    excerpts: Sequence[Excerpt],
    *,
    encoder: Encoder,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> list[EncodedRun]:
    """Encode and price the steps of runs.

    Args:
        excerpts: The runs.
        encoder: Encodes the text of each step.
        progress: Called with what is done, how much of it, and out of how much.
    """
    flat = [text for one in excerpts for text in one.texts]
    vectors = encode_texts(flat, encoder=encoder, progress=progress)
    ends = np.cumsum([len(one.texts) for one in excerpts])[:-1]
    return [
        EncodedRun(
            excerpt=one,
            vectors=part,
            costs=np.asarray([cost_of(text) for text in one.texts], dtype=np.int64),
        )
        for one, part in zip(excerpts, np.split(vectors, ends), strict=True)
    ]


def encode_texts(
    texts: Sequence[str],
    *,
    encoder: Encoder,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> NDArray[np.float32]:
    """Return the unit vectors of texts, shape (len(texts), d)."""
    parts = [np.empty((0, encoder.dimension), dtype=np.float32)]
    for start in range(0, len(texts), _BATCH):
        progress("steps encoded", start, len(texts))
        parts.append(encoder.encode(texts[start : start + _BATCH]))
    progress("steps encoded", len(texts), len(texts))
    return np.concatenate(parts)
