"""A run of a small world, and what its log tells."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from stepwell.structures.temporal.answers.answer import answer
from stepwell.structures.temporal.grammar.questions import read_question
from stepwell.structures.temporal.log.extract import extract
from stepwell.structures.temporal.log.log import Log
from support.steps import step_of

Told = tuple[str, tuple[int, ...], str, bool]
"""A line: its text, its steps, its quote, and whether it is an answer."""

HARBOUR = (
    ("look", "You are at pier 1."),
    ("go to crate 1", "The crate 1 is closed."),
    ("open crate 1", "You open the crate 1. In it, you see a rope 1, and a rope 2."),
    ("take rope 1 from crate 1", "Taken."),
    ("go to boat 1", "On the boat 1, you see nothing."),
    ("put rope 1 on boat 1", "Score: 7"),
    ("take rope 2 from crate 1", "You can't reach it."),
    ("look", "The rope 1 is on boat 1."),
    ("take rope 1 from boat 1", "Taken."),
    ("slice rope 1", "Sliced."),
    ("wait", "Score: 12"),
    ("close crate 1", "Done."),
    ("look", "Score: 3"),
)
"""Steps 0 to 12: actions, and what each gave."""


@cache
def log_of(run: tuple[tuple[str, str], ...] = HARBOUR) -> Log:
    log = Log()
    steps = (step_of(action, observed) for action, observed in run)
    log.extend([extract(replace(step, index=n, uid=f"s{n}")) for n, step in enumerate(steps)])
    return log


def told(question: str, run: tuple[tuple[str, str], ...] = HARBOUR) -> list[Told]:
    log = log_of(run)
    lines = answer(log, read_question(question, log.names, log.verbs))
    return [(one.text, one.steps, one.quote, one.is_answer) for one in lines]
