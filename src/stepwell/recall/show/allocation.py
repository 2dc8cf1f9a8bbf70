r"""Allocation: the core-tail controller, or how many tokens each ranked step is worth.

Evidence is heavy-tailed over ranks. With z the standardised score of the step at rank r (from 1),
it is evidence with a chance of about

    b(r; τ) = r^-τ · e^(λz_r) / Σ_j j^-τ · e^(λz_j)

over all steps in scope; λ = 0 is the law of CTMC's paper, b(r; τ) ∝ r^-τ, and τ = 0 with it the
same for every rank. A step that the question names is evidence for certain.

The first tokens of a step tell most. Say an outline of o tokens tells 1 - c of what its step tells,
and T tokens 1 - c · (o/T)^(1/δ - 1), with c = δ, so that an outline's tokens are worth as much as
the first ones beyond it. What a budget tells is then most with

    T_r = o_r · (w · b_r / o_r)^δ    where w · b_r ≥ o_r, and at most the whole step;

the steps below are the tail. δ = 1 is the paper's T_r ∝ b(r; τ). w, the tokens that certain
evidence is worth, is as large as the budget lets it be, so that what a short step leaves over goes
to the others; and at most `worth`: where more tokens would buy too little, they are saved.
"""

from __future__ import annotations

import math
import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Allocation", "Order", "chances", "grants"]

Order: TypeAlias = Literal["ranked", "uniform", "shuffled", "reversed"]

_NO_CHANCE = 1e-12

_HALVINGS = 40
"""Of the logarithms w's lies among: the last two differ by less than one in a billion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """How a recall shares its budget among the steps it has ranked.

    Attributes:
        tau: τ, how steeply the chance of being evidence falls with rank; 0 for not at all.
        lean: λ, how much the score tells besides the rank; 0 for nothing.
        depth: δ, how steeply tokens follow chances: near 0 for many outlines, 1 for few long steps.
        worth: Tokens that certain evidence is worth at most; infinity fills every budget.
        core: Share of the budget that may be spent on quotations.
        tail: Share of it that may be spent on naming the steps that are not quoted.
        order: Which chance a step is given: that of its own rank, or, for comparison, the same for
            all, that of a drawn rank, or that of the opposite one.
        whole: Quote steps whole, in order of rank, while they fit: flat packing, for comparison.
        seed: Of the drawn ranks.

    Raises:
        InvalidInputError: A value is out of its range.
    """

    tau: float = 0.8
    lean: float = 0.19
    depth: float = 0.4
    worth: float = 60_000
    core: float = 1.0
    tail: float = 0.05
    order: Order = "ranked"
    whole: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        ranges = {
            "tau": (self.tau, 0.0, 10.0),
            "lean": (self.lean, 0.0, 10.0),
            "depth": (self.depth, 0.05, 1.0),
            "worth": (self.worth, 1.0, math.inf),
            "core": (self.core, 0.0, 1.0),
            "tail": (self.tail, 0.0, 1.0),
            "seed": (self.seed, 0, math.inf),
        }
        for name, (value, least, most) in ranges.items():
            if not _lies(value, least, most, whole=name == "seed"):
                kind = "whole number" if name == "seed" else "number"
                raise _refused(name, value, hint=f"Give a {kind} from {least:g} to {most:g}.")
        if not _is_one_of(self.order, get_args(Order)):
            hint = f"Use one of {', '.join(get_args(Order))}."
            raise _refused("order", self.order, hint=hint)
        if not _is_one_of(self.whole, (False, True)):
            raise _refused("whole", self.whole, hint="Give True or False.")


def _lies(value: object, least: float, most: float, *, whole: bool) -> bool:
    """Tell whether a value is a number in a range, numpy's included; a truth value is none."""
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    return isinstance(value, kinds) and not isinstance(value, bool) and bool(least <= value <= most)


def _is_one_of(value: object, known: tuple[object, ...]) -> bool:
    return isinstance(value, type(known[0])) and value in known


def _refused(name: str, value: object, *, hint: str) -> InvalidInputError:
    shown = reprlib.repr(value)
    return InvalidInputError(f"{name}={shown} cannot be used in an allocation.", hint=hint)


def chances(
    scores: NDArray[np.float64], rest: NDArray[np.float64], allocation: Allocation
) -> NDArray[np.float64]:
    """Return how probably each candidate is evidence; with those of all other steps, they sum to 1.

    Args:
        scores: Standardised scores of the candidates, best rank first, shape (n,).
        rest: Scores of all other steps in scope, in any order.
        allocation: τ, λ, and whose rank each is given.

    >>> chances(np.zeros(3), np.zeros(0), Allocation(tau=1.0)).round(2).tolist()
    [0.55, 0.27, 0.18]
    """
    every = np.concatenate((scores, np.sort(rest)[::-1]))
    if not len(scores):
        return np.zeros(0)
    logs = allocation.lean * every - allocation.tau * np.log(np.arange(1.0, len(every) + 1))
    weights = np.exp(logs - logs.max())
    return _reordered((weights / float(weights.sum()))[: len(scores)], allocation)


def _reordered(values: NDArray[np.float64], allocation: Allocation) -> NDArray[np.float64]:
    if allocation.order == "uniform":
        return np.full(len(values), values.mean())
    if allocation.order == "reversed":
        return values[::-1]
    if allocation.order == "shuffled":
        return np.random.default_rng(allocation.seed).permutation(values)
    return values


def grants(
    chance: NDArray[np.float64],
    outlines: NDArray[np.float64],
    wholes: NDArray[np.float64],
    *,
    room: float,
    allocation: Allocation,
) -> tuple[NDArray[np.float64], bool]:
    """Return the tokens of each candidate, 0 for the tail, and whether more room would be used.

    Args:
        chance: How probably each is evidence, shape (n,).
        outlines: o, the fewest tokens that tell what each is, shape (n,).
        wholes: Tokens of each in full, at least its outline's, shape (n,).
        room: Tokens in all.
        allocation: δ, and the most that w may be.

    >>> tokens, is_bound = grants(
    ...     np.array([0.6, 0.2, 0.01]),
    ...     np.full(3, 20.0),
    ...     np.full(3, 80.0),
    ...     room=140,
    ...     allocation=Allocation(depth=0.5),
    ... )
    >>> tokens.round().tolist(), is_bound
    ([80.0, 60.0, 0.0], True)
    """
    delta = allocation.depth

    def granted(w: float) -> NDArray[np.float64]:
        tokens = np.minimum(outlines * (w * chance / outlines) ** delta, wholes)
        return np.where(w * chance >= outlines, np.maximum(tokens, outlines), 0.0)

    # At this w every candidate with a chance worth the name is whole; a little more, because
    # rounded, (o / b) · b may fall short of o, and the last of them would get nothing.
    likely = chance > _NO_CHANCE
    full = outlines[likely] / chance[likely] * (wholes[likely] / outlines[likely]) ** (1 / delta)
    most = min(allocation.worth, float(full.max(initial=1.0)) * (1 + 1e-9))
    if float(granted(most).sum()) <= room:
        return granted(most), False
    # Below this w nothing is granted. w may span a hundred orders of magnitude: halve their number.
    low, high = float((outlines[likely] / chance[likely]).min(initial=most)) / 2, most
    for _ in range(_HALVINGS):
        middle = math.sqrt(low) * math.sqrt(high)
        fits = float(granted(middle).sum()) <= room
        low, high = (middle, high) if fits else (low, middle)
    return granted(low), True
