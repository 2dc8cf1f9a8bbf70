"""Whether a log is believed of a thing: only where all that was done to it is understood."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.answers.trust import is_trusted
from support.temporal_log import HARBOUR, log_of, told

SOUND = (
    ("take mug 1 from shelf 2", "Taken."),
    ("put mug 1 on desk 3", "Done."),
    ("take mug 1 from desk 3", "Taken."),
)
"""Steps that all are understood, and hold together."""


def is_believed(*run: tuple[str, str], key: str = "mug 1") -> bool:
    return is_trusted(log_of(run), [key] if key else [])


def test_a_log_is_believed_whose_actions_are_all_understood() -> None:
    assert is_believed(*SOUND)
    assert is_believed(*SOUND, key="")
    assert is_trusted(log_of(HARBOUR), ["crate 1"])


@pytest.mark.parametrize(
    ("action", "reply"),
    [
        ("yoink mug 1", "Yoinked."),
        ("zib mug 1 shelf 2", "Fine."),
        ("nimm mug 1 von desk 3", "Gut."),
    ],
)
def test_what_was_done_by_an_unknown_verb_makes_its_thing_doubtful(action: str, reply: str) -> None:
    assert not is_believed(*SOUND, (action, reply))
    assert not is_believed(*SOUND, (action, reply), key="")
    assert is_believed(*SOUND, (action, reply), key="lamp 4")


@pytest.mark.parametrize("action", ["look", "examine mug 1", "ponder mug 1", "pat pockets"])
def test_looking_and_fixed_commands_change_nothing(action: str) -> None:
    assert is_believed(*SOUND, (action, "Hm."))
    assert is_believed(*SOUND, (action, "Hm."), key="")


def test_an_unknown_verb_that_failed_is_understood() -> None:
    assert is_believed(*SOUND, ("yoink mug 1", "You can't do that."))


def test_a_verb_is_harmless_that_left_a_thing_as_it_was() -> None:
    before, after = SOUND[:2], SOUND[2:]
    assert is_believed(*before, ("tickle mug 1", "Ha."), *after)
    again = ("put mug 1 on shelf 2", "Done.")
    assert not is_believed(*before, ("tickle mug 1", "Ha."), again)


@pytest.mark.parametrize(
    "run",
    [
        (*SOUND, ("take mug 1 from desk 3", "Taken.")),
        (*SOUND[:2], ("put mug 1 on shelf 2", "Done.")),
        (*SOUND[:2], ("take mug 1 from shelf 9", "Taken.")),
    ],
    ids=["carried already", "not carried", "left elsewhere"],
)
def test_a_history_that_does_not_hold_together_is_not_believed(
    run: tuple[tuple[str, str], ...],
) -> None:
    assert not is_believed(*run)
    assert is_believed(*run, key="lamp 4")


def test_an_answer_like_no_other_of_its_verb_may_be_a_failure() -> None:
    run = (
        ("take mug 1 from shelf 2", "ok"),
        ("take lamp 4 from shelf 2", "ok"),
        ("take book 5 from shelf 2", "meh"),
    )
    assert is_believed(*run)
    assert not is_believed(*run, key="book 5")


def test_answers_that_are_all_different_confirm_nothing() -> None:
    run = tuple((f"take mug {n} from shelf 2", word) for n, word in ((1, "a"), (2, "b"), (3, "c")))
    assert not is_believed(*run)
    assert is_believed(*run[:1])


def test_a_line_that_is_not_believed_is_evidence_and_no_answer() -> None:
    question = "Where is mug 1 at step 2?"
    assert all(is_answer for *_, is_answer in told(question, SOUND))
    strange = (*SOUND, ("yoink mug 1", "Yoinked."))
    lines = told("Where is mug 1 at step 3?", strange)
    assert lines
    assert not any(is_answer for *_, is_answer in lines)
    assert not any(is_answer for *_, is_answer in told("What is the inventory?", strange))
    assert all(
        is_answer for *_, is_answer in told("What actions were performed before step 3?", strange)
    )
