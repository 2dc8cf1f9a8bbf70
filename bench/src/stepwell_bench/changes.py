"""Changes: what one version scores more or less than another on the same questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.bootstrap import Interval, paired_difference
from stepwell_bench.results import OURS, PER_QUESTION
from stepwell_bench.scoring import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Change", "changes", "read_outcomes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Stepwell now minus Stepwell then, paired by question; fields as in `Cell`."""

    measure: str
    mode: str
    budget: int
    value: Interval


def read_outcomes(path: Path) -> list[Outcome]:
    """Read the rows of an earlier run, those of Stepwell alone.

    Raises:
        InvalidInputError: The file is missing, or holds no rows of an evidence run.
    """
    try:
        lines = path.read_bytes().splitlines()
        rows = [msgspec.json.decode(line, type=Outcome) for line in lines]
    except (OSError, msgspec.DecodeError) as error:
        raise InvalidInputError(
            f"{path} holds no rows of an evidence run: {error}.",
            hint="Give the .rows.jsonl file that an earlier run wrote with --rows.",
        ) from error
    return [row for row in rows if row.method == OURS]


def changes(
    now: Sequence[Outcome], then: Sequence[Outcome], *, seed: int, draws: int
) -> list[Change]:
    """Return the difference of each measure at each budget, over questions that both runs asked."""
    before = {(one.question, one.mode, one.budget): one for one in then if one.method == OURS}
    pairs: dict[tuple[str, str, int], list[tuple[float, float, str]]] = {}
    for one in now:
        other = before.get((one.question, one.mode, one.budget))
        if one.method != OURS or other is None:
            continue
        for measure, value_of in PER_QUESTION.items():
            new, old = value_of(one), value_of(other)
            if new is not None and old is not None:
                key = (measure, one.mode, one.budget)
                pairs.setdefault(key, []).append((new, old, one.episode))
    return [
        Change(
            measure=measure,
            mode=mode,
            budget=budget,
            value=paired_difference(
                [new for new, _, _ in found],
                [old for _, old, _ in found],
                [episode for _, _, episode in found],
                rng=np.random.default_rng(seed),
                n=draws,
            ),
        )
        for (measure, mode, budget), found in pairs.items()
    ]
