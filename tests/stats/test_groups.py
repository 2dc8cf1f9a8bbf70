"""Labels as numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepwell.stats.groups import codes_of


def test_nothing_has_no_codes() -> None:
    codes, labels = codes_of([])
    assert codes.tolist() == []
    assert labels == ()


def test_labels_of_any_kind_are_numbered_as_they_appear() -> None:
    codes, labels = codes_of(["b", None, ("b", 1), "b", None])
    assert codes.tolist() == [0, 1, 2, 0, 1]
    assert labels == ("b", None, ("b", 1))
    assert codes.dtype == "int64"


@given(st.lists(st.integers(0, 5), max_size=30))
def test_a_code_leads_back_to_its_label(values: list[int]) -> None:
    codes, labels = codes_of(values)
    assert [labels[code] for code in codes] == values
    assert len(set(labels)) == len(labels)
