"""Of many steps that say the same but for numbers one is quoted, with a count."""

from __future__ import annotations

import json

import pytest

from stepwell import Memory

RULE = "Push the walnut build to production only after the legal review of the licence file."


def progress(n: int) -> str:
    return (
        f"Walnut build step {n}: compiled walnut module {n} and pushed it to the production mirror."
    )


def memory_of(texts: list[str]) -> Memory:
    memory = Memory(encoder=None)
    for text in texts:
        memory.add({"role": "assistant", "content": text}, trajectory="run")
    return memory


@pytest.mark.parametrize("budget", [200, 400, 1_500])
def test_progress_leaves_room_for_the_rule(budget: int) -> None:
    with memory_of([RULE, *map(progress, range(40))]) as memory:
        evidence = memory.recall("When may the walnut build be pushed to production?", budget)
    assert "legal review" in evidence.text
    (one,) = [item for item in evidence.items if "compiled" in item.text]
    assert one.alike == tuple(range(1, 41))
    assert f"[s{one.step}.m \N{MULTIPLICATION SIGN}40] " in evidence.text
    assert {cut.reason for cut in evidence.cut} == {
        "counted with another that says the same but for numbers"
    }


def test_json_names_the_steps_that_are_counted() -> None:
    with memory_of([*map(progress, range(6)), RULE]) as memory:
        evidence = memory.recall("walnut module", 600, format="json")
    (row,) = [row for row in json.loads(evidence.text)["items"] if "compiled" in row["text"]]
    assert row["alike"] == "s0-s5"


@pytest.mark.parametrize(("n", "quoted"), [(3, 3), (4, 1)])
def test_a_few_are_facts_and_many_are_progress(n: int, quoted: int) -> None:
    with memory_of([f"{RULE} Gateway {k} listens." for k in range(n)]) as memory:
        evidence = memory.recall("gateway", 900)
    assert len(evidence.items) == quoted


@pytest.mark.parametrize(("n", "quoted"), [(0, 5), (1, 1)])
def test_what_is_short_is_quoted_for_itself(n: int, quoted: int) -> None:
    # With its part and its speaker a step is compared by 80 characters here, or by one fewer.
    with memory_of([f"gateway {k} " + "x" * (61 + n) for k in range(5)]) as memory:
        assert len(memory.recall("gateway", 900).items) == quoted


def test_a_number_that_is_asked_about_and_a_step_that_is_named_are_quoted_themselves() -> None:
    with memory_of([*map(progress, range(10, 50)), RULE]) as memory:
        assert progress(33) in memory.recall("Was walnut module 33 compiled?", 400).text
        assert progress(15) in memory.recall("What did step 5 say?", 400).text


def test_words_that_differ_and_other_runs_are_not_counted_together() -> None:
    with memory_of([f"The walnut {word} is compiled." for word in "abcdef"]) as memory:
        assert not any(item.alike for item in memory.recall("walnut compiled", 600).items)
    with Memory(encoder=None) as memory:
        for n in range(5):
            memory.add({"role": "assistant", "content": progress(n)}, trajectory=f"run{n}")
        assert len(memory.recall("walnut module", 900).items) == 5


@pytest.mark.parametrize(("n_numbers", "quoted"), [(3, 1), (4, 5)])
def test_a_text_of_many_numbers_is_about_them(n_numbers: int, quoted: int) -> None:
    # The part that is compared, m0 or o1, has no number of its own in a message.
    def board(k: int) -> str:
        cells = " ".join(str(k * 10 + at) for at in range(n_numbers + 1))
        return (
            f"The gateway board shows these cells to whoever plays the game as it stands: {cells}"
        )

    with memory_of([board(k) for k in range(5)]) as memory:
        assert len(memory.recall("gateway board", 1_500).items) == quoted
