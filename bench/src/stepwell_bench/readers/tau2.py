"""tau2-bench results: simulations in which the agent and the simulated user both call tools.

One file holds the run's settings, its tasks with the actions that would solve them, and the
simulations. Those actions stand in `Trajectory.extra["actions"]` as they were given, with name,
arguments and requestor; no step holds any of them. A simulation that was saved alone is read as
well; its task is not known then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Bundle
from stepwell.formats.chat.conversation import conversation_steps
from stepwell.formats.chat.logs import chat_of
from stepwell.formats.files.documents import documents, first_value
from stepwell.formats.files.members import elements, member
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, is_list, is_object, list_of, object_of, rest_of
from stepwell.trajectory.model import Agent, Trajectory
from stepwell_bench.readers.tau_bench import graded, trial_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import JsonObject, Step

__all__ = ["Tau2"]

_NAME = "tau2"
_PLACED = frozenset({"id", "messages"})
_TASK = frozenset({"id", "evaluation_criteria"})
_AGENT = frozenset({"implementation", "llm"})
_SETTINGS = frozenset({"agent_info", "environment_info"})
_SCENARIO = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
_MESSAGE = frozenset({"raw_data", "reasoning"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What a file says beside its simulations: the settings, and the tasks by id."""

    info: JsonObject
    tasks: dict[str, JsonObject]


class Tau2:
    """Reads results of tau2-bench, whole or one simulation at a time."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the first value holds simulations, or is one."""
        value = first_value(source)
        return 0.98 if _is_results(value) or _is_simulation(value) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per simulation, under the simulation's own id."""
        taken: set[str] = set()
        for number, (run, document) in enumerate(_simulations(source)):
            if not _is_simulation(document.value):
                document.note(notes, "", "not-a-simulation", "No simulation.", effect="skipped")
                continue
            simulation = object_of(document.value)
            name = first_str(simulation, "id") or trial_name(source.uri, simulation, number)
            if name in taken:
                document.note(notes, "", "repeated-run", f"There is another run {name} here.")
                name = f"{name}#{number}"
            taken.add(name)
            yield _bundle(document, run, name, notes)


def _is_results(value: Any) -> bool:
    results = object_of(value)
    return is_list(results.get("simulations")) and ("tasks" in results or "info" in results)


def _is_simulation(value: Any) -> bool:
    simulation = object_of(value)
    ends = "termination_reason" in simulation or "reward_info" in simulation
    holds = is_list(simulation.get("messages")) or is_list(simulation.get("ticks"))
    return "task_id" in simulation and ends and holds


def _simulations(source: Source) -> Iterator[tuple[_Run, Document]]:
    """Yield the simulations of a source, each with the run it is part of."""
    for document in documents(source):
        if not _is_results(document.value):
            yield _Run(info={}, tasks={}), document
            continue
        run = _run(document.value)
        values = list_of(document.value["simulations"])
        raws = elements(member(document.raw, "simulations"))
        if len(raws) != len(values):
            raws = [b""] * len(values)
        for at, (value, raw) in enumerate(zip(values, raws, strict=True)):
            pointer = f"{document.pointer}/simulations/{at}"
            yield run, replace(document, value=value, raw=raw, pointer=pointer)


def _run(results: JsonObject) -> _Run:
    tasks = [task for task in map(object_of, list_of(results.get("tasks"))) if task]
    by_id = {task_id: task for task in tasks if (task_id := first_str(task, "id")) is not None}
    return _Run(info=object_of(results.get("info")), tasks=by_id)


def _bundle(document: Document, run: _Run, name: str, notes: Notes) -> Bundle:
    first_notice = len(notes.notices)
    simulation = object_of(document.value)
    if not is_list(simulation.get("messages")):
        message = "A voice simulation; its ticks are not read."
        document.note(notes, "/ticks", "ticks-not-read", message, effect="skipped")
    raw = member(document.raw, "messages")
    chat = chat_of(document, "/messages", simulation.get("messages"), raw)
    steps, blobs = conversation_steps(chat, notes, pieces=_pieces)
    task = run.tasks.get(first_str(simulation, "task_id") or "", {})
    if not task:
        message = "The task is not in the file; what would solve it is not known."
        document.note(notes, "/task_id", "unknown-task", message)
    reward = object_of(simulation.get("reward_info")).get("reward")
    trajectory = Trajectory(
        trajectory_id=name,
        session_id=name,
        source_format=_NAME,
        agent=_agent(run.info),
        task=_asked(task),
        outcome=graded(reward, exit_status=first_str(simulation, "termination_reason")),
        steps=_with_callers(steps, simulation),
        raw_records=chat.raws,
        warnings=tuple(notes.notices[first_notice:]),
        extra=_given(task) | rest_of(simulation, _PLACED | {"ticks"}) | _settings(run.info),
    )
    return Bundle(trajectory=trajectory, blobs=blobs)


def _pieces(message: JsonObject) -> list[JsonObject]:
    """Return a message, or each of the results in one, in the shape of the OpenAI API."""
    several = message.get("tool_messages")
    if is_list(several):
        return [piece for each in several for piece in _pieces(object_of(each))]
    rest = rest_of(message, _MESSAGE)
    if message.get("role") == "tool":
        call_id = rest.pop("id", None)
        return [rest if call_id is None else rest | {"tool_call_id": call_id}]
    # The provider's own message repeats all that stands here, and may hold the reasoning besides.
    provider = object_of(object_of(message.get("raw_data")).get("message"))
    thought = first_str(message, "reasoning") or first_str(provider, "reasoning_content")
    return [rest | {"reasoning": thought}]


def _with_callers(steps: tuple[Step, ...], simulation: JsonObject) -> tuple[Step, ...]:
    """Return the steps with calls marked as the user's where the user made them."""
    made = [
        object_of(call)
        for message in list_of(simulation.get("messages"))
        for call in list_of(object_of(message).get("tool_calls"))
    ]
    ids = {first_str(call, "id") for call in made if call.get("requestor") == "user"} - {None}
    return tuple(
        replace(
            step,
            calls=tuple(
                replace(call, actor="user")
                if step.kind == "user" or call.native_id in ids
                else call
                for call in step.calls
            ),
        )
        for step in steps
    )


def _asked(task: JsonObject) -> str | None:
    """Return what the simulated user is told, or the ticket of an agent that has no user."""
    instructions = object_of(task.get("user_scenario")).get("instructions")
    if is_object(instructions):
        told = [first_str(instructions, name) for name in _SCENARIO]
        instructions = "\n\n".join(text for text in told if text is not None)
    text = instructions if isinstance(instructions, str) else ""
    text = text or first_str(task, "ticket") or ""
    return readable(text) or None


def _given(task: JsonObject) -> JsonObject:
    """Return a task's fields; its actions and its other criteria beside each other."""
    criteria = object_of(task.get("evaluation_criteria"))
    given = rest_of(task, _TASK)
    if is_list(criteria.get("actions")):
        given["actions"] = criteria["actions"]
    if rest := rest_of(criteria, frozenset({"actions"})):
        given["evaluation_criteria"] = rest
    return given


def _agent(info: JsonObject) -> Agent:
    agent = object_of(info.get("agent_info"))
    environment = object_of(info.get("environment_info"))
    tools = environment.get("tool_defs")
    given = list_of(tools) or list(object_of(tools).values())
    return Agent(
        name=first_str(agent, "implementation"),
        model=first_str(agent, "llm"),
        tool_definitions=tuple(tool for tool in map(object_of, given) if tool),
        extra=rest_of(agent, _AGENT) | rest_of(environment, frozenset({"tool_defs"})),
    )


def _settings(info: JsonObject) -> JsonObject:
    domain = first_str(object_of(info.get("environment_info")), "domain_name")
    rest = rest_of(info, _SETTINGS)
    return ({} if domain is None else {"domain": domain}) | ({"run_info": rest} if rest else {})
