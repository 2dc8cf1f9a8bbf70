"""LongMemEval instances: a user's sessions with an assistant, among which one question is asked.

An instance also holds the question, its answer, and labels of the turns and sessions that answer
it; those are gold, and none of them enters the trajectory. The labels stand inside the turns, and
the ids of sessions give the evidence away, so neither the bytes of turns nor those ids are kept.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Bundle
from stepwell.formats.files.documents import documents, first_value
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, is_list, list_of, object_of, rest_of, str_of
from stepwell.trajectory.model import Part, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import JsonObject, Kind

__all__ = ["LongMemEval", "haystack_time"]

_NAME = "longmemeval"
_TURN = frozenset({"role", "content", "has_answer"})
_DATE = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\s*\(\w+\))?(?:\s+(\d{1,2}):(\d{2}))?")
_KINDS: dict[str, Kind] = {"assistant": "agent", "system": "system"}


class LongMemEval:
    """Reads LongMemEval files: one instance, a list of them, or one a line."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the first value is a question with a haystack of sessions."""
        return 0.98 if _is_instance(first_value(source)) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per instance, `longmemeval-<question_id>`; its steps are turns."""
        for number, document in enumerate(documents(source)):
            if _is_instance(document.value):
                yield Bundle(trajectory=_trajectory(document, number, notes))
            else:
                document.note(
                    notes, "", "not-an-instance", "No LongMemEval instance.", effect="skipped"
                )


def haystack_time(text: str) -> datetime | None:
    """Return the time of a session, taken as UTC; None when the text is no such date.

    >>> haystack_time("2023/05/20 (Sat) 02:21").isoformat()
    '2023-05-20T02:21:00+00:00'
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute = (int(part or 0) for part in match.groups())
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None


def _is_instance(value: Any) -> bool:
    instance = object_of(value)
    return "question_id" in instance and is_list(instance.get("haystack_sessions"))


def _trajectory(document: Document, number: int, notes: Notes) -> Trajectory:
    first_notice = len(notes.notices)
    instance = object_of(document.value)
    dates = list_of(instance.get("haystack_dates"))
    sessions = [
        (place, str_of(dates[place]) if place < len(dates) else None, list_of(turns))
        for place, turns in enumerate(list_of(instance["haystack_sessions"]))
    ]
    steps: list[Step] = []
    for place, date, turns in sorted(sessions, key=_start):
        if date is not None and haystack_time(date) is None:
            document.note(
                notes, f"/haystack_dates/{place}", "bad-date", f"{date!r} is no session date."
            )
        for at, value in enumerate(turns):
            turn = object_of(value)
            steps.append(_step(turn, index=len(steps), place=(place, at), date=date))
    trajectory_id = f"{_NAME}-{first_str(instance, 'question_id') or number}"
    return Trajectory(
        trajectory_id=trajectory_id,
        session_id=trajectory_id,
        source_format=_NAME,
        steps=tuple(steps),
        warnings=tuple(notes.notices[first_notice:]),
    )


def _start(session: tuple[int, str | None, list[Any]]) -> tuple[bool, datetime]:
    """Order sessions by time, those without one last: the oracle file has them in any order."""
    start = None if session[1] is None else haystack_time(session[1])
    return start is None, start or datetime.max.replace(tzinfo=UTC)


def _step(turn: JsonObject, *, index: int, place: tuple[int, int], date: str | None) -> Step:
    session, at = place
    said = first_str(turn, "content") or ""
    message = readable(said)
    role = first_str(turn, "role") or "user"
    start = None if date is None else haystack_time(date)
    when: JsonObject = {"session": session + 1} | ({} if date is None else {"date": date})
    return Step(
        index=index,
        uid=f"s{index}",
        kind=_KINDS.get(role, "user"),
        actor=_KINDS.get(role, role),
        message=message,
        parts=() if message == said else (Part(kind="text", text=said),),
        t_start=start,
        t_source=None if start is None else "session",
        native_ids={"turn": f"{session}:{at}"},
        extra=when | rest_of(turn, _TURN),
    )
