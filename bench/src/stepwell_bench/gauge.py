"""Gauge: what is measured of a payload beside the gold steps it touches.

Evidence recall counts a gold step when any fragment of it is quoted, so twenty tokens of every step
score well and say little. A gauge belongs to one question about one run and measures what the
fragments say: `support`, grounded support, how much of the gold steps is shown, and of how much of
the run a payload shows something.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell_bench.gold import named_steps
from stepwell_bench.support import share_held, weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.text.tokens import TokenCounter
    from stepwell_bench.datasets import Question
    from stepwell_bench.scoring import Outcome, Shown
    from stepwell_bench.support import Reading, Term

__all__ = ["COVERED", "Gauge", "gauge_of"]

COVERED = 120
"""Tokens of a gold step that are asked for: more of it need not be shown."""

_LONGEST_TOKEN = 16
"""Characters; so many per token of a text's beginning hold at least the tokens asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """What a payload is measured by.

    Attributes:
        weighed: Weight of each term of the gold answer.
        sizes: Tokens of each gold step, `COVERED` at most; steps without text are left out.
        n_steps: Steps of the run.
        names_gold: Whether the question as asked names all gold steps.
        counter: Counts tokens.
    """

    weighed: Mapping[Term, float]
    sizes: Mapping[int, int]
    n_steps: int
    names_gold: bool
    counter: TokenCounter

    def measured(self, found: Outcome, shown: Shown) -> Outcome:
        """Return an outcome with what its payload is worth beside the steps it touches."""
        gold = self.sizes.keys()
        quoted = [text for step, text in shown.quoted.items() if step in gold]
        derived = [text for steps, text in shown.notes if not steps.isdisjoint(gold)]
        return replace(
            found,
            names_gold=self.names_gold,
            support=share_held(self.weighed, f"{shown.text}\n{shown.tail}"),
            grounded=share_held(self.weighed, "\n".join([*derived, *quoted])),
            coverage=self._coverage(shown.quoted),
            spread=len(shown.steps) / self.n_steps,
            cutting=shown.cutting,
        )

    def _coverage(self, quoted: Mapping[int, str]) -> float | None:
        shares = [
            min(1.0, self.counter.count(quoted.get(step, "")) / size)
            for step, size in self.sizes.items()
        ]
        return sum(shares) / len(shares) if shares else None


def gauge_of(
    question: Question,
    *,
    steps: Sequence[Reading],
    texts: Sequence[str],
    counter: TokenCounter,
) -> Gauge:
    """Return the gauge of a question.

    Args:
        question: The question.
        steps: All steps of its run, prepared.
        texts: The text of each.
        counter: Counts tokens.
    """
    sizes = {
        step: min(COVERED, counter.count(texts[step][: COVERED * _LONGEST_TOKEN]))
        for step in question.gold
    }
    named = named_steps(question.text, n_steps=len(texts))
    return Gauge(
        weighed=weights(question.answer, question.text, steps=steps),
        sizes={step: size for step, size in sizes.items() if size},
        n_steps=len(texts),
        names_gold=set(question.gold) <= set(named),
        counter=counter,
    )
