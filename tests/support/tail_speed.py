"""How much faster draws of a bootstrap are fitted than the package `powerlaw` fits them.

In `tests`, `python -m support.tail_speed` prints, for 10⁴ items with about 10⁵ accesses: the
processor time of a whole audit; of a draw of its bootstrap, drawn and fitted by us, a thousand
together; of `powerlaw.Fit(draw, discrete=True)`, which takes an approximation of α from x_min = 10
on; and of that with `estimate_discrete=False`, which does not. They take turns on draws from the
same law, and medians are printed. Then α and x_min of the counts, by both.
"""

from __future__ import annotations

import time
import warnings
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from stepwell.stats.tails.audit import audit_counts
from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.powerlaw import bootstrap_distances, bootstrap_draws, fit_power_law

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

HEADER = (
    "counts",
    "audit",
    "draw",
    "theirs",
    "times",
    "exact",
    "times",
    "α",
    "α",
    "x_min",
    "x_min",
)

WIDE = {"alpha": [1.001, 30.0]}
"""Exponents as we allow them; theirs are at most 3."""


def their_fit(counts: NDArray[np.float64], *, least: int = 0, **options: Any) -> Any:
    """Return the fit of `powerlaw`.

    Args:
        counts: Counts of items.
        least: Items that a tail has at least; with 0, powerlaw's own limits hold.
        options: More of its options.
    """
    powerlaw = import_module("powerlaw")  # it brings no types
    if least:
        # They look for x_min below the end of a range, but not at the last count there.
        last = np.sort(counts)[-least]
        options["xmin"] = (1, counts[counts > last].min(initial=np.inf) + 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return powerlaw.Fit(counts, discrete=True, verbose=False, **options)


def samples(n: int, *, seed: int = 7) -> dict[str, NDArray[np.float64]]:
    """Return counts of n items, of several kinds; about ten times as many accesses."""
    rng = np.random.default_rng(seed)
    numbers = np.arange(1.0, 200_001.0)
    truncated = numbers**-1.5 * np.exp(-numbers / 90)
    ranks = 1 / np.arange(1, n + 1)
    return {
        "power law": np.minimum(rng.zipf(2.1, n), 2**53).astype(np.float64),
        "truncated": rng.choice(numbers, n, p=truncated / truncated.sum()),
        "Zipf's law of ranks": rng.multinomial(10 * n, ranks / ranks.sum()).astype(np.float64),
        "log-normal": np.ceil(rng.lognormal(1.2, 1.4, n)),
        "geometric": rng.geometric(0.1, n).astype(np.float64),
    }


def rows(n: int = 10_000, *, n_draws: int = 1000, n_theirs: int = 9) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for each kind of counts.

    Args:
        n: Items.
        n_draws: Draws of a bootstrap.
        n_theirs: Draws that the package fits as well, and bootstraps of ours.
    """
    for name, counts in samples(n).items():
        data = histogram(counts)
        fit = fit_power_law(data)
        assert fit is not None
        (drawn, *_), *_ = bootstrap_draws(data, fit, rng=np.random.default_rng(0), n=n_theirs)
        took: list[tuple[float, float, float]] = []
        for place in range(n_theirs):
            draw, rng = drawn.histogram(place).items(), np.random.default_rng(place)
            ours = seconds(partial(bootstrap_distances, data, fit, rng=rng, n=n_draws)) / n_draws
            theirs = seconds(partial(their_fit, draw))
            took.append((ours, theirs, seconds(partial(their_fit, draw, estimate_discrete=False))))
        ours, theirs, exact = np.median(took, axis=0).tolist()
        rng = np.random.default_rng(0)
        whole = seconds(partial(audit_counts, counts, rng=rng, n_draws=n_draws))
        other = their_fit(counts, least=min(50, n // 10), parameter_ranges=WIDE)
        yield (
            name,
            f"{whole:.2f} s",
            f"{ours * 1e6:.0f} µs",
            f"{theirs * 1e3:.0f} ms",
            f"{theirs / ours:,.0f}",
            f"{exact * 1e3:.0f} ms",
            f"{exact / ours:,.0f}",
            f"{fit.alpha:.3f}",
            f"{other.power_law.alpha:.3f}",
            f"{fit.x_min}",
            f"{other.xmin:.0f}",
        )


def seconds(do: Callable[[], object]) -> float:
    """Return the processor time that something takes."""
    start = time.process_time()
    do()
    return time.process_time() - start


if __name__ == "__main__":
    for row in (HEADER, *rows()):
        print(*row, sep="\t")  # noqa: T201
