"""ToolBench answers: an agent searches for a way to answer a query with functions of web services.

A file of the benchmark holds one query with the whole tree of what was tried; the path that was
chosen is live, and the others are branches that were left. ToolEval's files hold many queries with
the chosen path alone. Names of functions stay as they are, `<function>_for_<service>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Bundle
from stepwell.formats.chat.logs import chat_of
from stepwell.formats.files.documents import documents, first_value, source_id
from stepwell.formats.files.members import fields, member
from stepwell.text.clean import readable
from stepwell.trajectory.fields import first_str, is_list, is_object, list_of, object_of, rest_of
from stepwell.trajectory.model import Agent, Outcome, Trajectory
from stepwell_bench.readers.toolbench_answers import answer_turns
from stepwell_bench.readers.toolbench_search import (
    chosen_turns,
    search_turns,
    tree_nodes,
    tried_nodes,
)
from stepwell_bench.readers.toolbench_turns import Turn, turn_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.chat.logs import Chat
    from stepwell.formats.files.documents import Document
    from stepwell.trajectory.model import JsonObject, RawRecord
    from stepwell_bench.readers.toolbench_search import Node
    from stepwell_bench.readers.toolbench_turns import NoteAt

__all__ = ["ToolBench"]

_NAME = "toolbench"
_RUN = frozenset({"tree", "trys", "compare_candidates", "answer_generation"})
_GENERATION = frozenset({"function", "train_messages", "chain", "query"})
_ANSWER = frozenset({"query", "available_tools", "answer"})
_DETAILS = frozenset({"answer_details", "method"})
_PROBE = 10
"""Entries of a file looked at to tell whether it holds ToolEval's answers."""

_RETURN_TYPE = re.compile(r'"return_type"\s*:\s*"(\w+)"')
_GIVES_ANSWER = "give_answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What a document says about a query, whichever form it has."""

    turns: Sequence[Turn]
    query: str | None
    agent: Agent
    raws: tuple[RawRecord, ...]
    outcome: Outcome
    extra: JsonObject


class ToolBench:
    """Reads answers of ToolBench, one search a file, and ToolEval's files of many answers."""

    name = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the first value is a search, or holds answers to queries."""
        value = first_value(source)
        return 0.98 if _is_search(value) or _is_answer(value) or _is_answers(value) else 0.0

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield one trajectory per query: `<source>`, or `<source>#<query id>` where it has one."""
        taken: set[str] = set()
        for number, (own, document) in enumerate(_queries(source)):
            if not _is_search(document.value) and not _is_answer(document.value):
                message = "No ToolBench search or answer."
                document.note(notes, "", "not-an-answer", message, effect="skipped")
                continue
            name = source_id(source.uri) + ("" if own is None else f"#{own}")
            name = f"{name}#{number}" if name in taken else name
            taken.add(name)
            yield _bundle(document, name, notes)


def _is_search(value: Any) -> bool:
    run = object_of(value)
    nodes = is_object(object_of(run.get("tree")).get("tree")) or is_list(run.get("trys"))
    generation = object_of(run.get("answer_generation"))
    return is_list(generation.get("train_messages")) or (
        nodes and ("win" in run or bool(generation))
    )


def _is_answer(value: Any) -> bool:
    entry = object_of(value)
    return "query" in entry and is_list(object_of(entry.get("answer")).get("answer_details"))


def _is_answers(value: Any) -> bool:
    return any(map(_is_answer, list(object_of(value).values())[:_PROBE]))


def _queries(source: Source) -> Iterator[tuple[str | None, Document]]:
    """Yield the queries of a source with their ids, where they have any."""
    for document in documents(source):
        if _is_search(document.value) or not _is_answers(document.value):
            yield None, document
            continue
        raws = fields(document.raw)
        for own, value in document.value.items():
            pointer = f"{document.pointer}/{own}"
            yield own, replace(document, value=value, raw=raws.get(own, b""), pointer=pointer)


def _bundle(document: Document, name: str, notes: Notes) -> Bundle:
    first_notice = len(notes.notices)
    note = partial(document.note, notes)
    found = (_searched if _is_search(document.value) else _answered)(document, note)
    steps, blobs = turn_steps(found.turns, found.query, note=note)
    trajectory = Trajectory(
        trajectory_id=name,
        session_id=name,
        source_format=_NAME,
        agent=found.agent,
        task=None if found.query is None else readable(found.query),
        outcome=found.outcome,
        steps=steps,
        raw_records=found.raws,
        warnings=tuple(notes.notices[first_notice:]),
        extra=found.extra,
    )
    return Bundle(trajectory=trajectory, blobs=blobs)


def _searched(document: Document, note: NoteAt) -> _Found:
    run = object_of(document.value)
    generation = object_of(run.get("answer_generation"))
    query = first_str(generation, "query")
    chat = _chosen(document, generation)
    chosen = chosen_turns(chat, note=note)
    if query is not None and not any(turn.message["role"] == "user" for turn in chosen):
        chosen.append(Turn(message={"role": "user", "content": query}))
    nodes = _nodes(run, note)
    raws = (*chat.raws, *(_tree_raw(document, run) if nodes else ()))
    turns, is_found = search_turns(nodes, chosen, refs=tuple(range(len(chat.raws), len(raws))))
    if not is_found:
        message = "The chosen path is not in the tree; all of the tree is kept as left branches."
        note("/answer_generation/train_messages", "path-not-in-tree", message)
    elif nodes and not chat.messages:
        message = "No path was chosen; the newest one is taken as the live one."
        note("/answer_generation", "no-chosen-path", message)
    win = run.get("win")
    return _Found(
        turns=turns,
        query=query,
        agent=Agent(tool_definitions=_functions(generation.get("function"))),
        raws=raws,
        outcome=_outcome(generation, success=win if isinstance(win, bool) else None),
        extra=rest_of(run, _RUN) | rest_of(generation, _GENERATION),
    )


def _nodes(run: JsonObject, note: NoteAt) -> tuple[Node, ...]:
    tree = object_of(object_of(run.get("tree")).get("tree"))
    if tree:
        return tree_nodes(tree.get("children"), "/tree/tree/children", note=note)
    return tried_nodes(run.get("trys"), note=note)


def _tree_raw(document: Document, run: JsonObject) -> tuple[RawRecord, ...]:
    """Return the raw record of a whole tree: its nodes hold each other, and none stands alone."""
    place = "tree" if is_object(run.get("tree")) else "trys"
    raw = member(document.raw, place)
    return (document.raw_record(f"/{place}", raw),) if raw else ()


def _chosen(document: Document, generation: JsonObject) -> Chat:
    """Return the conversation that led to the answer: the last one holds all before it."""
    conversations = list_of(generation.get("train_messages"))
    raw = member(member(document.raw, "answer_generation"), "train_messages")
    raws = document.raw_elements("", raw, count=len(conversations))
    at = len(conversations) - 1
    return chat_of(
        document,
        f"/answer_generation/train_messages/{at}",
        conversations[at] if conversations else None,
        raws[at].raw if raws else b"",
    )


def _answered(document: Document, note: NoteAt) -> _Found:
    entry = object_of(document.value)
    answer = object_of(entry["answer"])
    query = first_str(entry, "query")
    raw = member(member(document.raw, "answer"), "answer_details")
    raws = (document.raw_record("/answer/answer_details", raw),) if raw else ()
    return _Found(
        turns=answer_turns(answer, query=query, refs=tuple(range(len(raws))), note=note),
        query=query,
        agent=Agent(
            name=first_str(answer, "method"),
            tool_definitions=_functions(entry.get("available_tools")),
        ),
        raws=raws,
        outcome=_outcome(answer),
        extra=rest_of(entry, _ANSWER) | rest_of(answer, _DETAILS),
    )


def _functions(values: Any) -> tuple[JsonObject, ...]:
    return tuple(function for function in map(object_of, list_of(values)) if function)


def _outcome(answer: JsonObject, *, success: bool | None = None) -> Outcome:
    """Return how a search ended: by giving an answer or giving up, or by neither.

    Success is having given an answer; whether it is right, ToolBench does not say.
    """
    match = _RETURN_TYPE.search(first_str(answer, "final_answer") or "")
    status = None if match is None else match[1]
    return Outcome(
        success=status == _GIVES_ANSWER if success is None else success, exit_status=status
    )
