"""The tail names what is not quoted: by cluster, with its steps, and as much of it as fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.show.compose import tail_line
from stepwell.recall.show.tail import TailMaker
from stepwell.recall.show.texts import Block, StepText
from stepwell.store.facts import StepFacts
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.text.tokens import counter

if TYPE_CHECKING:
    from stepwell.recall.evidence import Noted

COUNT = counter("o200k").count
FACTS = StepFacts(kind="agent", active=True, has_error=False, time=None, answered=None)


def view(
    step: int, text: str, *, part: str = "c1", label: str = "bash", number: int = 1
) -> StepText:
    block = Block(
        part=part,
        label=label,
        text=text,
        first_line=1,
        first_column=1,
        is_whole=True,
        edges=(0, len(text)),
        scores=(0.0,),
    )
    return StepText(key=rowid(number, step) // MAX_PLACES, facts=FACTS, blocks=(block,))


def price(line: Noted) -> int:
    return COUNT(tail_line(line, named=False))


MAKER = TailMaker(names={1: "run", 2: "other"}, weights={"port": 2.0, "db": 1.0}, price=price)


def test_steps_of_one_tool_share_a_line_with_its_commonest_calls() -> None:
    views = [view(9, "git diff"), view(3, "pytest -q"), view(4, "pytest -q"), view(30, "ls")]
    (line,) = MAKER.lines(views, room=200)
    assert line.steps == (3, 4, 9, 30)
    assert tail_line(line, named=False) == "[s3-s4,s9,s30 tail] 4 bash: pytest -q, git diff, ls"
    assert tail_line(line, named=True).startswith("[run/s3-s4,s9,s30 tail] ")


def test_messages_are_told_by_the_words_of_the_question_they_hold() -> None:
    views = [
        view(1, "The port is 5433, and the db is up.", part="m", label="Ada"),
        view(2, "Which port?", part="m", label="Ada"),
        view(5, "ports and dbs", part="m", label="Lin"),
    ]
    ada, lin = MAKER.lines(views, room=200)
    assert ada.text == "2 Ada: port, db"
    assert lin.text == "1 Lin"


def test_runs_do_not_share_a_line() -> None:
    lines = MAKER.lines([view(1, "ls"), view(1, "ls", number=2)], room=200)
    assert [line.trajectory for line in lines] == ["run", "other"]


def test_the_better_ranked_steps_are_named_where_not_all_fit() -> None:
    views = [view(step, f"cat file{step}") for step in (90, 10, 50, 30, 70)]
    (line,) = MAKER.lines(views, room=14)
    assert set(line.steps) == {view.step for view in views[: len(line.steps)]}
    assert 0 < len(line.steps) < 5
    assert line.text.startswith("5 bash")


def test_tools_share_a_line_where_not_every_step_is_named_otherwise() -> None:
    views = [view(2 * step, "x", label=f"tool{step}") for step in range(8)]
    apart, together = MAKER.lines(views, room=200), MAKER.lines(views, room=40)
    assert len(apart) == 8
    (line,) = together
    assert line.steps == tuple(range(0, 16, 2))
    assert line.text.startswith("8 more")


@given(
    st.lists(
        st.tuples(st.integers(0, 500), st.text(max_size=60)), max_size=30, unique_by=lambda x: x[0]
    ),
    st.integers(0, 120),
)
def test_a_tail_stays_in_its_room_and_on_its_lines(steps: list[tuple[int, str]], room: int) -> None:
    lines = MAKER.lines([view(step, text) for step, text in steps], room=room)
    assert sum(map(price, lines)) <= room
    named = [step for line in lines for step in line.steps]
    assert len(named) == len(set(named))
    assert set(named) <= {step for step, _ in steps}
    assert all(len(tail_line(line, named=True).splitlines()) == 1 for line in lines)
