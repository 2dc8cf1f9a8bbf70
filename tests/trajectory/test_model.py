"""The model's values: frozen, compared by what they hold, and the same after they were stored."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.trajectory import model
from stepwell.trajectory.model import (
    Agent,
    Call,
    Media,
    Metrics,
    Notice,
    Outcome,
    Part,
    RawRecord,
    Result,
    Step,
    Trajectory,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(texts, json_values, max_size=2)
media = st.builds(Media, media_type=texts, n_bytes=st.integers(0, 9), uri=st.none() | texts)
parts = st.builds(
    Part,
    kind=st.sampled_from(["text", "media", "other"]),
    text=texts,
    media=st.none() | media,
    data=st.none() | objects,
)
calls = st.builds(
    Call, uid=texts, name=texts, args=st.none() | objects, native_id=st.none() | texts
)
results = st.builds(
    Result,
    call_uid=st.none() | texts,
    text=texts,
    parts=st.lists(parts, max_size=2).map(tuple),
    is_error=st.none() | st.booleans(),
    exit_code=st.none() | st.integers(-9, 9),
    extra=objects,
)
steps = st.builds(
    Step,
    index=st.integers(0, 9),
    uid=texts,
    kind=st.sampled_from(["user", "agent", "system", "tool_env", "summary", "context", "meta"]),
    actor=texts,
    message=texts,
    calls=st.lists(calls, max_size=2).map(tuple),
    results=st.lists(results, max_size=2).map(tuple),
    status=st.sampled_from(["ok", "error", "interrupted", "missing"]),
    t_start=st.none() | st.datetimes(timezones=st.just(UTC)),
    metrics=st.none() | st.builds(Metrics, prompt_tokens=st.none() | st.integers(0, 9)),
    native_ids=st.dictionaries(texts, texts, max_size=2),
    raw_refs=st.lists(st.integers(0, 9), max_size=2).map(tuple),
    extra=objects,
)


@given(steps)
def test_a_step_is_the_same_after_it_was_stored(step: Step) -> None:
    assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step


def test_a_trajectory_is_the_same_after_it_was_stored() -> None:
    run = Trajectory(
        trajectory_id="r/a1",
        session_id="r",
        source_format="toy",
        parent_trajectory_id="r",
        agent=Agent(name="a", tool_definitions=({"name": "ls"},)),
        outcome=Outcome(reward=0.5, success=True),
        steps=(Step(index=0, uid="s0", kind="user", actor="user"),),
        raw_records=(
            RawRecord(source_uri="f", position="line:1", byte_offset=0, sha256="00", raw=b"\0\xff"),
        ),
        warnings=(Notice(position="f:1", code="torn-tail", message="Cut off."),),
        extra={"a": [1, None]},
    )
    assert msgspec.json.decode(msgspec.json.encode(run), type=Trajectory) == run


VALUES = [
    value
    for name in model.__all__
    if isinstance(value := getattr(model, name), type) and hasattr(value, "__dataclass_fields__")
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.__name__)
def test_values_cannot_be_changed_and_have_no_room_for_more(value: Any) -> None:
    made = value(**{field.name: "x" for field in fields(value)})
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(value)[0].name, "y")
    assert not hasattr(made, "__dict__")
    with pytest.raises(TypeError):
        value("positional")


def test_what_a_source_does_not_say_is_absent() -> None:
    step = Step(index=0, uid="s0", kind="user", actor="user")
    assert (step.active, step.status, step.is_copied_context) == (True, "ok", False)
    assert (step.calls, step.results, step.raw_refs, step.extra) == ((), (), (), {})
    assert (step.t_start, step.metrics, step.parent_uid, step.branch_id) == (None,) * 4
    result = Result(call_uid=None, text="")
    assert (result.is_error, result.exit_code, result.truncated) == (None, None, False)
    assert Call(uid="c", name="f", args=None).args_valid is True
    assert Notice(position="f:1", code="c", message="m").effect == "warning"
    assert Metrics() == Metrics(prompt_tokens=None, cost_usd=None)


def test_values_made_apart_share_no_dictionaries() -> None:
    one, two = (Step(index=n, uid="u", kind="user", actor="user") for n in (0, 1))
    assert one.extra is not two.extra
    assert one.native_ids is not two.native_ids
    assert replace(one, t_start=datetime(2026, 1, 1, tzinfo=UTC)) != one
