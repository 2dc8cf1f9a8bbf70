"""What units cost is measured for every method, beside what the paper published."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stepwell_bench.osu import running
from stepwell_bench.osu.cost import measure_cost

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_cost_is_measured_at_every_size() -> None:
    timings = measure_cost((24, 40), dimension=8, seed=1)
    measured = {(one.what, one.steps) for one in timings}
    assert len(measured) == len(timings)
    assert {what for what, steps in measured if steps == 40} == {
        "build units",
        "append a step",
        "choose: flat",
        "choose: osu",
        "choose: tree",
        "choose: adaptive",
        "bytes of units",
        "bytes of tree",
    }
    assert all(0 <= one.best <= one.median for one in timings)
    assert all(one.best > 0 for one in timings if one.unit == "KB")


def test_storage_stands_beside_the_published_one_at_its_dimension() -> None:
    published = {
        (one.what, one.published)
        for one in measure_cost((24,), dimension=64, seed=0)
        if one.published is not None
    }
    assert published == {("bytes of units", 209.0), ("bytes of tree", 363.0)}


def test_the_command_writes_what_it_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = running.cost(running.Settings(out=tmp_path, seeds=(3,)), sizes=[24], dimension=8)
    report = json.loads(path.read_text(encoding="utf-8"))
    assert report["benchmark"] == "osu-cost"
    assert report["seed"] == 3
    shown = capsys.readouterr().out
    assert all(one["what"] in shown for one in report["timings"])
