"""Where worlds come from: made up, or recorded runs read from a folder and encoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.structures.units.model import UnitOptions
from stepwell_bench.osu.encoded import encode_runs, encode_texts
from stepwell_bench.osu.experiments import Fact, with_published
from stepwell_bench.osu.rows import units_of
from stepwell_bench.osu.tau import tau_excerpts, tau_worlds
from stepwell_bench.osu.toolbench import toolbench_excerpts, toolbench_worlds
from stepwell_bench.vectorcache import CachedEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from stepwell.encode.base import Encoder
    from stepwell_bench.osu.encoded import Excerpt
    from stepwell_bench.osu.tau import TauOptions
    from stepwell_bench.osu.toolbench import ToolBenchOptions
    from stepwell_bench.osu.world import World

__all__ = ["Recorded", "sharing_facts", "tau_by_seed", "toolbench_by_seed", "unit_facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Folders of recorded runs, and what encodes them.

    Attributes:
        data: The folders.
        encoder: Encodes steps and questions.
        cache: The folder that keeps vectors between runs.
        progress: Called with what is done, how much of it, and out of how much.
    """

    data: tuple[Path, ...]
    encoder: Encoder
    cache: Path
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None


def tau_by_seed(
    recorded: Recorded, options: TauOptions, seeds: Sequence[int]
) -> dict[int, list[World]]:
    """Return joined τ-bench runs by seed.

    Raises:
        NotFoundError: One of the folders does not exist.
        InvalidInputError: One holds no runs of τ-bench or tau2-bench.
    """
    excerpts = _together(recorded, tau_excerpts)
    cached = CachedEncoder(recorded.encoder, recorded.cache / "vectors.sqlite")
    try:
        runs = encode_runs(excerpts, encoder=cached, progress=recorded.progress)
    finally:
        cached.close()
    return {seed: tau_worlds(runs, options, seed=seed) for seed in seeds}


def toolbench_by_seed(
    recorded: Recorded, options: ToolBenchOptions, seeds: Sequence[int]
) -> dict[int, list[World]]:
    """Return runs with planted ToolBench evidence by seed.

    Raises:
        NotFoundError: One of the folders does not exist.
        InvalidInputError: One holds no ToolBench answers, or none can be planted.
    """
    excerpts = _together(recorded, toolbench_excerpts)
    cached = CachedEncoder(recorded.encoder, recorded.cache / "vectors.sqlite")
    try:
        runs = encode_runs(excerpts, encoder=cached, progress=recorded.progress)
        questions = encode_texts([one.question for one in excerpts], encoder=cached)
    finally:
        cached.close()
    return {seed: toolbench_worlds(runs, questions, options, seed=seed) for seed in seeds}


def _together(recorded: Recorded, read: Callable[[Path], list[Excerpt]]) -> list[Excerpt]:
    """Return the runs of all folders by name: worlds depend on their order."""
    found = [one for folder in recorded.data for one in read(folder)]
    return sorted(found, key=lambda one: one.name)


def unit_facts(worlds: Sequence[World], benchmark: str) -> tuple[Fact, ...]:
    """Return in how many units evidence is, overlapping and disjoint, and how much is in none.

    Args:
        worlds: The worlds of one or more seeds.
        benchmark: The benchmark whose published figures apply.
    """
    values: dict[str, float] = {}
    for name, most in (("overlapping", 5), ("disjoint", 1)):
        counts = np.concatenate([_memberships(world, most) for world in worlds])
        values[f"units per evidence step, {name}"] = float(counts.mean())
        values[f"evidence in no unit, {name}"] = float((counts == 0).mean())
    return with_published(values, benchmark)


def _memberships(world: World, most: int) -> np.ndarray:
    units = units_of(world, UnitOptions(max_memberships=most))
    counts = np.bincount(units.members, minlength=len(world))
    return counts[[step for one in world.questions for step in one.evidence]]


def sharing_facts(worlds: Sequence[World], benchmark: str) -> tuple[Fact, ...]:
    """Return how often evidence of made-up runs shares a tool, and the tool with its template.

    Args:
        worlds: Worlds whose tool signatures end in a template in brackets.
        benchmark: The benchmark whose published figures apply.
    """
    signatures = [
        [world.annotations[step].tools[0] for step in one.evidence]
        for world in worlds
        for one in world.questions
    ]
    tools = [[name.split("(")[0] for name in names] for names in signatures]
    values = {
        "share with a shared signature": _repeating(signatures),
        "share with a shared tool": _repeating(tools),
    }
    return with_published(values, benchmark)


def _repeating(groups: Sequence[Sequence[str]]) -> float:
    return float(np.mean([len(set(names)) < len(names) for names in groups]))
