"""LoCoMo samples: two people talk over many sessions, weeks apart.

A sample also holds questions, answers, summaries and extracted observations; those are gold or
derived from the talk, and none of them enters the trajectory.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Bundle
from stepwell.formats.files.documents import documents, first_value
from stepwell.formats.files.members import member
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, list_of, object_of, rest_of
from stepwell.trajectory.model import Media, Part, RawRecord, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import JsonObject

__all__ = ["LoCoMo", "session_time"]

_NAME = "locomo"
_TURN = frozenset({"speaker", "dia_id", "text"})
_SESSION = re.compile(r"session_(\d{1,9})")
_DATE = re.compile(
    r"(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]{3})[a-z]*,?\s+(\d{4})"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOON = 12


class LoCoMo:
    """Reads LoCoMo files: one sample, a list of them, or one a line."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the first value is a conversation in numbered sessions."""
        return 0.98 if _sessions(first_value(source)) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per sample, `locomo-<sample_id>`; its steps are dialogue turns."""
        for number, document in enumerate(documents(source)):
            if _sessions(document.value):
                yield Bundle(trajectory=_trajectory(document, number, notes))
            else:
                document.note(notes, "", "not-a-sample", "No LoCoMo sample.", effect="skipped")


def session_time(text: str) -> datetime | None:
    """Return the start of a session, taken as UTC; None when the text is no such date.

    >>> session_time("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    """
    match = _DATE.fullmatch(text.strip().lower())
    if match is None or match[5] not in _MONTHS:
        return None
    hour = int(match[1]) % _NOON + (_NOON if match[3] == "p" else 0)
    month = _MONTHS.index(match[5]) + 1
    try:
        return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=UTC)
    except ValueError:
        return None


def _sessions(sample: Any) -> list[int]:
    """Return the numbers of the sessions that were held, in order."""
    conversation = object_of(object_of(sample).get("conversation"))
    numbers = (
        int(match[1])
        for name, turns in conversation.items()
        if isinstance(turns, list) and (match := _SESSION.fullmatch(name))
    )
    return sorted(numbers)


def _trajectory(document: Document, number: int, notes: Notes) -> Trajectory:
    first_notice = len(notes.notices)
    sample = object_of(document.value)
    conversation = object_of(sample["conversation"])
    raw = member(document.raw, "conversation")
    steps: list[Step] = []
    raws: list[RawRecord] = []
    for session in _sessions(sample):
        name = f"session_{session}"
        turns = list_of(conversation[name])
        pointer = f"/conversation/{name}"
        session_raws = document.raw_elements(pointer, member(raw, name), count=len(turns))
        date = first_str(conversation, f"{name}_date_time")
        if date is not None and session_time(date) is None:
            document.note(
                notes, f"{pointer}_date_time", "bad-date", f"{date!r} is no session date."
            )
        for at, turn in enumerate(turns):
            refs = (len(raws) + at,) if session_raws else ()
            steps.append(
                _step(object_of(turn), index=len(steps), session=session, date=date, refs=refs)
            )
        raws.extend(session_raws)
    trajectory_id = f"locomo-{first_str(sample, 'sample_id') or number}"
    speakers = {name: who for name, who in conversation.items() if name.startswith("speaker_")}
    return Trajectory(
        trajectory_id=trajectory_id,
        session_id=trajectory_id,
        source_format=_NAME,
        steps=tuple(steps),
        raw_records=tuple(raws),
        warnings=tuple(notes.notices[first_notice:]),
        extra=speakers,
    )


def _step(
    turn: JsonObject, *, index: int, session: int, date: str | None, refs: tuple[int, ...]
) -> Step:
    said = first_str(turn, "text") or ""
    message, parts = _shown(said, turn)
    start = session_time(date) if date is not None else None
    dia_id = first_str(turn, "dia_id")
    when: JsonObject = {"session": session} if date is None else {"session": session, "date": date}
    return Step(
        index=index,
        uid=f"s{index}",
        kind="user",
        actor=first_str(turn, "speaker") or "user",
        message=message,
        parts=parts,
        t_start=start,
        t_source=None if start is None else "session",
        native_ids={} if dia_id is None else {"dia_id": dia_id},
        raw_refs=refs,
        extra=when | rest_of(turn, _TURN),
    )


def _shown(said: str, turn: JsonObject) -> tuple[str, tuple[Part, ...]]:
    """Return a turn's readable message, its image on a second line, and its original parts."""
    text = readable(said)
    caption = first_str(turn, "blip_caption")
    if caption is None:
        return text, () if text == said else (Part(kind="text", text=said),)
    placeholder = f"[image: {readable(caption)}]"
    uri = next((url for url in list_of(turn.get("img_url")) if isinstance(url, str)), None)
    image = Part(kind="media", text=placeholder, media=Media(media_type="image/*", uri=uri))
    message = f"{text}\n{placeholder}" if text else placeholder
    return message, (Part(kind="text", text=said), image)
