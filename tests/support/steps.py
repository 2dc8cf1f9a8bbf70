"""Steps of one action and what it gave."""

from __future__ import annotations

from stepwell.trajectory.model import Call, Result, Step


def step_of(action: str, observed: str = "", **result: object) -> Step:
    call = Call(uid="c", name="action", args={"_value": action}, args_raw=action)
    back = Result(call_uid="c", text=observed, **result)  # type: ignore[arg-type]
    return Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,), results=(back,))
