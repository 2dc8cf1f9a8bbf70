"""A run is named by its id, or by a beginning of it that finds it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from stepwell.memory.memory import Memory
from stepwell.recall.markup import plain_word
from stepwell.recall.show.words import run_words
from support.entries import entry

LONG = "3f2b8c1e-57a5-4f26-b12d-d022ee4e51b7"


def words(*names: str, subagents: tuple[str, ...] = ()) -> list[str]:
    runs = [entry(n, name) for n, name in enumerate(names)]
    runs += [replace(entry(99, name), parent_id="p") for name in subagents]
    return list(run_words(runs).values())


def test_a_long_id_is_cut_where_a_word_ends_to_what_no_other_run_begins_with() -> None:
    assert words(LONG, "run7") == ["3f2b8c1e", "run7"]
    assert words(LONG, LONG[:-1] + "8") == [LONG, LONG[:-1] + "8"]
    assert words("fncall-llm-message-57987822") == ["fncall-llm"]
    assert words("x" * 24) == ["x" * 24]
    assert words(LONG, "3f2b8c1e") == [LONG[:13], "3f2b8c1e"]


def test_a_subagent_is_named_by_the_last_part_of_its_id_if_that_names_it_alone() -> None:
    assert words(LONG, subagents=(f"{LONG}/a1",)) == ["3f2b8c1e", "a1"]
    assert words("run", subagents=(f"{LONG}/a1", "run/a1"))[1] == f"{LONG}/a1"
    assert words("a1", subagents=(f"{LONG}/a1",)) == ["a1", f"{LONG}/a1"]


def test_what_is_no_plain_word_is_not_cut_to_one_that_finds_nothing() -> None:
    assert words("one two three four five six seven") == ["one_two_three_four_five_six_seven"]


names = st.text(alphabet="ab-/ ", min_size=1, max_size=12).map(
    lambda s: f"run {s}" if s[0] == "a" else LONG + s
)


@given(st.lists(names, min_size=2, max_size=8, unique=True))
def test_a_word_that_is_no_id_finds_its_run(ids: list[str]) -> None:
    with Memory(encoder=None) as memory:
        for name in ids:
            memory.add({"role": "user", "content": "needle"}, trajectory=name)
        for name, word in run_words(memory.sessions()).items():
            if len(word) < len(name) and word != plain_word(name):
                assert memory.get(f"{word}/s0").trajectory == name
