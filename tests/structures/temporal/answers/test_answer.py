"""Questions to a log: bounds, names, and the exact lines that answer them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.database import open_database
from stepwell.store.rowids import MAX_PLACES, rowid, span, step_of
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory
from stepwell.structures.base import Note, Query, Ranking, Within
from stepwell.structures.temporal.answers.answer import answer
from stepwell.structures.temporal.grammar.bounds import bounds_of
from stepwell.structures.temporal.grammar.kinds import QueryKind
from stepwell.structures.temporal.grammar.mentions import Names
from stepwell.structures.temporal.grammar.questions import read_question
from stepwell.structures.temporal.index import Temporal
from stepwell.structures.temporal.log.extract import extract
from stepwell.structures.temporal.log.facts import Facts
from stepwell.structures.temporal.log.log import Log
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Step
from support.steps import step_of as action_step
from support.trajectories import NOW, step_lists, trajectory

RUN = [
    ("look", "You are standing at the pier."),
    ("go to crate 1", "You arrive at crate 1. The crate 1 is closed."),
    ("open crate 1", "You open the crate 1. In it, you see a rope 1, and a rope 2."),
    ("take rope 1 from crate 1", "You pick up the rope 1 from the crate 1."),
    ("go to boat 1", "You arrive at boat 1. On the boat 1, you see nothing."),
    ("put rope 1 on boat 1", "You put the rope 1 on the boat 1."),
    ("take rope 2 from crate 1", "You can't reach it."),
    ("look", "You are standing at the boat 1."),
    ("take rope 1 from boat 1", "Taken."),
    ("look", "Score: 7"),
    ("wait", "Score: 12"),
]
"""Steps 0 to 10."""


def steps_of(run: list[tuple[str, str]]) -> list[Step]:
    return [
        replace(action_step(action, observed), index=at, uid=f"s{at}")
        for at, (action, observed) in enumerate(run)
    ]


def log_of(run: list[tuple[str, str]]) -> Log:
    log = Log()
    log.extend([extract(step) for step in steps_of(run)])
    return log


def lines(question: str, run: list[tuple[str, str]] = RUN) -> list[str]:
    log = log_of(run)
    return [one.text for one in answer(log, read_question(question, log.names, log.verbs))]


@pytest.mark.parametrize(
    ("question", "first", "last", "points"),
    [
        ("Before step 78, what happened?", 0, 77, ()),
        ("Until step 149, what happened?", 0, 149, ()),
        ("After step 5?", 6, None, ()),
        ("Since step 5?", 5, None, ()),
        ("between step 73 and step 76", 73, 76, ()),
        ("From step 9 to step 3", 3, 9, ()),
        ("in steps 14-18", 14, 18, ()),
        ("after step 3 and before step 9", 4, 8, ()),
        ("at step 7", 0, 7, (7,)),
        ("at steps 7, 9 and 12", 0, 12, (7, 9, 12)),
        ("what about s42?", 0, 42, (42,)),
        ("throughout the run", 0, None, ()),
        ("before step 0", 0, 0, ()),
    ],
)
def test_bounds_are_read(
    question: str, first: int, last: int | None, points: tuple[int, ...]
) -> None:
    found = bounds_of(question)
    assert (found.first, found.last, found.points) == (first, last, points)


def test_names_are_the_longest_and_numbers_tell_things_apart() -> None:
    names = Names()
    for name in ("mug 1", "mug 2", "blue mug 1", "shelf 3", "src/app/main.py", "Öl 1", "茶碗 3"):
        names.add(name)
    assert names.mentioned("Where is the Blue Mug 1?") == ("blue mug 1",)
    assert names.mentioned("mug_1 or mug 12?") == ("mug 1",)
    assert names.mentioned("both mugs") == ("mug 1", "mug 2")

    assert names.mentioned("the shelf") == ("shelf 3",)
    assert names.mentioned("main.py, ÖL 1, 茶碗 3") == ("src app main py", "öl 1", "茶碗 3")
    assert names.mentioned("the mug 7") == ()


def test_what_held_after_a_step() -> None:
    for question, told in {
        "Where is rope 1 at step 3?": "rope 1 at s3: inventory (since s3",
        "Where is rope 1 at step 7?": "rope 1 at s7: in/on boat 1 (since s5",
        "Where is rope 2 at step 10?": "rope 2 at s10: in/on crate 1",
        "Is crate 1 open or closed at step 1?": "crate 1 state at s1: closed",
    }.items():
        assert lines(question)[0].startswith(told)
    assert lines("What was the score at step 9?")[0] == "Score at s9: 7 (since s9, seen)"
    assert lines("Where was rope 1 initially?")[0] == "rope 1 initially: crate 1 (s2)"


def test_how_it_came_about() -> None:
    told = lines("What is the history of rope 1 until step 6?")
    assert told[0] == "changes of rope 1 until s6: 2"
    assert told[-2:] == [
        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory; inventory: rope 1 added",
        "put rope 1 on boat 1 => rope 1: inventory -> boat 1; inventory: rope 1 removed",
    ]
    still = lines("How did rope 2 change until step 5?")
    assert still[0] == "changes of rope 2 until s5: no change"
    assert "crate 1 at s10 holds: rope 2" in lines("How did crate 1 change?")


def test_what_was_carried() -> None:
    assert "inventory at s4: rope 1" in lines("What was in the inventory at step 4?")
    assert "inventory at s7: empty" in lines("What was the agent carrying at step 7?")
    assert lines("What changes occurred to the inventory?")[0] == "changes of the inventory: 3"


def test_what_was_done() -> None:
    between = lines("What actions were performed between step 4 and step 6?")
    assert between == [
        "actions from s4 to s6: 3",
        "go to boat 1",
        "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
        "take rope 2 from crate 1 => failed",
    ]
    on = lines("Before step 8, which actions were performed on boat 1 (excluding 'go to' actions)?")
    assert on[0] == "actions on boat 1 before s8 (without moves): 1"


def test_how_often() -> None:
    assert lines("How many times did the agent look?")[0] == "look: 3 times (s0, s7, s9)"
    assert lines("How often was 'look' performed before step 9?")[0].startswith(
        "'look' before s9: 2 times"
    )
    taken = lines("How many times was rope 2 taken?")[0]
    assert taken == "take rope 2: 1 time (s6); of these failed: (s6)"
    assert lines("How many times was rope 2 successfully taken?")[0] == "take rope 2: never"
    assert lines("Until step 8, what actions were performed and how frequently?")[0].startswith(
        "actions until s8: 9 in all, 8 different; 'look' x2 (s0, s7)"
    )
    objects = lines("Which objects were interacted with?")
    assert "rope 1: 3 interactions: take x2 (s3, s8), put x1 (s5)" in objects


def test_outputs_are_counted_by_tool_and_failure() -> None:
    run = [(f"bash: cat file{n}.txt", "Error: no such file" if n == 3 else "ok") for n in range(30)]
    told = lines("How many tool calls were made, and how many failed?", run)
    assert told[0].startswith("actions: 30 in all, 30 different; by kind: bash x30")
    assert told[1] == "failed: 1 (s3)"


def test_when_and_how_long() -> None:
    assert lines("When was rope 1 first taken?")[0] == "first: s3; in all 2 times: (s3, s8)"
    assert lines("When was rope 1 last taken?")[0].startswith("last: s8;")
    assert "rope 1: inventory from s3 to s4 (2 steps)" in lines("How long was rope 1 carried?")
    assert "s10" in lines("At which step did the score reach 10?")[0]


def test_what_changed() -> None:
    assert lines("What changed from step 2 to step 5?")[0] == "changes from s2 to s5: 3"
    assert lines("What changed from step 6 to step 7?") == ["changes from s6 to s7: no change"]


def test_what_would_change() -> None:
    question = "If the agent executes actions ['take rope 2 from crate 1'] at step 5, what changes?"
    log = log_of(RUN)
    (told,) = answer(log, read_question(question, log.names, log.verbs))
    assert told.text.startswith("take rope 2 from crate 1 => rope 2: crate 1 -> inventory")
    assert not told.is_answer


def test_reasons_are_no_lines_of_a_log() -> None:
    log = log_of(RUN)
    question = "Why did the agent take rope 1 at step 3, and what changed?"
    asked = read_question(question, log.names, log.verbs)
    assert not any(one.is_answer for one in answer(log, asked))


def test_steps_alone_give_their_rows_and_names_alone_their_timeline() -> None:
    assert lines("Describe step 5.") == [
        "go to boat 1",
        "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
        "take rope 2 from crate 1 => failed",
    ]
    assert lines("Tell me about rope 1.")[0].startswith("take rope 1 from boat 1")
    assert lines("Tell me about bicycles.") == []
    assert lines("Where is rope 1?", []) == []


def test_what_is_not_seen_again_is_no_longer_there() -> None:
    run = [
        ("look", "On the desk 1, you see a pen 1, and a cup 1."),
        ("wait", "On the desk 1, you see a cup 1."),
    ]
    told = lines("Where is pen 1 at step 1?", run)[0]
    assert told.startswith("pen 1 at s1: no longer there (since s1")


def spoken(index: int, kind: str, message: str) -> Step:
    return Step(index=index, uid=f"s{index}", kind=kind, actor=kind, message=message)  # type: ignore[arg-type]


@pytest.mark.parametrize(("reply", "where"), [("Taken.", "inventory"), ("Nothing happens.", "")])
def test_an_answer_in_the_next_message_decides(reply: str, where: str) -> None:
    log = Log()
    asks = spoken(0, "agent", "Action: take ball 3 from basket 2")
    log.extend([extract(asks), extract(spoken(1, "user", reply))])
    change = log.at("ball 3", "location", 1)
    assert (change.value if change else "") == where
    assert log.done[0].act.failed == (not where)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.sampled_from(RUN), max_size=14),
    st.lists(st.integers(0, 14), max_size=3),
    step_lists(max_size=3),
)
def test_extending_in_portions_gives_the_same_log(
    run: list[tuple[str, str]], cuts: list[int], more: list[Step]
) -> None:
    facts = [extract(step) for step in [*steps_of(run), *more]]
    whole, parts = Log(), Log()
    whole.extend(facts)
    edges = [0, *sorted(min(cut, len(facts)) for cut in cuts), len(facts)]
    for start, end in pairwise(edges):
        parts.extend(facts[start:end])
    assert whole == parts


@settings(deadline=None, max_examples=30)
@given(step_lists())
def test_facts_are_stored_as_they_are(steps: list[Step]) -> None:
    for step in [*steps, *steps_of(RUN)]:
        facts = extract(step)
        packed = msgspec.msgpack.encode(facts)
        assert msgspec.msgpack.decode(packed, type=Facts) == facts


def search(question: str, steps: list[Step], **within: object) -> Ranking:
    db = open_database(None)
    number = put_trajectory(db, trajectory(steps), scope=Scope(), now=NOW).number
    scope = Within(spans=(span(number),), n_passages=2 * len(steps), is_all=True)
    scope = replace(scope, **within)  # type: ignore[arg-type]
    query = Query(text="without numbers", terms=(), asked=question)
    found = Temporal(db).search(query, within=scope, limit=50)
    db.close()
    return found


def test_a_search_ranks_the_steps_of_its_answer() -> None:
    found = search("Before step 8, which actions were performed on rope 1?", steps_of(RUN))
    assert {step_of(row) for row in found.rowids.tolist()} == {3, 5}
    assert all(row % MAX_PLACES == 0 for row in found.rowids.tolist())
    assert found.notes[0].is_answer
    assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
    assert found.comment


def test_a_search_sees_no_further_than_it_may() -> None:
    steps = steps_of(RUN)
    early = search("Where is rope 1 now?", steps, spans=(span(1, end=5),))
    assert early.notes[0].text.startswith("rope 1 at s4: inventory")
    hidden = frozenset({rowid(1, 8) // MAX_PLACES})
    late = search("Where is rope 1 now?", steps, spans=(span(1, end=9),), unanswered=hidden)
    assert late.notes[0].text.startswith("rope 1 at s8: in/on boat 1")


def quoted(note: Note, steps: list[Step]) -> bool:
    shown = [atom.text for atom in atoms_of(steps[note.steps[0]])]
    return note.quote in note.text and any(note.quote in text for text in shown)


QUESTIONS = [
    "Where is rope 1 at step 7?",
    "What is the history of rope 1?",
    "What changes occurred to the inventory?",
    "What actions were performed between step 0 and step 9?",
    "What actions were performed and how frequently?",
    "Which objects were interacted with?",
    "What changed from step 0 to step 9?",
    "When was rope 1 first taken?",
    "Describe steps 2 and 5.",
    "How did crate 1 change?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_notes_are_short_quote_verbatim_and_name_their_steps(question: str) -> None:
    steps = steps_of(RUN)
    notes = search(question, steps).notes
    assert notes
    for note in notes:
        assert len(note.text) <= 300
        assert note.steps == tuple(sorted(note.steps))
        assert note.steps
        assert not note.quote or quoted(note, steps)
    assert sorted(note.place for note in notes) == list(range(len(notes)))


@settings(deadline=None, max_examples=60)
@given(step_lists(), st.sampled_from(QUESTIONS) | st.text(max_size=80))
def test_any_question_of_any_run_is_answered(steps: list[Step], question: str) -> None:
    found = search(question, steps)
    assert all(not note.quote or quoted(note, steps) for note in found.notes)
    assert all(step_of(row) < len(steps) for row in found.rowids.tolist())


def test_signals_tell_what_a_question_names() -> None:
    db = open_database(None)
    number = put_trajectory(db, trajectory(steps_of(RUN)), scope=Scope(), now=NOW).number
    within = Within(spans=(span(number),), n_passages=20, is_all=True)
    temporal = Temporal(db)
    query = Query(text="", terms=(), asked="Where were rope 1 and rope 2 at step 4?")
    assert temporal.signals(query, within=within) == {
        "temporal.slots": 2.0,
        "temporal.asks": 1.0,
        "temporal.steps": 1.0,
    }
    nothing = temporal.signals(Query(text="hello", terms=()), within=replace(within, spans=()))
    assert set(nothing.values()) == {0.0}
    db.close()


def test_a_run_that_grows_is_read_on() -> None:
    db = open_database(None)
    steps = steps_of(RUN)
    number = put_trajectory(db, trajectory(steps[:6]), scope=Scope(), now=NOW).number
    within = Within(spans=(span(number),), n_passages=20, is_all=True)
    temporal = Temporal(db)
    query = Query(text="Where is rope 1 now?", terms=())
    assert "boat 1" in temporal.search(query, within=within, limit=5).notes[0].text
    for step in steps[6:9]:
        append_step(db, number, step)
    assert "inventory" in temporal.search(query, within=within, limit=5).notes[0].text
    db.close()


def test_a_wish_is_what_can_be_computed() -> None:
    log = log_of(RUN)
    for question, wish in {
        "Where is rope 1?": QueryKind.STATE,
        "Where is the rabbit?": None,
        "How many times did it look?": QueryKind.COUNT,
        "When?": None,
        "": None,
    }.items():
        assert read_question(question, log.names, log.verbs).kind == wish
