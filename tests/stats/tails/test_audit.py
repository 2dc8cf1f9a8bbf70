"""The audit of counts: verdicts on planted data, and clear answers where there is no tail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.audit import LEAST_ITEMS, Tails, Verdict, audit_counts
from stepwell.stats.tails.powerlaw import draw_power_law


def audited(counts: object, *, seed: int = 0, n_draws: int = 60) -> Tails:
    rng = np.random.default_rng(seed)
    return audit_counts(np.asarray(counts), rng=rng, n_draws=n_draws)


def truncated(seed: int, *, n: int = 3000) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    numbers = np.arange(1.0, 100_001.0)
    weights = numbers**-1.9 * np.exp(-numbers / 1500)
    return np.random.default_rng(seed).choice(numbers, n, p=weights / weights.sum())


def test_planted_heavy_tails_are_found_with_their_exponent() -> None:
    found = [audited(truncated(seed), seed=seed) for seed in range(6)]
    assert sum(one.passes for one in found) >= 4
    assert sum(one.verdict.is_heavy for one in found) >= 3
    for one in found:
        assert one.fit is not None
        assert one.fit.truncated.parameters["alpha"] == pytest.approx(1.9, abs=0.15)


def test_a_power_law_is_never_called_log_normal() -> None:
    for seed in range(20):
        counts = np.random.default_rng(seed).zipf(2.3, 1000)
        found = audited(counts, seed=seed, n_draws=100)
        assert found.verdict is not Verdict.LOG_NORMAL
        assert found.fit is not None
        is_behind = found.passes and found.fit.against_log_normal.z <= 0
        assert (found.verdict is Verdict.UNSURE) == is_behind


@pytest.mark.parametrize(
    ("z", "p_gof", "p_exponential", "verdict"),
    [
        (2.0, 0.5, 0.0, Verdict.STRONG),
        (1.9, 0.1, 0.05, Verdict.HEAVY),
        (0.0, 0.5, 0.0, Verdict.UNSURE),
        (-1.9, 0.5, 0.0, Verdict.UNSURE),
        (-2.0, 0.5, 0.0, Verdict.LOG_NORMAL),
        (-2.0, 0.0, 0.0, Verdict.LOG_NORMAL),
        (-1.9, 0.09, 0.0, Verdict.NEITHER),
        (2.0, 0.09, 0.0, Verdict.NEITHER),
        (2.0, 0.5, 0.06, Verdict.EXPONENTIAL),
        (-1.0, 0.5, 0.06, Verdict.EXPONENTIAL),
    ],
)
def test_the_verdict_claims_what_the_tests_bear_out(
    z: float, p_gof: float, p_exponential: float, verdict: Verdict
) -> None:
    fit = audited(truncated(0)).fit
    assert fit is not None
    found = replace(
        fit,
        p_gof=p_gof,
        against_log_normal=replace(fit.against_log_normal, z=z),
        against_exponential=replace(fit.against_exponential, p=p_exponential),
    )
    assert found.verdict is verdict


@pytest.mark.parametrize("mean", [2, 10, 60])
def test_exponential_tails_are_never_called_heavy(mean: int) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        assert not audited(rng.geometric(1 / mean, 3000), seed=seed).verdict.is_heavy


def test_counts_around_a_typical_one_are_not_heavy() -> None:
    rng = np.random.default_rng(3)
    for counts in (rng.poisson(30, 2000), rng.integers(1, 40, 2000)):
        assert not audited(counts).verdict.is_heavy


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 2**53), max_size=120))
def test_any_counts_give_an_answer(counts: list[int]) -> None:
    found = audited(np.array(counts, dtype=np.float64), n_draws=2)
    assert str(found).startswith(f"{found.verdict}: ")
    assert found.n_unused == counts.count(0)
    assert found.concentration.n_items == len(counts) - counts.count(0)
    if found.fit is not None:
        assert np.isfinite(found.fit.against_log_normal.z)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=50, max_size=300), st.integers(1, 10**6))
def test_few_distinct_counts_give_an_answer(counts: list[int], high: int) -> None:
    found = audited([*counts, high], n_draws=2)
    assert found.verdict is not Verdict.FEW


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ([], Verdict.FEW),
        ([0] * 100, Verdict.FEW),
        ([4], Verdict.FEW),
        ([1] * (LEAST_ITEMS - 1), Verdict.FEW),
        ([3] * 1000, Verdict.EVEN),
        ([1] * 1000, Verdict.EVEN),
        ([*range(1, 81)], Verdict.SHORT),
    ],
    ids=str,
)
def test_what_has_no_tail_is_said_to_have_none(counts: list[int], verdict: Verdict) -> None:
    found = audited(counts)
    assert found.verdict is verdict
    assert not found.passes


def test_without_draws_nothing_passes() -> None:
    found = audited(truncated(0), n_draws=0)
    assert found.fit is not None
    assert found.fit.p_gof is None
    assert not found.passes
    with pytest.raises(InvalidInputError, match="draws"):
        audited([1], n_draws=-1)


def test_one_seed_gives_one_audit() -> None:
    data = draw_power_law(500, alpha=2.2, rng=np.random.default_rng(1))
    counts = np.repeat(data.values, data.sizes)
    assert audited(counts, seed=5) == audited(counts[::-1], seed=5)
