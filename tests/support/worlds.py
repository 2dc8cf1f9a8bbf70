"""A small world in which the best subset of structures is known for every question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from stepwell.learn.cases import Case, Evaluation
from stepwell.policy.base import STRUCTURES, Context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.policy.base import Policy

QUESTIONS = {
    "count": "How many times was item {n} used?",
    "why": "Why was item {n} dropped?",
    "state": "What is the current status of item {n}?",
    "steps": "What was done at step {n}?",
}
"""A question that shows each cue."""

NEEDED = {
    ("games", "count"): ("temporal", "graph"),
    ("games", "why"): ("units", "summary"),
    ("games", "state"): ("temporal",),
    ("games", "steps"): ("episodic",),
    ("web", "count"): ("episodic", "vector"),
    ("web", "why"): ("vector", "units"),
    ("web", "state"): ("graph",),
    ("web", "steps"): ("episodic",),
    ("sql", "count"): ("graph",),
    ("sql", "why"): ("summary", "vector"),
    ("sql", "state"): ("temporal", "graph"),
    ("sql", "steps"): ("episodic", "temporal"),
}
"""What a question needs, by domain and cue: all of it for the whole reward."""

COST = {
    "summary": 900.0,
    "temporal": 400.0,
    "graph": 500.0,
    "units": 600.0,
    "vector": 700.0,
    "episodic": 800.0,
}
PENALTY = 5e-5
"""λ: what everything costs together is about a fifth of the reward."""

CROWDING = 0.12
"""What each structure that is not needed takes from the reward."""


@dataclass(slots=True)
class World:
    """Rewards what a selection holds of what is needed, with some noise; counts what it is asked.

    Attributes:
        noise: Half the width of the noise of a question's rewards.
        n_evaluated: Cases evaluated.
    """

    noise: float = 0.1
    n_evaluated: int = 0

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        self.n_evaluated += len(cases)
        selections = [policy.select(case.question, case.context) for case in cases]
        chosen = [selection.structures for selection in selections]
        pairs = list(zip(cases, chosen, strict=True))
        return Evaluation(
            cases=cases,
            chosen=chosen,
            rewards=np.array([self.reward(case, names) for case, names in pairs]),
            tokens=np.array([sum(COST[name] for name in names) for names in chosen]),
            weights=np.ones(len(cases)),
        )

    def reward(self, case: Case, names: tuple[str, ...]) -> float:
        needed = set(needed_by(case))
        met = len(needed & set(names)) / len(needed)
        luck = self.noise * (crc32(case.id.encode()) / 2**31 - 1)
        return float(np.clip(met - CROWDING * len(set(names) - needed) + luck, 0, 1))


def needed_by(case: Case) -> tuple[str, ...]:
    _, _, cue = case.id.split(":")
    return NEEDED[case.context.domain, cue]


def cases_of(n_episodes: int, *, seed: int = 0) -> list[Case]:
    """Return the cases of some episodes, eight questions each; domains take turns."""
    rng = np.random.default_rng(seed)
    domains = sorted({domain for domain, _ in NEEDED})
    found: list[Case] = []
    for episode in range(n_episodes):
        domain = domains[episode % len(domains)]
        context = Context(available=STRUCTURES, domain=domain, n_steps=50 + episode, budget=4000)
        for number, cue in enumerate(rng.choice(list(QUESTIONS), size=8)):
            found.append(
                Case(
                    id=f"{episode}:{number}:{cue}",
                    episode=f"e{episode}",
                    question=QUESTIONS[str(cue)].format(n=int(rng.integers(100))),
                    context=context,
                )
            )
    return found
