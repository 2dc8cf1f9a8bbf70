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
import warnings
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Allocation", "Allocator"]

_NO_CHANCE = 1e-12

_HALVINGS = 40
"""Of the logarithms w's lies among: the last two differ by less than one in a billion."""


@runtime_checkable
class Allocator(Protocol):
    """Shares a budget among ranked steps. Recalls use `Allocation`; experiments bring others."""

    @property
    def tail(self) -> float:
        """Share of the budget that may be spent on naming the steps that are not quoted."""
        ...

    @property
    def shows_parts(self) -> bool:
        """Whether steps may be shown in part; else they are quoted whole while they fit."""
        ...

    def chances(
        self, scores: NDArray[np.float64], rest: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return how probably each candidate is evidence."""
        ...

    def grants(
        self,
        chance: NDArray[np.float64],
        outlines: NDArray[np.float64],
        wholes: NDArray[np.float64],
        *,
        room: float,
    ) -> tuple[NDArray[np.float64], bool]:
        """Return the tokens of each candidate, and whether more room would be used."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """How a recall shares its budget among the steps it has ranked.

    `lean` and `depth` are the former names of `score_weight` and `concentration`: they still work,
    and warn.

    Attributes:
        tau: τ, how steeply the chance of being evidence falls with rank; 0 for not at all.
        score_weight: λ, how much the score tells besides the rank; 0 for nothing.
        concentration: δ, how steeply tokens follow chances: near 0 for many outlines, 1 for few
            long steps.
        worth: Tokens that certain evidence is worth at most; infinity fills every budget.
        tail: Share of the budget that may be spent on naming the steps that are not quoted.

    Raises:
        InvalidInputError: A value is out of its range.
    """

    tau: float = 0.8
    score_weight: float = 0.19
    concentration: float = 0.4
    worth: float = 60_000
    tail: float = 0.05
    lean: InitVar[float | None] = None
    depth: InitVar[float | None] = None

    def __post_init__(self, lean: float | None, depth: float | None) -> None:
        _rename(self, "lean", "score_weight", lean)
        _rename(self, "depth", "concentration", depth)
        ranges = {
            "tau": (self.tau, 0.0, 10.0),
            "score_weight": (self.score_weight, 0.0, 10.0),
            "concentration": (self.concentration, 0.05, 1.0),
            "worth": (self.worth, 1.0, math.inf),
            "tail": (self.tail, 0.0, 1.0),
        }
        for name, (value, least, most) in ranges.items():
            if not _lies(value, least, most):
                raise _refused(name, value, hint=f"Give a number from {least:g} to {most:g}.")

    @property
    def shows_parts(self) -> bool:
        """True: a step that is granted less than the whole of it is shown in part."""
        return True

    def chances(
        self, scores: NDArray[np.float64], rest: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return how probably each candidate is evidence; over all steps in scope this sums to 1.

        Args:
            scores: Standardised scores of the candidates, best rank first, shape (n,).
            rest: Scores of all other steps in scope, in any order.

        >>> Allocation(tau=1.0).chances(np.zeros(3), np.zeros(0)).round(2).tolist()
        [0.55, 0.27, 0.18]
        """
        every = np.concatenate((scores, np.sort(rest)[::-1]))
        if not len(scores):
            return np.zeros(0)
        logs = self.score_weight * every - self.tau * np.log(np.arange(1.0, len(every) + 1))
        weights = np.exp(logs - logs.max())
        shares: NDArray[np.float64] = (weights / float(weights.sum()))[: len(scores)]
        return shares

    def grants(
        self,
        chance: NDArray[np.float64],
        outlines: NDArray[np.float64],
        wholes: NDArray[np.float64],
        *,
        room: float,
    ) -> tuple[NDArray[np.float64], bool]:
        """Return the tokens of each candidate, 0 for the tail, and whether more room would be used.

        Args:
            chance: How probably each is evidence, shape (n,).
            outlines: o, the fewest tokens that tell what each is, shape (n,).
            wholes: Tokens of each in full, at least its outline's, shape (n,).
            room: Tokens in all.

        >>> tokens, is_bound = Allocation(concentration=0.5).grants(
        ...     np.array([0.6, 0.2, 0.01]), np.full(3, 20.0), np.full(3, 80.0), room=140
        ... )
        >>> tokens.round().tolist(), is_bound
        ([80.0, 60.0, 0.0], True)
        """
        delta = self.concentration

        def granted(w: float) -> NDArray[np.float64]:
            tokens = np.minimum(outlines * (w * chance / outlines) ** delta, wholes)
            return np.where(w * chance >= outlines, np.maximum(tokens, outlines), 0.0)

        # At this w every candidate with a chance worth the name is whole; a little more, because
        # rounded, (o / b) · b may fall short of o, and the last of them would get nothing.
        likely = chance > _NO_CHANCE
        full = (
            outlines[likely] / chance[likely] * (wholes[likely] / outlines[likely]) ** (1 / delta)
        )
        most = min(self.worth, float(full.max(initial=1.0)) * (1 + 1e-9))
        if float(granted(most).sum()) <= room:
            return granted(most), False
        # Below this w nothing is granted. w may span a hundred orders of magnitude, so their
        # number is halved.
        low, high = float((outlines[likely] / chance[likely]).min(initial=most)) / 2, most
        for _ in range(_HALVINGS):
            middle = math.sqrt(low) * math.sqrt(high)
            fits = float(granted(middle).sum()) <= room
            low, high = (middle, high) if fits else (low, middle)
        return granted(low), True


def _rename(allocation: Allocation, old: str, new: str, value: float | None) -> None:
    """Set an attribute that was given by its former name, and warn."""
    if value is not None:
        warnings.warn(
            f"Allocation({old}=…) is now Allocation({new}=…).", DeprecationWarning, stacklevel=4
        )
        object.__setattr__(allocation, new, value)


def _lies(value: object, least: float, most: float) -> bool:
    """Tell whether a value is a number in a range, numpy's included; a truth value is none."""
    kinds = (int, float, np.integer, np.floating)
    return isinstance(value, kinds) and not isinstance(value, bool) and bool(least <= value <= most)


def _refused(name: str, value: object, *, hint: str) -> InvalidInputError:
    shown = reprlib.repr(value)
    return InvalidInputError(f"{name}={shown} cannot be used in an allocation.", hint=hint)
