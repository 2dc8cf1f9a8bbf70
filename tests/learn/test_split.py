from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.learn.cases import Case
from stepwell.learn.split import split_cases
from stepwell.policy.base import Context
from support.worlds import cases_of


def of_domains(counts: list[int]) -> list[Case]:
    return [
        Case(
            id=f"{domain}.{n}.{way}",
            episode=f"{domain}.{n}",
            question="Why?",
            context=Context(domain=str(domain)),
        )
        for domain, count in enumerate(counts)
        for n in range(count)
        for way in ("asked", "stripped")
    ]


@given(st.lists(st.integers(1, 9), min_size=3, max_size=6), st.integers(0, 2**32))
def test_no_episode_is_in_two_sets_and_none_is_lost(counts: list[int], seed: int) -> None:
    cases = of_domains(counts)
    split = split_cases(cases, seed=seed, shares=(1, 1, 1))
    sets = [{case.episode for case in part} for part in (split.train, split.validation, split.test)]
    assert sum(map(len, sets)) == len(set.union(*sets)) == sum(counts)
    assert len(split.train) + len(split.validation) + len(split.test) == len(cases)


def test_every_domain_is_split_in_the_shares() -> None:
    split = split_cases(of_domains([10, 20, 30]), seed=3)
    for part, share in ((split.train, 0.3), (split.validation, 0.2), (split.test, 0.5)):
        found = Counter(case.context.domain for case in part)
        assert found == {"0": share * 20, "1": share * 40, "2": share * 60}


def test_small_domains_do_not_all_go_to_one_set() -> None:
    split = split_cases(of_domains([1] * 20), seed=0)
    sizes = [len(part) for part in (split.train, split.validation, split.test)]
    assert sizes == [12, 8, 20]


def test_a_seed_gives_one_split_whatever_the_order() -> None:
    cases = cases_of(30)
    ids = {case.id for case in split_cases(cases, seed=1).test}
    assert {case.id for case in split_cases(cases[::-1], seed=1).test} == ids
    assert {case.id for case in split_cases(cases, seed=2).test} != ids


def test_a_share_of_nothing_gets_nothing() -> None:
    assert split_cases(cases_of(9), seed=0, shares=(0.5, 0.5, 0)).test == ()


@pytest.mark.parametrize("shares", [(0, 0, 0), (-1, 1, 1), (float("nan"), 1, 1)])
def test_what_is_no_share_is_refused(shares: tuple[float, float, float]) -> None:
    with pytest.raises(InvalidInputError, match="no shares"):
        split_cases(cases_of(9), seed=0, shares=shares)


def test_too_few_episodes_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="too few"):
        split_cases([replace(case, episode="one") for case in cases_of(3)], seed=0)


def test_shares_need_not_sum_to_one() -> None:
    cases = of_domains([10])
    one = split_cases(cases, seed=4, shares=(3, 2, 5))
    assert one == split_cases(cases, seed=4, shares=(0.3, 0.2, 0.5))
    assert (len(one.train), len(one.validation), len(one.test)) == (6, 4, 10)


def test_the_order_of_cases_is_kept_within_a_set() -> None:
    cases = of_domains([5, 5])
    order = {case.id: place for place, case in enumerate(cases)}
    for part in (split_cases(cases, seed=0).train, split_cases(cases, seed=0).test):
        places = [order[case.id] for case in part]
        assert places == sorted(places)


def test_an_episode_belongs_to_the_domain_of_its_first_case() -> None:
    cases = of_domains([10])
    odd = [
        replace(case, context=Context(domain="other")) if number % 2 else case
        for number, case in enumerate(cases)
    ]
    for found, expected in zip(
        (split_cases(odd, seed=0).train, split_cases(odd, seed=0).test),
        (split_cases(cases, seed=0).train, split_cases(cases, seed=0).test),
        strict=True,
    ):
        assert [case.id for case in found] == [case.id for case in expected]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_episodes_are_refused_with_advice(n: int) -> None:
    with pytest.raises(InvalidInputError) as raised:
        split_cases(of_domains([n]), seed=0)
    assert str(raised.value).startswith(f"{n} episodes are too few to split.")
    assert raised.value.hint == "Three are the least there can be."


def test_three_episodes_give_one_to_each() -> None:
    found = split_cases(of_domains([3]), seed=0)
    assert [len(part) for part in (found.train, found.validation, found.test)] == [2, 2, 2]
