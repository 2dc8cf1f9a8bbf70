from __future__ import annotations

from datetime import UTC, datetime

from stepwell.formats.atif.writer import to_atif
from stepwell.trajectory.model import (
    Agent,
    Call,
    Media,
    Metrics,
    Part,
    Result,
    Step,
    Trajectory,
)


def run_of(*steps: Step, trajectory_id: str = "r", parent: str | None = None) -> Trajectory:
    return Trajectory(
        trajectory_id=trajectory_id,
        session_id="s",
        source_format="atif",
        parent_trajectory_id=parent,
        agent=Agent(name="a", version="1"),
        steps=steps,
    )


def test_what_atif_has_a_field_for_stands_there() -> None:
    call = Call(uid="k", native_id="k", name="sh", args={"cmd": "ls"})
    step = Step(
        index=0,
        uid="s0",
        kind="agent",
        actor="agent",
        message="hi",
        thought="hm",
        calls=(call,),
        results=(Result(call_uid="k", text="a.txt"),),
        model="m",
        metrics=Metrics(prompt_tokens=3, reasoning_tokens=2),
        t_start=datetime(2026, 1, 5, tzinfo=UTC),
        t_source="timestamp",
        is_copied_context=True,
    )
    assert to_atif(run_of(step))["steps"] == [
        {
            "step_id": 1,
            "source": "agent",
            "timestamp": "2026-01-05T00:00:00Z",
            "message": "hi",
            "model_name": "m",
            "reasoning_content": "hm",
            "tool_calls": [
                {"tool_call_id": "k", "function_name": "sh", "arguments": {"cmd": "ls"}}
            ],
            "metrics": {"prompt_tokens": 3, "extra": {"reasoning_tokens": 2}},
            "observation": {"results": [{"source_call_id": "k", "content": "a.txt"}]},
            "is_copied_context": True,
        }
    ]


def test_what_atif_lacks_stands_in_extra() -> None:
    step = Step(
        index=0,
        uid="s0",
        kind="tool_env",
        actor="env",
        active=False,
        branch_id="b",
        results=(Result(call_uid=None, text="x", is_error=True),),
        extra={"mine": 1},
    )
    (written,) = to_atif(run_of(step))["steps"]
    assert written["source"] == "system"
    assert written["extra"] == {
        "mine": 1,
        "stepwell": {"kind": "tool_env", "actor": "env", "active": False, "branch_id": "b"},
    }
    assert written["observation"]["results"] == [
        {"content": "x", "extra": {"stepwell": {"is_error": True}}}
    ]


def test_calls_of_users_are_kept_where_atif_allows_none() -> None:
    call = Call(uid="k", name="check", args={})
    result = Result(call_uid="k", text="ok")
    step = Step(index=0, uid="s0", kind="user", actor="user", calls=(call,), results=(result,))
    (written,) = to_atif(run_of(step))["steps"]
    assert "tool_calls" not in written
    assert written["extra"]["stepwell"]["calls"][0]["name"] == "check"
    (found,) = written["observation"]["results"]
    assert "source_call_id" not in found
    assert found["extra"]["stepwell"]["call_uid"] == "k"


def test_images_with_a_place_are_image_parts() -> None:
    media = Media(media_type="image/png", uri="a.png")
    parts = (Part(kind="text", text="see"), Part(kind="media", text="[image a.png]", media=media))
    step = Step(
        index=0, uid="s0", kind="user", actor="user", message="see\n[image a.png]", parts=parts
    )
    assert to_atif(run_of(step))["steps"][0]["message"] == [
        {"type": "text", "text": "see"},
        {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}},
    ]


def test_totals_leave_out_copied_steps() -> None:
    step = Step(
        index=0, uid="s0", kind="agent", actor="agent", metrics=Metrics(prompt_tokens=3, cost_usd=1)
    )
    copied = Step(
        index=1,
        uid="s1",
        kind="agent",
        actor="agent",
        metrics=Metrics(prompt_tokens=5),
        is_copied_context=True,
    )
    assert to_atif(run_of(step, copied))["final_metrics"] == {
        "total_steps": 2,
        "total_prompt_tokens": 3,
        "total_cost_usd": 1,
    }


def test_children_are_embedded_in_their_parents() -> None:
    child = run_of(trajectory_id="c", parent="r")
    grandchild = run_of(trajectory_id="g", parent="c")
    written = to_atif(run_of(), children=[grandchild, child])
    (inner,) = written["subagent_trajectories"]
    assert inner["trajectory_id"] == "c"
    assert [each["trajectory_id"] for each in inner["subagent_trajectories"]] == ["g"]


def test_an_unknown_agent_gets_the_name_atif_asks_for() -> None:
    run = Trajectory(trajectory_id="r", session_id="r", source_format="atif")
    written = to_atif(run)
    assert written["agent"] == {
        "name": "unknown",
        "version": "unknown",
        "extra": {"stepwell": {"name": None, "version": None}},
    }
    assert written["steps"] == []
