"""A finding is called reproduced only where it holds on other episodes as well."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepwell_bench.mesa.claims import claims_of
from stepwell_bench.mesa.sweep import Group, Split, SweepFindings


def group(best: str) -> Group:
    return Group(
        domain="d",
        kind=best,
        n=30,
        best=best,
        reward=0.5,
        tokens=10.0,
        single="a",
        single_reward=0.4,
        all_reward=0.4,
        all_tokens=20.0,
        means=(0.4, 0.5),
    )


def findings(*best: str, low: float = 0.1) -> SweepFindings:
    sizes = [one.count("+") + 1 for one in best]
    pairs = ("best by group - best fixed", "best by group - best single", "best by group - all")
    return SweepFindings(
        reward="evidence",
        mode="stripped",
        budget=100,
        n=30,
        subsets=("a", "b", "a+b", "a+b+c"),
        groups=(*map(group, best), group("a")),
        intermediate=sum(1 < size < 3 for size in sizes) / len(best) if best else 0.0,
        n_winners=len(set(best)),
        splits=tuple(Split(what=pair, mean=0.2, low=low, high=0.3) for pair in pairs),
        frontier=(),
        marginal={},
    )


def test_both_findings_are_reproduced_where_they_hold_on_other_episodes() -> None:
    between, different = claims_of(findings("a+b", "a+b", "b"))
    assert (between.verdict, different.verdict) == ("reproduced", "reproduced")
    assert between.because == "they are in 2 of 3 groups (67%)"
    assert [split.what for split in different.splits] == ["best by group - best fixed"]
    assert len(between.splits) == 2


def test_what_other_episodes_do_not_bear_out_is_in_sample_only() -> None:
    verdicts = {claim.verdict for claim in claims_of(findings("a+b", "a+b", "b", low=-0.1))}
    assert verdicts == {"in sample only"}


def test_one_winner_that_reads_all_fails_both() -> None:
    assert {claim.verdict for claim in claims_of(findings("a+b+c", "a+b+c"))} == {"failed"}


@given(st.floats(-1, 1))
def test_without_groups_nothing_is_tested(low: float) -> None:
    assert {claim.verdict for claim in claims_of(findings(low=low))} == {"not tested"}
