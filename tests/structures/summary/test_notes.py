"""What a summary says of a run and of its chunks."""

from __future__ import annotations

import pytest

from stepwell.structures.base import Query
from stepwell.structures.summary.digest import Digest, Line
from stepwell.structures.summary.notes import chunk_notes, nearest, overview, span_of
from stepwell.structures.summary.view import Chosen, Chunk, SummaryView


def digest(*texts: str, tools: str = "", faults: str = "", names: str = "") -> Digest:
    return Digest(
        n_chars=3_000,
        lines=[Line(text, text, 1.0) for text in texts],
        speaker="",
        tools=tools.split(),
        faults=[fault for fault in faults.split(";") if fault],
        names=names.split(),
    )


def view_of(*digests: Digest) -> SummaryView:
    view = SummaryView()
    view.extend(digests)
    return view


def texts(view: SummaryView, *, task: str = "", n_chars: int = 5_000) -> list[str]:
    return [note.text for note in overview(3, view, task=task, n_chars=n_chars)]


def test_an_overview_counts_steps_tools_and_errors() -> None:
    view = view_of(
        digest("kelp grows", tools="look take", faults="no kelp"), digest(tools="look"), digest()
    )
    first = texts(view)[0]
    assert first == "3 steps; tools: look ×2, take ×1; steps with errors: 1"  # noqa: RUF001


def test_a_task_comes_first_on_one_line_and_is_cut() -> None:
    (note, counts, *_) = overview(3, view_of(digest("kelp")), task="find\n the  kelp", n_chars=99)
    assert (note.text, note.steps, note.number) == ("task: find the kelp", (0,), 3)
    assert counts.steps == (0,)
    (long, *_) = texts(view_of(digest("kelp")), task="x" * 400)
    assert (len(long), long[-1]) == (300, "…")
    (whole, *_) = texts(view_of(digest("kelp")), task="x" * 294)
    assert (len(whole), whole[-1]) == (300, "x")


def test_speakers_are_counted_the_most_talkative_first_then_by_name() -> None:
    spoken = [
        Digest(n_chars=1, lines=[], speaker=name, tools=[], faults=[], names=[])
        for name in ("Bo", "Ada", "Cy", "Cy", "")
    ]
    assert texts(view_of(*spoken))[0] == "5 steps; said by: Cy ×2, Ada ×1, Bo ×1"  # noqa: RUF001


def test_an_overview_quotes_lines_in_time_order_as_far_as_they_fit() -> None:
    view = view_of(*[digest(f"the {word} harbour opens") for word in ("old", "new", "far")])
    quoted = texts(view)[1:]
    assert quoted == ["the old harbour opens", "the new harbour opens", "the far harbour opens"]
    assert len(texts(view, n_chars=2 * 21)[1:]) == 2
    assert texts(view, n_chars=20)[1:] == []


def test_of_nothing_there_is_no_overview() -> None:
    assert texts(view_of(), task="find the kelp") == []


def chunk(first: int, *terms: str, n: int = 2) -> tuple[int, Chunk]:
    return 1, Chunk(first=first, digests=[digest()] * n, terms=frozenset(terms))


def near(query: Query, *chunks: tuple[int, Chunk], n: int = 2) -> list[int]:
    return [found.first for _, found in nearest(query, chunks, n=n)]


def test_chunks_with_rarer_words_of_the_question_come_first_and_later_ones_of_equals() -> None:
    chunks = [chunk(0, "kelp"), chunk(2, "gull"), chunk(4, "kelp")]
    assert near(Query(text="", terms=("kelp", "gull")), *chunks) == [2, 4]
    assert near(Query(text="", terms=("kelp",)), *chunks, n=3) == [4, 0, 2]
    assert near(Query(text="", terms=()), *chunks) == [4, 2]
    assert near(Query(text="", terms=()), n=3) == []


@pytest.mark.parametrize(
    ("asked", "first"), [("at step 3", 2), ("turn #2?", 2), ("step 4", 4), ("13 steps", 4)]
)
def test_a_step_that_is_named_counts_as_a_word_of_its_chunk_alone(asked: str, first: int) -> None:
    chunks = [chunk(0, "kelp"), chunk(2), chunk(4)]
    assert near(Query(text="", terms=(), asked=asked), *chunks)[0] == first
    assert near(Query(text=asked, terms=()), *chunks)[0] == first


def test_a_chunk_tells_its_counts_then_its_best_lines() -> None:
    found = Chunk(
        first=4,
        digests=[
            digest(tools="look", names="a.py b.py", faults="no kelp;more"),
            digest(tools="look", names="b.py"),
            digest(faults="no gull"),
        ],
        best=(Chosen(5, Line("user: aye", "aye", 1.0), 2.0),),
    )
    counts, line = chunk_notes(7, found)
    assert counts.text == (
        "steps 4 to 6; tools: look ×2; touched: b.py, a.py; "  # noqa: RUF001
        "errors: no kelp (4); no gull (6)"
    )
    assert (counts.number, counts.steps, counts.quote) == (7, (4, 6), "")
    assert (line.text, line.quote, line.steps, line.number) == ("user: aye", "aye", (5,), 7)


def test_at_most_six_things_of_a_kind_are_listed() -> None:
    names = " ".join(f"n{n}.py" for n in range(9))
    (counts,) = chunk_notes(1, Chunk(first=0, digests=[digest(names=names)]))
    assert counts.text == "steps 0 to 0; touched: n0.py, n1.py, n2.py, n3.py, n4.py, n5.py"
    assert counts.steps == span_of(0, 0) == (0,)
