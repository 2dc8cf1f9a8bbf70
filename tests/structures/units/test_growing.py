from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.structures.units.build import build_units
from stepwell.structures.units.growing import Growing
from stepwell.structures.units.model import Annotation, UnitOptions
from support import units_reference as ref


@settings(deadline=None)  # the first call imports igraph
@given(
    st.lists(ref.some_annotations, max_size=60),
    ref.some_options,
    st.none() | st.integers(0, 99),
    st.lists(st.integers(1, 20)),
    st.integers(1, 5),
)
def test_any_appends_give_what_building_at_once_gives(
    annotations: list[Annotation],
    options: UnitOptions,
    seed: int | None,
    sizes: list[int],
    read_every: int,
) -> None:
    vectors = None if seed is None else ref.vectors_of(len(annotations), seed=seed)
    growing = Growing(options)
    sizes = [*sizes, *[1] * len(annotations)]
    first = 0
    for turn, size in enumerate(sizes):
        last = min(first + size, len(annotations))
        growing.extend(annotations[first:last], None if vectors is None else vectors[first:last])
        first = last
        if turn % read_every == 0:
            so_far = None if vectors is None else vectors[:first]
            ref.assert_equal(growing.units(), build_units(annotations[:first], so_far, options))
        if first == len(annotations):
            break


def test_a_long_run_grows_to_what_it_is_built_as() -> None:
    n = 600
    rng = np.random.default_rng(5)
    annotations = [
        Annotation(entities=tuple(f"r::{e}" for e in rng.zipf(1.5, size=6) if e < 200))
        for _ in range(n)
    ]
    vectors = ref.vectors_of(n, seed=5, dimension=64, topics=60)
    growing = Growing()
    for step, annotation in enumerate(annotations):
        growing.append(annotation, vectors[step])
        if step % 37 == 0:
            growing.units()
    ref.assert_equal(growing.units(), build_units(annotations, vectors))


def test_a_vector_for_some_steps_only_is_refused() -> None:
    growing = Growing()
    growing.append(Annotation(), np.ones(3, dtype=np.float32))
    with pytest.raises(InvalidInputError, match="one vector for each step"):
        growing.append(Annotation())
    with pytest.raises(InvalidInputError, match="do not fit"):
        growing.append(Annotation(), np.ones(4, dtype=np.float32))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(ref.some_annotations, max_size=12), st.integers(0, 12), st.booleans()),
        max_size=8,
    ),
    ref.some_options,
    st.none() | st.integers(0, 99),
)
def test_steps_taken_back_leave_no_trace(
    turns: list[tuple[list[Annotation], int, bool]], options: UnitOptions, seed: int | None
) -> None:
    growing = Growing(options)
    kept: list[Annotation] = []
    vectors = ref.vectors_of(0, seed=0)
    for turn, (added, n_back, reads) in enumerate(turns):
        fresh = ref.vectors_of(len(added), seed=(seed or 0) * 100 + turn)
        growing.extend(added, None if seed is None else fresh)
        if reads:
            growing.units()
        n = max(0, growing.n - n_back)
        growing.cut(n)
        kept = [*kept, *added][:n]
        vectors = np.concatenate([vectors, fresh])[:n]
        assert growing.n == n
    built = build_units(kept, None if seed is None else vectors, options)
    assert len(growing.units()) == len(built)
    if growing.n:
        ref.assert_equal(growing.units(), built)
