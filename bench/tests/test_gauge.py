from __future__ import annotations

import pytest

from stepwell.text.tokens import counter
from stepwell_bench.baselines import page_of
from stepwell_bench.cutting import Cutting
from stepwell_bench.datasets import Question
from stepwell_bench.gauge import COVERED, Gauge, gauge_of
from stepwell_bench.scoring import Outcome, Shown, outcome
from stepwell_bench.support import read
from support.trajectories import said

TOKENS = counter("o200k")
TEXTS = ["The key is SN177.", "word " * 400, "It lies in the cellar.", "", "SN177 again."]


def gauge(*gold: int, text: str = "Where?", answer: str = "SN177 in the cellar") -> Gauge:
    question = Question(
        id="q", text=text, bare=text, answer=answer, gold=gold, literals=(), domain="d", kind="A"
    )
    pages = [page_of(said(index, text)).text for index, text in enumerate(TEXTS)]
    return gauge_of(question, steps=[read(page) for page in pages], texts=pages, counter=TOKENS)


def measured(by: Gauge, shown: Shown) -> Outcome:
    question = Question(
        id="q", text="?", bare="?", answer="", gold=(0,), literals=(), domain="d", kind="A"
    )
    found = outcome(question, shown, episode="e", mode="stripped", budget=99, method="stepwell")
    return by.measured(found, shown)


def shown(quoted: dict[int, str], **fields: object) -> Shown:
    text = "\n".join(quoted.values())
    given = {"steps": frozenset(quoted), "text": text, "tokens": 9, "quoted": quoted}
    return Shown(**(given | fields))  # type: ignore[arg-type]  # the values fit their fields


def test_support_counts_anywhere_and_grounded_support_in_gold_steps_alone() -> None:
    by = gauge(0, 2)
    elsewhere = measured(by, shown({4: "SN177 again.", 2: "the cellar"}))
    assert elsewhere.support == pytest.approx(1)
    assert 0 < (elsewhere.grounded or 0) < 1
    both = measured(by, shown({0: "SN177", 2: "the cellar"}))
    assert both.grounded == pytest.approx(1)


def test_the_tail_is_a_part_of_the_payload_and_grounds_nothing() -> None:
    found = measured(gauge(0), shown({}, tail="SN177, cellar"))
    assert found.support == pytest.approx(1)
    assert found.grounded == 0


@pytest.mark.parametrize(("steps", "grounded"), [({0, 4}, True), ({4}, False)])
def test_a_line_derived_of_a_gold_step_grounds_what_it_says(
    steps: set[int], *, grounded: bool
) -> None:
    line = "SN177 is in the cellar"
    found = measured(gauge(0), shown({}, text=line, notes=((frozenset(steps), line),)))
    assert found.support == pytest.approx(1)
    assert found.grounded == pytest.approx(int(grounded))


def test_coverage_asks_for_a_part_of_a_long_step_and_for_all_of_a_short_one() -> None:
    size = TOKENS.count(TEXTS[0])
    assert gauge(0, 1, 3).sizes == {0: size, 1: COVERED}  # a step without text is left out
    half = measured(gauge(0, 1), shown({1: "word " * (COVERED // 2)}))
    assert half.coverage == pytest.approx(0.25, abs=0.01)
    more = measured(gauge(0, 1), shown({0: TEXTS[0], 1: "word " * 399}))
    assert more.coverage == 1
    assert measured(gauge(3), shown({})).coverage is None


def test_the_share_of_the_run_and_the_cuts_are_those_of_the_payload() -> None:
    cuts = Cutting(excerpts=2, cuts=1)
    found = measured(gauge(0), shown({0: "x", 4: "y"}, cutting=cuts))
    assert (found.spread, found.cutting) == (2 / 5, cuts)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What at steps 0 and 2?", True),
        ("What between step 0 and step 3?", True),
        ("What at step 2?", False),
        ("?", False),
    ],
)
def test_a_question_names_its_gold_steps_only_if_it_names_all(text: str, *, names: bool) -> None:
    assert gauge(0, 2, text=text).names_gold == names
