"""Each detector finds its own sample, alone, and leaves what resembles it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.text.credentials.base import sample
from stepwell.text.redact import DETECTORS, Redactor, redact

if TYPE_CHECKING:
    from stepwell.text.credentials.base import Detector


def alone(detector: Detector) -> Redactor:
    return Redactor(
        starts={literal: [detector] for literal in detector.starts},
        heads={head: [detector] for head in detector.heads},
        within={detector.within: [detector]} if detector.within else {},
        version="",
    )


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda one: one.name)
def test_a_detector_finds_its_sample_and_leaves_the_other(detector: Detector) -> None:
    told, n = alone(detector)(detector.hit)
    assert n == 1
    assert f"[redacted:{detector.kind}]" in told
    assert alone(detector)(detector.miss) == (detector.miss, 0)
    assert redact(detector.miss) == (detector.miss, 0)
    assert redact(detector.hit)[1] == 1


def test_names_are_unique_and_each_is_found_in_one_way() -> None:
    names = [one.name for one in DETECTORS]
    assert len(names) == len(set(names))
    for one in DETECTORS:
        assert [bool(one.starts), bool(one.heads), bool(one.within)].count(True) == 1
        assert all(literal == literal.lower() for literal in one.starts)


def test_samples_are_held_in_pieces() -> None:
    assert sample("gh\u00a6p_") == "gh" + "p_"
