"""Fill a memory of its own with the episodes of a benchmark, for as long as it runs."""

from __future__ import annotations

from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from stepwell.memory.memory import Memory
from stepwell_bench.vectorcache import CachedEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from stepwell.encode.base import Encoder
    from stepwell_bench.datasets import Episode

__all__ = ["Filled", "filled_memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A filled memory.

    Attributes:
        memory: The memory; it logs no recalls.
        path: Its file, which is deleted afterwards.
        encoder: What encoded it and encodes questions, if anything does.
    """

    memory: Memory
    path: Path
    encoder: CachedEncoder | None


@contextmanager
def filled_memory(
    episodes: Sequence[Episode],
    *,
    encoder: Encoder | None,
    cache: Path,
    tokenizer: str,
    progress: Callable[[str, int, int], None],
) -> Generator[Filled]:
    """Read the files of episodes into a new memory, and encode them all.

    Args:
        episodes: What to read.
        encoder: Encodes passages; None leaves vectors out.
        cache: Folder that keeps vectors between runs.
        tokenizer: Counts tokens.
        progress: Called with what is done, how much of it, and out of how much.
    """
    cached = None if encoder is None else CachedEncoder(encoder, cache / "vectors.sqlite")
    kept = nullcontext() if cached is None else closing(cached)
    with kept, TemporaryDirectory(prefix="stepwell-bench-") as folder:
        path = Path(folder) / "store.db"
        # Read without an encoder, so that no thread behind encodes what `index` is about to.
        with Memory(path, encoder=None) as memory:
            _read(memory, episodes, progress)
        with Memory(path, encoder=cached, tokenizer=tokenizer, log_recalls=False) as memory:
            if cached is not None:
                _encode(memory, progress)
            yield Filled(memory=memory, path=path, encoder=cached)


def _read(
    memory: Memory, episodes: Sequence[Episode], progress: Callable[[str, int, int], None]
) -> None:
    files = sorted({episode.path for episode in episodes})
    for number, file in enumerate(files):
        progress("files read", number, len(files))
        memory.ingest(file)
    progress("files read", len(files), len(files))


def _encode(memory: Memory, progress: Callable[[str, int, int], None]) -> None:
    done, total = 0, memory.unindexed()

    def count(n: int) -> None:
        nonlocal done
        done += n
        progress("passages encoded", done, total)

    memory.index(progress=count)
