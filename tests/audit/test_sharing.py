"""What steps share: cells as OSU-Mem counts them, common names apart, runs never mixed."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.audit.model import SharingOptions
from stepwell.audit.sharing import Common, binding_of, common_names, sharing_of, tool_family
from stepwell.errors import InvalidInputError
from stepwell.structures.units.marks import PLAIN
from stepwell.structures.units.model import Annotation
from stepwell.trajectory.model import Call, Step
from stepwell.trajectory.questions import Question
from support.trajectories import said, trajectory

NOBODY = Common()


def calling(index: int, name: str, **args: Any) -> Step:
    uid = f"c{index}"
    call = Call(uid=uid, name=name, args=args)
    return Step(index=index, uid=f"u{index}", kind="agent", actor="agent", calls=(call,))


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize(
    ("tools", "entities", "cell"),
    [
        ((("t",), ("t",)), (("e",), ("e",)), "T+E+"),
        ((("t",), ("t",)), (("e",), ("f",)), "T+E-"),
        ((("t",), ("u",)), (("e",), ("e", "f")), "T-E+"),
        (((), ()), ((), ()), "T-E-"),
    ],
)
def test_the_cell_is_what_a_pair_shares(
    tools: tuple[tuple[str, ...], ...], entities: tuple[tuple[str, ...], ...], cell: str
) -> None:
    run = [Annotation(tools=t, entities=e) for t, e in zip(tools, entities, strict=True)]
    assert binding_of(run, (0, 1), common=NOBODY).cell == cell


names = st.lists(st.sampled_from("abcd"), max_size=2, unique=True).map(tuple)
runs = st.lists(st.builds(Annotation, entities=names, tools=names), min_size=2, max_size=5)


@given(runs)
def test_a_set_is_bound_when_some_pair_of_it_is(run: list[Annotation]) -> None:
    whole = binding_of(run, range(len(run)), common=NOBODY)
    pairs = [binding_of(run, pair, common=NOBODY) for pair in combinations(range(len(run)), 2)]
    assert whole.tools == any(pair.tools for pair in pairs)
    assert whole.entities == any(pair.entities for pair in pairs)
    assert whole.is_any == (whole.cell != "T-E-")


@given(runs)
def test_common_names_can_only_unbind(run: list[Annotation]) -> None:
    found = binding_of(run, range(len(run)), common=Common(tools={"a": 9}, entities={"b": 9}))
    assert found.is_any or not found.is_uncommon
    plain = binding_of(run, range(len(run)), common=NOBODY)
    assert plain.is_any == plain.is_uncommon == found.is_any


def test_a_name_is_common_in_more_than_a_quarter_and_more_than_three() -> None:
    assert common_names([("a",), ("a",), ("a", "a")]) == {}
    assert common_names([("a",)] * 5 + [()] * 15) == {}
    assert common_names([("a",)] * 6 + [()] * 14) == {"a": 6}


def test_generic_values_bind_nothing_within_a_run_when_every_step_has_them() -> None:
    steps = [calling(n, f"tool{n}", flag="true", id=1, path=f"/srv/{n}/x.log") for n in range(12)]
    run = sharing_of(trajectory(steps), rng=rng(), options=SharingOptions(annotate=PLAIN))
    assert all(one.binding.entities for one in run.sets)
    assert not any(one.binding.is_uncommon for one in run.sets)
    assert dict(run.common) == {"true": 12, "1": 12}


def test_questions_get_the_binding_of_their_own_steps() -> None:
    steps = [said(0, "hello"), *(calling(n, "get", order=f"A-{n % 3}") for n in range(1, 9))]
    asked = (Question(text="A-1?", steps=(1, 4)), Question(text="?", steps=(0, 1)))
    run = sharing_of(trajectory(steps), rng=rng(), questions=asked)
    cells = [one.binding.cell for one in run.sets if one.origin == "question"]
    assert cells == ["T+E+", "T-E-"]


def test_one_unit_a_step_evicts_what_five_keep() -> None:
    steps = [calling(n, "get", order=f"A-{n // 2}", item=f"I-{n % 5}") for n in range(20)]
    held = sharing_of(trajectory(steps), rng=rng()).memberships
    assert (held.overlap >= held.disjoint).all()
    assert (held.disjoint <= 1).all()
    assert held.is_bindable.all()


def test_an_empty_run_is_no_error() -> None:
    run = sharing_of(trajectory([]), rng=rng())
    assert (len(run), run.sets, run.tokens, run.common) == (0, (), 0, ())


def test_the_same_seed_gives_the_same_sets() -> None:
    steps = [calling(n, "get", order=f"A-{n % 7}") for n in range(30)]
    first, second = (sharing_of(trajectory(steps), rng=rng()).sets for _ in range(2))
    assert first == second


def test_mcp_tools_belong_to_their_server() -> None:
    assert tool_family("mcp__files__read") == "mcp__files"
    assert tool_family("mcp__files") == "mcp__files"
    assert tool_family("read__file") == "read__file"


@pytest.mark.parametrize("given_", [{"set_size": 1}, {"anchors": 0}, {"budget": 0}])
def test_options_that_cannot_be_are_refused(given_: dict[str, int]) -> None:
    with pytest.raises(InvalidInputError):
        SharingOptions(**given_)  # type: ignore[arg-type]
