"""Reports and errors as JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from stepwell.audit.counts import tails_in
from stepwell.audit.doctor import Check, State
from stepwell.audit.report import audit_sharing
from stepwell.demo.asking import Answered, Question
from stepwell.errors import NotFoundError, StepwellError
from stepwell.memory.adding import Ingested
from stepwell.memory.memory import Memory
from stepwell.memory.usage import UsageOptions
from stepwell.serve.documents.reports import (
    checks_document,
    demo_document,
    error_document,
    report_document,
)
from stepwell.trajectory.questions import Question as KnownQuestion
from stepwell.trajectory.questions import Questions
from support.documents import documented, paths, undocumented, unwritten
from support.trajectories import trajectory, turn


def test_an_error_is_its_kind_its_message_and_what_to_do() -> None:
    document = error_document(NotFoundError("There is no run.", hint="Add one."))
    assert document == {
        "error": {"kind": "not-found", "message": "There is no run.", "hint": "Add one."}
    }
    assert documented("An error") == {"error.kind", "error.message", "error.hint"}


@pytest.mark.parametrize("message", ["Add one.", "Do. Add one."])
def test_a_message_that_ends_like_its_hint_stays_whole(message: str) -> None:
    document = error_document(StepwellError(message, hint="Add one."))
    assert document["error"] == {"kind": "error", "message": message, "hint": "Add one."}


def test_an_error_without_a_hint_has_an_empty_one() -> None:
    document = error_document(StepwellError("Broken."))
    assert document["error"] == {"kind": "error", "message": "Broken.", "hint": ""}


@pytest.mark.parametrize(
    "states", [(), ("ok", "note"), ("ok", "broken", "ok"), ("broken",)], ids=",".join
)
def test_all_is_well_unless_something_is_broken(states: tuple[State, ...]) -> None:
    checks = [Check(name="x", state=state, detail="y") for state in states]
    document = checks_document(checks)
    assert document["ok"] is ("broken" not in states)
    assert document["checks"] == [{"name": "x", "state": state, "detail": "y"} for state in states]
    assert undocumented(document, "doctor") == set()


def test_totals_are_told_by_name() -> None:
    memory = Memory(None, encoder=None)
    memory.add("hello")
    document = report_document(memory.stats())
    assert (document["n_steps"], document["encoder"]) == (1, None)
    assert document["formats"] == {"live": 1}
    assert undocumented(document, "stats") == unwritten(document, "stats") == set()


def test_the_demo_is_told_question_by_question() -> None:
    memory = Memory(None, encoder=None)
    memory.add("The port is 5433.", trajectory="main")
    question = Question(
        question="Which port?", answer="5433", steps=[0], trajectory="main", why="it is short"
    )
    answered = Answered(question=question, evidence=memory.recall("Which port?", 200))
    document = demo_document(Ingested(added=2), [answered], encoder=None, seconds=1.23456)
    assert document["seconds"] == 1.23
    assert document["ingested"]["added"] == 2
    assert "missing" not in document["ingested"]
    (told,) = document["questions"]
    assert (told["found"], told["answered"], told["budget"]) == ([0], True, 200)
    assert told["items"] == [{"id": "main/s0.m", "text": "The port is 5433."}]
    document.pop("ingested")
    assert undocumented(document, "demo") == set()
    assert unwritten(document, "demo") == {"ingested"}


def test_an_audit_of_sharing_is_told_by_name() -> None:
    runs = [
        trajectory(
            [turn(n, f"open file{n % 4}.py", f"file{n % 4}.py has {n} lines") for n in range(40)],
            name=name,
        )
        for name in ("one", "two")
    ]
    questions = Questions(
        all=(
            KnownQuestion(text="?", steps=(0, 4), trajectory="one", line=1),
            KnownQuestion(text="?", steps=(0,), line=3),
        ),
        skipped=("line 2: not JSON",),
    )
    for given in (None, questions):
        found = audit_sharing(runs, rng=np.random.default_rng(0), questions=given)
        document = report_document(found)
        assert document["is_asked"] is (given is not None)
        assert document["groups"][0]["n_runs"] == 2
        assert unwritten(document, "audit sharing") == set()
        # Families are groups of their own, and described as such.
        document["groups"] += document.pop("families")
        assert undocumented(document, "audit sharing") == set()
        assert "groups[].evidence.any.mean" in set(paths(document))


def test_an_audit_of_tails_is_told_by_name() -> None:
    counts = "\n".join(str(1_000 // k) for k in range(1, 200)).encode()
    tails = report_document(tails_in(counts, n_draws=3, seed=0))
    assert tails["fit"]["n_draws"] == 3
    memory = Memory(None, encoder=None)
    for n in range(12):
        memory.add(f"The port of service {n} is {5000 + n}.")
    for n in range(21):
        evidence = memory.recall(f"Which port has service {n % 3}?", 120)
        memory.feedback(evidence.id, n % 2)
    document = report_document(memory.audit(options=UsageOptions(n_draws=3)))
    assert document["n_recalls"] == 21
    assert document["hot"]
    document["tails"] = tails
    assert undocumented(document, "audit tails") == unwritten(document, "audit tails") == set()


def test_reports_hold_only_what_json_knows() -> None:
    document = report_document(tails_in(b"1\n2\n3", n_draws=0, seed=0))
    assert document["fit"] is None
    assert document["verdict"] == "too few items to tell"
    assert type(document["verdict"]) is str
    assert json.loads(json.dumps(document))["concentration"] == document["concentration"]
