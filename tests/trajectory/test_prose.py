"""Steps as structures read them."""

from __future__ import annotations

import base64

from stepwell.trajectory.model import Call, Result, Step
from stepwell.trajectory.prose import prose_of

BULK = base64.b64encode(bytes(range(256)) * 3).decode()
HEAD = BULK[:48] + "…"


def test_a_step_is_read_without_bulk_wherever_it_stands() -> None:
    step = Step(
        index=0,
        uid="u",
        kind="agent",
        actor="a",
        message=f"see {BULK}",
        thought=f"hm {BULK}",
        calls=(Call(uid="c", name="write", args={"path": "a.png", "data": BULK, "n": 3}),),
        results=(Result(call_uid="c", text=f"wrote {BULK}"),),
    )
    read = prose_of(step)
    assert (read.message, read.thought) == (f"see {HEAD}", f"hm {HEAD}")
    assert read.calls[0].args == {"path": "a.png", "data": HEAD, "n": 3}
    assert read.results[0].text == f"wrote {HEAD}"


def test_a_step_without_bulk_is_read_as_it_is() -> None:
    step = Step(
        index=0,
        uid="u",
        kind="agent",
        actor="a",
        message="port 8081",
        calls=(
            Call(uid="c", name="ls", args=None, args_raw="-la"),
            Call(uid="d", name="ls", args={}),
        ),
    )
    assert prose_of(step) == step
