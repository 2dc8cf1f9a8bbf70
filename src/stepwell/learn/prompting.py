"""The prompts of the frozen answer model and of the judge, and how their replies are read."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from stepwell.chat.base import asked as messages_of
from stepwell.recall.markup import escaped
from stepwell.recall.show.compose import CLOSE, OPEN

if TYPE_CHECKING:
    from stepwell.chat.base import Message

__all__ = ["answer_in", "answer_prompt", "judge_prompt", "verdict_in"]

_NO_EVIDENCE = "(no evidence is given)"
# What could close the frame around a text, or pass for a control token of a model.
_FRAME = re.compile(r"</?evidence|<\|", re.IGNORECASE)
_MARKUP = re.compile(r"<(?=/?(?:question|reference|predicted)\b|\|)", re.IGNORECASE)
_THOUGHT_OPENS, _THOUGHT_CLOSES = "<think>", "</think>"
_MARK = re.compile(r"Answer\s?\[1\]\s*:", re.IGNORECASE)
_VERDICT = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


def answer_prompt(question: str, evidence: str) -> tuple[Message, ...]:
    """Return the messages that ask a question, in the format of AMA-Bench.

    Args:
        question: The question.
        evidence: A payload of Stepwell's stays as it is; other text is framed and escaped as one,
            so that nothing in it passes for an instruction of ours. Blank for the arm without.
    """
    shown = _framed(evidence) if evidence.strip() else _NO_EVIDENCE
    user = _template("answer").substitute(evidence=shown, question=question)
    return messages_of(user.strip(), system=_template("answer_system").template.strip())


def judge_prompt(question: str, *, reference: str, predicted: str) -> tuple[Message, ...]:
    """Return the messages that ask whether a predicted answer is correct."""
    user = _template("judge").substitute(
        question=_plain(question), reference=_plain(reference), predicted=_plain(predicted)
    )
    return messages_of(user.strip())


def answer_in(reply: str) -> str:
    """Return the answer in a reply, without what the model thought; empty if it only thought.

    >>> answer_in("<think>5432? No.</think>The log says so. Answer[1]: 5433")
    '5433'
    >>> answer_in("5433"), answer_in("<think>Let me see")
    ('5433', '')
    """
    said = _said(reply)
    mark = _MARK.search(said)
    return (said[mark.end() :] if mark else said).strip()


def verdict_in(reply: str) -> bool | None:
    """Return what a judge decided, or nothing if it did not, or said both.

    >>> verdict_in("Yes."), verdict_in("<think>yes?</think> no"), verdict_in("yes and no")
    (True, False, None)
    """
    found = {word.lower() for word in _VERDICT.findall(_said(reply))}
    return found == {"yes"} if len(found) == 1 else None


def _said(reply: str) -> str:
    """Return what follows the last thought; one that never ends is all there is."""
    _, closed, after = reply.rpartition(_THOUGHT_CLOSES)
    said = after if closed else reply
    return said.partition(_THOUGHT_OPENS)[0]


def _framed(text: str) -> str:
    text = text.strip()
    if text.startswith(OPEN) and text.endswith(CLOSE):
        inside = _FRAME.search(text, len(OPEN), len(text) - len(CLOSE))
        if inside is None:
            return text
    return f"{OPEN}\n{escaped(text)}\n{CLOSE}"


def _plain(text: str) -> str:
    return _MARKUP.sub(r"<\\", text)


@cache
def _template(name: str) -> Template:
    file = files("stepwell.learn") / "prompts" / f"{name}.txt"
    return Template(file.read_text(encoding="utf-8"))
