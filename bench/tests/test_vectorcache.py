from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import StoreError
from stepwell_bench.vectorcache import CachedEncoder
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_text_is_encoded_once_over_all_runs(tmp_path: Path) -> None:
    inner = HashEncoder()
    first = CachedEncoder(inner, tmp_path / "deep" / "vectors.sqlite")
    texts = ["ls", "cat", "ls", ""]
    assert np.array_equal(first.encode(texts), inner.encode(texts))
    assert first.n_encoded == 3
    first.close()
    second = CachedEncoder(inner, tmp_path / "deep" / "vectors.sqlite")
    assert np.array_equal(second.encode(["cat", "pwd"]), inner.encode(["cat", "pwd"]))
    assert second.n_encoded == 1
    assert second.encode([]).shape == (0, inner.dimension)
    second.close()


def test_encoders_do_not_share_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    small = CachedEncoder(HashEncoder(), path)
    small.encode(["ls"])
    small.close()
    wide = CachedEncoder(HashEncoder(encoder_id="wide", dimension=64), path)
    assert wide.encode(["ls"]).shape == (1, 64)
    assert (wide.encoder_id, wide.n_encoded) == ("wide", 1)
    wide.close()


def test_a_file_that_is_no_cache_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite").write_text("no database at all " * 100)
    with pytest.raises(StoreError, match="--cache"):
        CachedEncoder(HashEncoder(), tmp_path / "vectors.sqlite").encode(["ls"])
