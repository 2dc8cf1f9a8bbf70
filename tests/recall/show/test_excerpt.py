"""A step whose tokens suffice is shown whole; else its parts share them, short ones first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Allocation, Memory
from stepwell.recall.show.excerpt import deep
from stepwell.recall.show.views import Block, StepView, View
from stepwell.store.rowids import MAX_PLACES, rowid

FACTS = StepView(kind="agent", active=True, has_error=False, time=None, answered=None)


def block(part: str, text: str, score: float) -> Block:
    return Block(
        part=part,
        label="edit",
        text=text,
        first_line=1,
        first_column=1,
        is_whole=True,
        edges=(0, len(text)),
        scores=(score,),
    )


texts = st.text(alphabet="ab c", min_size=1, max_size=400).filter(str.strip)


@given(
    st.lists(st.tuples(texts, st.floats(-3, 9)), min_size=1, max_size=4),
    st.lists(st.tuples(texts, st.floats(-3, 9)), max_size=3),
    st.integers(1, 2_000),
)
def test_parts_share_all_there_is(
    said: list[tuple[str, float]], came: list[tuple[str, float]], most: int
) -> None:
    blocks = [block(f"c{n}", text, score) for n, (text, score) in enumerate(said, 1)]
    blocks += [block(f"o{n}", text, score) for n, (text, score) in enumerate(came, 1)]
    view = View(key=rowid(1, 0) // MAX_PLACES, facts=FACTS, blocks=tuple(blocks))
    shown = sum(e.end - e.start for e in deep(view, weights={}, most=most))
    assert shown <= most or most < 8
    whole = deep(view, weights={}, most=sum(len(one.text) for one in blocks))
    assert [e.text.strip() for e in whole] == [one.text.strip() for one in blocks]


@pytest.mark.parametrize("n", [20, 60, 90, 150, 400])
@pytest.mark.parametrize("allocation", [Allocation(), Allocation(whole=True)])
def test_a_named_step_is_whole_where_there_is_room(n: int, allocation: Allocation) -> None:
    call = {
        "id": "1",
        "type": "function",
        "function": {
            "name": "Edit",
            "arguments": f'{{"old_string": "{"abc " * n}", "new_string": "TARGET value"}}',
        },
    }
    with Memory(encoder=None) as memory:
        memory.add({"role": "assistant", "content": "Alpha beta gamma.", "tool_calls": [call]})
        memory.add({"role": "tool", "tool_call_id": "1", "content": "Updated."})
        evidence = memory.recall("At step 0, what was edited?", 4_000, allocation=allocation)
        assert "TARGET value" in evidence.text
