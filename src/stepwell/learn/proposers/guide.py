"""What training cases say: the worth of each reading on each case, and which rule meets which."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stepwell.learn.tables import structures_of, subsets_of
from stepwell.policy.conditions import Condition
from stepwell.policy.cues import CUES, cues_of
from stepwell.policy.kinds import Fixed, Rule, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.learn.cases import Case, Evaluator
    from stepwell.policy.base import Policy
    from stepwell.policy.conditions import Subject

__all__ = ["SUBJECTS", "Guide", "Reading", "reading_at", "reading_of"]

Reading: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, int], ...]]
"""What a rule reads, as a key: names of structures in order, and most tokens of some of them."""

SUBJECTS: Final[frozenset[Subject]] = frozenset(
    {"asks", "has", "domain", "kind", "steps", "tokens", "budget", "signal"}
)
"""What conditions may look at; a task is a text of its own, on which nothing general depends."""

_LEAST_CASES: Final = 6
_LEAST_EPISODES: Final = 2
"""Support of a condition: what holds for fewer training cases teaches nothing of others."""

_QUANTILES: Final = (0.25, 0.5, 0.75)
"""Where a number is cut."""

_PSEUDO_COUNT: Final = 5.0


def reading_of(read: Sequence[str], tokens: Iterable[tuple[str, int]] = ()) -> Reading:
    """Return what is read, as a key."""
    return tuple(read), tuple(sorted(tokens))


@dataclass(slots=True, kw_only=True, eq=False)
class Guide:
    """Training cases, and what was measured on them; it grows as it is asked.

    The worth of a reading on a case is its reward less what its tokens cost. From logged choices
    little of that is known: the rest is filled in by what the reading is worth on average, doubly
    robustly (Dudík, Langford and Li, 2011): û + w·(u - û), with û the mean smoothed towards 0, so
    that what was never tried promises nothing. Where all is known, w = 1, that is u itself.

    Attributes:
        evaluator: What measures; it keeps what is expensive.
        cases: The training cases.
        penalty: λ, in reward per token.
        reach: Subsets up to this size are always considered; more of them are measured only
            where a change of the current policy leads there.
        subjects: What conditions may look at.
        limits: Whether structures may be given other tokens than their own most: each change of
            these has to be measured anew.
    """

    evaluator: Evaluator
    cases: Sequence[Case]
    penalty: float
    reach: int = 2
    subjects: frozenset[Subject] = SUBJECTS
    limits: bool = True
    structures: tuple[str, ...] = field(init=False)
    episodes: NDArray[np.int64] = field(init=False, repr=False)
    _measured: dict[Reading, tuple[NDArray[np.float64], NDArray[np.float64]]] = field(
        init=False,
        repr=False,
        default_factory=dict[Reading, tuple[NDArray[np.float64], NDArray[np.float64]]],
    )
    _masks: dict[Condition, NDArray[np.bool_]] = field(
        init=False, repr=False, default_factory=dict[Condition, NDArray[np.bool_]]
    )
    _conditions: tuple[Condition, ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        self.structures = structures_of(self.cases)
        codes: dict[str, int] = {}
        found = [codes.setdefault(case.episode, len(codes)) for case in self.cases]
        self.episodes = np.array(found, dtype=np.int64)

    def worth(self, reading: Reading) -> NDArray[np.float64]:
        """Return what a reading is worth on each case, shape (n,).

        Raises:
            PolicyError: A case has nothing to read.
        """
        return self._known(reading)[0]

    def rewards(self, reading: Reading) -> NDArray[np.float64]:
        """Return the reward of a reading on each case, shape (n,).

        Raises:
            PolicyError: A case has nothing to read.
        """
        return self._known(reading)[1]

    def holds(self, conditions: Iterable[Condition]) -> NDArray[np.bool_]:
        """Return for which cases all of some conditions hold, shape (n,)."""
        mask = np.ones(len(self.cases), dtype=np.bool_)
        for condition in conditions:
            if condition not in self._masks:
                met = [condition.holds(case.question, case.context) for case in self.cases]
                self._masks[condition] = np.array(met, dtype=np.bool_)
            mask = mask & self._masks[condition]
        return mask

    def is_supported(self, mask: NDArray[np.bool_]) -> bool:
        """Return whether enough cases are in a mask to learn something from them."""
        n_episodes = len(np.unique(self.episodes[mask]))
        return int(mask.sum()) >= _LEAST_CASES and n_episodes >= _LEAST_EPISODES

    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions that hold for some cases and fail for others, enough of each."""
        if not self._conditions:
            usable: list[Condition] = []
            seen: set[bytes] = set()
            for condition in self._thinkable():
                mask = self.holds([condition])
                told = mask.tobytes()
                if told not in seen and self.is_supported(mask) and self.is_supported(~mask):
                    usable.append(condition)
                    seen |= {told}
            self._conditions = tuple(usable)
        return self._conditions

    def regions(self, rules: Rules) -> NDArray[np.int64]:
        """Return which rule applies to each case, shape (n,); the number of rules for none."""
        found = np.full(len(self.cases), len(rules.rules), dtype=np.int64)
        for number, rule in reversed(list(enumerate(rules.rules))):
            found[self.holds(rule.when) & self._can_read(rule.read)] = number
        return found

    def worth_of(self, rules: Rules) -> NDArray[np.float64]:
        """Return what rules are worth on each case, shape (n,).

        Raises:
            PolicyError: A case has nothing to read.
        """
        regions = self.regions(rules)
        total = np.zeros(len(self.cases))
        for number in np.unique(regions):
            mask = regions == number
            total[mask] = self.worth(reading_at(rules, int(number)))[mask]
        return total

    def readings(self, used: Iterable[Reading]) -> list[Reading]:
        """Return what can be read: small subsets, everything, and what is in use already."""
        small = subsets_of(self.structures, largest=self.reach)
        pool = [reading_of(subset) for subset in [*small, self.structures]]
        return list(dict.fromkeys([*pool, *used]))

    def _known(self, reading: Reading) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if reading not in self._measured:
            found = self.evaluator.evaluate(_policy_of(reading), self.cases)
            weights = found.weights
            values = (found.rewards - self.penalty * found.tokens, found.rewards)
            robust = [_filled_in(value, weights) for value in values]
            self._measured[reading] = (robust[0], robust[1])
        return self._measured[reading]

    def _can_read(self, names: Sequence[str]) -> NDArray[np.bool_]:
        able = np.zeros(len(self.cases), dtype=np.bool_)
        for name in names:
            able = able | self.holds([Condition(subject="has", name=name)])
        return able

    def _thinkable(self) -> list[Condition]:
        contexts = [case.context for case in self.cases]
        shown = {cue for case in self.cases for cue in cues_of(case.question)}
        names = {
            "asks": [cue for cue in CUES if cue in shown],
            "has": list(self.structures),
            "domain": sorted({" ".join(context.domain.split()) for context in contexts} - {""}),
            "kind": sorted({" ".join(context.kind.split()) for context in contexts} - {""}),
        }
        numbers: dict[Subject, list[int]] = {
            "steps": [context.n_steps for context in contexts],
            "tokens": [context.n_tokens for context in contexts],
            "budget": [context.budget for context in contexts],
        }
        signals = sorted({name for context in contexts for name in context.signals})
        found = [
            Condition(subject=subject, name=name)
            for subject in ("asks", "has", "domain", "kind")
            if subject in self.subjects
            for name in names[subject]
        ]
        for subject, values in numbers.items():
            if subject in self.subjects:
                found += [_at_least(subject, "", cut) for cut in _cuts(values)]
        for name in signals if "signal" in self.subjects else ():
            told = [context.signals[name] for context in contexts if name in context.signals]
            found += [_at_least("signal", name, cut) for cut in _cuts(told)]
        return found


def reading_at(rules: Rules, number: int) -> Reading:
    """Return what a rule reads; of the number of rules, what the default reads."""
    if number == len(rules.rules):
        return reading_of(rules.default)
    rule = rules.rules[number]
    return reading_of(rule.read, rule.tokens.items())


def _policy_of(reading: Reading) -> Policy:
    read, tokens = reading
    if not tokens:
        return Fixed(structures=read)
    return Rules(rules=(Rule(when=(), read=read, tokens=dict(tokens)),), default=read)


def _filled_in(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    mean = float((values * weights).sum()) / (float(weights.sum()) + _PSEUDO_COUNT)
    return np.where(weights == 1, values, mean + weights * (values - mean))


def _cuts(values: Sequence[float]) -> list[float]:
    """Return where numbers are cut: 1, which tells some from none, and their quartiles."""
    finite = np.array([value for value in values if np.isfinite(value)])
    if not finite.size or finite.min() == finite.max():
        return []
    quartiles = np.quantile(finite, _QUANTILES, method="higher")
    cuts = {float(f"{cut:.3g}") for cut in quartiles} | {1.0}
    return sorted(cut for cut in cuts if finite.min() < cut <= finite.max())


def _at_least(subject: Subject, name: str, cut: float) -> Condition:
    return Condition(subject=subject, name=name, comparison=">=", value=cut)
