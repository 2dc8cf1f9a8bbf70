from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from stepwell.encode.adapt import MAX_CHARS, model_texts, required, unit_rows
from stepwell.errors import ModelUnavailableError

rows = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
)


@given(rows)
def test_rows_become_unit_length(matrix: np.ndarray) -> None:
    length = np.linalg.norm(unit_rows(matrix), axis=1)
    assert length == pytest.approx(matrix.any(axis=1).astype(float), abs=1e-5)


def test_no_rows_stay_no_rows() -> None:
    assert unit_rows(np.zeros((0, 7))).shape == (0, 7)


@given(st.lists(st.text(st.characters(codec=None, exclude_categories=()))))
def test_texts_for_a_model_are_valid_and_not_empty(texts: list[str]) -> None:
    ready = model_texts(texts)
    assert len(ready) == len(texts)
    assert all(text and text.encode() for text in ready)


def test_long_text_is_cut() -> None:
    assert len(model_texts(["a" * 10**6])[0]) == MAX_CHARS


def test_missing_library_names_the_extra() -> None:
    with pytest.raises(ModelUnavailableError, match=r"pip install 'stepwell\[toys\]'"):
        required("no_such_library", extra="toys")
