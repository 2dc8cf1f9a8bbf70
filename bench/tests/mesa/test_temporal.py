"""Generated worlds: what is asked can be known, and lines count as exact only when they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepwell.structures.base import Note
from stepwell_bench.mesa.dialects import DIALECTS, Deed, Dialect, View
from stepwell_bench.mesa.firstcontact import FIRST_CONTACT
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


@pytest.mark.parametrize("dialect", [*DIALECTS, *FIRST_CONTACT], ids=lambda one: one.name)
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


@pytest.mark.parametrize("dialect", [*DIALECTS, *FIRST_CONTACT], ids=lambda one: one.name)
def test_a_dialect_tells_every_deed_apart_and_names_as_they_stand(dialect: Dialect) -> None:
    deeds = [
        Deed(kind="go", thing="Regal 2"),
        *(Deed(kind=kind, thing="鍵 1", place="Regal 2") for kind in ("take", "put")),
        *(Deed(kind=kind, thing="ящик 3") for kind in ("open", "close", "examine")),
        *(Deed(kind=kind) for kind in ("look", "inventory", "help")),
    ]
    texts = [dialect.action(deed) for deed in deeds]
    assert len(set(texts)) == len(texts)
    assert all(deed.thing in text for deed, text in zip(deeds, texts, strict=True))
    assert texts[1] == dialect.action(replace(deeds[1], works=False))
    view = View(here="Regal 2", carried=("鍵 1",), seen=("本 4",), is_open=None, score=5, left=9)
    for deed in deeds:
        works, fails = (
            dialect.observation(replace(deed, works=is_so), view) for is_so in (True, False)
        )
        assert works != fails or deed.kind not in {"take", "put", "open", "close"}
        if deed.kind in dialect.shows:
            assert "本 4" in works
        if dialect.has_score:
            assert "score" in works
            assert "score" in fails


def test_dialects_are_named_apart() -> None:
    names = [dialect.name for dialect in (*DIALECTS, *FIRST_CONTACT)]
    assert len(set(names)) == len(names)


def test_a_dialect_of_first_contact_is_reported_by_itself_and_changes_no_other_figure() -> None:
    mute = replace(DIALECTS[0], name="mute", observation=lambda *_: "…", shows=frozenset())
    alone, beside = (
        run_temporal(seed=2, n=20, unseen=()),
        run_temporal(seed=2, n=20, unseen=(mute,)),
    )
    assert alone.first_contact is None
    assert beside.overall == alone.overall
    assert beside.first_contact == beside.by_dialect["mute"]
    assert beside.first_contact.recall.n_values >= 20


def test_a_line_that_is_no_answer_counts_for_recall_alone() -> None:
    report = run_temporal(seed=4, n=30, unseen=())
    for row in report.rows:
        assert row.is_exact or not row.is_right
        assert row.is_answered or not row.is_right
    answered = [row for row in report.rows if row.is_answered]
    assert report.overall.coverage.mean == len(answered) / len(report.rows)
    assert report.overall.precision is not None
    assert report.overall.precision.n_values == len(answered)


def test_worlds_differ_and_ask_all_kinds() -> None:
    rng = np.random.default_rng(0)
    worlds = generate_worlds(rng, n=2 * len(DIALECTS), first=7)
    assert len({world.name for world in worlds}) == len(worlds)
    asked = [question for world in worlds for question in ask_world(rng, world)]
    assert {one.kind for one in asked} == set(KINDS)
    assert len(asked) >= 200
    assert all(one.answer for one in asked)


def test_answers_are_computed_exactly() -> None:
    report = run_temporal(seed=4, n=200, unseen=())
    assert len(report.rows) >= 200
    assert report.overall.recall.mean >= 0.95
    assert set(report.by_dialect) == {dialect.name for dialect in DIALECTS}
    assert report.by_kind["frequencies"].recall.mean == 1.0
