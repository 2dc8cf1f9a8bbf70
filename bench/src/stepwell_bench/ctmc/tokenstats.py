"""Compare ways of packing question by question: tokens saved, and what is shown for them.

Questions about one episode share its text, so intervals are drawn by episode; by question they
stand beside, because a few episodes give no interval to rely on (each of five may be drawn five
times, and none of the draws is a sixth talk). A claim has to hold by both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.stats.bootstrap import Interval, bootstrap_mean, paired_difference
from stepwell.stats.permutation import by_episode, sign_flip
from stepwell_bench.ctmc.figures import Claim
from stepwell_bench.saving import paired_saving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from stepwell_bench.scoring import Mode

__all__ = [
    "ALL",
    "CONTROLS",
    "FLAT",
    "MEASURES",
    "OURS",
    "WHOLE",
    "Asked",
    "Contrast",
    "Mean",
    "claims",
    "contrasts",
    "means",
]

FLAT: Final = "flat"
"""Whole steps by rank until the budget is full."""

OURS: Final = "controller"
"""The allocation by rank, with a share of flat's budget."""

WHOLE: Final = "controller, whole budget"

CONTROLS: Final = ("uniform", "shuffled ranks", "reversed ranks", "flat, same share")
"""The same budget as `OURS` gets, given out otherwise."""

ALL: Final = "all"

LEAST_SAVING: Final = 0.25
MOST_LOST: Final = 0.01
"""What is claimed: a fourth of the tokens saved, and less than a point of recall lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one way of packing showed for one question.

    Attributes:
        question: The question's id.
        episode: The trajectory's id.
        kind: The question's type.
        mode: `as-asked`, or `stripped` of step numbers.
        budget: Flat's budget, by which arms are paired.
        arm: Which way.
        tokens: Tokens of the whole payload.
        recall: Share of the gold steps shown.
        literals: Share of the gold answer's literals shown; None when it has none.
        words: Share of its words, those of the question left out; None when it has none.
        match: Whether all of it stands in what is shown, 1 or 0; None when it has no words.
        violations: Rules of showing that were broken.
    """

    question: str
    episode: str
    kind: str
    mode: Mode
    budget: int
    arm: str
    tokens: int
    recall: float
    literals: float | None
    words: float | None
    match: float | None
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of a measure over the questions of a group; the interval is by episode."""

    mode: str
    group: str
    budget: int
    arm: str
    measure: str
    value: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One arm against another, paired by question.

    Attributes:
        mode: How questions were put.
        group: `all`, or a type of questions.
        budget: Flat's budget.
        arm: Which arm.
        against: Which other.
        measure: `tokens`: the share saved, 1 - Σ/Σ; of others the mean difference.
        value: With its interval by episode.
        by_question: With its interval by question.
        p: Sign-flip test of the differences by question.
        p_episode: The same of the means of episodes; with n of them it is at least 2/2ⁿ.
    """

    mode: str
    group: str
    budget: int
    arm: str
    against: str
    measure: str
    value: Interval
    by_question: Interval
    p: float
    p_episode: float

    @property
    def low(self) -> float:
        """The lower of the two lower ends."""
        return min(self.value.low, self.by_question.low)


MEASURES: Final[Mapping[str, Callable[[Asked], float | None]]] = {
    "tokens": lambda one: one.tokens,
    "recall": lambda one: one.recall,
    "literals": lambda one: one.literals,
    "words": lambda one: one.words,
    "match": lambda one: one.match,
}

_Key = tuple[str, str, int]


def means(rows: Iterable[Asked], *, seed: int, draws: int) -> list[Mean]:
    """Return the mean of every measure by way of asking, group, budget and arm."""
    found: list[Mean] = []
    for (mode, group, budget), arms in _grouped(rows).items():
        for arm, answered in arms.items():
            for measure, value_of in MEASURES.items():
                pairs = [(value_of(one), one.episode) for one in answered.values()]
                known = [(value, episode) for value, episode in pairs if value is not None]
                if known:
                    value = bootstrap_mean(
                        [value for value, _ in known],
                        [episode for _, episode in known],
                        rng=np.random.default_rng(seed),
                        n=draws,
                    )
                    named = {"mode": mode, "group": group, "arm": arm, "measure": measure}
                    found.append(Mean(**named, budget=budget, value=value))
    return found


def contrasts(rows: Iterable[Asked], *, seed: int, draws: int) -> list[Contrast]:
    """Return the controller against flat in every group, and against its controls over all."""
    found: list[Contrast] = []
    for key, arms in _grouped(rows).items():
        pairs = [(OURS, FLAT)]
        if key[1] == ALL:
            pairs += [(WHOLE, FLAT), *((OURS, control) for control in CONTROLS)]
        for arm, against in pairs:
            for measure in MEASURES:
                one = _contrast(key, arms, (arm, against), measure, seed=seed, draws=draws)
                found += [] if one is None else [one]
    return found


def _grouped(rows: Iterable[Asked]) -> dict[_Key, dict[str, dict[str, Asked]]]:
    """Collect rows by way of asking, group and budget, then by arm and question."""
    found: dict[_Key, dict[str, dict[str, Asked]]] = {}
    for one in rows:
        for group in (ALL, one.kind):
            arms = found.setdefault((one.mode, group, one.budget), {})
            arms.setdefault(one.arm, {})[one.question] = one
    return found


def _contrast(
    key: _Key,
    arms: Mapping[str, Mapping[str, Asked]],
    pair: tuple[str, str],
    measure: str,
    *,
    seed: int,
    draws: int,
) -> Contrast | None:
    ours, theirs = (arms.get(arm, {}) for arm in pair)
    value_of = MEASURES[measure]
    both = [(value_of(ours[name]), value_of(theirs[name]), name) for name in ours if name in theirs]
    known = [(a, b, name) for a, b, name in both if a is not None and b is not None]
    if not known:
        return None
    a, b = (np.asarray([row[place] for row in known], dtype=np.float64) for place in (0, 1))
    questions = [name for _, _, name in known]
    episodes = [ours[name].episode for name in questions]
    compare = paired_saving if measure == "tokens" else paired_difference
    return Contrast(
        mode=key[0],
        group=key[1],
        budget=key[2],
        arm=pair[0],
        against=pair[1],
        measure=measure,
        value=compare(a, b, episodes, rng=np.random.default_rng(seed), n=draws),
        by_question=compare(a, b, questions, rng=np.random.default_rng(seed), n=draws),
        p=sign_flip(a - b, rng=np.random.default_rng(seed)).p,
        p_episode=sign_flip(by_episode(a - b, episodes), rng=np.random.default_rng(seed)).p,
    )


def claims(found: Sequence[Contrast], *, several: str | None) -> list[Claim]:
    """Judge at each budget what the paper claims, and what would make its claim an empty one.

    Args:
        found: The contrasts.
        several: The type of questions whose evidence lies in several sessions; None where the data
            set has none.
    """
    placed = {
        (one.mode, one.group, one.budget, one.measure): one
        for one in found
        if (one.arm, one.against) == (OURS, FLAT)
    }
    judged: list[Claim] = []
    for (mode, group, budget, measure), recall in placed.items():
        if measure != "recall" or group not in {ALL, several}:
            continue
        where = f"{mode}, flat at {budget:,} tokens"
        if group == ALL:
            saving = placed[mode, group, budget, "tokens"]
            judged.append(_saved(saving, recall, where))
            words = placed.get((mode, group, budget, "words"))
            judged += [] if words is None else [_kept(words, where)]
        else:
            text = f"{where}: {group} questions do not lose recall on average: {_told(recall)}"
            judged.append(Claim(text=text, holds=recall.value.mean >= 0))
    return judged


def _saved(saving: Contrast, recall: Contrast, where: str) -> Claim:
    return Claim(
        text=(
            f"{where}: at least {LEAST_SAVING:.0%} fewer tokens, and both intervals of recall "
            f"above -1 point: {saving.value.mean:.1%} fewer; {_told(recall)}"
        ),
        holds=saving.value.mean >= LEAST_SAVING and recall.low > -MOST_LOST,
    )


def _kept(words: Contrast, where: str) -> Claim:
    """Judge whether shown steps still say what the answer needs: excerpts may cut it away."""
    return Claim(
        text=f"{where}: nor do the answer's words fall by a point: {_told(words)}",
        holds=words.low > -MOST_LOST,
    )


def _told(one: Contrast) -> str:
    return (
        f"{one.measure} {_points(one.value.mean)} [{_points(one.value.low)}, "
        f"{_points(one.value.high)}] by episode, [{_points(one.by_question.low)}, "
        f"{_points(one.by_question.high)}] by question"
    )


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"
