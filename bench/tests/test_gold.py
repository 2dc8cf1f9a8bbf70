from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell_bench.gold import (
    answer_words,
    dialogue_ids,
    holds,
    holds_answer,
    literals,
    named_steps,
    without_steps,
    words_shown,
)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Step 7", [7]),
        ("the agent's STEP 7 failed", [7]),
        ("Steps 4 and 23-24", [4, 23, 24]),
        ("steps 9, 10, and 11", [9, 10, 11]),
        ("turns 3, 5 or 6", [3, 5, 6]),
        ("turn 12", [12]),
        ("Step 7/8", [7, 8]),
        ("the step-7 query", [7]),
        ("step #5 and step (6)", [5, 6]),
        ("between step 3 and step 9", [3, 4, 5, 6, 7, 8, 9]),
        ("Between steps 3 and 5, and later at step 8", [3, 4, 5, 8]),
        ("between turns 2 and 4", [2, 3, 4]),
        ("steps 3 and 9", [3, 9]),
        ("from step 3 to step 6", [3, 4, 5, 6]),
        ("steps 3 through 5", [3, 4, 5]),
        ("steps 3–5", [3, 4, 5]),  # noqa: RUF001
        ("Step 4 vs step 8", [4, 8]),
        ("steps 8-6", [6, 8]),
        ("step 2 of 3 apples", [2]),
        ("footstep 7, 4 steps, step seven", []),
        ("at step 99", []),
        ("steps 18-22", [18, 19]),
        ("", []),
    ],
)
def test_named_steps_are_read_as_a_person_would(text: str, steps: list[int]) -> None:
    assert list(named_steps(text, n_steps=20 if "18" in text else 50)) == steps


def test_question_and_answer_both_name_steps() -> None:
    assert named_steps("What follows step 4?", "Step 5, not step 4.", n_steps=10) == (4, 5)


@given(st.text(max_size=80), st.integers(0, 30))
def test_any_text_gives_steps_that_exist_in_order(text: str, n_steps: int) -> None:
    found = named_steps(text, n_steps=n_steps)
    assert list(found) == sorted(set(found))
    assert all(0 <= step < n_steps for step in found)


@given(
    st.lists(st.integers(0, 99), min_size=1, max_size=4),
    st.sampled_from([", ", " and ", "/", ", and ", " or ", " & ", "-", " to step "]),
    st.sampled_from(["step ", "Steps ", "turns ", "step #"]),
)
def test_a_question_without_its_steps_names_none(numbers: list[int], glue: str, word: str) -> None:
    question = f"What ran at {word}{glue.join(map(str, numbers))} and why?"
    bare = without_steps(question)
    assert named_steps(bare, n_steps=100) == ()
    assert not any(char.isdigit() for char in bare)
    assert bare.startswith("What ran at")
    assert bare.endswith("why?")


def test_dialogue_ids_survive_bad_separators() -> None:
    evidence = ["D8:6; D9:17", "D1:3 D2:4", "D:11:26", "D30:05", "D", "", None, 7, "d4:2"]
    assert dialogue_ids(evidence) == ((8, 6), (9, 17), (1, 3), (2, 4), (11, 26), (30, 5), (4, 2))


def test_literals_are_what_an_answer_pins_down() -> None:
    steps = [
        "run src/app/main.py --port 5433",
        "error e_conn_42 in db.pool: 'connection refused'",
        "order a1b2c3 totals 12.50",
    ]
    answer = (
        "At step 1 it ran `src/app/main.py` on port 5433; E_CONN_42 meant 'connection refused', "
        "so order A1B2C3 (12.50) and not 999 failed."
    )
    assert literals(answer, steps=steps) == (
        "12.50",
        "5433",
        "a1b2c3",
        "connection refused",
        "e_conn_42",
        "src/app/main.py",
    )


def test_a_literal_in_more_than_three_steps_pins_nothing_down() -> None:
    assert literals("port 5433", steps=["5433"] * 3) == ("5433",)
    assert literals("port 5433", steps=["5433"] * 4) == ()
    assert literals("port 5433", steps=["54330"]) == ()


def test_the_number_of_a_step_is_no_literal() -> None:
    assert literals("It happened in step 7.", steps=["7 apples"]) == ()


def test_holding_is_by_whole_words() -> None:
    assert holds("a 'b.c' d", "b.c")
    assert not holds("ab.cd", "b.c")


def test_answer_words_are_what_the_question_does_not_say_in_any_script() -> None:
    words = answer_words("In step 3 the deployed port was 5433.", "Which port was it?")
    assert words == {"deploy", "5433"}
    assert words_shown(words, "It deploys on 5433 and 5434.") == 1.0
    assert words_shown(words, "Port 54331.") == 0.0
    chinese = answer_words("端口是5433", "端口?")
    assert words_shown(chinese, "服务端口是5433") == 1.0
    assert words_shown(answer_words("Straße", "Where?"), "STRASSE 3") == 1.0


def test_an_answer_that_only_repeats_the_question_has_no_words() -> None:
    assert words_shown(answer_words("The port.", "Which port?"), "port") is None
    assert answer_words("Yes.", "Was it?") == {"yes"}


@pytest.mark.parametrize(
    ("text", "answer", "is_held"),
    [
        ("I rode 42 kilometres.", "42 Kilometres!", True),
        ("I rode 142 kilometres.", "42", False),
        ("I live in Lisbon's centre", "lisbon", True),
        ("the smallest", "small", False),
        ("我住在里斯本的中心", "里斯本", True),
        ("anything", "", None),
        ("anything", "The ...", None),
    ],
)
def test_whether_a_text_holds_a_whole_answer(
    text: str,
    answer: str,
    is_held: bool | None,  # noqa: FBT001  (a parameter of the test)
) -> None:
    assert holds_answer(text, answer) is is_held
