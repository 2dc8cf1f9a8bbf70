"""The plot of an audit: a picture for any audit that counted something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.audit.tailplot import can_draw, draw_tails
from stepwell.stats.tails.audit import audit_counts

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("matplotlib")


@pytest.mark.parametrize(
    "counts", [[4], [3] * 60, [1] * 200 + [2] * 50 + [7] * 20 + [90, 1000], [1] * 80 + [10**12]]
)
def test_it_draws_what_was_counted(counts: list[int], tmp_path: Path) -> None:
    assert can_draw()
    tails = audit_counts(counts, rng=np.random.default_rng(0), n_draws=5)
    path = tmp_path / "tails.png"
    draw_tails(tails, path, title="steps quoted")
    assert path.read_bytes().startswith(b"\x89PNG")
