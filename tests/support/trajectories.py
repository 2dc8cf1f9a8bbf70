"""Trajectories that tests make: by hand, and by hypothesis."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from hypothesis import strategies as st

from stepwell.trajectory.model import Call, RawRecord, Result, Step, Trajectory

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def turn(index: int, action: str, observation: str) -> Step:
    """Return an agent step with one call and its result."""
    return Step(
        index=index,
        uid=f"u{index}",
        kind="agent",
        actor="agent",
        calls=(Call(uid=f"k{index}", name="bash", args={"command": action}),),
        results=(Result(call_uid=f"k{index}", text=observation),),
    )


def said(index: int, text: str) -> Step:
    """Return a user step."""
    return Step(index=index, uid=f"u{index}", kind="user", actor="user", message=text)


def trajectory(steps: list[Step], *, name: str = "run", session: str | None = None) -> Trajectory:
    """Return a trajectory with one raw record per step, which of a turn tells but its place."""
    return Trajectory(
        trajectory_id=name,
        session_id=session or name,
        source_format="test",
        steps=tuple(steps),
        raw_records=tuple(
            RawRecord(
                source_uri="test.jsonl",
                position=f"line:{step.index + 1}",
                byte_offset=step.index * 10,
                sha256=sha256(f"raw of {step.uid}: {step.message}".encode()).hexdigest(),
                raw=f"raw of {step.uid}: {step.message}".encode(),
            )
            for step in steps
        ),
    )


texts = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60
)
long_texts = st.builds(lambda text, times: text * times, texts, st.integers(0, 60))


@st.composite
def step_lists(draw: st.DrawFn, *, max_size: int = 8) -> list[Step]:
    """Draw the steps of a trajectory: user messages and agent turns with any text."""
    n = draw(st.integers(0, max_size))
    return [
        said(index, draw(texts))
        if draw(st.booleans())
        else turn(index, draw(texts), draw(long_texts))
        for index in range(n)
    ]
