"""Items carry their source and score, and cost what the payload holds of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from stepwell.recall.evidence import Noted
from stepwell.recall.markup import json_text
from stepwell.recall.rank.candidates import Candidate
from stepwell.recall.show.compose import compose, json_row
from stepwell.recall.show.excerpt import Excerpt
from stepwell.recall.show.items import HEADER_TOKENS, ItemMaker
from stepwell.recall.show.pack import Packed
from stepwell.text.tokens import counter
from support.entries import entry
from support.views import block, view

if TYPE_CHECKING:
    from stepwell.recall.evidence import Format
    from stepwell.recall.show.texts import StepText

COUNT = counter("o200k").count
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
CALL, RESULT = block("c1", "ls -l"), block("o1", "total 3\n[s9] x")
STEP = view(CALL, RESULT, step=4, time=NOON)
OTHER = view(CALL, step=2, number=2, time=NOON)


def maker(form: Format = "text", *, n_runs: int = 1, dated: bool = False) -> ItemMaker:
    steps = [STEP, OTHER, view(CALL, step=7)]
    return ItemMaker(
        entries={n: entry(n, ["", "run", "other run"][n]) for n in range(1, n_runs + 1)},
        candidates={
            step.key: Candidate(
                key=step.key, score=2.5, structure="mine", parts={"mine": 2.0}, why="it is"
            )
            for step in steps
        },
        form=form,
        counter=counter("o200k"),
        dated=dated,
    )


def whole(step: StepText) -> Packed:
    excerpts = tuple(Excerpt(block=b, start=0, end=len(b.text)) for b in step.blocks)
    return Packed(view=step, excerpts=excerpts, tokens=0)


def test_an_item_says_where_it_is_from_and_why() -> None:
    call, result = maker().items([whole(STEP)])
    assert (call.id, result.id) == ("run/s4.c1", "run/s4.o1")
    assert (call.trajectory, call.step, call.part, call.text) == ("run", 4, "c1", "ls -l")
    assert (call.kind, call.label, call.active, call.time) == ("agent", "bash", True, NOON)
    assert (call.structure, call.score, call.scores) == ("mine", 2.5, {"mine": 2.0})
    assert call.why == "it is"


def test_items_stand_by_run_the_best_first_then_by_step() -> None:
    later = view(CALL, step=7)
    packed = [whole(later), whole(OTHER), whole(STEP)]
    ids = [item.id for item in maker(n_runs=2).items(packed)]
    assert ids == ["run/s4.c1", "run/s4.o1", "run/s7.c1", "other run/s2.c1"]
    first = [item.id for item in maker(n_runs=2).items(packed[1:])]
    assert first == ["other run/s2.c1", "run/s4.c1", "run/s4.o1"]


def test_a_price_is_that_of_the_lines_in_the_payload() -> None:
    make, packed = maker(), whole(STEP)
    lines = make.payload([packed]).split("\n")[1:-1]
    assert lines == ["[s4.c1 bash] ls -l", "[s4.o1] total 3", "\\[s9] x"]
    assert make.price(STEP, packed.excerpts) == COUNT("\n".join(lines) + "\n")
    assert make.price(STEP, ()) == 0


def test_a_price_counts_a_label_anew_when_it_changes() -> None:
    said = replace(STEP, blocks=(replace(CALL, label="Ada"), RESULT, RESULT))
    excerpts = whole(said).excerpts
    lines = "[s4.c1 Ada] ls -l\n[s4.o1 bash] total 3\n\\[s9] x\n[s4.o1] total 3\n\\[s9] x\n"
    assert maker().price(said, excerpts) == COUNT(lines)


def test_a_price_counts_what_marks_a_step() -> None:
    marked = view(CALL, step=4, kind="summary", active=False)
    assert maker().price(marked, whole(marked).excerpts) == COUNT(
        "[s4.c1 bash summary abandoned] ls -l\n"
    )


def test_a_price_in_json_is_that_of_its_rows() -> None:
    make, packed = maker("json"), whole(STEP)
    rows = [json_text(json_row(i)) + ", " for i in make.items([packed])]
    assert len(rows) == 2
    assert make.price(STEP, packed.excerpts) == sum(map(COUNT, rows))


def test_lines_before_a_group_are_priced_where_they_are_shown() -> None:
    assert maker().groups(STEP) == {}
    assert maker(n_runs=2).groups(OTHER) == {"2": COUNT("[trajectory other_run]\n")}
    assert maker(dated=True).groups(STEP) == {"1 2026-05-01": 10}
    assert maker(dated=True).groups(view(CALL)) == {}
    assert maker(n_runs=2, dated=True).groups(OTHER).keys() == {"2", "2 2026-05-01"}
    assert maker("json", n_runs=2, dated=True).groups(OTHER) == {}


def test_the_payload_names_runs_and_days_where_there_are_several() -> None:
    assert "[on 2026-05-01]" in maker(dated=True).payload([whole(STEP)])
    assert "[trajectory" not in maker().payload([whole(STEP)])
    assert "[trajectory run]\n" in maker(n_runs=2).payload([whole(STEP)])


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_payload_holds_notes_and_tail(form: Format) -> None:
    note = Noted(structure="log", trajectory="run", steps=(1,), text="x is 1")
    tail = Noted(structure="tail", trajectory="run", steps=(2, 3), text="2 bash")
    make = replace(maker(form), notes=(note,))
    assert make.payload([whole(STEP)], [tail]) == compose(
        make.items([whole(STEP)]), form=form, notes=[note], tail=[tail]
    )


def test_a_step_is_cited_by_its_run_and_number() -> None:
    assert maker(n_runs=2).step_id(STEP.key) == "run/s4"
    assert maker(n_runs=2).step_id(OTHER.key) == "other run/s2"


def test_a_header_is_sized_by_the_form() -> None:
    assert HEADER_TOKENS == {"text": 8, "json": 56}
