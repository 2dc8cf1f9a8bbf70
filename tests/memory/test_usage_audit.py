"""The log of usage and its audit: what a recall did with each step, and whose business it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory.memory import Memory
from stepwell.memory.usage import LEAST_RECALLS, UsageOptions
from stepwell.store.usage import FATES, load_usage

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.memory.usage import UsageReport
    from stepwell.recall.evidence import Evidence
    from stepwell.store.usage import Usage

QUICK = UsageOptions(n_draws=20)


def filled(path: Path | None = None, *, log_recalls: bool = True) -> Memory:
    """Return a memory of three runs of thirty steps about three things."""
    memory = Memory(path, encoder=None, log_recalls=log_recalls)
    for run in ("north", "south", "west"):
        for number in range(30):
            thing = ("valve", "pump", "meter")[number % 3]
            memory.add(
                {
                    "action": f"check {thing} {number}",
                    "observation": f"{run} {thing} reads {number}",
                },
                trajectory=run,
            )
    return memory


def asked(memory: Memory, n: int, question: str = "which valve reads what?") -> list[Evidence]:
    return [memory.recall(f"{question} {number % 5}", 250) for number in range(n)]


def usage_of(memory: Memory) -> Usage:
    memory.recalls()  # what waits is written
    return load_usage(memory._db, numbers=[entry.number for entry in memory.sessions()])


def rows(usage: Usage, fate: str) -> set[tuple[int, int]]:
    some = usage.where(usage.fate == FATES.index(fate))
    return set(zip(some.number.tolist(), some.step.tolist(), strict=True))


def test_each_step_of_a_recall_is_logged_with_what_became_of_it() -> None:
    with filled() as memory:
        (evidence,) = asked(memory, 1)
        usage = usage_of(memory)
        numbers = {entry.trajectory_id: entry.number for entry in memory.sessions()}
        assert usage.recalls == (evidence.id,)
        assert rows(usage, "quoted") == {(numbers[i.trajectory], i.step) for i in evidence.items}
        cut = {cut.id.rpartition("/s") for cut in evidence.cut}
        assert rows(usage, "cut") == {(numbers[run], int(step)) for run, _, step in cut}
        assert rows(usage, "cut")
        assert sorted(usage.rank[usage.fate != FATES.index("told")].tolist()) == list(
            range(1, len(evidence.cut) + len({(i.trajectory, i.step) for i in evidence.items}) + 1)
        )
        assert usage.tokens[usage.fate == FATES.index("quoted")].min() > 0
        best = max(evidence.items, key=lambda item: item.score)
        (place,) = (
            (usage.number == numbers[best.trajectory]) & (usage.step == best.step)
        ).nonzero()[0]
        assert usage.rank[place] == 1
        assert usage.structures[usage.structure[place]] == best.structure


def test_steps_that_a_line_tells_of_are_logged() -> None:
    with filled() as memory:
        memory.add({"action": "set limit to 7", "observation": "limit=7"}, trajectory="north")
        evidence = memory.recall(
            "what was done at step 30?", 400, policy="all", scope={"trajectory": "north"}
        )
        told = {(note.structure, step) for note in evidence.notes for step in note.steps[:16]}
        usage = usage_of(memory)
        some = usage.where(usage.fate == FATES.index("told"))
        found = {
            (usage.structures[code], step)
            for code, step in zip(some.structure.tolist(), some.step.tolist(), strict=True)
        }
        assert found == told


def test_no_recalls_logged_means_no_usage_logged() -> None:
    with filled(log_recalls=False) as memory:
        asked(memory, 25)
        assert len(usage_of(memory)) == 0
        with pytest.raises(NotFoundError, match="No recalls"):
            memory.audit()


def test_forgetting_a_run_forgets_its_usage_everywhere(tmp_path: Path) -> None:
    with filled(tmp_path / "m.db") as memory:
        asked(memory, 3)
        for number in range(3):
            memory.recall(f"pump {number}", 250, scope={"trajectory": "west"})
        usage = usage_of(memory)
        north = next(e.number for e in memory.sessions() if e.trajectory_id == "north")
        assert north in usage.number
        memory.forget(scope={"trajectory": "north"})
        left = memory._db.execute("SELECT count(*) FROM usage WHERE no = ?", (north,)).get
        assert left == 0
        # A recall that quoted it is gone as a whole; one that did not stays.
        assert len(usage_of(memory).recalls) == 3
        memory.forget(everything=True)
        assert memory._db.execute("SELECT count(*) FROM usage").get == 0


def test_a_run_that_was_only_considered_loses_only_its_own_usage() -> None:
    with Memory(encoder=None) as memory:
        for number in range(8):
            text = f"the valve of the pump reads {number}"
            memory.add({"role": "user", "content": text}, trajectory="main")
        memory.add({"role": "user", "content": "the annex reads well"}, trajectory="annex")
        memory.recall("what does the valve of the pump read?", 100)
        usage = usage_of(memory)
        shown = {number for number, _ in rows(usage, "quoted") | rows(usage, "told")}
        cut = {number for number, _ in rows(usage, "cut")} - shown
        assert cut, "the budget held every run"
        names = {e.number: e.trajectory_id for e in memory.sessions()}
        memory.forget(scope={"trajectory": names[min(cut)]})
        assert usage_of(memory).recalls == usage.recalls
        assert min(cut) not in usage_of(memory).number


def test_usage_is_seen_only_within_its_scope(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    for user in ("ana", "bo"):
        with Memory(path, scope={"user_id": user}, encoder=None) as memory:
            for number in range(60):
                memory.add({"role": "user", "content": f"{user} valve {number}"})
            asked(memory, 25)
    with Memory(path, scope={"user_id": "ana"}, encoder=None) as memory:
        report = memory.audit(options=QUICK)
        assert (report.n_recalls, report.n_items) == (25, 60)
    with Memory(path, encoder=None) as memory:
        assert memory.audit(options=QUICK).n_recalls == 50
        assert memory.audit(scope={"user_id": "bo"}, options=QUICK).n_items == 60


def test_an_audit_needs_some_recalls() -> None:
    with filled() as memory:
        asked(memory, LEAST_RECALLS - 1)
        with pytest.raises(NotFoundError, match=f"{LEAST_RECALLS - 1} recalls .* are logged"):
            memory.audit(options=QUICK)
        asked(memory, 1)
        assert memory.audit(options=QUICK).n_recalls == LEAST_RECALLS


def report_of(memory: Memory, **options: object) -> UsageReport:
    return memory.audit(options=UsageOptions(n_draws=20, **options))  # type: ignore[arg-type]


def test_counts_are_what_evidence_showed() -> None:
    with filled() as memory:
        evidence = asked(memory, 30)
        quoted = sum(len({(i.trajectory, i.step) for i in one.items}) for one in evidence)
        cut = sum(len(one.cut) for one in evidence)
        found = report_of(memory)
        assert found.tails.concentration.n_accesses == quoted
        assert found.n_items == 90
        assert found.tails.n_unused + found.tails.concentration.n_items == 90
        considered = report_of(memory, counted="considered")
        assert considered.tails.concentration.n_accesses == quoted + cut
        runs = report_of(memory, item="trajectory")
        assert runs.n_items == 3
        assert runs.tails.concentration.n_accesses == sum(
            len({item.trajectory for item in one.items}) for one in evidence
        )
        assert report_of(memory, last=20).n_recalls == 20
        assert report_of(memory, last=10_000).tails == found.tails


def test_a_name_is_accessed_once_by_each_recall_that_quotes_a_step_with_it() -> None:
    options = UsageOptions(item="entity", n_draws=20)
    with filled() as memory:
        expected: Counter[str] = Counter()
        for evidence in asked(memory, LEAST_RECALLS):
            steps = {item.step for item in evidence.items}
            expected.update(f"{('valve', 'pump', 'meter')[step % 3]} {step}" for step in steps)
        report = memory.audit(options=options)
        assert report.n_items == 30  # all three runs name the same things
        assert report.tails.concentration.n_items == len(expected)
        assert report.tails.concentration.n_accesses == expected.total()
        assert report.tails.n_unused == 30 - len(expected)
        assert memory.audit(scope={"trajectory": "north"}, options=options).n_items == 30


def test_poor_answers_tell_what_is_cold_and_what_crowds_out() -> None:
    with filled() as memory:
        for thing, reward in [("valve", 0.0), ("meter", 1.0)] * 15:
            memory.feedback(memory.recall(f"which {thing} reads what?", 120).id, reward)
        report = report_of(memory)
        assert report.n_rewarded == 30
        shown = rows(usage_of(memory), "quoted") | rows(usage_of(memory), "told")
        names = {e.number: e.trajectory_id for e in memory.sessions()}
        shown_ids = {f"{names[number]}/s{step}" for number, step in shown}
        assert report.cold
        for cold in report.cold:
            assert cold.id not in shown_ids
            assert 1 <= cold.n_recalls <= 15
            assert memory.get(cold.id).step.index == int(cold.id.rpartition("/s")[2])
        assert report.hot
        for hot in report.hot:
            assert hot.reward is not None
            is_poorer = hot.reward_without is None or hot.reward < hot.reward_without
            assert hot.crowds_out == (hot.reward < 0.5 and is_poorer)
            assert 0 < hot.tokens <= hot.recalls * 30
        assert any(hot.crowds_out for hot in report.hot)


def test_what_nothing_considered_is_named_by_run() -> None:
    with filled() as memory:
        for _ in range(LEAST_RECALLS):
            memory.recall("which valve?", 200, scope={"trajectory": "north"})
        report = report_of(memory)
        whole = {one.trajectory for one in report.unused if one.n_unused == one.n_steps == 30}
        assert whole == {"south", "west"}
        assert {one.steps for one in report.unused if one.trajectory in whole} == {"s0-s29"}


def test_usage_of_steps_that_are_no_more_is_not_counted() -> None:
    with filled() as memory:
        asked(memory, 20)
        number = memory.sessions()[0].number
        memory._db.execute("UPDATE trajectories SET n_steps = 2 WHERE no = ?", (number,))
        assert report_of(memory).n_items == 62


@pytest.mark.parametrize("options", [{"item": "word"}, {"counted": "read"}, {"last": 0}])
def test_what_cannot_be_counted_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError, match="cannot be used"):
        UsageOptions(**options)  # type: ignore[arg-type]


def test_as_much_usage_is_kept_as_recalls_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepwell.store.recalls._MOST", 10)
    with filled() as memory:
        asked(memory, 25)
        assert len(usage_of(memory).recalls) == 10
        orphans = memory._db.execute(
            "SELECT count(*) FROM usage WHERE recall NOT IN (SELECT no FROM recalls)"
        ).get
        assert orphans == 0
