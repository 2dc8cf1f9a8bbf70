"""The predictive rule: whether overlapping units are likely to help on some logs.

OSU-Mem predicts it from the share of questions whose evidence is bound at all (section 7, appendix
I, the share of "any binding"). Here: predict that they help if and only if

    π ≥ .5  and  B ≤ .25·n

with π the share of evidence sets that some uncommon name binds, B the budget and n the tokens of a
typical run. Above a fourth of the run, flat search finds most evidence by likeness alone. An
estimate of π that is no farther from .5 than such estimates err decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stepwell.stats.bootstrap import Interval

__all__ = ["Prediction", "Verdict", "predict"]

_LEAST_BOUND: Final = 0.5
"""π from which overlap is predicted to help."""

_MOST_OF_RUN: Final = 0.25
"""B / n up to which it is."""

_ERROR: Final = 0.16
"""Mean error of an estimated π against 778 questions with known evidence about 14 kinds of runs,
over the kinds whose steps hold names (names as written .16, as observed .17)."""

_LEAST_STEPS: Final = 30
"""Steps that can be evidence: with fewer, a share of a half is off by more than .18 in one case of
twenty."""

_LEAST_QUESTIONS: Final = 20
"""Questions: with fewer it is off by more than .22."""


class Verdict(StrEnum):
    """What is predicted."""

    LIKELY = "likely to help"
    UNLIKELY = "unlikely to help"
    FEW = "too few steps to tell"
    CLOSE = "too close to tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A prediction and why it is made.

    Attributes:
        verdict: Whether overlap is likely to help.
        reason: One or two sentences.
    """

    verdict: Verdict
    reason: str

    def __str__(self) -> str:
        """Return the prediction in plain words."""
        return f"overlap: {self.verdict}. {self.reason}"


def predict(
    bound: Interval | None,
    *,
    any_name: float | None,
    tokens: int,
    budget: int,
    n_steps: int | None = None,
) -> Prediction:
    """Predict whether overlapping units help.

    Args:
        bound: π, the share of evidence sets that an uncommon name binds; None without sets.
        any_name: The share that any name binds, common ones too.
        tokens: Tokens of a typical run.
        budget: Tokens a recall may cost.
        n_steps: Steps that can be evidence; None where the sets are those of questions.

    >>> from stepwell.stats.bootstrap import Interval
    >>> half = Interval(mean=0.7, low=0.6, high=0.8, n_values=400, n_groups=10)
    >>> predict(half, any_name=0.9, tokens=40_000, budget=800, n_steps=900).verdict.value
    'likely to help'
    """
    if bound is None:
        return Prediction(verdict=Verdict.FEW, reason="No set of steps could be looked at.")
    if budget > _MOST_OF_RUN * tokens:
        reason = (
            f"The budget of {budget} tokens is more than a fourth of a typical run ({tokens}), so "
            "flat search already has room for most of the evidence."
        )
        return Prediction(verdict=Verdict.UNLIKELY, reason=reason)
    verdict = _verdict(bound, n_steps)
    reason = _reason(bound, any_name, n_steps)
    if verdict == Verdict.CLOSE and n_steps is not None:
        reason += f" Such estimates err by {_ERROR:.0%}; real questions would tell."
    return Prediction(verdict=verdict, reason=reason)


def _verdict(bound: Interval, n_steps: int | None) -> Verdict:
    is_few = bound.n_values < _LEAST_QUESTIONS if n_steps is None else n_steps < _LEAST_STEPS
    if is_few:
        return Verdict.FEW
    margin = 0 if n_steps is None else _ERROR
    if min(bound.low, bound.mean - margin) < _LEAST_BOUND <= max(bound.high, bound.mean + margin):
        return Verdict.CLOSE
    return Verdict.LIKELY if bound.mean >= _LEAST_BOUND else Verdict.UNLIKELY


def _reason(bound: Interval, any_name: float | None, n_steps: int | None) -> str:
    sets = f"{bound.n_values} questions" if n_steps is None else f"{bound.n_values} sampled sets"
    over = f"over {n_steps} steps" if n_steps is not None else ""
    spread = (
        f"between {bound.low:.0%} and {bound.high:.0%}, over {bound.n_groups} runs"
        if bound.n_groups > 1
        else "of one run, so without an interval"
    )
    text = f"An uncommon name binds {bound.mean:.0%} of {sets} {over}".rstrip() + f" ({spread})."
    if any_name is not None and (any_name >= _LEAST_BOUND) != (bound.mean >= _LEAST_BOUND):
        text += f" With common names it is {any_name:.0%}, but they narrow nothing down."
    return text
