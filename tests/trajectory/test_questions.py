"""Questions with evidence: what can be read is used, and the rest is counted."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from stepwell.trajectory.questions import (
    Question,
    questions_about,
    read_questions,
)


def lines(*values: object) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def test_steps_are_indices_or_citations_and_say_which_run() -> None:
    (one,) = read_questions(lines({"question": "Why?", "steps": ["run7/s4.o1", 2, "3", 2]})).all
    assert one == Question(text="Why?", steps=(2, 3, 4), trajectory="run7", line=1)


def test_one_step_is_counted_apart() -> None:
    found = read_questions(lines({"question": "Where?", "steps": [5]}))
    assert (found.bindable, found.n_single, found.skipped) == ((), 1, ())


def test_what_is_no_question_is_named_by_its_line() -> None:
    data = b"\xef\xbb\xbf{torn\n\n" + lines(
        {"question": "no steps"},
        {"steps": [-1, 2]},
        {"steps": [True, 2]},
        {"steps": ["a/s1", "b/s2"]},
        ["not", "an", "object"],
        {"steps": ["somewhere"]},
        {"steps": ["9" * 5000, 1]},
    )
    found = read_questions(data)
    assert found.bindable == ()
    starts = [reason.partition(":")[0] for reason in found.skipped]
    assert starts == [f"line {n}" for n in (1, 3, 4, 5, 6, 7, 8, 9)]
    assert max(map(len, found.skipped)) <= 200


steps = st.lists(
    st.integers(-2, 5) | st.sampled_from(["3", "a/s1", "s2.o1", "x", None]), max_size=4
)
rows = st.lists(st.fixed_dictionaries({"steps": steps}, optional={"question": st.text()}))


@given(st.binary(max_size=200) | rows.map(lambda values: lines(*values)))
def test_every_line_is_a_question_is_counted_or_is_skipped(data: bytes) -> None:
    found = read_questions(data)
    assert all(len(set(one.steps)) >= 2 for one in found.bindable)
    assert all(one.steps == tuple(sorted(set(one.steps))) for one in found.all)
    n_lines = sum(bool(line.strip()) for line in data.split(b"\n"))
    assert len(found.bindable) + found.n_single + len(found.skipped) == n_lines


def test_nesting_without_end_is_skipped() -> None:
    assert len(read_questions(b"[" * 200_000).skipped) == 1


def test_a_run_is_asked_about_what_names_it_or_no_run() -> None:
    here = Question(text="", steps=(0, 2), trajectory="a", line=1)
    anywhere = Question(text="", steps=(1, 2), line=2)
    beyond = Question(text="", steps=(0, 3), line=3)
    asked = (here, anywhere, beyond)
    assert questions_about(asked, trajectory_id="a", n_steps=3) == (here, anywhere)
    assert questions_about(asked, trajectory_id="b", n_steps=3) == (anywhere,)
