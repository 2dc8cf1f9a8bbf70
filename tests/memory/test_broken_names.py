"""Half surrogate pairs, NUL and empty names: stored safely in texts, refused in names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stepwell.errors import InvalidInputError
from stepwell.memory.memory import Memory
from stepwell.store.scope import Scope
from stepwell.trajectory.model import Call, Step

CALL = {"function": {"name": "sh\ud83d", "arguments": {"cmd\ud83d": "ls \ud83d"}}, "id": "1"}


@pytest.mark.parametrize(
    "value",
    [
        "needle \ud83d text",
        {"role": "user", "content": "needle \ud83d", "extra\ud83d": {"a\ud83d": ["\ud83d"]}},
        {"role": "assistant", "content": "needle", "tool_calls": [CALL]},
        {"tool": "sh\ud83d", "args": {"cmd\ud83d": "needle \ud83d"}, "observation": "\ud83d"},
        Step(
            index=0,
            uid="u",
            kind="agent",
            actor="a\ud83d",
            message="needle \ud83d",
            calls=(Call(uid="c", name="f\ud83d", args={"k\ud83d": "\ud83d"}),),
        ),
    ],
)
def test_half_surrogate_pairs_in_live_values_are_replaced(value: Any) -> None:
    with Memory(encoder=None) as memory:
        added = memory.add(value)
        found = memory.recall("needle", 300)
        assert "\ufffd" in memory.get(added).text
        assert {item.step for item in found.items} == {0}
        (record,) = memory.trajectory().raw_records
        assert "\ufffd" in json.dumps(json.loads(record.raw), ensure_ascii=False)


@pytest.mark.parametrize("name", ["", "\ud800", "a\0b"])
def test_a_name_that_cannot_be_meant_is_refused(name: str) -> None:
    for field in ("user_id", "agent_id", "run_id", "session", "trajectory"):
        with pytest.raises(InvalidInputError, match=rf"{field}=.*is no name"):
            Memory(encoder=None, scope={field: name})
    with Memory(encoder=None) as memory:
        memory.add("kept")
        with pytest.raises(InvalidInputError, match=r"trajectory=.*is no name"):
            memory.add("x", trajectory=name)
        with pytest.raises(InvalidInputError, match=r"user_id=.*is no name"):
            memory.forget(scope=Scope(user_id=name))
        with pytest.raises(InvalidInputError, match=r"session=.*is no name"):
            memory.recall("kept", scope={"session": name})
        assert len(memory.sessions()) == 1


def test_names_of_all_scripts_and_marks_are_names() -> None:
    for name in (" ", "سارة", "a%_'\"/b", "🚀\n"):
        with Memory(encoder=None, scope=Scope(user_id=name)) as memory:
            assert memory.add("x", trajectory=name) == f"{name}/s0"
