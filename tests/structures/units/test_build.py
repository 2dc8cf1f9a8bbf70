from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.structures.units.build import build_units
from stepwell.structures.units.model import Annotation, UnitOptions, View
from support import units_reference as ref

NAMED = (View.ENTITY, View.TOOL, View.SUBGOAL)


def about(*entities: str, tools: tuple[str, ...] = (), subgoal: str | None = None) -> Annotation:
    return Annotation(entities=entities, tools=tools, subgoal=subgoal)


@given(ref.some_runs, ref.some_options)
def test_units_without_vectors_are_those_of_the_rules(
    annotations: list[Annotation], options: UnitOptions
) -> None:
    units = build_units(annotations, None, options)
    candidates = ref.named_candidates(annotations, options)
    assert ref.plain(units) == ref.pruned(candidates, [[0]] * len(annotations), options)
    assert units.centroids is None


@settings(deadline=None)  # the first call imports igraph
@given(st.lists(ref.some_annotations, max_size=40), ref.some_options, st.integers(0, 99))
def test_units_with_vectors_are_those_of_the_rules(
    annotations: list[Annotation], options: UnitOptions, seed: int
) -> None:
    vectors = ref.vectors_of(len(annotations), seed=seed)
    similar = [
        ref.Candidate(View.SIMILARITY, key, steps)
        for _, key, steps in ref.plain(
            build_units(
                [Annotation()] * len(annotations),
                vectors,
                UnitOptions(
                    views=tuple({View.SIMILARITY} & set(options.views)),
                    min_size=options.min_size,
                    max_size=options.max_size,
                    neighbours=options.neighbours,
                    min_cosine=options.min_cosine,
                ),
            )
        )
    ]
    candidates = [*ref.named_candidates(annotations, options), *similar]
    expected = [
        (view, f"similar:{steps[0]}" if view == View.SIMILARITY else key, steps)
        for view, key, steps in ref.pruned(candidates, ref.grid_rows(vectors, options), options)
    ]
    units = build_units(annotations, vectors, options)
    assert ref.plain(units) == expected
    assert units.centroids is not None
    for at in range(len(units)):
        mean = vectors[units.of(at)].mean(axis=0)
        length = np.linalg.norm(mean)
        want = mean / length if length > 1e-6 else units.centroids[at]
        assert np.allclose(units.centroids[at], want, atol=1e-4)


@pytest.mark.parametrize(("apart", "n_units"), [(60, 1), (61, 2)])
def test_a_group_is_cut_where_steps_are_more_than_the_gap_apart(apart: int, n_units: int) -> None:
    run = [about()] * (apart + 2)
    for step in (0, 1, apart, apart + 1) if apart > 60 else (0, apart):
        run[step] = about("r::x")
    run = run if apart == 60 else [*run[:2], about(), *run[2:]]
    assert len(build_units(run, None)) == n_units


def test_a_group_of_more_steps_than_a_unit_holds_is_chopped() -> None:
    units = build_units([about("r::x")] * 45, None)
    assert [len(units.of(at)) for at in range(len(units))] == [20, 20, 5]


def test_an_entity_that_most_steps_name_binds_nothing_when_asked() -> None:
    run = [about("r::all"), *[about("r::all", "r::few")] * 3, *[about("r::all")] * 8]
    units = build_units(run, None, UnitOptions(max_share=0.25))
    assert ref.plain(units) == [("entity", "r::few", [1, 2, 3])]


def test_disjoint_units_leave_steps_without_any() -> None:
    run = [about("r::x", tools=("r::t",)), about("r::x"), about(tools=("r::t",))]
    overlapping = build_units(run, None)
    disjoint = build_units(run, None, UnitOptions(max_memberships=1))
    assert ref.plain(overlapping) == [("entity", "r::x", [0, 1]), ("tool", "r::t", [0, 2])]
    assert ref.plain(disjoint) == [("entity", "r::x", [0, 1])]


def test_a_step_keeps_the_units_it_is_most_like() -> None:
    run = [about("r::a", "r::b"), about("r::a"), about("r::b")]
    vectors = np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32)
    options = UnitOptions(max_memberships=1, min_size=1, views=NAMED)
    assert ref.plain(build_units(run, vectors, options)) == [
        ("entity", "r::b", [0, 2]),
        ("entity", "r::a", [1]),
    ]


def test_nothing_gives_no_units() -> None:
    assert len(build_units([], None)) == 0
    assert len(build_units([], np.empty((0, 4), dtype=np.float32))) == 0
    assert len(build_units([about()], np.ones((1, 4), dtype=np.float32))) == 0


@pytest.mark.parametrize(
    "options",
    [
        UnitOptions(min_size=0),
        UnitOptions(max_size=1),
        UnitOptions(max_memberships=0),
        UnitOptions(gap=-1),
        UnitOptions(neighbours=0),
        UnitOptions(max_share=-0.1),
        UnitOptions(max_share=float("nan")),
        UnitOptions(gap=float("nan")),  # type: ignore[arg-type]
        UnitOptions(min_cosine=float("nan")),
        UnitOptions(views=("mood",)),  # type: ignore[arg-type]
    ],
)
def test_options_that_cannot_be_are_refused(options: UnitOptions) -> None:
    with pytest.raises(InvalidInputError, match=r"at least|from -?[01] to 1|There are entity"):
        build_units([], None, options)


@pytest.mark.parametrize(
    "vectors",
    [np.ones((1, 4)), np.ones(2), np.full((2, 4), np.nan), np.full((2, 4), np.inf)],
)
def test_vectors_that_do_not_fit_are_refused(vectors: np.ndarray) -> None:
    with pytest.raises(InvalidInputError):
        build_units([about(), about()], vectors.astype(np.float32))


def test_values_that_float32_cannot_hold_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="no number"):
        build_units([about(), about()], np.full((2, 4), 1e300))


def test_units_too_large_for_exact_sums_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="max_size"):
        build_units([about()], np.ones((1, 4), dtype=np.float32), UnitOptions(max_size=100_000))
