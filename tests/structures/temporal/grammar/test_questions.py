"""What a question asks of a log."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.kinds import QueryKind
from stepwell.structures.temporal.grammar.mentions import Names
from stepwell.structures.temporal.grammar.questions import LogQuery, read_question
from stepwell.structures.temporal.grammar.words.questions import (
    BECOMING,
    EXPLAINING,
    PLACES,
    REACHING,
    STATES_OF,
    SUCCESS,
)
from stepwell.structures.temporal.grammar.words.verbs import DOUBTFUL

VERBS = ("take", "bash", "look", "put", "slice")
NAMES = Names()
for known in ("mug 1", "shelf 2", "score", "look out", "bread 1"):
    NAMES.add(known)


def asked(question: str) -> LogQuery:
    return read_question(question, NAMES, VERBS)


@pytest.mark.parametrize(
    ("question", "verbs"),
    [
        ("How often was mug 1 taken?", ("take",)),
        ("How often was mug 1 grabbed?", ("take",)),
        ("How often did it drop mug 1 and look?", ("put", "look")),
        ("How often was bread 1 fried?", ("fry",)),
        ("How often was bash called?", ("bash",)),
        ("Did it walk?", ("walk",)),
        ("How often did the look out change?", ()),
        ("How often did it frob?", ()),
        ("What was set, placed or run?", ()),
        ("take, took and taken", ("take",)),
    ],
)
def test_verbs_are_those_of_the_log(question: str, verbs: tuple[str, ...]) -> None:
    assert asked(question).verbs == verbs


@pytest.mark.parametrize("verb", sorted(DOUBTFUL))
def test_verbs_of_asking_are_no_verbs_of_the_log(verb: str) -> None:
    assert read_question(f"Did it {verb}?", Names(), [verb]).verbs == ()


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("Was 'take mug 1' done?", ("take mug 1",)),
        ('"look" and `wait `', ("look", "wait")),
        ("'x'", ()),
        ("'xy'", ("xy",)),
        ("'" + "x" * 120 + "'", ("x" * 120,)),
        ("'" + "x" * 121 + "'", ()),
        ("'a\nb'", ()),
    ],
)
def test_quoted_texts_are_kept(question: str, quoted: tuple[str, ...]) -> None:
    assert asked(question).quoted == quoted


@pytest.mark.parametrize(
    ("question", "with_moves"),
    [
        ("Which actions, excluding 'go to' actions?", False),
        ("Which actions without moves?", False),
        ("Which actions other than walking?", False),
        ("Which actions, not counting navigation?", False),
        ("Which actions except going to it?", False),
        ("Which actions apart from movement?", False),
        ("Which actions without mug 1?", True),
        ("Which moves?", True),
    ],
)
def test_moves_may_be_excluded(question: str, *, with_moves: bool) -> None:
    assert asked(question).with_moves is with_moves
    assert "go" not in read_question(question, NAMES, ["go"]).verbs or with_moves


@pytest.mark.parametrize("word", SUCCESS)
def test_every_word_of_success_asks_for_it(word: str) -> None:
    text = f"Did it {word.replace('*', 's')} take it?"
    assert asked(text).only_successful
    assert not asked(f"{text} Or FAIL?").only_successful
    assert not asked("Did it take it?").only_successful


@pytest.mark.parametrize("word", PLACES)
def test_every_word_of_places_asks_for_them(word: str) -> None:
    assert asked(f"mug 1 {word.replace('*', 'ed')} at").only_place
    assert not asked("mug 1 state").only_place


@pytest.mark.parametrize("word", ["key", "critical", "crucial", "important", "significant", "main"])
def test_telling_actions_may_be_asked_for(word: str) -> None:
    assert asked(f"What {word} actions were there?").only_telling
    assert asked(f"The {word} game action?").only_telling
    assert not asked(f"What {word} things?").only_telling


@pytest.mark.parametrize("verb", REACHING)
def test_every_verb_of_reaching_stands_before_a_value(verb: str) -> None:
    assert asked(f"When did score {verb} to 4,000.5?").value == "4,000.5"
    assert asked(f"When did score {verb}s above -3?").value == "-3"


def test_a_value_may_be_a_word() -> None:
    assert asked("When did it become dirty?").value == "dirty"
    assert asked("When was it?").value == ""


@pytest.mark.parametrize("word", EXPLAINING)
def test_reasons_are_never_sure(word: str) -> None:
    assert asked("Where is mug 1?").is_sure
    assert not asked(f"Where is mug 1, {word.replace('*', 's')}?").is_sure


@pytest.mark.parametrize("word", STATES_OF)
def test_every_word_for_a_state_makes_it_sure(word: str) -> None:
    text = f"Is mug 1 {word.replace('*', 's')} it?"
    found = asked(text)
    assert (found.kind, found.is_sure) == (QueryKind.STATE, True)
    assert not asked("Is mug 1 nice?").is_sure


@pytest.mark.parametrize("word", BECOMING)
def test_every_word_for_becoming_makes_a_moment_sure(word: str) -> None:
    found = read_question(f"When was mug 1 {word.replace('*', 'd')}?", NAMES, [])
    if found.kind is QueryKind.WHEN:
        assert found.is_sure
    assert not read_question("When was mug 1 nice?", NAMES, []).is_sure


@pytest.mark.parametrize(
    ("question", "kind", "is_sure"),
    [
        ("What was the score?", QueryKind.STATE, True),
        ("What were their mug 1?", QueryKind.STATE, True),
        ("What was a score?", QueryKind.STATE, False),
        ("What was the fun of score?", QueryKind.STATE, True),
        ("What changed?", QueryKind.CHANGES, True),
        ("Which actions changed the environment?", QueryKind.CHANGES, True),
        ("Did its actions make any kind of change?", None, False),
        ("Did its actions make any change?", QueryKind.CHANGES, False),
        ("What actions led to change of mug 1?", QueryKind.CHANGES, True),
        ("What changes in the world, by what action?", QueryKind.CHANGES, True),
        ("When was mug 1 taken?", QueryKind.WHEN, True),
        ("When was 'look' done?", QueryKind.WHEN, True),
        ("When was mug 1 lost?", QueryKind.WHEN, False),
        ("How often was mug 1 taken?", QueryKind.COUNT, True),
        ("hello", None, False),
    ],
)
def test_an_answer_is_sure_when_it_is_what_was_asked(
    question: str, kind: QueryKind | None, *, is_sure: bool
) -> None:
    found = asked(question)
    assert (found.kind, found.is_sure) == (kind, is_sure)


def test_only_the_beginning_of_a_question_is_read() -> None:
    assert asked("x " * 1_997 + "score").keys == ("score",)
    assert asked("x " * 1_998 + "score").keys == ()


def test_things_bounds_and_defaults() -> None:
    found = asked("Where is mug 1 on shelf 2 at step 4?")
    assert (found.keys, found.bounds.points) == (("mug 1", "shelf 2"), (4,))
    assert read_question("", Names(), []) == LogQuery(is_sure=False)


@pytest.mark.parametrize(
    ("question", "unused"),
    [
        ("How often was mug 1 taken?", ()),
        ("How often was mug 1 taken by Ann?", ("ann",)),
        ("Where is mug 1 at step 30?", ()),
        ("Where is mug 1 of drawer 30?", ("drawer", "30")),
        ("What actions were performed before step 9 (excluding 'go to' actions)?", ()),
        ("Is mug 1 open or closed?", ()),
        ("Is mug 1 open or dirty?", ("dirty",)),
        ("How long was mug 1 open?", ()),
        ("When did score exceed 40?", ()),
        ("When did score exceed the limit?", ("exceed", "limit")),
        ("Which key actions were there?", ()),
        ("How often was 'wait a bit' performed?", ("wait", "bit")),
        ("How often was 'look out of it' performed?", ()),
        ("Where was mug 1 taken?", ()),
        ("Where was mug 1 sliced?", ("sliced",)),
        ("Wo ist mug 1?", ("wo", "ist")),
        ("¿Dónde está mug 1?", ("dónde", "está")),
        ("mug 1 は今どこですか?", ("は今どこですか",)),
    ],
)
def test_what_a_question_names_beside_what_was_used_is_kept(
    question: str, unused: tuple[str, ...]
) -> None:
    found = read_question(question, NAMES, VERBS, acts={"look out of it"})
    assert found.unused == unused
    assert found.is_answerable is (found.is_sure and not unused)


def test_a_question_of_which_nothing_is_known_gets_nothing() -> None:
    assert asked("What changed in the orders table?").kind is None
    assert asked("What actions did the developer take against the firewall?").kind is None
    assert asked("What did it do at step 4 against the firewall?").kind is QueryKind.ACTIONS


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("List all files edited.", QueryKind.FILES),
        ("Which files were created?", QueryKind.FILES),
        ("how many files did it change", QueryKind.FILES),
        ("List the modified files.", QueryKind.FILES),
        ("How many commands failed?", QueryKind.FAILURES),
        ("Which tool calls failed?", QueryKind.FAILURES),
        ("What was the last error?", QueryKind.FAILURES),
        ("Show all errors", QueryKind.FAILURES),
        ("How many calls were made, and how many failed?", QueryKind.FREQUENCY),
        ("Which command fixed it?", QueryKind.FIX),
        ("What fixed the error?", QueryKind.FIX),
    ],
)
def test_everyday_questions_are_of_their_kind_and_answerable(
    question: str, kind: QueryKind
) -> None:
    found = asked(question)
    assert (found.kind, found.is_answerable) == (kind, True)


PROGRAMS = Names()
for program in ("bash", "pytest", "git", "git push"):
    PROGRAMS.add(program)


@pytest.mark.parametrize(
    ("question", "programs", "unrun", "unused"),
    [
        ("How many times was pytest run?", ("pytest",), "", ()),
        ("How often was git push called?", ("git push",), "", ()),
        ("How often was git pull called?", ("git",), "", ("pull",)),
        ("How many times was mypy run?", (), "mypy", ()),
        ("How many times was `mypy` run?", (), "mypy", ()),
        ("How many times did the agent run mypy?", (), "mypy", ()),
        ("How many times was mypy run by Ann?", (), "", ("mypy", "ann")),
        ("How many times was coverage mentioned?", (), "", ("coverage", "mentioned")),
    ],
)
def test_programs_are_counted_by_name(
    question: str, programs: tuple[str, ...], unrun: str, unused: tuple[str, ...]
) -> None:
    found = read_question(question, Names(), [], programs=PROGRAMS)
    assert (found.programs, found.unrun, found.unused) == (programs, unrun, unused)


def test_a_program_is_used_only_where_actions_are_picked_by_it() -> None:
    found = read_question("What was the score of pytest?", NAMES, [], programs=PROGRAMS)
    assert found.unused == ("pytest",)


FILES = Names()
for path in ("src/app.py", "**/*.py", "docs"):
    FILES.add(path)


@pytest.mark.parametrize(
    ("question", "files", "unknown", "changing", "is_answerable"),
    [
        ("What changed in app.py?", ("src app py",), (), "changed", True),
        ("What changed in README.md?", (), ("README.md",), "changed", True),
        ("What changed in src/other.py?", (), ("src/other.py",), "changed", True),
        ("Was setup.py deleted?", (), ("setup.py",), "deleted", True),
        ("Why was setup.py deleted?", (), ("setup.py",), "deleted", False),
        ("Was setup.py deleted by Ann?", (), ("setup.py",), "deleted", False),
        ("Which functions were added to app.py?", ("src app py",), (), "", False),
        ("What changed in version 2.5?", (), (), "changed", False),
    ],
)
def test_files_that_nobody_has_touched_are_named(
    question: str,
    files: tuple[str, ...],
    unknown: tuple[str, ...],
    changing: str,
    *,
    is_answerable: bool,
) -> None:
    found = read_question(question, FILES, [])
    assert (found.files, found.unknown, found.changing) == (files, unknown, changing)
    assert found.is_answerable is is_answerable


def test_a_noun_is_no_verb() -> None:
    assert asked("How often was the look good?").verbs == ()
    assert asked("How often did it look good?").verbs == ("look",)
    assert read_question("How often?", Names(), ["the"]).verbs == ()


def test_a_verb_that_leaves_no_trace_is_not_counted_where_the_log_has_none() -> None:
    assert read_question("How often was mug 1 viewed?", NAMES, ["take"]).verbs == ()
    assert read_question("How often was mug 1 opened?", NAMES, ["take"]).verbs == ("open",)
    assert read_question("How often did it edit mug 1?", NAMES, ["edit"]).verbs == ("edit",)
    assert read_question("How often was mug 1 edited?", NAMES, ["edit"]).verbs == ("edit",)
