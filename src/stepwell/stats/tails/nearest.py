"""Where the tail of a sample begins, for many samples at once.

For each x_min that could be, α is the one of maximum likelihood; x_min is the one with the smallest
Kolmogorov-Smirnov distance

    D = max_{x ≥ x_min} |S(x) - ζ(α, x)/ζ(α, x_min)|

between the observed share of counts from x on, S(x), and the law's (Clauset, Shalizi and Newman,
2009, §3.3). The gap at some counts is at most D. So of each sample the tail that looks best at
small counts is measured in full; of the others, only those whose gap at small counts, or in a few
places among large ones, is below the smallest D so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.stats.tails.exponents import far_alpha
from stepwell.stats.tails.neargaps import near_gaps, polynomials
from stepwell.stats.tails.samples import FINE
from stepwell.stats.tails.sums import Sums
from stepwell.stats.tails.zeta import far_series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.stats.tails.neargaps import NearGaps, Polynomial
    from stepwell.stats.tails.samples import Samples

__all__ = ["nearest_tails"]

_BLOCK: Final = 1 << 15
"""Numbers that are worked on together: a quarter of a megabyte."""

_PLACES: Final = (1 / 2, 1 / 4, 3 / 4, 1 / 8, 3 / 8, 7 / 8, 5 / 8)
"""Parts of a tail at which its gap is looked at first, by rank."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tails:
    """Tails of samples, t of them.

    Attributes:
        samples: Which sample each is of.
        starts: Its x_min.
        sizes: Items in it.
        alphas: Its α.
        gaps: What D is at least.
        shares: The law's share at `origins`.
        origins: Its first large count under the law.
        firsts: Its first large count, by place.
    """

    samples: NDArray[np.intp]
    starts: NDArray[np.float64]
    sizes: NDArray[np.float64]
    alphas: NDArray[np.float64]
    gaps: NDArray[np.float64]
    shares: NDArray[np.float64]
    origins: NDArray[np.float64]
    firsts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.samples)

    def at(
        self, places: NDArray[np.int64] | NDArray[np.bool_] | slice | tuple[slice, None]
    ) -> _Tails:
        return _Tails(
            samples=self.samples[places],
            starts=self.starts[places],
            sizes=self.sizes[places],
            alphas=self.alphas[places],
            gaps=self.gaps[places],
            shares=self.shares[places],
            origins=self.origins[places],
            firsts=self.firsts[places],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """The best tail of each sample so far; changed in place.

    Attributes:
        starts: Its x_min, 0 where there is none, shape (n,).
        distances: Its D.
    """

    starts: NDArray[np.float64]
    distances: NDArray[np.float64]


def nearest_tails(
    parts: Sequence[Samples],
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return x_min and D of each sample.

    A tail has two distinct counts at least, and 50 items (a tenth, with fewer than 500). x_min is
    sought at every count up to 500, and beyond at the first in each fifth of a percent.

    Args:
        parts: Samples that begin, and whose large counts begin, at the same ones, some at a time;
            all in a part are worked on together.

    Returns:
        For each part: x_min, 0 where a sample has no tail, shape (n,), and D, then 0.
    """
    sums = [Sums.of(one) for one in parts]
    laws = polynomials(sums)
    return [_nearest(one, laws) for one in sums]


def _nearest(
    sums: Sums, laws: Sequence[Polynomial]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    n = len(sums.samples)
    found = _Found(starts=np.zeros(n), distances=np.full(n, np.inf))
    if laws:
        near = near_gaps(sums, laws)
        # Of a short tail little is known yet: its D is rarely less than 1/(2√n).
        likely = np.maximum(near.gaps, 0.5 / np.sqrt(np.maximum(sums.above[:-1], 1)))
        lowest = (likely.argmin(axis=0), np.arange(n))
        leads = _near_tails(sums, near, lowest)
        _settle(sums, leads.at(np.isfinite(leads.gaps)), found)
        is_other = near.gaps < found.distances
        is_other[lowest] = False
        others = _near_tails(sums, near, np.nonzero(is_other))
        _settle(sums, _narrowed(sums, others, found), found)
    for rows in _blocks(n, sums.samples.most):
        _settle(sums, _narrowed(sums, _far_tails(sums, rows), found), found)
    return found.starts, np.where(found.starts > 0, found.distances, 0.0)


def _near_tails(sums: Sums, near: NearGaps, which: tuple[NDArray[np.intp], ...]) -> _Tails:
    """Return the tails that begin at some small counts, of some samples."""
    places, samples = which
    return _Tails(
        samples=samples,
        starts=sums.samples.near[places],
        sizes=sums.above[which],
        alphas=near.alphas[which],
        gaps=near.gaps[which],
        shares=near.shares[which],
        origins=np.full(len(places), float(sums.samples.start)),
        firsts=sums.samples.most - sums.samples.n_far[samples],
    )


def _far_tails(sums: Sums, rows: slice) -> _Tails:
    """Return the tails that begin at large counts, of some samples."""
    far, logs, n_far = sums.samples.far[rows], sums.logs[rows], sums.samples.n_far[rows]
    most = sums.samples.most
    n_places = max(0, most - sums.least + 1)
    cells = np.floor(logs[:, :n_places] * FINE)
    is_first = np.arange(n_places) >= most - n_far[:, None]
    is_first &= far[:, :n_places] < far[:, -1:]
    # Ones that fill a row up are in another cell than its first large count.
    is_first[:, 1:] &= cells[:, 1:] > cells[:, :-1]
    samples, firsts = np.divmod(np.flatnonzero(is_first), max(1, n_places))
    starts, sizes = far[samples, firsts], (most - firsts).astype(np.float64)
    log_sums = sums.log_sums[rows][samples, firsts]
    return _Tails(
        samples=samples + rows.start,
        starts=starts,
        sizes=sizes,
        alphas=far_alpha(log_sums / sizes, starts),
        gaps=np.zeros(len(samples)),
        shares=np.ones(len(samples)),
        origins=starts,
        firsts=firsts,
    )


def _narrowed(sums: Sums, tails: _Tails, found: _Found) -> _Tails:
    """Return the tails that are not too far from their laws in a few places."""
    for part in _PLACES:
        beyond = sums.samples.most - tails.firsts
        tails = _raised(sums, tails, tails.firsts + (beyond * part).astype(np.int64))
        tails = tails.at(tails.gaps < found.distances[tails.samples])
    return tails


def _raised(sums: Sums, tails: _Tails, places: NDArray[np.intp]) -> _Tails:
    """Return tails with gaps as large as at one large count of each, given by place."""
    most = sums.samples.most
    is_in = (places >= tails.firsts) & (places < most)
    if not is_in.any():
        return tails
    which = (tails.samples, np.minimum(places, most - 1))
    apart = _gaps(tails, sums.samples.far[which], sums.logs[which], most - places)
    return replace(tails, gaps=np.maximum(tails.gaps, np.where(is_in, apart, 0.0)))


def _settle(sums: Sums, tails: _Tails, found: _Found) -> None:
    """Measure tails in full, those of each sample by their gaps, until no other can be better.

    Where one is farthest from its law, others of that sample are likely to be far from theirs.
    """
    while len(tails):
        order = np.lexsort((tails.gaps, tails.samples))
        is_lead = np.ones(len(order), dtype=np.bool_)
        is_lead[1:] = tails.samples[order[1:]] != tails.samples[order[:-1]]
        leads = tails.at(order[is_lead])
        distances, farthest = _far_gaps(sums, leads)
        is_better = distances < found.distances[leads.samples]
        better = leads.samples[is_better]
        found.distances[better] = distances[is_better]
        found.starts[better] = leads.starts[is_better]
        rest = tails.at(order[~is_lead])
        rest = _raised(sums, rest, farthest[np.cumsum(is_lead)[~is_lead] - 1])
        tails = rest.at(rest.gaps < found.distances[rest.samples])


def _far_gaps(sums: Sums, tails: _Tails) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return D of each tail, and its large count with the largest gap, by place, shape (t,)."""
    most, distances = sums.samples.most, tails.gaps.copy()
    farthest = np.full(len(tails), most, dtype=np.intp)
    places = np.arange(most)
    for rows in _blocks(len(tails), most) if most else ():
        some = tails.at(rows)
        columns = some.at(np.s_[:, None])
        far, logs = sums.samples.far[some.samples], sums.logs[some.samples]
        gaps = _gaps(columns, far, logs, most - places)
        gaps[places < columns.firsts] = 0.0
        farthest[rows] = gaps.argmax(axis=1)
        np.maximum(some.gaps, gaps.max(axis=1), out=distances[rows])
    return distances, farthest


def _blocks(n: int, width: int) -> list[slice]:
    """Return n rows, cut into blocks that fit a processor's cache."""
    size = max(1, _BLOCK // max(1, width))
    return [slice(first, min(n, first + size)) for first in range(0, n, size)]


def _gaps(
    tails: _Tails,
    far: NDArray[np.float64],
    logs: NDArray[np.float64],
    ranks: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the gaps at large counts and right after them.

    The observed share is above the law's at a count, if anywhere, and below it right after one.
    Of equal counts, which have different ranks, the inner ones have smaller gaps.

    Args:
        tails: Of which each is.
        far: The counts.
        logs: Their logarithms.
        ranks: Items of the sample from each on.
    """
    series = far_series(tails.alphas, far)
    law = (np.log(tails.origins) - logs) * tails.alphas
    np.exp(law, out=law)
    law *= tails.shares / far_series(tails.alphas, tails.origins)
    observed = ranks / tails.sizes
    after = law * (series - 1) + (1 / tails.sizes - observed)
    observed -= law * series
    return np.maximum(observed, after, out=observed)
