"""Generated worlds: what is asked can be known, and lines count as exact only when they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepwell.structures.base import Note
from stepwell_bench.mesa.dialects import DIALECTS
from stepwell_bench.mesa.temporal import lines_of, run_temporal
from stepwell_bench.mesa.worldquestions import KINDS, Needed, WorldQuestion, ask_world, exact
from stepwell_bench.mesa.worlds import generate_world, generate_worlds


def question(*answer: Needed) -> WorldQuestion:
    return WorldQuestion(trajectory_id="w", text="?", kind="count", answer=answer)


def test_every_part_of_an_answer_has_to_stand_with_its_step() -> None:
    wanted = question(
        Needed(literals=("mug 1", "shelf 2"), step=4),
        Needed(literals=("mug 1", "inventory"), step=2),
    )
    lines = ["[s2] mug 1: shelf 3 -> inventory", "[s4] mug 1: inventory -> shelf 2"]
    assert exact(lines, wanted)
    assert not exact(lines[:1], wanted)
    assert not exact([line.replace("s4", "s41") for line in lines], wanted)
    assert not exact([line.replace("mug 1", "mug 12") for line in lines], wanted)


def test_another_number_for_the_same_thing_is_no_exact_count() -> None:
    wanted = question(Needed(literals=("open drawer 1",), count=3))
    assert exact(["[s1] open drawer 1: 3 times (s1, s2, s3)"], wanted)
    assert exact(["[s1] 'look' x9 (s4), 'open drawer 1' x3 (s1)"], wanted)
    assert not exact(["[s1] open drawer 1: 4 times"], wanted)
    assert not exact(["[s1] open drawer 1: 3 times", "[s1] open drawer 1: 4 times"], wanted)
    assert not exact(["[s1] open drawer 1"], wanted)
    assert exact(["[s9] open drawer 1: never"], question(replace(wanted.answer[0], count=0)))


def test_lines_name_their_steps_and_keep_to_a_budget() -> None:
    notes = [Note(number=1, text=f"line {n}", steps=(n, n + 1)) for n in range(50)]
    assert lines_of(notes, budget=1_000)[0] == "[s0, s1] line 0"
    assert len(lines_of(notes, budget=40)) < 10


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda one: one.name)
def test_a_world_is_the_same_for_the_same_seed_and_holds_together(dialect) -> None:  # type: ignore[no-untyped-def]
    one, other = (
        generate_world(np.random.default_rng(3), dialect=dialect, name="w", n=80) for _ in range(2)
    )
    assert one.trajectory() == other.trajectory()
    assert [step.index for step in one.trajectory().steps] == list(range(80))
    for thing, moves in one.moved.items():
        assert moves[-1][1] == one.at[thing]
        assert [step for step, _ in moves] == sorted({step for step, _ in moves})
    assert any(not event.deed.works for event in one.events)


def test_worlds_differ_and_ask_all_kinds() -> None:
    rng = np.random.default_rng(0)
    worlds = generate_worlds(rng, n=2 * len(DIALECTS), first=7)
    assert len({world.name for world in worlds}) == len(worlds)
    asked = [question for world in worlds for question in ask_world(rng, world)]
    assert {one.kind for one in asked} == set(KINDS)
    assert len(asked) >= 200
    assert all(one.answer for one in asked)


def test_answers_are_computed_exactly() -> None:
    report = run_temporal(seed=4, n=200)
    assert len(report.rows) >= 200
    assert report.overall.mean >= 0.95
    assert set(report.by_dialect) == {dialect.name for dialect in DIALECTS}
    assert report.by_kind["frequencies"].mean == 1.0
