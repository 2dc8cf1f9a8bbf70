from __future__ import annotations

from math import log

import pytest

from stepwell_bench.support import read, share_held, terms, weights

STEPS = [
    read(text)
    for text in (
        "The agent installed pool_size in src/db/pool.py",
        "connection   refused after 1,250 ms; pool exhausted",
        "the pool is fine",
        "nothing here",
    )
]


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("installing", True),  # by its stem
        ("uninstalling", False),
        ("POOL", True),  # a part of a name is a word as well
        ("src/db/pool.py", True),
        ("db/pool.p", False),  # whole names only
        ("`agent installed`", True),
        ("`agent was installed`", False),
        ("12", False),
    ],
)
def test_terms_are_held_as_a_reader_would_say(said: str, *, held: bool) -> None:
    found = terms(said)
    assert found
    assert all(STEPS[0].holds(term) for term in found) == held


def test_numbers_are_the_same_with_and_without_thousands() -> None:
    assert terms("1250") == terms("1,250") == {("number", "1250")}
    assert STEPS[1].holds(("number", "1250"))
    assert not STEPS[1].holds(("number", "250"))
    assert not read("12.50").holds(("number", "12"))


def test_a_quotation_of_several_words_is_one_more_term() -> None:
    assert ("exact", "connection refused") in terms('It said "connection refused".')
    assert STEPS[1].holds(("exact", "connection refused"))  # blanks make no difference
    assert terms("`pool`") == {("word", "pool")}


def test_steps_and_the_numbers_of_a_list_say_nothing() -> None:
    assert terms("1. At step 7\n2) see steps 3-9") == {("word", "see")}


def test_a_term_weighs_by_how_few_steps_hold_it() -> None:
    found = weights("pool_size, pool, refused, agent", "Which agent?", steps=STEPS)
    assert found == {
        ("exact", "pool_size"): pytest.approx(log(1 + 3.5 / 1.5)),
        ("word", "pool"): pytest.approx(log(1 + 1.5 / 3.5)),
        ("word", "refus"): pytest.approx(log(1 + 3.5 / 1.5)),
    }


def test_what_no_step_holds_and_what_is_asked_is_left_out() -> None:
    assert weights("counterfactual 9999 `not there`", "", steps=STEPS) == {}
    assert weights("pool_size refused", "Is pool_size refused?", steps=STEPS) == {}
    assert weights("", "", steps=STEPS) == {}


def test_a_share_is_of_the_weight() -> None:
    weighed = weights("pool_size, pool", "", steps=STEPS)
    rare, common = log(1 + 3.5 / 1.5), log(1 + 1.5 / 3.5)
    assert share_held(weighed, "a pool") == pytest.approx(common / (rare + common))
    assert share_held(weighed, "pool_size") == pytest.approx(1)
    assert share_held(weighed, "") == 0
    assert share_held({}, "pool") is None


def test_scripts_without_blanks_are_words_too() -> None:
    steps = [read("服务端口是5433"), read("没有")]
    weighed = weights("端口是5433", "?", steps=steps)
    assert share_held(weighed, "端口是5433") == pytest.approx(1)
    assert 0 < (share_held(weighed, "端口") or 0) < 1
