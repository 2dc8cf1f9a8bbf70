"""A step as it is kept: under its index in the stored run, with all that any reading said of it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.trajectory.model import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from stepwell.trajectory.model import Result, Trajectory

__all__ = ["forgotten", "is_forgotten", "merged", "placed", "renamed", "still_recalled"]

_FORGOTTEN = "forgotten"

_MINTED = re.compile(r"s(\d{1,9})((?:\..*)?)", re.DOTALL)
"""The uid of a step, or of a call in it, that a reader made of the step's place."""


def placed(step: Step, *, indices: Sequence[int], refs: Mapping[int, int] | None) -> Step:
    """Return a step of a reading as a step of the stored run.

    Args:
        step: The step.
        indices: The index in the stored run of each step of the reading.
        refs: Indices of raw records there by those of the reading; None where they are the same.
    """
    if step.index == indices[step.index] and refs is None:
        return step

    def named(uid: str) -> str:
        # A uid that a reader made of the step's place would be that of another step here.
        minted = _MINTED.fullmatch(uid)
        if minted is None or int(minted[1]) >= len(indices):
            return uid
        return f"s{indices[int(minted[1])]}{minted[2]}"

    return replace(
        step,
        index=indices[step.index],
        uid=named(step.uid),
        parent_uid=step.parent_uid and named(step.parent_uid),
        calls=tuple(replace(call, uid=named(call.uid)) for call in step.calls),
        results=tuple(
            replace(result, call_uid=result.call_uid and named(result.call_uid))
            for result in step.results
        ),
        raw_refs=tuple(sorted({ref if refs is None else refs[ref] for ref in step.raw_refs})),
    )


def renamed(trajectory: Trajectory, names: Mapping[str, str]) -> Trajectory:
    """Return a trajectory under the ids that its parent and its subagents got in a store.

    >>> from stepwell.trajectory.model import Trajectory
    >>> child = Trajectory(
    ...     trajectory_id="run/a1", session_id="run", source_format="x", parent_trajectory_id="run"
    ... )
    >>> renamed(child, {"run": "run#2"}).trajectory_id
    'run#2/a1'
    """
    parent = trajectory.parent_trajectory_id
    name = names.get(parent or "", parent)
    if parent is None or name is None or name == parent:
        return trajectory
    own = trajectory.trajectory_id
    return replace(
        trajectory,
        trajectory_id=f"{name}{own[len(parent) :]}" if own.startswith(f"{parent}/") else own,
        parent_trajectory_id=name,
    )


def merged(old: Step, new: Step) -> Step:
    """Return a stored step as another reading tells it, without losing what it said of results.

    Logs clear the results of old calls to save room; what they said is kept.
    """
    results = dict(_keyed(new.results))
    is_kept = False
    for key, result in _keyed(old.results):
        now = results.get(key)
        if now is None or _is_less(now, result):
            results[key] = result
            is_kept = True
    places = {call.uid: place for place, call in enumerate(new.calls)}
    whole = replace(
        new,
        results=tuple(
            sorted(results.values(), key=lambda r: places.get(r.call_uid or "", len(places)))
        ),
        status=old.status if is_kept else new.status,
        raw_refs=tuple(sorted({*old.raw_refs, *new.raw_refs})) if is_kept else new.raw_refs,
        t_start=new.t_start or old.t_start,
        t_source=new.t_source or old.t_source,
        t_end=new.t_end or old.t_end,
    )
    return still_recalled(old, whole)


def still_recalled(old: Step, new: Step) -> Step:
    """Return a step of which what was known as recalled stays so, though its source may be gone."""
    known = {(result.call_uid, result.text): result.recalled for result in old.results}
    is_same = old.message == new.message
    return replace(
        new,
        recalled=(is_same and old.recalled) or new.recalled,
        results=tuple(
            replace(result, recalled=known.get((result.call_uid, result.text)) or result.recalled)
            for result in new.results
        ),
    )


def _keyed(results: Sequence[Result]) -> Iterator[tuple[tuple[str | None, int], Result]]:
    """Yield each result under its call, and how many of that call stand before it."""
    before = Counter[str | None]()
    for result in results:
        yield (result.call_uid, before[result.call_uid]), result
        before[result.call_uid] += 1


def _is_less(now: Result, before: Result) -> bool:
    return len(now.text) < len(before.text)


def forgotten(step: Step) -> Step:
    """Return what is left of a step that is forgotten: its place, and nothing it said.

    >>> from stepwell.trajectory.model import Step
    >>> left = forgotten(Step(index=3, uid="u3", kind="user", actor="user", message="my password"))
    >>> left.index, left.kind, left.message, is_forgotten(left)
    (3, 'meta', '', True)
    """
    return Step(
        index=step.index,
        uid=f"s{step.index}",
        kind="meta",
        actor="harness",
        active=step.active,
        t_start=step.t_start,
        extra={_FORGOTTEN: True},
    )


def is_forgotten(step: Step) -> bool:
    """Return whether a step is what is left of one that was forgotten."""
    return step.extra.get(_FORGOTTEN) is True
