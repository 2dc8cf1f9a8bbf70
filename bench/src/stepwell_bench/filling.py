"""Fill a memory of its own with the episodes of a benchmark, for as long as it runs."""

from __future__ import annotations

from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from stepwell.memory.memory import Memory
from stepwell_bench.datasets import load_episodes
from stepwell_bench.vectorcache import CachedEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    import numpy as np

    from stepwell.encode.base import Encoder
    from stepwell_bench.datasets import Dataset, Episode

__all__ = ["Filled", "Sample", "encode_all", "filled_memory", "filled_sample", "read_files"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Episodes that are run over, and how.

    Attributes:
        dataset: The data set.
        data: Its folder, or one file.
        cache: Where vectors are kept.
        episodes: A sample of so many episodes; None for all.
        seed: Of all that is drawn.
        tokenizer: Counts tokens.
        draws: Bootstrap draws.
    """

    dataset: Dataset
    data: Path
    cache: Path
    episodes: int | None = None
    seed: int = 0
    tokenizer: str = "o200k"
    draws: int = 2000


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
def filled_sample(
    sample: Sample,
    *,
    rng: np.random.Generator,
    encoder: Encoder | None,
    progress: Callable[[str, int, int], None],
) -> Generator[tuple[list[Episode], Filled]]:
    """Load the episodes of a sample, and yield them with a memory that is filled with them.

    Args:
        sample: Which episodes.
        rng: Draws them.
        encoder: Encodes passages; None leaves vectors out.
        progress: Called with what is done, how much of it, and out of how much.

    Raises:
        NotFoundError: There is no such folder.
        InvalidInputError: It holds nothing of the data set.
    """
    episodes = load_episodes(sample.dataset, sample.data, count=sample.episodes, rng=rng)
    with filled_memory(
        episodes,
        encoder=encoder,
        cache=sample.cache,
        tokenizer=sample.tokenizer,
        progress=progress,
    ) as filled:
        yield episodes, filled


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
            read_files(memory, (episode.path for episode in episodes), progress)
        with Memory(path, encoder=cached, tokenizer=tokenizer, log_recalls=False) as memory:
            if cached is not None:
                encode_all(memory, progress)
            yield Filled(memory=memory, path=path, encoder=cached)


def read_files(
    memory: Memory, files: Iterable[Path], progress: Callable[[str, int, int], None]
) -> None:
    """Read files into a memory, each once, in the order of their names."""
    each = sorted(set(files))
    for number, file in enumerate(each):
        progress("files read", number, len(each))
        memory.ingest(file)
    progress("files read", len(each), len(each))


def encode_all(memory: Memory, progress: Callable[[str, int, int], None]) -> None:
    """Encode what has no vector yet."""
    done, total = 0, memory.unindexed()

    def count(n: int) -> None:
        nonlocal done
        done += n
        progress("passages encoded", done, total)

    memory.index(progress=count)
