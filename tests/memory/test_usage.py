"""What an audit counts, from accesses written down by hand: every count is known beforehand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory.usage import LEAST_RECALLS, Logged, UsageOptions, audit_usage
from stepwell.store.read import Entry
from stepwell.store.recalls import Recalled
from stepwell.store.usage import FATES, Fate, Usage

if TYPE_CHECKING:
    from stepwell.memory.usage import Counted, Item

Names = dict[int, tuple[tuple[str, ...], ...]]

Row = tuple[int, int, int, Fate]
"""Place of the recall, trajectory, step and fate."""

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def usage(rows: list[Row], *, recalls: int = LEAST_RECALLS) -> Usage:
    columns = np.array([(*row[:3], FATES.index(row[3])) for row in rows], dtype=np.int64)
    recall, number, step, fate = columns.reshape(-1, 4).T
    ones = np.ones_like(recall)
    return Usage(
        recalls=tuple(f"q{n}" for n in range(recalls)),
        structures=("episodic",),
        recall=recall,
        number=number,
        step=step,
        rank=ones,
        fate=fate,
        structure=0 * ones,
        tokens=ones,
    )


def entry(number: int, name: str, n_steps: int) -> Entry:
    return Entry(
        number=number,
        trajectory_id=name,
        user_id="",
        agent_id="",
        run_id="",
        session_id=name,
        parent_id=None,
        source_format="live",
        source_uri="live",
        title="",
        n_steps=n_steps,
        n_passages=n_steps,
        added_at=NOW,
    )


def recalled(id_: str, reward: float | None) -> Recalled:
    return Recalled(
        id=id_,
        asked_at=NOW,
        question="q",
        context=b"{}",
        policy="",
        structures=(),
        chance=1.0,
        budget=9,
        tokens=9,
        trajectories=(),
        reward=reward,
    )


# Trajectory 5 comes before 2: the order is that of adding, and numbers are not places.
RUNS = (entry(5, "a", 3), entry(2, "b", 4))
ROWS: list[Row] = [
    *[(n, 5, 0, "quoted") for n in range(LEAST_RECALLS)],
    (0, 5, 2, "quoted"),
    (1, 2, 0, "quoted"),
    (1, 2, 3, "cut"),
    (2, 2, 3, "cut"),
    (2, 5, 2, "told"),
]


def logged(rows: list[Row] = ROWS, *, recalls: int = LEAST_RECALLS) -> Logged:
    return Logged(entries=RUNS, usage=usage(rows, recalls=recalls), recalls={}, entities={})


def counted(item: Item, what: Counted, *, of: Logged | None = None) -> tuple[int, int, int, int]:
    """Return all items, the unused and the used ones, and the accesses to these."""
    options = UsageOptions(item=item, counted=what, n_draws=5)
    report = audit_usage(of or logged(), options)
    found = report.tails
    used = found.concentration
    return report.n_items, found.n_unused, used.n_items, used.n_accesses


@pytest.mark.parametrize(
    ("item", "what", "expected"),
    [
        ("step", "quoted", (7, 4, 3, 22)),
        ("step", "considered", (7, 3, 4, 24)),
        ("step", "told", (7, 6, 1, 1)),
        ("trajectory", "quoted", (2, 0, 2, 21)),
        ("trajectory", "considered", (2, 0, 2, 22)),
        ("trajectory", "told", (2, 1, 1, 1)),
    ],
)
def test_items_and_accesses_are_counted(
    item: Item, what: Counted, expected: tuple[int, int, int, int]
) -> None:
    assert counted(item, what) == expected


def test_a_name_counts_once_for_each_recall_whatever_the_run_that_bears_it() -> None:
    names: Names = {5: (("pump", "pump"), (), ("valve",)), 2: (("pump",), (), (), ("rare",))}
    of = replace(logged(), entities=names)
    assert counted("entity", "quoted", of=of) == (3, 1, 2, LEAST_RECALLS + 1)
    assert counted("entity", "considered", of=of) == (3, 0, 3, LEAST_RECALLS + 3)


def test_one_recall_too_few_is_refused_and_says_how_many_there_are() -> None:
    rows: list[Row] = [(n, 5, 0, "quoted") for n in range(LEAST_RECALLS - 1)]
    with pytest.raises(NotFoundError, match=f"^{LEAST_RECALLS - 1} recalls"):
        audit_usage(logged(rows, recalls=LEAST_RECALLS - 1), UsageOptions(n_draws=5))


def test_no_recalls_at_all_are_refused() -> None:
    with pytest.raises(NotFoundError, match=r"^No recalls"):
        audit_usage(logged([], recalls=0), UsageOptions(n_draws=5))


def test_only_the_last_recalls_are_counted() -> None:
    rows: list[Row] = [(n, 5, 0 if n < 10 else 1, "quoted") for n in range(30)]
    of = logged(rows, recalls=30)
    report = audit_usage(of, UsageOptions(last=20, n_draws=5))
    assert (report.n_recalls, report.tails.concentration.n_accesses) == (20, 20)
    assert [(hot.id, hot.recalls) for hot in report.hot] == [("a/s1", 1.0)]
    more = audit_usage(of, UsageOptions(last=21, n_draws=5))
    assert more.tails.concentration.n_items == 2
    assert audit_usage(of, UsageOptions(last=31, n_draws=5)).n_recalls == 30


def test_too_few_of_the_last_are_refused() -> None:
    with pytest.raises(NotFoundError):
        audit_usage(logged(), UsageOptions(last=LEAST_RECALLS - 1, n_draws=5))


def test_rewards_are_those_of_the_recalls_that_may_be_seen() -> None:
    known = {"q0": recalled("q0", 0.0), "q1": recalled("q1", None), "q2": recalled("q2", 1.0)}
    report = audit_usage(replace(logged(), recalls=known), UsageOptions(n_draws=5))
    assert (report.n_recalls, report.n_rewarded) == (LEAST_RECALLS, 2)


def test_a_poor_answer_makes_what_it_cut_cold() -> None:
    known = {"q1": recalled("q1", 0.0), "q2": recalled("q2", 0.5)}
    report = audit_usage(replace(logged(), recalls=known), UsageOptions(n_draws=5))
    assert [(cold.id, cold.n_recalls, cold.recalls) for cold in report.cold] == [
        ("b/s3", 1, ("q1",))
    ]
    assert audit_usage(logged(), UsageOptions(n_draws=5)).cold == ()


def test_hot_items_are_trajectories_where_these_are_counted_and_steps_elsewhere() -> None:
    def ids(item: Item) -> list[str]:
        names: Names = {5: ((), (), ()), 2: (("x",), (), (), ())}
        of = replace(logged(), entities=names)
        return [hot.id for hot in audit_usage(of, UsageOptions(item=item, n_draws=5)).hot]

    assert (ids("step"), ids("trajectory"), ids("entity")) == (["a/s0"], ["a"], ["a/s0"])


@pytest.mark.parametrize("what", ["quoted", "told", "considered"])
def test_unused_steps_are_those_no_recall_saw_whatever_is_counted(what: Counted) -> None:
    report = audit_usage(logged(), UsageOptions(counted=what, n_draws=5))
    assert [(one.trajectory, one.steps) for one in report.unused] == [("b", "s1-s2"), ("a", "s1")]


def test_an_audit_of_one_seed_is_the_same_again() -> None:
    options = UsageOptions(n_draws=10, seed=3)
    assert audit_usage(logged(), options) == audit_usage(logged(), options)


def test_what_is_asked_for_is_reported() -> None:
    options = UsageOptions(item="trajectory", counted="told", last=25, n_draws=5)
    assert audit_usage(logged(), options).options == options


@pytest.mark.parametrize("last", [0, -1])
def test_the_last_none_cannot_be_counted(last: int) -> None:
    with pytest.raises(InvalidInputError) as caught:
        UsageOptions(last=last)
    assert str(caught.value) == (
        f"item='step', counted='quoted', last={last} cannot be used. Count a step, trajectory or "
        "entity; quoted, told or considered; the last 1 or more."
    )
    assert UsageOptions(last=1).last == 1
