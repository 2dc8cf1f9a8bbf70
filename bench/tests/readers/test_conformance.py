"""The readers of data sets keep the rules for readers; each needs files in tests/data/<name>/."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from stepwell.formats.registry import GROUP, readers
from support.reader_conformance import ReaderConformance, Sample, samples

DATA = Path(__file__).resolve().parents[1] / "data"
NAMES = {point.name for point in entry_points(group=GROUP) if "stepwell_bench" in point.value}
SAMPLES = [
    sample
    for reader in readers()
    if reader.name in NAMES
    for sample in samples(reader, *sorted((DATA / reader.name).glob("*")))
]


@pytest.fixture(scope="module", params=SAMPLES, ids=str)
def sample(request: pytest.FixtureRequest) -> Sample:
    found: Sample = request.param
    return found


def test_every_data_set_has_a_sample() -> None:
    assert {sample.reader.name for sample in SAMPLES} == {
        "ama-bench",
        "locomo",
        "longmemeval",
        "tau-bench",
        "tau2",
        "toolbench",
    }


class TestDataSetReaders(ReaderConformance):
    pass
