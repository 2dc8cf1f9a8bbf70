from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.text.tokens import Estimate, O200k, counter, rarity

any_text = st.text(st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 8),
        ("a\x00b", 3),
    ],
)
def test_o200k_is_exact(text: str, tokens: int) -> None:
    assert O200k().count(text) == tokens


@pytest.mark.parametrize("special", ["<|endoftext|>", "<|endofprompt|>", "<|im_start|>"])
def test_special_tokens_are_ordinary_text(special: str) -> None:
    assert O200k().count(special) > 1


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("端口端口端", 2)]
)
def test_estimate_is_a_fourth_rounded_up(text: str, tokens: int) -> None:
    assert Estimate().count(text) == tokens


@pytest.mark.parametrize("name", ["o200k", "estimate"])
def test_counter_is_found_by_its_name(name: str) -> None:
    assert counter(name).name == name


def test_unknown_counter_lists_the_names() -> None:
    with pytest.raises(InvalidInputError, match=r"'gpt'.*o200k, estimate"):
        counter("gpt")


@pytest.mark.parametrize("name", ["o200k", "estimate"])
@given(text=any_text)
def test_any_text_is_counted(name: str, text: str) -> None:
    tokens = counter(name).count(text)
    assert bool(tokens) == bool(text)
    assert tokens <= len(text.encode("utf-8", "surrogatepass"))


def test_lone_surrogate_counts_as_replacement_character() -> None:
    assert O200k().count("a\ud800b") == O200k().count("a\ufffdb")


def test_surrogate_pair_counts_as_its_character() -> None:
    assert O200k().count("\ud83d\ude00") == O200k().count("\U0001f600")


def test_threads_count_alike() -> None:
    texts = [f"step {n}: " + "the quick brown 端口 " * n for n in range(200)]
    shared = O200k()
    with ThreadPoolExecutor(max_workers=8) as pool:
        assert list(pool.map(shared.count, texts)) == [O200k().count(text) for text in texts]


def test_rarity_follows_how_common_a_word_is() -> None:
    words = ["the", "people", "hidden", "inference", "walrus"]
    found = [rarity(word) for word in words]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("word", ["Hidden", "HIDDEN"])
def test_a_word_with_a_capital_is_no_rarer_than_without(word: str) -> None:
    assert rarity(word) <= rarity("hidden")


@given(any_text)
def test_any_text_has_a_rarity(text: str) -> None:
    assert 0.0 <= rarity(text) <= 1.0
