"""The product's own readers keep the rules for readers; each needs files in tests/data/<name>/."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepwell.formats.registry import OWN
from support.reader_conformance import ReaderConformance, Sample, samples

DATA = Path(__file__).resolve().parents[1] / "data"
SAMPLES = [
    sample for reader in OWN for sample in samples(reader, *sorted((DATA / reader.name).glob("*")))
]


@pytest.fixture(scope="module", params=SAMPLES, ids=str)
def sample(request: pytest.FixtureRequest) -> Sample:
    found: Sample = request.param
    return found


class TestOwnReaders(ReaderConformance):
    pass
