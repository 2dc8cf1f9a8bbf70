from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest
from rich.console import Console

from samples.small import ama_folder, locomo_folder
from stepwell.recall.evidence import Evidence, Item
from stepwell.recall.show.compose import compose
from stepwell_bench.absence import (
    AbsencePlan,
    AbsenceReport,
    Point,
    Reply,
    curve,
    run_absence,
    says_nothing,
)
from stepwell_bench.absurd import ABSURD
from stepwell_bench.results import save
from stepwell_bench.showabsence import show_absence

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell_bench.datasets import Dataset

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def run(dataset: Dataset, data: Path, *, others: int = 2) -> tuple[AbsenceReport, list[Reply]]:
    plan = AbsencePlan(
        dataset=dataset, data=data, cache=data.parent / "cache", others=others, draws=20
    )
    return run_absence(plan, encoder=None, now=NOW)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[AbsenceReport, list[Reply]]:
    return run("ama-bench", ama_folder(tmp_path_factory.mktemp("absence") / "ama"))


def test_there_are_thirty_made_up_questions_none_twice() -> None:
    assert len(set(ABSURD)) == len(ABSURD) == 30


def test_each_run_is_asked_its_own_questions_made_up_ones_and_those_of_others(
    tmp_path: Path,
) -> None:
    _, replies = run("locomo", locomo_folder(tmp_path / "talks"))
    assert Counter(reply.group for reply in replies) == {"answerable": 2, "absurd": 30}


def test_no_question_of_another_run_is_one_of_its_own(
    found: tuple[AbsenceReport, list[Reply]],
) -> None:
    # The two small runs are asked the same, so nothing is left of the other's.
    counts = Counter(reply.group for reply in found[1])
    assert counts == {"answerable": 4, "absurd": 60}


def test_questions_that_words_of_the_run_answer_are_not_refused(
    found: tuple[AbsenceReport, list[Reply]],
) -> None:
    report, replies = found
    garage = [reply for reply in replies if "the floor of the garage" in reply.text]
    assert [reply.refused for reply in garage] == [False, False]
    assert all(reply.tokens <= report.budget for reply in replies)


def test_a_payload_that_says_so_is_told_from_one_that_quotes_the_words() -> None:
    quoted = Item(
        id="run/s0.m",
        trajectory="run",
        step=0,
        part="m",
        text="Nothing in memory, said the user.",
        kind="user",
        label="user",
        structure="episodic",
        score=1.0,
        scores={},
        why="matches",
    )

    def evidence(text: str, *items: Item) -> Evidence:
        return Evidence(
            query="?",
            text=text,
            tokens=9,
            budget=800,
            tokenizer="o200k",
            format="text",
            items=items,
        )

    assert says_nothing(evidence(compose([], form="text")))
    assert not says_nothing(evidence(compose([quoted], form="text"), quoted))
    assert not says_nothing(evidence("[s0-s3 tail] 4 user: hello"))


def reply(group: str, support: float | None) -> Reply:
    return Reply(
        text="?", episode="e", group=group, told=False, refused=False, support=support, tokens=9
    )


def test_the_curve_takes_the_highest_floor_that_refuses_no_more_than_allowed() -> None:
    replies = [reply("answerable", number / 200) for number in range(200)]
    replies += [reply("absurd", 0.004), reply("absurd", 0.005), reply("adversarial", 0.9)]
    points = {point.false_nothing: point for point in curve(replies)}
    assert min(points) == 0
    assert points[0.0].threshold == 0
    assert points[0.0].false_something == {"absurd": 1.0, "adversarial": 1.0}
    one = points[0.005]
    assert (one.threshold, one.false_something["absurd"]) == (0.005, 0.5)
    assert points[0.01].false_something == {"absurd": 0.0, "adversarial": 1.0}
    assert points[0.5].threshold == 0.5


def test_equal_support_is_refused_together_or_not_at_all() -> None:
    replies = [reply("answerable", 0.5)] * 10 + [reply("absurd", 0.5)]
    (point,) = curve(replies)
    assert (point.threshold, point.false_nothing, point.false_something) == (
        0.5,
        0.0,
        {"absurd": 1.0},
    )


def test_without_answerable_questions_there_is_no_curve() -> None:
    assert curve([reply("absurd", 0.5)]) == ()
    assert curve([reply("answerable", None), reply("absurd", None)]) == ()


def test_the_result_file_is_the_report_and_the_tables_show_it(
    found: tuple[AbsenceReport, list[Reply]], tmp_path: Path
) -> None:
    path = save(found[0], tmp_path, name="absence", now=NOW, at="")
    assert msgspec.json.decode(path.read_bytes(), type=AbsenceReport) == found[0]
    out = io.StringIO()
    show_absence(found[0], Console(file=out, width=150))
    for words in ("answerable", "absurd", "vectors are off"):
        assert words in out.getvalue()
    point = Point(threshold=0.25, false_nothing=0.02, false_something={"absurd": 0.4})
    show_absence(replace(found[0], curve=(point,)), Console(file=out, width=150))
    shown = " ".join(out.getvalue().split())
    for words in ("0.250", "2.0%", "40.0%"):
        assert words in shown
