"""tau-bench runs: an agent with tools serves a simulated user, several trials per task.

A run holds the conversation as OpenAI messages, the task with the actions that would have solved
it, and the reward. Those actions stand in `Trajectory.extra["actions"]` as they were given,
`name` and `kwargs` each; no step holds any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Bundle
from stepwell.formats.chat.conversation import conversation_steps
from stepwell.formats.chat.logs import chat_of, is_message
from stepwell.formats.files.documents import documents, first_value, source_id
from stepwell.formats.files.members import member
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, is_list, list_of, number_of, object_of, rest_of
from stepwell.trajectory.model import Outcome, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import JsonObject

__all__ = ["TauBench", "graded", "trial_name"]

_NAME = "tau-bench"
_RUN = frozenset({"reward", "info", "traj"})
_TASK = frozenset({"instruction", "actions"})
_PROBE = 10
"""Messages looked at to tell whether a list holds any."""

_TOLERANCE = 1e-6
"""How far from 1 the reward of a solved task may lie; tau-bench allows as much."""


class TauBench:
    """Reads results of tau-bench: a list of runs, one run, or one a line."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the first value is a run: a task id, messages, and what they earned."""
        return 0.98 if _is_run(first_value(source)) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per run, `<source>#task-<task_id>/trial-<trial>`."""
        taken: set[str] = set()
        for number, document in enumerate(documents(source)):
            if not _is_run(document.value):
                document.note(notes, "", "not-a-run", "No tau-bench run.", effect="skipped")
                continue
            name = trial_name(source.uri, object_of(document.value), number)
            if name in taken:
                document.note(notes, "", "repeated-run", f"There is another run {name} here.")
                name = f"{name}#{number}"
            taken.add(name)
            yield _bundle(document, name, notes)


def trial_name(uri: str, run: JsonObject, number: int) -> str:
    """Return the id of a run without one of its own: source, task and trial.

    Args:
        uri: The source; part of the id, as other results hold the same tasks and trials.
        run: Its `task_id` and `trial` are looked at.
        number: Its place in the source, for a run without a task id.

    >>> trial_name("gpt.json", {"task_id": 3, "trial": 0}, 7)
    'gpt-264dc766#task-3/trial-0'
    """
    task, trial = first_str(run, "task_id"), first_str(run, "trial")
    name = f"{source_id(uri)}#" + (str(number) if task is None else f"task-{task}")
    return name if trial is None else f"{name}/trial-{trial}"


def graded(reward: Any, *, exit_status: str | None) -> Outcome:
    """Return the outcome of a run; a reward of 1, and no other, is success."""
    value = number_of(reward)
    success = None if value is None else abs(value - 1) <= _TOLERANCE
    return Outcome(reward=value, success=success, exit_status=exit_status)


def _is_run(value: Any) -> bool:
    run = object_of(value)
    messages = run.get("traj")
    if not is_list(messages) or "task_id" not in run or not ("reward" in run or "info" in run):
        return False
    return not messages or any(map(is_message, messages[:_PROBE]))


def _bundle(document: Document, name: str, notes: Notes) -> Bundle:
    first_notice = len(notes.notices)
    run = object_of(document.value)
    info = object_of(run.get("info"))
    task = object_of(info.get("task"))
    error = first_str(info, "error")
    if error is not None:
        document.note(notes, "/info/error", "failed-run", f"The run broke off: {error}")
    chat = chat_of(document, "/traj", run["traj"], member(document.raw, "traj"))
    steps, blobs = conversation_steps(chat, notes)
    extra = rest_of(run, _RUN) | rest_of(info, frozenset({"task"})) | rest_of(task, _TASK)
    actions = task.get("actions", object_of(info.get("reward_info")).get("actions"))
    if is_list(actions):
        extra["actions"] = list_of(actions)
    elif error is None:
        document.note(notes, "/info", "no-actions", "The run does not say what would solve it.")
    instruction = first_str(task, "instruction")
    trajectory = Trajectory(
        trajectory_id=name,
        session_id=name,
        source_format=_NAME,
        task=None if instruction is None else readable(instruction),
        outcome=graded(run.get("reward"), exit_status=None if error is None else "error"),
        steps=steps,
        raw_records=chat.raws,
        warnings=tuple(notes.notices[first_notice:]),
        extra=extra,
    )
    return Bundle(trajectory=trajectory, blobs=blobs)
